r"""Solve every pair of two sides' positions at a score, in float64.

Two players, A and B, each have a set of positions. Values are the chances to win the
match of whoever is on roll. With the cube at :math:`c`, let :math:`A(x, y)` be the value
with A on roll at :math:`x` and B at :math:`y`, and :math:`B(y, x)` that with B on roll. A
may double if the cube is centred or A's, and then

.. math::

    A = \max\left(\overline{\max (1 - B')}, \min(A_{2c}, m(c))\right), \quad
    B = \overline{\max (1 - A')}

with the bar for the mean over the 36 throws, the inner maxima over the plays,
:math:`A_{2c}` where the cube is at :math:`2c` and B's, and :math:`m(c)` the chance of A
to win the match after :math:`c` points won. The same holds for B. Where the game is over
the value is :math:`m` of the points won: the cube's value, twice that for a gammon.

A side that wins the match with what the cube shows cannot gain by turning it: its cube is
*dead*. So levels of the cube end where it is worth what both sides need; automatic
redoubles, and leaders who never redouble, follow from the equations. Positions of A are
solved by levels of their pips, for each level first with A on roll and then with B.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.match import kernels
from bearoff.match.equities import MatchEquities
from bearoff.match.sides import Side
from bearoff.score import Score

Float64Array = NDArray[np.float64]
Slots = tuple[int, int]
"""A first slot, and the one behind the last."""


class Plane(NamedTuple):
    """Values of all pairs, in blocks of the side on roll; see `bearoff.match.kernels`.

    Attributes
    ----------
    a, b : ndarray of float64, shape (blocks, slots of the other side, LANES)
        With A and with B on roll, before that side may double.
    """

    a: Float64Array
    b: Float64Array


Key = tuple[int, bool, bool]
"""What the cube shows, and whether A and B may turn it."""

MANY_PAIRS = 1 << 20
"""Pairs from which it pays to start threads."""

MOST_KEPT = 1 << 24
"""Pairs up to which all planes are kept; of more, those that a question needs."""

NANOSECONDS = 0.15
"""Of one processor, for one value of one successor; 0.11 to 0.14 on a 2.5 GHz EPYC."""


class Solver:
    """Planes of two sides at a score, each solved when it is first asked for.

    Parameters
    ----------
    a, b : Side
        Positions of both players.
    score : Score
        As A has it.
    equities : MatchEquities
        As A has them.
    workers : int
        Threads.
    progress : callable
        Called with the share that is done of what was asked for.
    """

    def __init__(
        self,
        a: Side,
        b: Side,
        score: Score,
        equities: MatchEquities,
        workers: int = 1,
        progress: Callable[[float], None] = lambda done: None,
    ) -> None:
        self.a, self.b, self.score, self.equities = a, b, score, equities
        self._dead = 1 << (max(score.away) - 1).bit_length()
        self._pairs = a.size * b.size
        self._workers = workers if self._pairs >= MANY_PAIRS else 1
        self._progress = progress
        self._solved, self._to_solve = 0, 1
        self._planes: dict[Key, Plane] = {}

    @property
    def memory_bytes(self) -> int:
        """Memory at most: planes of what is asked for, and of both cubes turned once."""
        planes = 3 if self._pairs > MOST_KEPT else 2 * self._dead.bit_length()
        beyond = (self.a.size + self.b.size) * kernels.LANES  # Lanes of the last blocks.
        return planes * 8 * (2 * self._pairs + beyond)

    def plane(self, cube_value: int, a_may: bool, b_may: bool) -> Plane:
        """Return the values with the cube at `cube_value`, where A or B may double."""
        key = self._key(cube_value, a_may, b_may)
        if key not in self._planes:
            self._solved, self._to_solve = 0, len(self._missing(key))
            self._solve(key)
        return self._planes[key]

    def decided(self) -> Plane:
        """Return the values where who wins the game wins the match."""
        return self.plane(self._dead, False, False)

    def seconds(self, cube_value: int, a_may: bool, b_may: bool) -> float:
        """Estimate how long the values will take; 0 if they are solved."""
        a, b = self.a, self.b
        each = len(a.successors) * b.size + len(b.successors) * a.size
        planes = len(self._missing(self._key(cube_value, a_may, b_may)))
        return planes * each * NANOSECONDS * 1e-9 / self._workers

    def _key(self, cube_value: int, a_may: bool, b_may: bool) -> Key:
        """Return which plane it is: a dead cube is one that nobody may turn."""
        value = min(cube_value, self._dead)
        live = self.score.has_cube
        return (
            value,
            a_may and live and self.score.away[0] > value,
            b_may and live and self.score.away[1] > value,
        )

    def _turned(self, key: Key) -> tuple[Key | None, Key | None]:
        """Return the planes after a double of A's and of B's, where they may."""
        value, a_may, b_may = key
        return (
            self._key(2 * value, False, True) if a_may else None,
            self._key(2 * value, True, False) if b_may else None,
        )

    def _missing(self, key: Key) -> set[Key]:
        """Return the planes to be solved for one, itself included."""
        if key in self._planes:
            return set()
        return {key}.union(*(self._missing(one) for one in self._turned(key) if one))

    def _solve(self, key: Key) -> None:
        """Solve a plane, and those that it needs before it."""
        turned = self._turned(key)
        for needed in turned:
            if needed and needed not in self._planes:
                self._solve(needed)
                if self._pairs > MOST_KEPT:
                    for above in [one for one in self._planes if one[0] > needed[0]]:
                        del self._planes[above]
        a = _Turns(self.a, self.b, self.score, self.equities, key[0])
        b = _Turns(
            self.b, self.a, self.score.exchanged(), self.equities.exchanged(), key[0]
        )
        if turned[0]:
            a.doubled = self._planes[turned[0]].a
        if turned[1]:
            b.doubled = self._planes[turned[1]].b
        everything = _parts(self.b.size, self._workers)
        with ThreadPoolExecutor(self._workers) as pool:
            each = pool.map if self._workers > 1 else map  # One thread needs no pool.
            for level in pairwise(self.a.levels[1:].tolist()):
                list(each(partial(a.solve, b.values, level), everything))
                list(each(partial(b.solve, a.values, columns=level), everything))
                done = self._solved + level[1] / self.a.size
                self._progress(done / self._to_solve)
        self._solved += 1
        self._planes[key] = Plane(a.values, b.values)


class _Turns:
    """One side's turns against the other in a plane that is being solved."""

    def __init__(
        self, side: Side, other: Side, score: Score, equities: MatchEquities, value: int
    ) -> None:
        blocks = -(-side.size // kernels.LANES)
        self._side = side
        self._cash = equities.after(score, value)
        self.doubled = np.empty((0, 0, 0))
        # Lanes beyond the last slot, and of levels to come, are read but not used.
        self.values = np.zeros((blocks, other.size, kernels.LANES))
        single, gammon = (equities.after(score, -points) for points in (value, 2 * value))
        lost = np.zeros(blocks * kernels.LANES)
        lost[: side.size] = np.where(side.full, gammon, single)
        self.values[:, 0] = lost.reshape(-1, kernels.LANES)
        # Who is on roll and has borne off has won, whatever the other has.
        single, gammon = (equities.after(score, points) for points in (value, 2 * value))
        self.values[0, :, 0] = np.where(other.full, gammon, single)

    def solve(self, theirs: Float64Array, rows: Slots, columns: Slots) -> None:
        """Solve some slots of this side against some of the other."""
        kernels.solve_rows(
            theirs,
            self._side.offsets,
            self._side.successors,
            rows,
            columns,
            self.doubled,
            self._cash,
            self.values,
        )


def _parts(slots: int, workers: int) -> list[Slots]:
    """Cut slots from 1 on at the ends of blocks, into some four parts for each thread."""
    blocks = -(-slots // kernels.LANES)
    step = -(-blocks // (4 * workers if workers > 1 else 1)) * kernels.LANES
    return [(max(first, 1), min(first + step, slots)) for first in range(0, slots, step)]
