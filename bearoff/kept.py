"""The tables kept in the cache: which there are, whether they are good, away with them."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from bearoff.errors import TableError
from bearoff.locks import locked
from bearoff.one_sided import VERSION
from bearoff.one_sided_check import check_arrays
from bearoff.one_sided_estimate import is_small
from bearoff.store import CheckedArrays, cache_folder, open_table, read_manifest

_NAME = re.compile(r"one-sided-(\d\d)x(\d\d)")


@dataclass(frozen=True)
class KeptTable:
    """A one-sided table in the cache, good or not.

    Attributes
    ----------
    folder : Path
        Where it lies.
    points, checkers : int
        Its size.
    bytes : int
        What it takes on disk.
    """

    folder: Path
    points: int
    checkers: int
    bytes: int

    @property
    def is_good(self) -> bool:
        """Whether it opens as this version wrote it; any other is built anew.

        A small table is read whole for that, a large one not: `verify` does.
        """
        try:
            self._open()
        except TableError:
            return False
        return True

    @property
    def digest(self) -> str:
        """SHA-256 of its manifest, so of every byte as far as checksums tell.

        Raises
        ------
        TableError
            If the manifest is missing or damaged.
        """
        return str(read_manifest(self.folder)["digest"])

    def verify(self) -> None:
        """Read every byte.

        Raises
        ------
        TableError
            If one is not as this version wrote it.
        """
        for array in self._open().values():
            array.whole()

    def _open(self) -> CheckedArrays:
        return open_table(
            self.folder,
            self.folder.name,
            VERSION,
            lambda kept: check_arrays(self.points, self.checkers, kept),
            lazily=not is_small(self.points, self.checkers),
        )

    def remove(self) -> None:
        """Delete the table, after whoever is building it has finished.

        Raises
        ------
        OSError
            If the cache cannot be written.
        """
        with locked(self.folder.with_suffix(".lock")):
            if self.folder.exists():
                shutil.rmtree(self.folder)


def kept_tables() -> list[KeptTable]:
    """List the tables in `cache_folder`, the smallest first; none where there is none.

    Examples
    --------
    >>> import bearoff
    >>> table = bearoff.one_sided_table(6, 15)
    >>> (6, 15) in [(kept.points, kept.checkers) for kept in kept_tables()]
    True
    """
    folder = cache_folder()
    if not folder.is_dir():
        return []
    kept = []
    for entry in folder.iterdir():
        match = _NAME.fullmatch(entry.name)
        if match and entry.is_dir():
            size = sum(file.stat().st_size for file in entry.iterdir())
            kept.append(KeptTable(entry, int(match[1]), int(match[2]), size))
    return sorted(kept, key=lambda table: (table.points, table.checkers))
