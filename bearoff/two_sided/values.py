"""Values of a table's planes by slot: what the stored codes stand for."""

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
    """The planes of a table, opened when they are first asked.

    Pairs are arrays of slots, int64, of rollers and of opponents.
    """

    folder: Path
    manifest: Manifest
    _open: dict[str, Plane] = field(default_factory=dict, repr=False)

    def plane(self, name: str) -> Plane:
        """Return a plane.

        Raises
        ------
        TableError
            If it is not built, or damaged.
        """
        if name not in self._open:
            self._open[name] = open_table_plane(self.folder, name, self.manifest)
        return self._open[name]

    @cached_property
    def solved(self) -> dict[str, SolvedPlane]:
        """The planes of such a table, as the solver meets them."""
        return self.manifest.solved

    @cached_property
    def successors(self) -> tuple[Int64Array, NDArray[np.uint16]]:
        """Where each roll leads from each slot; see `storage.load_successors`."""
        return load_successors(self.folder, self.manifest)

    def stored(self, name: str, x: Int64Array, y: Int64Array) -> Float64Array:
        """Values as they are stored: of a roller who may double, of not doubling."""
        return self._values(name, False, x, y)

    def answers(self, name: str, x: Int64Array, y: Int64Array) -> Float64Array:
        """Values, the roller doubling where that is allowed and better."""
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
        """What an answer grows by from one code of a plane to the next."""
        return self.manifest.planes[name].step

    def after_plays(
        self, name: str, x: Int64Array, y: Int64Array
    ) -> tuple[Float64Array, Int64Array, Int64Array]:
        """Opponent's value after every play of every roll, pair by pair and end to end.

        Also where each pair's roll starts, and the slots that the plays lead to. The
        plane is named from the roller's side.
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
        """Return the slots that the best play of each roll leads to, shape (pairs, 21).

        Of plays that are equal in the table, the one that leads to the lowest number.
        """
        best = np.empty((x.size, len(ROLLS)), dtype=np.int64)
        for start in range(0, x.size, _PAIRS_AT_A_TIME):
            part = slice(start, start + _PAIRS_AT_A_TIME)
            theirs, firsts, slots = self.after_plays(name, x[part], y[part])
            best[part] = slots[_first_least(theirs, firsts)].reshape(-1, len(ROLLS))
        return best

    def mean_of_best(self, name: str, x: Int64Array, y: Int64Array) -> Float64Array:
        """Mean over the throws of what the best play leaves, not doubling now."""
        theirs, firsts, _ = self.after_plays(name, x, y)
        least = np.minimum.reduceat(theirs, firsts).reshape(-1, len(ROLLS))
        mine = self.solved[name]
        # What the other side has the roller lacks: of nothing in points, of 1 as a chance.
        both = mine.coding.middle + self.solved[mine.source].coding.middle
        return _mean(both - least)

    def means_of_chosen(
        self, name: str, chooser: str, slack: float, x: Int64Array, y: Int64Array
    ) -> tuple[Float64Array, Float64Array]:
        """Least and largest mean over the throws of a plane after plays another chooses.

        Parameters
        ----------
        name, chooser : str
            Planes, the first as the opponent sees it.
        slack : float
            Within which of the best a play may be chosen.
        x, y
            Pairs.
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
    """Return the place of the first least value of each of several runs, end to end."""
    least = np.minimum.reduceat(values, firsts)
    lengths = np.diff(firsts, append=len(values))
    at_least = np.flatnonzero(values == np.repeat(least, lengths))
    return at_least[np.searchsorted(at_least, firsts)]


def _mean(of_rolls: Float64Array) -> Float64Array:
    # No matrix product: its last bit depends on how many pairs are asked at once.
    return np.asarray((of_rolls * np.array(WEIGHTS)).sum(axis=1) / THROWS)
