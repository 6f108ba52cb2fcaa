"""One-sided tables in the cache, with functions that list, verify and remove them."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from bearoff.errors import TableError
from bearoff.one_sided.check import check_arrays
from bearoff.one_sided.estimate import is_small
from bearoff.one_sided.opening import VERSION
from bearoff.runtime import locked
from bearoff.storage import (
    CheckedArrays,
    cache_folder,
    manifest as manifests,
    open_table,
)

_NAME = re.compile(r"one-sided-(\d\d)x(\d\d)")


@dataclass(frozen=True)
class CachedOneSidedTable:
    """One-sided table in the cache, which may be damaged.

    Attributes
    ----------
    folder : Path
        Folder that contains the files of the table.
    points, checkers : int
        Number of points, and maximum number of checkers.
    """

    folder: Path
    points: int
    checkers: int
    bytes: int

    @property
    def is_good(self) -> bool:
        """Whether the table can be opened; a damaged table is built again when needed.

        This check reads a small table completely, but not a large table. `verify` reads a
        table of any size completely.
        """
        try:
            self._open()
        except TableError:
            return False
        return True

    @property
    def digest(self) -> str:
        """SHA-256 of the manifest, which contains checksums of all files of the table.

        Raises
        ------
        TableError
            If the manifest is missing or damaged.
        """
        return manifests.digest(
            manifests.read_manifest(self.folder, manifests.ArraysManifest)
        )

    def verify(self) -> None:
        """Read the whole table, and verify all checksums.

        Raises
        ------
        TableError
            If the data have changed since they were written, or the table has another
            version.
        """
        for array in self._open().values():
            array.read_all()

    def _open(self) -> CheckedArrays:
        return open_table(
            self.folder,
            self.folder.name,
            VERSION,
            lambda arrays: check_arrays(self.points, self.checkers, arrays),
            lazily=not is_small(self.points, self.checkers),
        )

    def remove(self) -> None:
        """Delete the table, but first wait for any process that is building it.

        Raises
        ------
        OSError
            If the cache is not writable.
        """
        with locked(self.folder.with_suffix(".lock")):
            if self.folder.exists():
                shutil.rmtree(self.folder)


def cached_tables() -> list[CachedOneSidedTable]:
    """List the one-sided tables in the cache, sorted by points and checkers.

    Examples
    --------
    >>> import bearoff
    >>> table = bearoff.one_sided_table(6, 15)
    >>> (6, 15) in [(cached.points, cached.checkers) for cached in cached_tables()]
    True
    """
    folder = cache_folder()
    if not folder.is_dir():
        return []
    cached = []
    for entry in folder.iterdir():
        match = _NAME.fullmatch(entry.name)
        if match and entry.is_dir():
            size = sum(file.stat().st_size for file in entry.iterdir())
            cached.append(CachedOneSidedTable(entry, int(match[1]), int(match[2]), size))
    return sorted(cached, key=lambda table: (table.points, table.checkers))
