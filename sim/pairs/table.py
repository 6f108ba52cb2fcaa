"""Pairs of positions in a run, sorted and without duplicates.

Pairs are sorted by roller and then by opponent, so that a stored run can be searched. Drawn
or listed pairs are kept in memory, 24 bytes each. All pairs of two ranges of positions are
computed when needed, so a run can have billions of them.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of positions that are stored in memory.

    Attributes
    ----------
    rollers, opponents : ndarray of int64, shape (n,)
        Position numbers.
    weights : ndarray of float64, shape (n,)
        Weight of each pair: the number of times that it was listed or drawn.
    """

    rollers: Int64Array
    opponents: Int64Array
    weights: Float64Array

    def __len__(self) -> int:
        return len(self.rollers)

    def __getitem__(self, chosen: slice) -> "Pairs":
        return Pairs(self.rollers[chosen], self.opponents[chosen], self.weights[chosen])

    def inputs(self) -> tuple[memoryview, ...]:
        """Return pairs and weights as bytes, from which a run's digest is computed."""
        columns = (self.rollers, self.opponents, self.weights)
        return tuple(np.ascontiguousarray(column).data for column in columns)


class RunPairs(Protocol):
    """Interface of sequences of pairs of positions, in memory or computed when needed."""

    def __len__(self) -> int: ...

    def __getitem__(self, chosen: slice) -> Pairs:
        """Return consecutive pairs; a slice with a step is not supported."""

    def inputs(self) -> tuple[memoryview, ...]:
        """Return bytes that identify the pairs, for the digest of the run."""


@dataclass(frozen=True)
class EveryPair:
    """All pairs of positions from a range for the roller and a range for the opponent.

    Attributes
    ----------
    rollers, opponents : range
        Position numbers of the roller and of the opponent, as ranges with step 1.

    Examples
    --------
    >>> pairs = EveryPair(range(5, 7), range(1, 4))
    >>> len(pairs)
    6
    >>> pairs[2:5].rollers, pairs[2:5].opponents
    (array([5, 6, 6]), array([3, 1, 2]))
    """

    rollers: range
    opponents: range

    def __len__(self) -> int:
        return len(self.rollers) * len(self.opponents)

    def __getitem__(self, chosen: slice) -> Pairs:
        start, stop, _ = chosen.indices(len(self))
        rows, columns = np.divmod(np.arange(start, stop), len(self.opponents))
        return Pairs(
            rows + self.rollers.start,
            columns + self.opponents.start,
            np.ones(stop - start),
        )

    def inputs(self) -> tuple[memoryview, ...]:
        """Return the limits of both ranges as bytes, for the digest of a run."""
        ends = [
            self.rollers.start, self.rollers.stop, self.opponents.start, self.opponents.stop
        ]  # fmt: skip
        return (np.array(ends).data,)
