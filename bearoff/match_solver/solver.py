r"""Solver that keeps all pairs of positions in memory, at a match score or for money.

Values are either float64 or 32-bit integers. Integers take half the memory and half the
time. If the values do not fit into memory, `bearoff.match_solver.stored` writes them to
files.

Each of two players, A and B, has a set of positions. A value is the match-winning chance of
the player on roll. At a cube value of :math:`c`, let :math:`A(x, y)` be the value with A on
roll in position :math:`x` and B in position :math:`y`. Let :math:`B(y, x)` be the value
with B on roll in the same positions. If the cube is centred or owned by A, A may double,
and

.. math::

    A = \max\left(\overline{\max (1 - B')}, \min(A_{2c}, m(c))\right), \quad
    B = \overline{\max (1 - A')}

The bar means the average over the 36 throws, and the inner maxima are over the plays.
:math:`A'` and :math:`B'` are the values after a play. :math:`A_{2c}` is A's value if B owns
the cube at :math:`2c`, and :math:`m(c)` is A's match-winning chance after A wins :math:`c`
points. If B may double, A and B exchange their roles in the equations. A finished game has
the value :math:`m(c)`, or :math:`m(2c)` for a gammon. For money, :math:`A_{2c}` is
:math:`A_c` with the points doubled. The values with A owning the cube and with B owning the
cube then depend on each other. Both are solved together, first for the player who may not
double.

`bearoff.scores.payoffs` defines the states of the cube. If neither player can lose a
gammon, the value with a dead cube is m(-c) + (m(c) - m(-c)) p. Here, p is the probability
of winning the game, and m(-c) is the match-winning chance after losing c points. Values
with a dead cube are not stored. Positions are solved in ascending order of pip count: first
with A on roll, then with B on roll.
"""

from collections.abc import Callable, Container, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import PositionError
from bearoff.match_solver.sides import LANES, SolverSide, checkers_held, every_position
from bearoff.match_solver.values import TIE, Cost
from bearoff.positions import CHECKERS, sides
from bearoff.rolls import ROLLS
from bearoff.scores import AnyPayoffs, CubeState, Payoffs
from bearoff.storage import seconds_of

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Slots = tuple[int, int]
"""Half-open range of position indices: the first index, and one more than the last."""


class SolverPlane(NamedTuple):
    """Values of all pairs of positions for one owner and value of the cube.

    Attributes
    ----------
    a, b : ndarray of float64 or int32, shape (blocks, positions of the other player, LANES)
        Values before the roll, with A on roll and with B on roll. The module `kernels`
        explains the three axes.
    """

    a: NDArray[Any]
    b: NDArray[Any]


class _Seen(NamedTuple):
    """Linear function that converts values for a cube state to values for another one."""

    state: CubeState
    times: float = 1.0
    more: float = 0.0

    def scaled(self, times: float, more: float) -> "_Seen":
        return _Seen(self.state, times * self.times, times * self.more + more)


ONE = 1 << 25
"""Integer that represents a match-winning chance of 1. It is so small that a sum over the
36 throws fits into 32 bits."""

WHOLE_ERROR = 5e-7
"""Maximum error of a match-winning chance that is stored as an integer. Each of up to 29.5
turns and the end of the game add a rounding error of half a unit."""

MANY_PAIRS = 1 << 20
"""Number of pairs of positions above which solving in several threads is faster."""

_SLOWER = {8: 2.2, 4: 1.5}
"""Factor by which solving takes longer if the arrays exceed the processor's cache, for each
number of bytes per value. Measured with 10 to 14 checkers per player."""


