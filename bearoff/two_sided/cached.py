"""Two-sided tables in the cache: list, verify and remove tables, find the smallest one."""

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bearoff.errors import MissingTableError, TableError
from bearoff.positions import POINTS
from bearoff.two_sided.manifest import (
    claimed_for_building,
    read_manifest,
    stored_sizes,
    stored_tables,
    table_folder,
)
from bearoff.two_sided.table import TwoSidedTable
from bearoff.two_sided.values import PlaneValues
from bearoff.two_sided.verify import verify_planes


@dataclass(frozen=True)
class CachedTwoSidedTable:
    """Two-sided table in the cache, perhaps incomplete or damaged.

    Attributes
    ----------
    points, checkers : int
        Number of points of the board, and maximum number of checkers per player.
    digests : dict of str to str
        Checksum of each completed file of values, by name in build order; empty if the
        manifest is missing or damaged.
    bytes : int
        Disk space of the table's folder in bytes.
    damage : str or None
        Error message if the manifest is damaged or has another format; otherwise None.
    is_complete : bool
        Whether all values of the table have been built.
    score : str or None
        Points away, kind of game and checksum of the payoffs of a table at a match score;
        None for money.
    """

    points: int
    checkers: int
    folder: Path
    digests: dict[str, str]
    bytes: int
    damage: str | None = None
    is_complete: bool = False
    score: str | None = None

    @property
    def planes(self) -> tuple[str, ...]:
        """Names of the values that have been built, in build order."""
        return tuple(self.digests)

    def verify(self) -> None:
        """Verify every byte of the table's files.

        Raises
        ------
        TableError
            If the manifest or another file is missing or damaged.
        """
        verify_planes(PlaneValues(self.folder, read_manifest(self.folder)))

    def remove(self) -> None:
        """Delete the table from the cache.

        Raises
        ------
        TableError
            If another process is building the table.
        """
        remove_table(self.folder)


def remove_table(folder: Path) -> bool:
    """Remove the folder of a two-sided table, and return whether the folder existed."""
    if not folder.exists():
        return False
    with claimed_for_building(folder):
        shutil.rmtree(folder)
    return True


def cached_two_sided_tables() -> list[CachedTwoSidedTable]:
    """List the two-sided tables in the cache without opening them, money tables first.

    Examples
    --------
    >>> import bearoff
    >>> folder = bearoff.build_two_sided_table(3)
    >>> [table.planes for table in cached_two_sided_tables() if table.folder == folder]
    [('cubeless', 'opponent', 'owned', 'centred')]
    """
    return [_cached(folder) for folder in stored_tables()]


def smallest_table_with(
    checkers: int, points: int = POINTS, *, cube: bool, wider: bool = False
) -> TwoSidedTable | None:
    """Open the smallest cached table with enough checkers per player.

    Parameters
    ----------
    checkers : int
        Number of checkers of the player with more checkers on the board.
    points : int
        Number of points that the table must have.
    cube : bool
        Whether the table must have cubeful values.
    wider : bool
        Whether the table may have more than `points` points. Position numbers in a table
        with more points are different.

    Returns
    -------
    TwoSidedTable or None
        Table with the fewest points and, among equals, the fewest checkers; None if the
        cache has no such table.

    Raises
    ------
    TableError
        If the table is damaged, or if a smaller table with enough checkers and points is
        damaged.
    """
    sizes = [(p, c) for p, c in stored_sizes() if p >= points and c >= checkers]
    return _first((s for s in sizes if wider or s[0] == points), cube=cube)


def tables_with_cube() -> list[TwoSidedTable]:
    """Open all complete money tables with cubeful values, sorted by points and checkers.

    Raises
    ------
    TableError
        If one of the tables is damaged.
    """
    return list(_good(stored_sizes(), cube=True))


def _first(sizes: Iterable[tuple[int, int]], *, cube: bool) -> TwoSidedTable | None:
    return next(_good(sizes, cube=cube), None)


def _good(sizes: Iterable[tuple[int, int]], *, cube: bool) -> Iterator[TwoSidedTable]:
    for points, checkers in sizes:
        cached = _cached(table_folder(points, checkers))
        # A damaged table must not be skipped, because another table could give different
        # answers.
        if cached.damage is not None:
            raise TableError(cached.damage)
        if "cubeless" in cached.planes and (cached.is_complete or not cube):
            yield TwoSidedTable(cached.folder, read_manifest(cached.folder))


def _cached(folder: Path) -> CachedTwoSidedTable:
    """Describe the table in a folder; a table without a manifest counts as incomplete."""
    digests, damage, complete = {}, None, False
    try:
        manifest = read_manifest(folder)
        built, complete = manifest.planes, manifest.is_complete
        digests = {n: built[n].digest for n in manifest.solved if n in built}
    except MissingTableError:
        pass
    except TableError as error:
        damage = str(error)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    _, _, points, checkers, *rest = folder.name.split("-")
    score = "-".join(rest[1:]) or None
    return CachedTwoSidedTable(
        int(points), int(checkers), folder, digests, size, damage, complete, score
    )
