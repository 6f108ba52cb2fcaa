r"""Solve every pair of two sides' positions at some stakes, in memory.

In float64, or in whole numbers, which take half the memory and half the time. What is too
much for the memory, `bearoff.match_solver.stored` keeps in files.

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
the value is :math:`m` of the points won: the cube's value, twice that for a gammon. For
money :math:`A_{2c}` is :math:`A_c` at twice the points, so that the planes of A's cube and
of B's, which need each other, are solved together: first for whoever may not double.

States of the cube are those of `bearoff.scores.payoffs`. Where no side can lose a gammon
any more, a dead cube is worth :math:`m(-c) + (m(c) - m(-c)) p`, with p the chance to win
the game, so these states take no planes of their own. Positions of A are solved by
levels of their pips, for each level first with A on roll and then with B.
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
from bearoff.match_solver.sides import LANES, Side, checkers_held, every_position
from bearoff.match_solver.values import TIE, Cost
from bearoff.positions import CHECKERS, sides
from bearoff.rolls import ROLLS
from bearoff.scores import CubeState, MoneyPayoffs, Payoffs
from bearoff.stakes import Money, Stakes
from bearoff.storage import seconds_of

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Slots = tuple[int, int]
"""A first slot, and the one behind the last."""


class Plane(NamedTuple):
    """Values of all pairs, in blocks of the side on roll; see `.kernels`.

    Attributes
    ----------
    a, b : ndarray of float64 or int32, shape (blocks, slots of the other side, LANES)
        With A and with B on roll, before that side may double.
    """

    a: NDArray[Any]
    b: NDArray[Any]


class _Seen(NamedTuple):
    """A state as what another's chances are `times`, and `more`, seen by one player."""

    state: CubeState
    times: float = 1.0
    more: float = 0.0

    def scaled(self, times: float, more: float) -> "_Seen":
        """Return so many times the same, and so much more."""
        return _Seen(self.state, times * self.times, times * self.more + more)


ONE = 1 << 25
"""Which stands for a chance of 1 in whole numbers: the sum over 36 throws fits 32 bits."""

WHOLE_ERROR = 5e-7
"""Of chances in whole numbers: half of one for each of 29.5 turns and for the ends."""

MANY_PAIRS = 1 << 20
"""Pairs from which threads pay."""

_SLOWER = {8: 2.2, 4: 1.5}
"""What large planes, of values of so many bytes, take longer than those measured: each
level reads them from memory again. Seen of 10 to 14 checkers a side, 3 planes each."""


