r"""Solve every pair of two sides' positions at a score, in float64.

What is too much for the memory, `bearoff.match_solver.stored` has in whole numbers.

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

States of the cube are those of `bearoff.scores.payoffs`. Positions of A are solved by
levels of their pips, for each level first with A on roll and then with B.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.errors import PositionError
from bearoff.match_solver.sides import LANES, Side, checkers_held
from bearoff.match_solver.table import Cost
from bearoff.positions import sides
from bearoff.rolls import ROLLS
from bearoff.scores import CubeState, Payoffs

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Slots = tuple[int, int]
"""A first slot, and the one behind the last."""


class Plane(NamedTuple):
    """Values of all pairs, in blocks of the side on roll; see `.kernels`.

    Attributes
    ----------
    a, b : ndarray of float64, shape (blocks, slots of the other side, LANES)
        With A and with B on roll, before that side may double.
    """

    a: Float64Array
    b: Float64Array


TIE = 1e-12
"""Chances nearer than this are equal: float64 has no more to say."""

MANY_PAIRS = 1 << 20
"""Pairs from which it pays to start threads."""

NANOSECONDS = 0.15
"""Of one processor, for one value of one successor; 0.11 to 0.14 on a 2.5 GHz EPYC."""


class Solver:
    """Planes of two sides at a score, each solved when it is first asked for.

    Parameters
    ----------
    a, b : Side
        Positions of both players.
    payoffs : Payoffs
        A being the first player.
    workers : int
        Threads.
    progress : callable
        Called with the share that is done of what was asked for.
    """

    def __init__(
        self,
        a: Side,
        b: Side,
        payoffs: Payoffs,
        workers: int = 1,
        progress: Callable[[float], None] = lambda done: None,
    ) -> None:
        self.sides, self.payoffs = (a, b), payoffs
        self.folder = None
        self._pairs = a.size * b.size
        self._workers = workers if self._pairs >= MANY_PAIRS else 1
        self._progress = progress
        self._solved, self._to_solve = 0, 1
        self._planes: dict[CubeState, Plane] = {}

    def held(self, player: int) -> int:
        """Checkers up to which every position of A or B is held."""
        return checkers_held(np.sort(self.sides[player].numbers))

    @property
    def error(self) -> float:
        """Largest error of a chance."""
        return TIE

    @property
    def memory_bytes(self) -> int:
        """Memory at most."""
        planes = 2 * self.payoffs.highest.bit_length()
        beyond = sum(side.size for side in self.sides) * LANES  # Of last blocks.
        return planes * 8 * (2 * self._pairs + beyond)

    def cost(self, state: CubeState) -> Cost:
        """Estimate how long the values will take; 0 if they are solved."""
        a, b = self.sides
        each = len(a.successors) * b.size + len(b.successors) * a.size
        planes = len(self._missing(state))
        return Cost(planes * each * NANOSECONDS * 1e-9 / self._workers, 0)

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        """Return the slots of position numbers of A or B, player 0 or 1."""
        slots = self.sides[player].slots
        wanted = checks.numbers_below(sides.numbers(numbers), len(slots))
        found = slots[wanted]
        if found.size and found.min() < 0:
            missing = wanted[found < 0].flat[0]
            raise PositionError(f"position {missing} cannot come up in this race")
        return np.asarray(found)

    def values(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Chances with A or B on roll, who doubles where that is right."""
        values = self._plane(state)[player]
        return np.asarray(values[x // LANES, y, x % LANES])

    def no_doubles(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Chances if the player on roll does not double now."""
        from bearoff.match_solver import kernels  # Slow to load, as those below.

        side, theirs = self.sides[player], self._plane(state)[1 - player]
        out = np.empty(x.size)
        kernels.no_doubles(theirs, side.offsets, side.successors, x, y, out)
        return out

    def best_plays(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Int64Array:
        """Position numbers that the best play of each roll leads to, shape (pairs, 21)."""
        from bearoff.match_solver import kernels

        side, theirs = self.sides[player], self._plane(state)[1 - player]
        out = np.empty((x.size, len(ROLLS)), dtype=np.int64)
        kernels.best_plays(theirs, side.offsets, side.successors, x, y, TIE, out)
        return side.numbers[out]

    def _plane(self, state: CubeState) -> Plane:
        if state not in self._planes:
            self._solved, self._to_solve = 0, len(self._missing(state))
            self._solve(state)
        return self._planes[state]

    def _turned(self, state: CubeState) -> list[CubeState | None]:
        """Return the states after a double of A's and of B's, where they may."""
        return [self.payoffs.turned(state, player) for player in (0, 1)]

    def _missing(self, state: CubeState) -> set[CubeState]:
        """Return the planes to be solved for one, itself included."""
        if state in self._planes:
            return set()
        return {state}.union(*(self._missing(one) for one in self._turned(state) if one))

    def _solve(self, state: CubeState) -> None:
        """Solve a plane, and those that it needs before it."""
        turned = self._turned(state)
        for needed in turned:
            if needed and needed not in self._planes:
                self._solve(needed)
        a, b = (_Turns(self.sides, self.payoffs, state.value, player) for player in (0, 1))
        if turned[0]:
            a.doubled = self._planes[turned[0]].a
        if turned[1]:
            b.doubled = self._planes[turned[1]].b
        side, other = self.sides
        everything = _parts(other.size, self._workers)
        with ThreadPoolExecutor(self._workers) as pool:
            each = pool.map if self._workers > 1 else map  # One thread needs no pool.
            for level in pairwise(side.levels[1:].tolist()):
                list(each(partial(a.solve, b.values, level), everything))
                list(each(partial(b.solve, a.values, columns=level), everything))
                done = self._solved + level[1] / side.size
                self._progress(done / self._to_solve)
        self._solved += 1
        self._planes[state] = Plane(a.values, b.values)


class _Turns:
    """One side's turns against the other in a plane that is being solved."""

    def __init__(
        self, sides: tuple[Side, Side], payoffs: Payoffs, cube: int, player: int
    ) -> None:
        side, other = sides[player], sides[1 - player]
        after = partial(payoffs.chance, player=player)
        blocks = -(-side.size // LANES)
        self._side = side
        self._cash = after(cube)
        self.doubled = np.empty((0, 0, 0))
        # Lanes beyond the last slot, and of levels to come, are read but not used.
        self.values = np.zeros((blocks, other.size, LANES))
        lost = np.zeros(blocks * LANES)
        lost[: side.size] = np.where(side.full, after(-2 * cube), after(-cube))
        self.values[:, 0] = lost.reshape(-1, LANES)
        # Who is on roll and has borne off has won, whatever the other has.
        self.values[0, :, 0] = np.where(other.full, after(2 * cube), after(cube))

    def solve(self, theirs: Float64Array, rows: Slots, columns: Slots) -> None:
        """Solve some slots of this side against some of the other."""
        from bearoff.match_solver import kernels

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
    blocks = -(-slots // LANES)
    step = -(-blocks // (4 * workers if workers > 1 else 1)) * LANES
    return [(max(first, 1), min(first + step, slots)) for first in range(0, slots, step)]
