"""Loss of fewest-rolls play against optimal play, in all pairs of a two-sided table.

Two questions are answered for every pair, without sampling:

- *Values.* How much does the convolution of two fewest-rolls distributions differ from the
  optimal win probability?
- *Plays.* How often is the fewest-rolls play of a roll not the best play against this
  opponent, and how much does it lose, if both sides play optimally afterwards?

Win probabilities are read once, in tiles of 64 positions of the roller with all positions
of the opponent. Win probabilities are stored in steps of 1/65535. A play counts as worse
than the best if it loses at least two steps: rounding makes equal values differ by one step
at most.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import (
    POINTS,
    ROLLS,
    WEIGHTS,
    TwoSidedTable,
    one_sided_table,
    position_count,
    two_sided_table,
    unrank,
)
from bearoff.one_sided import tail_sums
from bearoff.rolls import THROWS
from bearoff.two_sided import (
    pair_order,
)

Int64Array = NDArray[np.int64]
Float64Array = NDArray[np.float64]

CODE = 1 / 65535
"""Difference in win probability between two neighbouring stored values."""

LOSSES = (2 * CODE, 1e-3, 1e-2)
"""Losses of win probability. For each loss, the study counts the plays that lose at least
as much."""

PER_BIN = 100_000
"""Number of histogram bins per unit of win probability."""

_HALF = 20_000
"""Number of histogram bins for positive differences, and also for negative differences."""

_TILE = 4
"""Number of table blocks that are processed together. A block has 16 positions of the
roller."""


@dataclass(frozen=True, eq=False)
class TwoSidedStudy:
    """Results for all pairs of a two-sided table, by both sides' numbers of checkers.

    In an array indexed by checkers, the first index of size n + 1 is the roller's number of
    checkers, and the second is the opponent's. Entries for 0 checkers are not used.

    Attributes
    ----------
    table : TwoSidedTable
        Table that was studied.
    digest : str
        Digest of the table's win probabilities.
    pairs : ndarray of int64, shape (n + 1, n + 1)
        Number of pairs in which both sides have checkers on the board.
    histogram : ndarray of int64, shape (bins,)
        Histogram of the *gap*: the win probability with optimal play minus the win
        probability with fewest-rolls play. Bins have the width ``1 / PER_BIN``.
    gap_total, gap_most : ndarray of float64, shape (n + 1, n + 1)
        Sum and maximum of the absolute gaps.
    gap_pair : ndarray of int64, shape (n + 1, n + 1, 2)
        Position numbers of the roller and the opponent with the largest absolute gap; -1 if
        there are no pairs.
    worse : ndarray of int64, shape (n + 1, len(LOSSES), n + 1)
        Number of combinations of a pair and a roll in which the fewest-rolls play loses at
        least each number in `LOSSES`.
    loss_total : ndarray of float64, shape (n + 1, n + 1)
        Sum over all pairs of the mean loss per roll, in win probability.
    loss_most : ndarray of float64, shape (n + 1, n + 1)
        Largest loss in win probability if the fewest-rolls play of a single roll is chosen.
    loss_pair : ndarray of int64, shape (n + 1, n + 1, 2)
        Position numbers of the roller and the opponent with the largest loss of a
        fewest-rolls play; -1 if no fewest-rolls play loses.
    """

    table: TwoSidedTable
    digest: str
    pairs: Int64Array
    histogram: Int64Array
    gap_total: Float64Array
    gap_most: Float64Array
    gap_pair: Int64Array
    worse: Int64Array
    loss_total: Float64Array
    loss_most: Float64Array
    loss_pair: Int64Array

    @property
    def cells(self) -> int:
        """Number of combinations of a pair of positions and a roll."""
        return int(self.pairs.sum()) * len(ROLLS)

    def gap_quantile(self, share: float) -> float:
        """Return a quantile of the difference between the win probabilities.

        The quantile is rounded to a multiple of the bin width ``1 / PER_BIN``.
        """
        middle = len(self.histogram) // 2
        sizes = self.histogram[middle:].copy()
        sizes[1:] += self.histogram[:middle][::-1]
        reached = sizes.cumsum() >= share * sizes.sum()
        return float(np.argmax(reached)) / PER_BIN


@dataclass(frozen=True, eq=False)
class _Tally:
    """Results for a part of the table; ``+`` combines the results for two parts."""

    histogram: Int64Array
    gap_total: Float64Array
    gap_most: Float64Array
    gap_pair: Int64Array
    worse: Int64Array
    loss_total: Int64Array
    loss_most: Int64Array
    loss_pair: Int64Array

    def __add__(self, other: "_Tally") -> "_Tally":
        gap = other.gap_most > self.gap_most
        loss = other.loss_most > self.loss_most
        return _Tally(
            self.histogram + other.histogram,
            self.gap_total + other.gap_total,
            np.where(gap, other.gap_most, self.gap_most),
            np.where(gap[..., None], other.gap_pair, self.gap_pair),
            self.worse + other.worse,
            self.loss_total + other.loss_total,
            np.where(loss, other.loss_most, self.loss_most),
            np.where(loss[..., None], other.loss_pair, self.loss_pair),
        )


def study_two_sided(
    checkers: int,
    *,
    workers: int = 1,
    progress: Callable[[float], None] = lambda done: None,
) -> TwoSidedStudy:
    """Compare fewest-rolls play with optimal play in all pairs of a two-sided table.

    Parameters
    ----------
    checkers : int
        Checkers per side of the table.
    workers : int
        Number of threads.
    progress : callable
        Function called with the completed fraction, 0 to 1.

    Returns
    -------
    TwoSidedStudy

    Raises
    ------
    TableError
        If the table has not been built, or is damaged.

    Examples
    --------
    >>> import bearoff
    >>> folder = bearoff.build_two_sided_table(2, cube=False, workers=1)
    >>> study = study_two_sided(2)
    >>> int(study.pairs.sum()), study.gap_quantile(1.0) < 1e-4
    (729, True)
    """
    tiles = _Tiles(two_sided_table(checkers))
    starts = range(0, tiles.places.blocks, _TILE)
    tally = tiles.nothing
    with ThreadPoolExecutor(workers) as pool:
        for done, found in enumerate(pool.map(tiles.study, starts), start=1):
            tally += found
            progress(done / len(starts))
    in_group = np.bincount(tiles.group[tiles.group > 0], minlength=checkers + 1)
    return TwoSidedStudy(
        tiles.table,
        tiles.digest,
        np.outer(in_group, in_group),
        tally.histogram,
        tally.gap_total,
        tally.gap_most,
        tally.gap_pair,
        tally.worse,
        np.asarray(tally.loss_total * (CODE / THROWS), dtype=np.float64),
        np.asarray(tally.loss_most * CODE, dtype=np.float64),
        tally.loss_pair,
    )


class _Tiles:
    """Two-sided table, with the fewest-rolls plays of its positions."""

    def __init__(self, table: TwoSidedTable) -> None:
        self.table = table
        self.places: pair_order.PairOrder = table.places
        self._plane = table.plane_values.plane("cubeless")
        self.digest = table.digest("cubeless")
        size, slots = self.places.size, self.places.slots
        numbers = np.arange(position_count(POINTS, table.checkers))
        self._number = np.full(size, -1)
        self._number[slots] = numbers
        self.group = np.zeros(size, dtype=np.int64)
        self.group[slots] = unrank(numbers, POINTS, table.checkers).sum(axis=1)
        fewest = one_sided_table()
        self._chosen = np.zeros((size, len(ROLLS)), dtype=np.int64)
        self._chosen[slots] = slots[fewest.policy[numbers]]
        self._exactly = np.zeros((size, fewest.distribution.shape[1]))
        self._exactly[slots] = fewest.distribution[numbers]
        self._at_least = tail_sums(self._exactly)
        self._successors = pair_order.slot_successors(self.places)
        side = table.checkers + 1
        self.nothing = _Tally(
            np.zeros(2 * _HALF + 1, dtype=np.int64),
            np.zeros((side, side)),
            np.zeros((side, side)),
            np.full((side, side, 2), -1),
            np.zeros((side, len(LOSSES), side), dtype=np.int64),
            np.zeros((side, side), dtype=np.int64),
            np.zeros((side, side), dtype=np.int64),
            np.full((side, side, 2), -1),
        )

    def study(self, block: int) -> _Tally:
        """Count the pairs of all opponents with the rollers in some blocks of the table."""
        last = min(block + _TILE, self.places.blocks)
        lanes = np.arange(block * pair_order.LANES, last * pair_order.LANES)
        size = self.places.size
        equities = self._plane.read(slice(block, last), slice(0, size))
        # Stored equities range from -131070 (a certain loss) to 131070 (a certain win).
        # They become win probabilities as 16-bit integers, from 0 to 65535.
        blocks = ((equities + 131072) >> 2).astype(np.uint16)
        rows = np.ascontiguousarray(blocks.transpose(1, 0, 2)).reshape(size, -1)
        histogram, total, most, pair = self._compare_values(rows, lanes)
        return _Tally(histogram, total, most, pair, *self._compare_plays(rows, lanes))

    def _compare_values(
        self, rows: NDArray[np.uint16], lanes: Int64Array
    ) -> tuple[Int64Array, Float64Array, Float64Array, Int64Array]:
        from research.studies.two_sided_kernels import Differences, Pairs, compare_values

        side = self.table.checkers + 1
        histogram = np.zeros_like(self.nothing.histogram)
        total, most = np.zeros((side, side)), np.zeros((side, side))
        where = np.full((side, side, 2), -1)
        compare_values(
            rows,
            self._at_least,
            np.ascontiguousarray(self._exactly[lanes].T),
            Pairs(self.group, self.group[lanes]),
            Differences(float(PER_BIN), histogram, total, most, where),
        )
        slot, lane = where[..., 0], where[..., 1]
        pair = np.stack([self._number[lanes[lane]], self._number[slot]], axis=-1)
        return histogram, total, most, np.where(where < 0, -1, pair)

    def _compare_plays(
        self, rows: NDArray[np.uint16], lanes: Int64Array
    ) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
        from research.studies.two_sided_kernels import Choices, Losses, compare_plays

        side, width = self.table.checkers + 1, len(lanes)
        worse = np.zeros((side, len(LOSSES), width), dtype=np.int64)
        total = np.zeros((side, width), dtype=np.int64)
        most = np.zeros((side, width), dtype=np.int64)
        where = np.full((side, width), -1)
        compare_plays(
            rows,
            Choices(
                self._successors.offsets,
                self._successors.numbers,
                self._chosen,
                np.array(WEIGHTS),
            ),
            self.group,
            Losses(
                np.rint(np.array(LOSSES) / CODE).astype(np.int64), worse, total, most, where
            ),
        )
        return self._by_opponent(lanes, worse, total, most, where)

    def _by_opponent(
        self,
        lanes: Int64Array,
        worse: Int64Array,
        total: Int64Array,
        most: Int64Array,
        where: Int64Array,
    ) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
        """Group results by the opponents' numbers of checkers."""
        side = self.table.checkers + 1
        by_worse = np.zeros((side, len(LOSSES), side), dtype=np.int64)
        by_total = np.zeros((side, side), dtype=np.int64)
        by_most = np.zeros((side, side), dtype=np.int64)
        pair = np.full((side, side, 2), -1)
        for count in range(1, side):
            mine = np.flatnonzero(self.group[lanes] == count)
            if not mine.size:
                continue
            by_worse[:, :, count] = worse[:, :, mine].sum(axis=2)
            by_total[:, count] = total[:, mine].sum(axis=1)
            by_most[:, count] = most[:, mine].max(axis=1)
            best = mine[most[:, mine].argmax(axis=1)]
            roller = where[np.arange(side), best]
            found = np.stack([self._number[roller], self._number[lanes[best]]], axis=-1)
            pair[:, count] = np.where(roller[:, None] < 0, -1, found)
        return by_worse, by_total, by_most, pair
