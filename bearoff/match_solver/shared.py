"""Groups of races that can be solved together within a time limit.

The positions that are reachable from one race are often a subset of those reachable from
another. Races with equal stakes are therefore grouped. All positions that are reachable
from any race of a group are solved together if this takes no longer than solving the races
separately.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError
from bearoff.match_solver.opening import MOST_IN_FLOAT64
from bearoff.match_solver.sides import MOST_BEYOND, SolverSide, reachable, reachable_beyond
from bearoff.match_solver.solver import MatchSolver, seconds_each, work
from bearoff.match_solver.table import MatchTable
from bearoff.plays import successors
from bearoff.positions import CHECKERS, POINTS, Race
from bearoff.runtime import cores, memory_available
from bearoff.scores import CubeState, MatchEquities, Score
from bearoff.stakes import CubeOwner, Match, Money, Stakes

BoolArray = NDArray[np.bool_]

_PART = 0.5
"""Maximum fraction of the free memory that the races of one group may use."""

_LOOKED_AT = 3e7
"""Maximum number of reachable positions that are listed while races are grouped, per second
of the time limit. Listing them takes a tenth of the time limit."""

_FEWEST_BEYOND = 0.18
"""Lower bound on the fraction of reachable positions among the positions that `_below`
counts, for a position with checkers outside the home board."""

_FEWEST_SUCCESSORS = 30
"""Lower bound on the mean number of plays of all 21 rolls together, in races of ten or more
checkers. The smallest mean observed was 41."""

_BY = "on_board", "pips"
"""Attributes of a position by which races are sorted, small races first: the number of
checkers, and then the pip count. Both are summed over the two players."""


@dataclass(eq=False)
class RaceGroup:
    """Races with the same stakes that are solved together.

    Attributes
    ----------
    stakes : Money or Match
        Stakes from the viewpoint of the player who leads the match.
    points : int
        Number of points of the board. A group on more than six points has a single race.
    rows : list of int
        Indices of the group's races in the list of all races.
    """

    stakes: Stakes
    whole: bool
    checkers: int
    origins: tuple[set[int], set[int]]
    reach: tuple[BoolArray, BoolArray]
    states: set[CubeState]
    points: int = POINTS
    rows: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def like(self, one: "RaceGroup") -> bool:
        """Return whether the races of two groups may be solved in one solution."""
        same = (self.stakes, self.whole, self.points)
        return same == (one.stakes, one.whole, one.points)

    def holds(self, one: "RaceGroup") -> bool:
        """Return whether the solution of this group contains all values of group `one`."""
        return (
            self.like(one)
            and one.states <= self.states
            and all(
                number < len(reach) and reach[number]
                for reach, origins in zip(self.reach, one.origins, strict=True)
                for number in origins
            )
        )

    def solve(self, progress: Callable[[float], None]) -> MatchTable:
        """Solve the races; the callback `progress` may raise an exception to stop."""
        a, b = self.sides()
        solver = MatchSolver(a, b, self.stakes.payoffs, cores(), progress, whole=self.whole)
        solver.solve(self.states)
        return MatchTable(self.stakes, solver)

    def sides(self) -> tuple[SolverSide, SolverSide]:
        """Return the reachable positions of both players."""
        a, b = (
            reachable(tuple(sorted(origins)), self.checkers, CHECKERS)
            if self.points == POINTS
            else reachable_beyond(*origins, self.checkers, CHECKERS, self.points)
            for origins in self.origins
        )
        return a, b


def may_be_solved(race: Race) -> bool:
    """Return whether a race can be solved in memory.

    Either all checkers must be in the home boards, or both players must have borne off a
    checker, because gammon chances are solved only in the home boards.
    """
    sides = race.roller, race.opponent
    home = max(side.highest for side in sides) <= POINTS
    return home or all(side.on_board < CHECKERS for side in sides)


def as_leader(race: Race, equities: MatchEquities) -> tuple[Stakes, tuple[int, int]]:
    """Return stakes and position numbers as seen by the player who leads the match.

    The first position number is that of the player who leads the match. For money, the
    first position number is the roller's.
    """
    race = race.on_points()
    numbers = race.roller.number, race.opponent.number
    if race.score is None:
        growth = race.cube_growth
        return Money(race.jacoby, limit=None if growth == 1 else growth), numbers
    stakes = Match(Score(race.score.away, race.score.game), equities)
    if stakes.score.away[0] <= stakes.score.away[1]:
        return stakes, numbers
    return stakes.exchanged(), numbers[::-1]


def groups_of(
    races: Sequence[Race], equities: MatchEquities, patience: float
) -> list[RaceGroup]:
    """Group the races that can be solved together within a time limit.

    Parameters
    ----------
    races : sequence of Race
        Races with 15 checkers per player at the start and all remaining checkers in the
        home boards.
    patience : float
        Time limit in seconds. Small races are grouped first. Races that exceed the limit
        are in no group.
    """
    sizes = [
        (*(sum(getattr(s, what) for s in (r.roller, r.opponent)) for what in _BY), row)
        for row, r in enumerate(races)
    ]
    if not races:
        return []
    most = max(max(r.roller.on_board, r.opponent.on_board) for r in races)
    plan = _Plan(most, patience)
    for *_, row in sorted(sizes):
        plan.add(row, races[row], equities)
    return plan.groups


def least_seconds(race: Race, equities: MatchEquities) -> float:
    """Return a lower bound on the seconds that solving a large race takes; fast to compute.

    Parameters
    ----------
    race : Race
        Race with ten or more checkers per side, or with checkers outside the home board.
    """
    stakes, _ = as_leader(race, equities)
    race = race.on_points()
    sizes = [float(_below(side.counts)) for side in (race.roller, race.opponent)]
    if race.roller.points > POINTS:
        sizes = [_FEWEST_BEYOND * size for size in sizes]
        if max(sizes) > MOST_BEYOND:
            return math.inf
    pairs = math.prod(sizes)
    whole = stakes.score is not None and pairs > MOST_IN_FLOAT64
    work = 2 * pairs * _FEWEST_SUCCESSORS * len(_states(race, stakes))
    return work * seconds_each(4 if whole else 8) / cores()


def _below(counts: Sequence[int]) -> int:
    """Count the positions that have at most as many checkers above each point as `counts`.

    All reachable positions are among these positions. With ten or more checkers, 85% of
    them are reachable.
    """
    # The loop visits the points from the highest downwards. `fitting[n]` is the number of
    # ways to place n checkers on the visited points.
    fitting = [1]
    for most in itertools.accumulate(reversed(counts)):
        fitting = list(itertools.accumulate(fitting + [0] * (most + 1 - len(fitting))))
    return sum(fitting)


class _Plan:
    """Groups of races formed so far, with the time and memory left for more groups."""

    def __init__(self, checkers: int, patience: float) -> None:
        self.groups: list[RaceGroup] = []
        self._checkers, self._left = checkers, patience
        self._room = _PART * memory_available()
        self._looks = _LOOKED_AT * patience
        # Looking up the solver's speeds takes longer than solving a small race, so it is
        # done only once.
        self._speeds = {each: seconds_each(each) / cores() for each in (4, 8)}
        table = successors(POINTS, checkers)
        self._lengths = np.diff(table.offsets[::21])

    def add(self, row: int, race: Race, equities: MatchEquities) -> None:
        """Add a race to the group in which it takes the least additional time to solve."""
        if max(race.roller.highest, race.opponent.highest) > POINTS:
            self._add_beyond(row, race, equities)
            return
        stakes, numbers = as_leader(race, equities)
        one = RaceGroup(
            stakes,
            False,
            self._checkers,
            ({numbers[0]}, {numbers[1]}),
            (np.ones(1, dtype=bool), np.ones(1, dtype=bool)),
            set(_states(race, stakes)),
            rows=[row],
        )
        for group in self.groups:
            one.whole = group.whole
            if group.holds(one):
                group.rows.append(row)
                return
        if self._looks <= 0 or self._left <= 0:
            return
        one.reach = _reach(numbers[0], self._checkers), _reach(numbers[1], self._checkers)
        a, b = (int(np.count_nonzero(reach)) for reach in one.reach)
        one.whole = stakes.score is not None and a * b > MOST_IN_FLOAT64
        best, least = None, self._seconds(one)
        if not least <= self._left:
            return
        one.seconds = least
        self._looks -= sum(map(len, one.reach))
        for group in self.groups:
            if group.like(one):
                self._looks -= sum(map(len, group.reach))
                both = _joined(group, one)
                both.seconds = self._seconds(both)
                if both.seconds - group.seconds < least:
                    best, least = (group, both), both.seconds - group.seconds
        self._left -= least
        if best is not None:
            one = best[1]
            self.groups.remove(best[0])
        self.groups.append(one)

    def _add_beyond(self, row: int, race: Race, equities: MatchEquities) -> None:
        """Add a group for one race with checkers outside home, if there is enough time."""
        if least_seconds(race, equities) > self._left:
            return
        race = race.on_points()
        stakes, numbers = as_leader(race, equities)
        checkers = max(race.roller.on_board, race.opponent.on_board)
        nothing = np.zeros(0, dtype=bool)
        group = RaceGroup(
            stakes,
            False,
            checkers,
            ({numbers[0]}, {numbers[1]}),
            (nothing, nothing),
            set(_states(race, stakes)),
            race.roller.points,
            [row],
        )
        try:
            a, b = group.sides()
        except TableError:
            return
        if 16 * len(group.states) * a.size * b.size > self._room:
            return
        group.whole = stakes.score is not None and a.size * b.size > MOST_IN_FLOAT64
        speed = self._speeds[4 if group.whole else 8]
        group.seconds = len(group.states) * work(a, b) * speed
        if group.seconds <= self._left:
            self._left -= group.seconds
            self.groups.append(group)

    def _seconds(self, group: RaceGroup) -> float:
        """Estimate the seconds to solve a group; infinite if memory is too small."""
        a, b = group.reach
        sizes = [int(np.count_nonzero(reach)) for reach in (a, b)]
        lengths = [int(self._lengths[: len(reach)][reach].sum()) for reach in (a, b)]
        each = 4 if group.whole else 8
        planes = len(group.states)
        if 2 * planes * each * sizes[0] * sizes[1] > self._room:
            return float("inf")
        work = planes * (lengths[0] * sizes[1] + lengths[1] * sizes[0])
        return work * self._speeds[each]


def _joined(group: RaceGroup, one: RaceGroup) -> RaceGroup:
    return RaceGroup(
        group.stakes,
        group.whole,
        group.checkers,
        (group.origins[0] | one.origins[0], group.origins[1] | one.origins[1]),
        (_either(group.reach[0], one.reach[0]), _either(group.reach[1], one.reach[1])),
        group.states | one.states,
        rows=group.rows + one.rows,
    )


def _either(a: BoolArray, b: BoolArray) -> BoolArray:
    if len(a) < len(b):
        a, b = b, a
    found = a.copy()
    found[: len(b)] |= b
    return found


@lru_cache(maxsize=1000)
def _reach(number: int, checkers: int) -> BoolArray:
    """Return for each position number whether it is reachable from a given position."""
    found = np.zeros(number + 1, dtype=bool)
    found[successors(POINTS, checkers).reachable((number,))] = True
    return found


def _states(race: Race, stakes: Stakes) -> list[CubeState]:
    """Return a race's possible cube states, as seen by the player who leads the match."""
    may = CubeOwner.of(race.cube).may
    if race.score is not None and race.score.away[0] > race.score.away[1]:
        may = may[::-1]
    payoffs = stakes.payoffs
    value = 1 if race.score is None else race.cube_value
    state = payoffs.state(value, *may)
    gammons = CHECKERS in (race.roller.on_board, race.opponent.on_board)
    return [
        one
        for one in payoffs.states_below(state)
        if gammons or one == payoffs.decided or any(one.may(k) for k in (0, 1))
    ]
