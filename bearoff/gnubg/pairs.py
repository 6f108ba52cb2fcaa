"""Equities of pairs of positions of a table, in the order of a two-sided bear-off file."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.gnubg.header import Header
from bearoff.positions import rank, unrank
from bearoff.two_sided import TwoSidedTable, pair_order

PLANES = ("cubeless", "owned", "centred", "opponent")
"""Names of a two-sided table's values in the order of a bear-off file. For an owned and a
centred cube, the file contains the equities without a double now."""

_BLOCKS = 4
"""Number of blocks of 16 roller positions that are read together. For 15 checkers per
player, the values of one cube owner then take 15 MB."""

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


class RollerRows(NamedTuple):
    """Equities of some roller positions against all opponent positions of a bear-off file.

    Attributes
    ----------
    rollers : ndarray of int64, shape (n,)
        Position numbers of the rollers.
    equities : ndarray of float64, shape (n, positions, 1 or 4)
        Equity without a cube and, in a file with cubeful equities, the equities with an
        owned, a centred and an opponent-owned cube, all without a double now.
    """

    rollers: Int64Array
    equities: Float64Array


def rows(table: TwoSidedTable, header: Header) -> Iterator[RollerRows]:
    """Yield the equities of all pairs of positions of a bear-off file, in parts."""
    slots = table.places.slots[_numbers_in(table, header)].astype(np.int64)
    by_slot = np.argsort(slots)
    blocks = np.unique(slots // pair_order.LANES)
    # Adjacent blocks of the table are read together.
    firsts = np.flatnonzero(np.diff(blocks, prepend=-2) > 1)
    for run in np.split(blocks, firsts[1:]):
        for start in range(run[0], run[-1] + 1, _BLOCKS):
            some = slice(start, min(start + _BLOCKS, int(run[-1]) + 1))
            ends = np.array([some.start, some.stop]) * pair_order.LANES
            rollers = by_slot[slice(*np.searchsorted(slots[by_slot], ends))]
            lanes = slots[rollers] - ends[0]
            equities = [
                _values(table, plane, some, slots)[lanes]
                for plane in PLANES[: header.planes]
            ]
            yield RollerRows(rollers, np.stack(equities, axis=-1))


def _values(
    table: TwoSidedTable, plane: str, blocks: slice, slots: Int64Array
) -> Float64Array:
    """Read the values of blocks of rollers against given opponents, one row per roller."""
    values = table.plane_values
    codes = values.plane(plane).read(blocks, slice(0, table.places.size))[:, slots]
    rows = codes.swapaxes(1, 2).reshape(-1, len(slots))
    return np.asarray(rows * values.step(plane))


def _numbers_in(table: TwoSidedTable, header: Header) -> Int64Array:
    """Return the position number in the table for each position of the bear-off file."""
    if header.points > table.points or header.checkers > table.checkers:
        raise TableError(
            f"the table for {table.points} points and {table.checkers} checkers is too "
            f"small for a file with {header.points} points and {header.checkers} checkers"
        )
    numbers = np.arange(header.positions)
    if header.points == table.points:
        return numbers
    counts = unrank(numbers, header.points, header.checkers)
    more = [(0, 0), (0, table.points - header.points)]
    return rank(np.pad(counts, more), table.checkers)