class MatchSolver:
    """Solver that computes the values for a cube state when they are first requested.

    Player A is the first player in `payoffs`. `progress` is called with the completed
    fraction, and may raise an exception to stop the solver. If `whole` is true, values are
    integers instead of float64.
    """

    def __init__(
        self,
        a: SolverSide,
        b: SolverSide,
        payoffs: AnyPayoffs,
        workers: int = 1,
        progress: Callable[[float], None] = lambda done: None,
        *,
        whole: bool = False,
    ) -> None:
        self.sides, self.payoffs = (a, b), payoffs
        self.dtype = np.dtype(np.int32 if whole else np.float64)
        self.one, self.error = (float(ONE), WHOLE_ERROR) if whole else (1.0, TIE)
        self.folder, self._gammons = None, bool(a.full.any() or b.full.any())
        self._pairs = a.size * b.size
        self._workers = workers if self._pairs >= MANY_PAIRS else 1
        self._progress = progress
        self._solved, self._to_solve = 0, 1
        self._planes: dict[CubeState, SolverPlane] = {}
        # The lock prevents two threads from solving the same state of the cube twice.
        self._solving = RLock()

    @property
    def start(self) -> int:
        return self.sides[0].start

    @property
    def points(self) -> int:
        return self.sides[0].points

    def held(self, player: int) -> int:
        """Return the largest n such that no position of up to n checkers is missing."""
        return checkers_held(np.sort(self.sides[player].numbers), self.points)

    @property
    def nbytes(self) -> int:
        return sum(values.nbytes for plane in self._planes.values() for values in plane)

    @property
    def memory_bytes(self) -> int:
        """Memory in bytes that solving needs for a game that begins with a centred cube."""
        planes = len(self._missing(self.payoffs.state(1, True, True), {}))
        beyond = sum(side.size for side in self.sides) * LANES
        return planes * self.dtype.itemsize * (2 * self._pairs + beyond)

    def after(self, points: int, player: int) -> float:
        """Return a player's value after winning points; negative points are losses."""
        chance = self.payoffs.chance(points, player) * self.one
        return chance if self.one == 1.0 else float(round(chance))

    def cost(self, state: CubeState) -> Cost:
        """Estimate the time to solve the values for a cube state; 0 if they are solved."""
        planes = len(self._missing(state, self._planes))
        if not planes:
            return Cost(0.0, 0)
        seconds = planes * work(*self.sides) * seconds_each(self.dtype.itemsize)
        return Cost(seconds / self._workers, 0)

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        """Return array indices for position numbers of player A (0) or B (1)."""
        wanted = sides.numbers(numbers, self.points)
        found = self.sides[player].slots_of(wanted)
        if found.size and found.min() < 0:
            missing = wanted[found < 0].flat[0]
            raise PositionError(f"position {missing} cannot occur in this race")
        return np.asarray(found)

    def values(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Return match-winning chances with perfect cube decisions."""
        seen = self._seen(state, player)
        found = self._plane(seen.state)[player][x // LANES, y, x % LANES] * (1.0 / self.one)
        return np.asarray(seen.times * found + seen.more)

    def no_doubles(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Return match-winning chances if the roller does not double now."""
        # Kernels are slow to import, so they are imported only when a race is solved.
        from bearoff.match_solver import kernels

        seen = self._seen(state, player)
        side, theirs = self.sides[player], self._plane(seen.state)[1 - player]
        out, order = np.empty(x.size), np.argsort(y // LANES * side.size + x)
        kernels.no_doubles(
            theirs, side.offsets, side.successors, x, y, order, self.one, out
        )
        return seen.times * out + seen.more

    def best_plays(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Int64Array:
        """Return position numbers after the best play of each roll, shape (pairs, 21)."""
        from bearoff.match_solver import kernels

        seen = self._seen(state, player)
        side, theirs = self.sides[player], self._plane(seen.state)[1 - player]
        out = np.empty((x.size, len(ROLLS)), dtype=np.int64)
        kernels.best_plays(theirs, side.offsets, side.successors, x, y, TIE, out)
        return side.numbers[out]

    def _seen(self, state: CubeState, player: int) -> _Seen:
        """Return how values for a cube state follow from the values for a solved state."""
        if self._gammons or state.first_may or state.second_may:
            return _Seen(state)
        lost, won = (self.payoffs.chance(n * state.value, player) for n in (-1, 1))
        return _Seen(self.payoffs.decided, won - lost, lost)

    def solve(self, states: Iterable[CubeState]) -> None:
        with self._solving:
            missing = [self._missing(state, self._planes) for state in states]
            self._solved, self._to_solve = 0, len(set().union(*missing))
            for own in (self._seen(state, 0).state for state in states):
                if own not in self._planes:
                    self._solve(own)

    def _plane(self, state: CubeState) -> SolverPlane:
        if state not in self._planes:
            self.solve([state])
        return self._planes[state]

    def _turned(self, state: CubeState) -> list[CubeState | None]:
        """Return the cube states after doubles by A and by B; None for illegal doubles."""
        return [self.payoffs.turned(state, player) for player in (0, 1)]

    def _missing(self, state: CubeState, solved: Container[CubeState]) -> set[CubeState]:
        """Return the unsolved cube states that solving a given cube state requires."""
        found: set[CubeState] = set()
        asked = [state]
        while asked:
            one = self._seen(asked.pop(), 0).state
            if one not in solved and one not in found:
                found.add(one)
                asked += [turned for turned in self._turned(one) if turned]
        return found

    def _solve(self, state: CubeState) -> None:
        """Solve a cube state, after all cube states on whose values it depends."""
        together = [state]
        for one in self._turned(state):
            if one is None or (one := self._seen(one, 0).state) in self._planes:
                continue
            if state in self._turned(one):
                together.append(one)
            else:
                self._solve(one)
        turns = {one: [_Turns(self, one, player) for player in (0, 1)] for one in together}
        planes = self._planes | {
            one: SolverPlane(*(turn.values for turn in both)) for one, both in turns.items()
        }
        for one in together:
            for player, doubled in enumerate(self._turned(one)):
                if doubled is not None:
                    seen, turn = self._seen(doubled, player), turns[one][player]
                    turn.taken = seen.scaled(*self.payoffs.scale)
                    turn.doubled = planes[seen.state][player]
        # A decision to double needs the values after the double, so these are solved first.
        order = [sorted(together, key=lambda one: one.may(player)) for player in (0, 1)]
        side, other = self.sides
        everything = _parts(other.size, self._workers)
        with ThreadPoolExecutor(self._workers) as pool:
            # A single thread works without the pool.
            each = pool.map if self._workers > 1 else map
            for level in pairwise(side.levels[1:].tolist()):
                for a, b in map(turns.__getitem__, order[0]):
                    list(each(partial(a.solve, b.values, level), everything))
                for a, b in map(turns.__getitem__, order[1]):
                    list(each(partial(b.solve, a.values, columns=level), everything))
                done = self._solved + len(together) * level[1] / side.size
                self._progress(done / self._to_solve)
        self._solved += len(together)
        self._planes = planes


class _Turns:
    """Values for a cube state that is being solved, with one of the two players on roll."""

    def __init__(self, solver: MatchSolver, state: CubeState, player: int) -> None:
        side, other = solver.sides[player], solver.sides[1 - player]
        cube, gammon = state.value, solver.payoffs.gammon(state) * state.value
        blocks = -(-side.size // LANES)
        self._side, self._one = side, solver.one
        self._cash = solver.after(cube, player)
        self.taken = _Seen(solver.payoffs.decided)
        self.doubled: NDArray[Any] = np.empty((0, 0, 0), dtype=solver.dtype)
        # The rows after the last position must be finite numbers because the kernels read
        # them, but they never affect a result.
        self.values = np.zeros((blocks, other.size, LANES), dtype=solver.dtype)
        lost = np.zeros(blocks * LANES, dtype=solver.dtype)
        worth = [solver.after(-points, player) for points in (gammon, cube)]
        lost[: side.size] = np.where(side.full, *worth)
        self.values[:, 0] = lost.reshape(-1, LANES)
        worth = [solver.after(points, player) for points in (gammon, cube)]
        self.values[0, :, 0] = np.where(other.full, *worth)

    def solve(self, theirs: NDArray[Any], rows: Slots, columns: Slots) -> None:
        from bearoff.match_solver import kernels

        kernels.solve_rows(
            theirs,
            self._side.offsets,
            self._side.successors,
            rows,
            columns,
            self.doubled,
            self.taken.times,
            self.taken.more * self._one,
            self._cash,
            self._one,
            self.values,
        )


def work(a: SolverSide, b: SolverSide) -> int:
    """Return how many values the solver reads to solve one state of the cube."""
    return len(a.successors) * b.size + len(b.successors) * a.size


def seconds_each(size: int) -> float:
    """Return the solver's time in core seconds per value; each value has `size` bytes.

    The speed is measured once per machine, with positions of up to six checkers.
    """
    side = every_position(6, CHECKERS)
    decided = Payoffs((1, 1), "crawford", "", (1.0, 1.0), (0.0, 0.0))

    def solve() -> None:
        one = MatchSolver(side, side, decided, whole=size == 4)
        one.values(decided.decided, 0, *np.ones((2, 1), dtype=np.int64))

    seconds = seconds_of(f"solving a match score with {size} bytes per value", 1, solve)
    return _SLOWER[size] * seconds / work(side, side)


def _parts(slots: int, workers: int) -> list[Slots]:
    """Split a range of positions into about four ranges per thread."""
    blocks = -(-slots // LANES)
    step = -(-blocks // (4 * workers if workers > 1 else 1)) * LANES
    return [(max(first, 1), min(first + step, slots)) for first in range(0, slots, step)]
