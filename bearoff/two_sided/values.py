"""Values of a two-sided table for pairs of position indices, decoded from stored codes."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.pair_planes import Plane
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.two_sided.manifest import Manifest
from bearoff.two_sided.planes import SolvedPlane
from bearoff.two_sided.storage import load_successors, open_table_plane

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_PAIRS_AT_A_TIME = 1 << 14


@dataclass(frozen=True, eq=False)
class PlaneValues:
    """Values of a two-sided table by name; each file is opened when it is first used.

    Pairs of positions are given by two int64 arrays: the indices of the rollers and of the
    opponents.
    """

    folder: Path
    manifest: Manifest
    _open: dict[str, Plane] = field(default_factory=dict, repr=False)

    def plane(self, name: str) -> Plane:
        """Open the file with the values of a given name.

        Raises `TableError` if the file has not been built or is damaged.
        """
        if name not in self._open:
            self._open[name] = open_table_plane(self.folder, name, self.manifest)
        return self._open[name]

    @cached_property
    def solved(self) -> dict[str, SolvedPlane]:
        """Descriptions of all values of the table, by name."""
        return self.manifest.solved

    @cached_property
    def successors(self) -> tuple[Int64Array, NDArray[np.uint16]]:
        """Indices of the positions after each roll; see `storage.load_successors`."""
        return load_successors(self.folder, self.manifest)

    def stored(self, name: str, x: Int64Array, y: Int64Array) -> Float64Array:
        """Return the stored values of pairs of positions, without a double now."""
        return self._values(name, False, x, y)

    def answers(self, name: str, x: Int64Array, y: Int64Array) -> Float64Array:
        """Return the values of pairs of positions, with the roller's best cube action."""
        return self._values(name, True, x, y)

    def _values(
        self, name: str, doubling: bool, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        if doubling and (turned := self.solved[name].doubling):
            kept = self._values(name, False, x, y)
            return turned.best(kept, self._values(turned.taken.name, False, x, y))
        coding = self.solved[name].coding
        codes = self.plane(name).take(x, y)
        if coding.base is not None:
            codes = codes + self.plane(coding.base).take(x, y)
        return np.asarray(codes * self.step(name) + coding.middle, dtype=np.float64)

    def step(self, name: str) -> float:
        """Return the difference between two adjacent stored values."""
        return self.manifest.planes[name].step

    def after_plays(
        self, name: str, x: Int64Array, y: Int64Array
    ) -> tuple[Float64Array, Int64Array, Int64Array]:
        """Return the opponent's value after every play of every roll, as flat arrays.

        The second result is the place of the first play of each roll in the flat arrays.
        The third result has the index of the roller's position after each play. `name` is
        the kind of value that the roller has before the plays, such as ``"centred"``.
        """
        offsets, numbers = self.successors
        rolls = len(ROLLS)
        starts = (x * rolls)[:, None] + np.arange(rolls)
        begin, count = offsets[starts].ravel(), np.diff(offsets)[starts].ravel()
        firsts = np.cumsum(count) - count
        chosen = np.arange(count.sum()) + np.repeat(begin - firsts, count)
        waiting = numbers[chosen].astype(np.int64)
        rolling = np.repeat(np.repeat(y, rolls), count)
        theirs = self.solved[name].source
        return self.answers(theirs, rolling, waiting), firsts, waiting

    def best_plays(self, name: str, x: Int64Array, y: Int64Array) -> Int64Array:
        """Return the roller's position indices after the best plays, shape (pairs, 21).

        Among equally good plays, the lowest position number is chosen.
        """
        best = np.empty((x.size, len(ROLLS)), dtype=np.int64)
        for start in range(0, x.size, _PAIRS_AT_A_TIME):
            part = slice(start, start + _PAIRS_AT_A_TIME)
            theirs, firsts, slots = self.after_plays(name, x[part], y[part])
            best[part] = slots[_first_least(theirs, firsts)].reshape(-1, len(ROLLS))
        return best

    def mean_of_best(self, name: str, x: Int64Array, y: Int64Array) -> Float64Array:
        """Return the roller's mean value over the throws, with best plays and no double."""
        theirs, firsts, _ = self.after_plays(name, x, y)
        least = np.minimum.reduceat(theirs, firsts).reshape(-1, len(ROLLS))
        mine = self.solved[name]
        # The values of the two players add up to 0 for equities and to 1 for match-winning
        # chances.
        both = mine.coding.middle + self.solved[mine.source].coding.middle
        return _mean(both - least)

    def means_of_chosen(
        self, name: str, chooser: str, slack: float, x: Int64Array, y: Int64Array
    ) -> tuple[Float64Array, Float64Array]:
        """Return bounds on a mean value over the throws if another value chooses plays.

        `name` is the kind of value that is averaged, from the opponent's viewpoint.
        `chooser` is the kind of value by which the plays are chosen. All plays within
        `slack` of the best play are considered.
        """
        theirs, firsts, waiting = self.after_plays(chooser, x, y)
        lengths = np.diff(firsts, append=len(theirs))
        best = np.repeat(np.minimum.reduceat(theirs, firsts), lengths)
        rolling = np.repeat(np.repeat(y, len(ROLLS)), lengths)
        values, chosen = self.stored(name, rolling, waiting), theirs <= best + slack
        least = np.minimum.reduceat(np.where(chosen, values, np.inf), firsts)
        most = np.maximum.reduceat(np.where(chosen, values, -np.inf), firsts)
        return _mean(least.reshape(-1, len(ROLLS))), _mean(most.reshape(-1, len(ROLLS)))


def _first_least(values: Float64Array, firsts: Int64Array) -> Int64Array:
    """Return the index of the first minimum in each segment of an array."""
    least = np.minimum.reduceat(values, firsts)
    lengths = np.diff(firsts, append=len(values))
    at_least = np.flatnonzero(values == np.repeat(least, lengths))
    return at_least[np.searchsorted(at_least, firsts)]


def _mean(of_rolls: Float64Array) -> Float64Array:
    # A matrix product is avoided, because it would round differently for different numbers
    # of pairs.
    return np.asarray((of_rolls * np.array(WEIGHTS)).sum(axis=1) / THROWS)
