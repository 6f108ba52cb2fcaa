"""Open the two-sided tables of a size once they are built."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from bearoff.errors import TableError
from bearoff.positions import CHECKERS, POINTS
from bearoff.storage import manifest
from bearoff.two_sided.manifest import read_manifest, table_folder
from bearoff.two_sided.table import TwoSidedTable


def two_sided_table(
    checkers: int = CHECKERS, points: int = POINTS, *, start: int = CHECKERS
) -> TwoSidedTable:
    """Open the two-sided tables of a size, built by `build_two_sided_table`.

    Parameters
    ----------
    checkers, points : int
        Most checkers of each side, and on how many points they stand.
    start : int
        Checkers with which a side starts, and loses a gammon while it has them all.

    Raises
    ------
    PositionError
        If there are no tables of such a size.
    TableError
        If they are not built, or damaged.
    """
    folder = table_folder(points, checkers, start)
    try:
        seen = (folder / manifest.MANIFEST).stat()
    except OSError:
        read_manifest(folder)  # Names what is wrong.
        raise
    return _open_table(folder, (seen.st_ino, seen.st_mtime_ns))


@lru_cache(maxsize=4)
def _open_table(folder: Path, seen: tuple[int, int]) -> TwoSidedTable:
    """Open a table once for each manifest that was seen of it, and its planes with it.

    A millisecond a plane, which the first query need not wait for.
    """
    table = TwoSidedTable(folder, read_manifest(folder))
    for plane in table.planes:
        with suppress(TableError):  # Who asks it is told.
            table.plane_values.plane(plane)
    return table