class Solver:
    """Planes of two sides at a score, each solved when it is first asked for.

    Parameters
    ----------
    a, b : Side
        Positions of both players.
    payoffs : Payoffs or MoneyPayoffs
        A being the first player.
    workers : int
        Threads.
    progress : callable
        Called with the share that is done of what was asked for; what it raises stops the
        work.
    whole : bool
        Whether to solve in whole numbers.
    """

    def __init__(
        self,
        a: Side,
        b: Side,
        payoffs: Payoffs | MoneyPayoffs,
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
        self._planes: dict[CubeState, Plane] = {}
        self._solving = RLock()  # Threads ask one solver; each plane is solved once.

    @property
    def start(self) -> int:
        """Checkers that a side began with."""
        return self.sides[0].start

    @property
    def points(self) -> int:
        """Points of the board that positions are numbered by."""
        return self.sides[0].points

    def held(self, player: int) -> int:
        """Checkers up to which every position of A or B is held."""
        return checkers_held(np.sort(self.sides[player].numbers), self.points)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that what is solved takes."""
        return sum(values.nbytes for plane in self._planes.values() for values in plane)

    @property
    def memory_bytes(self) -> int:
        """Memory that a game takes from its start, the cube centred."""
        planes = len(self._missing(self.payoffs.state(1, True, True), {}))
        beyond = sum(side.size for side in self.sides) * LANES  # Of last blocks.
        return planes * self.dtype.itemsize * (2 * self._pairs + beyond)

    def after(self, points: int, player: int) -> float:
        """Return what points won or lost are worth, as values are."""
        chance = self.payoffs.chance(points, player) * self.one
        return chance if self.one == 1.0 else float(round(chance))

    def cost(self, state: CubeState) -> Cost:
        """Estimate how long the values will take; 0 if they are solved."""
        planes = len(self._missing(state, self._planes))
        if not planes:
            return Cost(0.0, 0)
        seconds = planes * work(*self.sides) * seconds_each(self.dtype.itemsize)
        return Cost(seconds / self._workers, 0)

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        """Return the slots of position numbers of A or B, player 0 or 1."""
        wanted = sides.numbers(numbers, self.points)
        found = self.sides[player].slots_of(wanted)
        if found.size and found.min() < 0:
            missing = wanted[found < 0].flat[0]
            raise PositionError(f"position {missing} cannot come up in this race")
        return np.asarray(found)

    def values(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Chances with A or B on roll, who doubles where that is right."""
        seen = self._seen(state, player)
        found = self._plane(seen.state)[player][x // LANES, y, x % LANES] * (1.0 / self.one)
        return np.asarray(seen.times * found + seen.more)

    def no_doubles(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Chances if the player on roll does not double now."""
        from bearoff.match_solver import kernels  # Slow to load, as those below.

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
        """Position numbers that the best play of each roll leads to, shape (pairs, 21)."""
        from bearoff.match_solver import kernels

        seen = self._seen(state, player)
        side, theirs = self.sides[player], self._plane(seen.state)[1 - player]
        out = np.empty((x.size, len(ROLLS)), dtype=np.int64)
        kernels.best_plays(theirs, side.offsets, side.successors, x, y, TIE, out)
        return side.numbers[out]

    def _seen(self, state: CubeState, player: int) -> _Seen:
        """Return which plane has a state, and how the player sees it there."""
        if self._gammons or state.first_may or state.second_may:
            return _Seen(state)
        lost, won = (self.payoffs.chance(n * state.value, player) for n in (-1, 1))
        return _Seen(self.payoffs.decided, won - lost, lost)

    def solve(self, states: Iterable[CubeState]) -> None:
        """Solve what some states need, if that is not done."""
        with self._solving:
            missing = [self._missing(state, self._planes) for state in states]
            self._solved, self._to_solve = 0, len(set().union(*missing))
            for own in (self._seen(state, 0).state for state in states):
                if own not in self._planes:
                    self._solve(own)

    def _plane(self, state: CubeState) -> Plane:
        if state not in self._planes:
            self.solve([state])
        return self._planes[state]

    def _turned(self, state: CubeState) -> list[CubeState | None]:
        """Return the states after a double of A's and of B's, where they may."""
        return [self.payoffs.turned(state, player) for player in (0, 1)]

    def _missing(self, state: CubeState, solved: Container[CubeState]) -> set[CubeState]:
        """Return the planes to be solved for a state, beside those that are."""
        found: set[CubeState] = set()
        asked = [state]
        while asked:
            one = self._seen(asked.pop(), 0).state
            if one not in solved and one not in found:
                found.add(one)
                asked += [turned for turned in self._turned(one) if turned]
        return found

    def _solve(self, state: CubeState) -> None:
        """Solve a plane, those that it needs before it, and those that need each other."""
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
            one: Plane(*(turn.values for turn in both)) for one, both in turns.items()
        }
        for one in together:
            for player, doubled in enumerate(self._turned(one)):
                if doubled is not None:
                    seen, turn = self._seen(doubled, player), turns[one][player]
                    turn.taken = seen.scaled(*self.payoffs.scale)
                    turn.doubled = planes[seen.state][player]
        # Who may not double comes first: a double leads to that, both sides as they are.
        order = [sorted(together, key=lambda one: one.may(player)) for player in (0, 1)]
        side, other = self.sides
        everything = _parts(other.size, self._workers)
        with ThreadPoolExecutor(self._workers) as pool:
            each = pool.map if self._workers > 1 else map  # One thread needs no pool.
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
    """One side's turns against the other in a plane that is being solved."""

    def __init__(self, solver: Solver, state: CubeState, player: int) -> None:
        side, other = solver.sides[player], solver.sides[1 - player]
        cube, gammon = state.value, solver.payoffs.gammon(state) * state.value
        blocks = -(-side.size // LANES)
        self._side, self._one = side, solver.one
        self._cash = solver.after(cube, player)
        self.taken = _Seen(solver.payoffs.decided)
        self.doubled: NDArray[Any] = np.empty((0, 0, 0), dtype=solver.dtype)
        # Lanes beyond the last slot, and of levels to come, are read but not used.
        self.values = np.zeros((blocks, other.size, LANES), dtype=solver.dtype)
        lost = np.zeros(blocks * LANES, dtype=solver.dtype)
        worth = [solver.after(-points, player) for points in (gammon, cube)]
        lost[: side.size] = np.where(side.full, *worth)
        self.values[:, 0] = lost.reshape(-1, LANES)
        # Who is on roll and has borne off has won, whatever the other has.
        worth = [solver.after(points, player) for points in (gammon, cube)]
        self.values[0, :, 0] = np.where(other.full, *worth)

    def solve(self, theirs: NDArray[Any], rows: Slots, columns: Slots) -> None:
        """Solve some slots of this side against some of the other."""
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


def payoffs_of(stakes: Stakes) -> Payoffs | MoneyPayoffs:
    """Return what games are worth at some stakes, A having them so."""
    return MoneyPayoffs(stakes.jacoby) if isinstance(stakes, Money) else stakes.payoffs


def work(a: Side, b: Side) -> int:
    """Return the values of successors that a plane of two sides looks at."""
    return len(a.successors) * b.size + len(b.successors) * a.size


def seconds_each(size: int) -> float:
    """Return the seconds of one processor for one value, of so many bytes, of a successor.

    Measured once on a machine, with the planes of up to six checkers.
    """
    side = every_position(6, CHECKERS)
    decided = Payoffs((1, 1), "crawford", "", (1.0, 1.0), (0.0, 0.0))

    def solve() -> None:
        one = Solver(side, side, decided, whole=size == 4)
        one.values(decided.decided, 0, *np.ones((2, 1), dtype=np.int64))

    seconds = seconds_of(f"a plane at a score, {size} bytes a value", 1, solve)
    return _SLOWER[size] * seconds / work(side, side)


def _parts(slots: int, workers: int) -> list[Slots]:
    """Cut slots from 1 on at the ends of blocks, into some four parts for each thread."""
    blocks = -(-slots // LANES)
    step = -(-blocks // (4 * workers if workers > 1 else 1)) * LANES
    return [(max(first, 1), min(first + step, slots)) for first in range(0, slots, step)]
