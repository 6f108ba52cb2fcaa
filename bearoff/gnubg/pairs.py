"""What a two-sided file holds of our table: the four values of every pair.

The cubeless equity, that with the cube at the opponent, and for the cube owned and centred
what the pair is worth if the roller does *not* double now.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.gnubg.header import Header
from bearoff.plays import pip_levels
from bearoff.positions import rank, unrank
from bearoff.two_sided import Cube, TwoSidedTable

AT_ONCE = 128
"""Positions of a block; of 16 neighbours each the values stand together in the table."""

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_KEPT: tuple[Cube, Cube] = ("owned", "centred")
"""Where the cube is that is not turned now."""


class Block(NamedTuple):
    """Values of some positions against all.

    Attributes
    ----------
    numbers : ndarray of int64, shape (n,)
        The positions.
    rows : ndarray of float64, shape (n, positions, 1 or 2)
        They on roll: the cubeless equity and that with the cube at the opponent.
    columns : ndarray of float64, shape (n, positions, 0 or 2)
        The other on roll: equity if it does not double the cube it owns, or centred.
    """

    numbers: Int64Array
    rows: Float64Array
    columns: Float64Array


def blocks(table: TwoSidedTable, header: Header) -> Iterator[Block]:
    """Yield all pairs of a file once as rows and once as columns, some at a time.

    Raises
    ------
    TableError
        If the table is too small, or a plane of it is not built or is damaged.
    """
    size = header.positions
    ours = _numbers_in(table, header)
    # Positions near in pips stand together in the table.
    order = np.argsort(pip_levels.pip_counts(header.points, header.checkers))
    for start in range(0, size, AT_ONCE):
        numbers = order[start : start + AT_ONCE]
        on_roll = ours[numbers][:, None]
        rows = [2 * table.win_probability(on_roll, ours) - 1]
        columns = np.empty((len(numbers), size, 0))
        if header.cube:
            rows.append(table.equity(on_roll, ours, "opponent"))
            kept = [table.no_double(ours, on_roll, cube) for cube in _KEPT]
            columns = np.stack(kept, axis=-1)
        yield Block(numbers, np.stack(rows, axis=-1), columns)


def _numbers_in(table: TwoSidedTable, header: Header) -> Int64Array:
    """Return the table's number of each position of the file."""
    if header.points > table.points or header.checkers > table.checkers:
        raise TableError(
            f"the table of {table.points} points and {table.checkers} checkers does not "
            f"hold {header.points} points and {header.checkers} checkers"
        )
    numbers = np.arange(header.positions)
    if header.points == table.points:
        return numbers
    counts = unrank(numbers, header.points, header.checkers)
    more = [(0, 0), (0, table.points - header.points)]
    return rank(np.pad(counts, more), table.checkers)
