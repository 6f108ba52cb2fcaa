"""Two-sided files: equities of every pair, for money.

The pairs stand roller by roller, for each roller all opponents, positions in the order of
`bearoff.rank`. A pair has one number, or four: cubeless; if the roller does not double the
cube it owns; if it does not double a centred cube; with the cube at the opponent. Numbers 0
to 65,535 are equities of -1 to 1 at a cube of 1. So they have no room for gammons: with the
cube our tables agree only where no side has all fifteen checkers on the board.
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
"""The number of an equity of 1; that of -1 is 0."""

_NUMBER = np.dtype("<u2")

Progress = Callable[[float], None]


def two_sided_header(points: int, checkers: int, *, cube: bool = True) -> Header:
    """Describe the two-sided file of this size, if GNU Backgammon can read it.

    Raises
    ------
    PositionError, TableError
        If there is no such size, the file would be too large, or gammons count in it.

    Examples
    --------
    >>> two_sided_header(6, 12).file_bytes
    2756976808
    >>> two_sided_header(6, 13)
    Traceback (most recent call last):
    bearoff.errors.TableError: a two-sided file of 6 points and 13 checkers, with the cube,
    has 5,889,163,432 bytes, and GNU Backgammon reads at most 4,294,967,296; use fewer
    checkers or no cube
    """
    if points > MOST_POINTS:
        raise TableError(f"GNU Backgammon opens no two-sided file of {points} points")
    header = Header(True, points, checkers, cube=cube)
    if header.file_bytes > MOST_BYTES:
        raise TableError(
            f"a two-sided file of {points} points and {checkers} checkers, "
            f"{'with the cube' if cube else 'cubeless'}, has {header.file_bytes:,} bytes, "
            f"and GNU Backgammon reads at most {MOST_BYTES:,}; use fewer checkers"
            f"{' or no cube' if cube else ''}"
        )
    if cube and checkers == CHECKERS:
        raise TableError(
            f"with {CHECKERS} checkers gammons count, which a two-sided file of GNU "
            f"Backgammon has no room for; use at most {CHECKERS - 1} or no cube"
        )
    return header


def write_two_sided(
    path: Path, table: TwoSidedTable, header: Header, progress: Progress = lambda done: None
) -> None:
    """Write a part of the table or all; the file appears whole or not at all.

    Parameters
    ----------
    path : Path
        The file; one that is there is replaced.
    table : TwoSidedTable
        Of as many checkers as the header names, or more. Every value is rounded to the
        nearest 65,535th of 2.
    header : Header
        As of `two_sided_header`.
    progress : callable
        Called with how much is done, 0 to 1.

    Raises
    ------
    TableError
        If a plane is not built or is damaged.
    OSError
        If it cannot be written.
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
    """A two-sided file, of which only what is asked for is read.

    Attributes
    ----------
    path : Path
        The file.
    header : Header
        What it says of itself.
    """

    path: Path
    header: Header

    def equities(self, rollers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Read the values of rollers against all opponents.

        Returns
        -------
        ndarray of float64, shape (rollers, positions, 1 or 4)
            As in `Rows`, -1 to 1.
        """
        size = self.header.positions
        shape = size, size, self.header.planes
        numbers = np.memmap(self.path, _NUMBER, "r", HEADER_BYTES, shape)
        return np.asarray(numbers[rollers] * (2 / HIGHEST) - 1, dtype=np.float64)
