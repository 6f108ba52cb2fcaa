"""Two-sided bear-off files of GNU Backgammon: money equities of all pairs of positions.

Pairs are sorted by roller and then by opponent, in the order of `bearoff.rank`. A pair has
one or four numbers: the cubeless equity, the equities without a double for an owned and for
a centred cube, and the equity with an opponent-owned cube. The numbers 0 to 65,535 stand
for equities of -1 to 1 at a cube value of 1, so gammons cannot be represented. Cubeful
equities therefore agree with a table only if neither player has 15 checkers on the board.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.gnubg.header import HEADER_BYTES, MOST_BYTES, MOST_POINTS, Header
from bearoff.gnubg.pairs import rows
from bearoff.positions import CHECKERS
from bearoff.storage import atomic_path
from bearoff.two_sided import TwoSidedTable

HIGHEST = 65535
"""Integer that represents an equity of 1; the integer 0 represents -1."""

_NUMBER = np.dtype("<u2")

Progress = Callable[[float], None]


def two_sided_header(points: int, checkers: int, *, cube: bool = True) -> Header:
    """Return the header of a two-sided file that GNU Backgammon can read.

    Raises
    ------
    PositionError, TableError
        If the size is impossible, the file would be too large, or gammons would be
        possible.

    Examples
    --------
    >>> two_sided_header(6, 12).file_bytes
    2756976808
    >>> two_sided_header(6, 13)
    Traceback (most recent call last):
    bearoff.errors.TableError: ...5,889,163,432 bytes...
    """
    if points > MOST_POINTS:
        raise TableError(f"GNU Backgammon cannot read two-sided files with {points} points")
    header = Header(True, points, checkers, cube=cube)
    if header.file_bytes > MOST_BYTES:
        raise TableError(
            f"a two-sided file for {points} points and {checkers} checkers, "
            f"{'with the cube' if cube else 'cubeless'}, would have "
            f"{header.file_bytes:,} bytes, but GNU Backgammon reads at most "
            f"{MOST_BYTES:,}; use fewer checkers{' or no cube' if cube else ''}"
        )
    if cube and checkers == CHECKERS:
        raise TableError(
            "a two-sided file of GNU Backgammon cannot store gammons, which are possible "
            f"with {CHECKERS} checkers; use at most {CHECKERS - 1} checkers, or no cube"
        )
    return header


def write_two_sided(
    path: Path, table: TwoSidedTable, header: Header, progress: Progress = lambda done: None
) -> None:
    """Write a table, or a part of it, to a file; no incomplete file remains after an error.

    Parameters
    ----------
    path : Path
        Path of the file. An existing file is replaced.
    table : TwoSidedTable
        Two-sided table with at least the header's number of checkers. The file's equities
        are rounded to the nearest multiple of 2 / 65,535.
    header : Header
        Header from `two_sided_header`.
    progress : callable
        Function that is called with the completed fraction, from 0 to 1.

    Raises
    ------
    TableError
        If values of the table have not been built or are damaged.
    OSError
        If the file cannot be written.
    """
    done = 0
    with atomic_path(path) as fresh, fresh.open("wb") as file:
        file.write(header.encode())
        for rollers, equities in rows(table, header):
            numbers = np.floor((equities + 1) * (HIGHEST / 2) + 0.5).astype(_NUMBER)
            for roller, row in zip(rollers.tolist(), numbers, strict=True):
                file.seek(HEADER_BYTES + roller * header.row_bytes)
                file.write(row.tobytes())
            done += len(rollers)
            progress(done / header.positions)


@dataclass(frozen=True, eq=False)
class TwoSidedFile:
    """Two-sided bear-off file of GNU Backgammon, from which only requested rows are read.

    Attributes
    ----------
    path : Path
        Path of the file.
    header : Header
        Contents of the file, according to its header.
    """

    path: Path
    header: Header

    def equities(self, rollers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Read the equities of given roller positions against all opponent positions.

        Returns
        -------
        ndarray of float64, shape (rollers, positions, 1 or 4)
            Equities from -1 to 1, ordered as in `RollerRows`.
        """
        size = self.header.positions
        shape = size, size, self.header.planes
        numbers = np.memmap(self.path, _NUMBER, "r", HEADER_BYTES, shape)
        return np.asarray(numbers[rollers] * (2 / HIGHEST) - 1, dtype=np.float64)
