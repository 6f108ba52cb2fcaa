"""The two-sided tables in the cache: which there are, and which of them holds a pair."""

from dataclasses import dataclass
from pathlib import Path

from bearoff.errors import TableError
from bearoff.numbering import CHECKERS
from bearoff.two_sided import TwoSidedTable
from bearoff.two_sided_codings import PLANES
from bearoff.two_sided_store import read_manifest, remove_table, table_folder


@dataclass(frozen=True)
class KeptTwoSidedTable:
    """A folder of two-sided planes in the cache, good or not.

    Attributes
    ----------
    checkers : int
        Of each side.
    folder : Path
        Where it lies.
    digests : dict of str to str
        Digest of each plane that is whole, in the order in which they are built; none
        where the manifest is missing or damaged.
    bytes : int
        What the folder takes on disk.
    """

    checkers: int
    folder: Path
    digests: dict[str, str]
    bytes: int

    @property
    def planes(self) -> tuple[str, ...]:
        """Planes that are whole, in the order in which they are built."""
        return tuple(self.digests)

    @property
    def has_cube(self) -> bool:
        """Whether all planes are built."""
        return set(self.planes) == set(PLANES)

    def verify(self) -> None:
        """Read every byte of every plane.

        Raises
        ------
        TableError
            If there is no good manifest, or a plane is damaged.
        """
        TwoSidedTable(self.checkers, self.folder, read_manifest(self.folder)).verify()

    def remove(self) -> None:
        """Delete the table.

        Raises
        ------
        TableError
            If a process is building it.
        """
        remove_table(self.checkers)


def kept_two_sided_tables() -> list[KeptTwoSidedTable]:
    """List the two-sided tables in the cache, the smallest first; nothing is opened.

    Examples
    --------
    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(3)
    >>> [kept.planes for kept in kept_two_sided_tables() if kept.checkers == 3]
    [('cubeless', 'opponent', 'owned', 'centred')]
    """
    kept = []
    for checkers in range(1, CHECKERS + 1):
        folder = table_folder(checkers)
        if not folder.is_dir():
            continue
        try:
            manifest = read_manifest(folder)
        except TableError:
            manifest = {"planes": {}}
        built = manifest["planes"]
        digests = {name: built[name]["digest"] for name in PLANES if name in built}
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        kept.append(KeptTwoSidedTable(checkers, folder, digests, size))
    return kept


def smallest_table_with(checkers: int, *, cube: bool) -> TwoSidedTable | None:
    """Open the smallest table in the cache that holds so many checkers a side.

    Parameters
    ----------
    checkers : int
        Checkers on the board of the side that has more.
    cube : bool
        Whether the planes with the cube are needed too.

    Returns
    -------
    TwoSidedTable or None
        None if there is none.

    Raises
    ------
    TableError
        If it is damaged.
    """
    for kept in kept_two_sided_tables():
        if (
            kept.checkers >= checkers
            and "cubeless" in kept.planes
            and (kept.has_cube or not cube)
        ):
            return TwoSidedTable(kept.checkers, kept.folder, read_manifest(kept.folder))
    return None
