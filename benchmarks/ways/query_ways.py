"""Queries of the one-sided table, for whole arrays or for one position at a time."""

from functools import cached_property

import numpy as np

import bearoff
from bearoff.positions import Position
from bearoff.positions.numbering import rank_one

_ONE_BY_ONE = 20_000


class QueryWays:
    """Random positions and pairs of positions, and queries about them.

    Parameters
    ----------
    n : int
        Number of positions, and of pairs of positions, in the arrays.
    """

    def __init__(self, n: int) -> None:
        self.few = min(n, _ONE_BY_ONE)
        self.table = bearoff.one_sided_table()
        self.x, self.y = np.random.default_rng(1).integers(1, len(self.table), (2, n))
        self.rollers, self.opponents = bearoff.unrank(self.x), bearoff.unrank(self.y)

    @cached_property
    def _tuples(self) -> list[tuple[int, ...]]:
        return list(map(tuple, self.rollers[: self.few].tolist()))

    @cached_property
    def _chances(self) -> list[tuple[list[float], list[float]]]:
        """Chances of each roller's number of rolls, and tail sums for opponents."""
        ours, theirs = (self.table.distribution[v[: self.few]] for v in (self.x, self.y))
        tails = np.cumsum(theirs[:, ::-1], axis=1)[:, ::-1]
        return list(zip(ours.tolist(), tails.tolist(), strict=True))

    def rank(self) -> np.ndarray:
        return bearoff.rank(self.rollers)

    def rank_one_by_one(self) -> list[int]:
        return [rank_one(counts) for counts in self._tuples]

    def unrank(self) -> np.ndarray:
        return bearoff.unrank(self.x)

    def unrank_one_by_one(self) -> list[tuple[int, ...]]:
        return [
            Position.from_number(number).counts for number in self.x[: self.few].tolist()
        ]

    def win(self) -> np.ndarray:
        return self.table.fewest_rolls_win_probability(self.x, self.y)

    def win_one_by_one(self) -> list[float]:
        return [sum(p * q for p, q in zip(*sides, strict=True)) for sides in self._chances]
