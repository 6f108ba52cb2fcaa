"""Open the two-sided tables of a size once they are built."""

from functools import lru_cache
from pathlib import Path

from bearoff.positions import CHECKERS
from bearoff.storage import manifest
from bearoff.two_sided.storage import read_manifest, table_folder
from bearoff.two_sided.table import TwoSidedTable


def two_sided_table(checkers: int = CHECKERS) -> TwoSidedTable:
    """Open the two-sided tables of so many checkers, built by `build_two_sided_table`.

    Raises
    ------
    TableError
        If they are not built, or damaged.
    """
    folder = table_folder(checkers)
    try:
        seen = (folder / manifest.MANIFEST).stat()
    except OSError:
        read_manifest(folder)  # Names what is wrong.
        raise
    return _open_table(checkers, folder, (seen.st_ino, seen.st_mtime_ns))


@lru_cache(maxsize=4)
def _open_table(checkers: int, folder: Path, seen: tuple[int, int]) -> TwoSidedTable:
    """Open a table once for each manifest that was seen of it."""
    return TwoSidedTable(checkers, folder, read_manifest(folder))
