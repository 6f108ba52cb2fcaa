"""Function that opens a two-sided table in the cache."""

from __future__ import annotations

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
    """Open a two-sided table that `build_two_sided_table` has built.

    Parameters
    ----------
    checkers, points : int
        Maximum number of checkers per player, and number of points of the board.
    start : int
        Number of checkers of each player at the start of the game. A player who still has
        all these checkers can lose a gammon.

    Raises
    ------
    PositionError
        If a table of this size is impossible.
    TableError
        If the table has not been built or is damaged.
    """
    folder = table_folder(points, checkers, start)
    try:
        seen = (folder / manifest.MANIFEST).stat()
    except OSError:
        read_manifest(folder)  # This call raises an error that says what is wrong.
        raise
    return _open_table(folder, (seen.st_ino, seen.st_mtime_ns))


@lru_cache(maxsize=4)
def _open_table(folder: Path, seen: tuple[int, int]) -> TwoSidedTable:
    """Open a two-sided table, and cache the object until the manifest changes.

    The files of values are opened, too, so that the first query is not slower than later
    ones.
    """
    table = TwoSidedTable(folder, read_manifest(folder))
    for plane in table.planes:
        with suppress(TableError):  # A query of a damaged file raises this error again.
            table.plane_values.plane(plane)
    return table
