"""Races solved together: which share one solving, and for how many is time.

What a race can come to is often a part of what another can. So races of one score, or for
money, are gathered in groups, of which each is solved for all the positions that its sides
can come to, as long as that takes no longer than solving them one by one.
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
from bearoff.match_solver.sides import MOST_BEYOND, Side, reachable, reachable_beyond
from bearoff.match_solver.solver import Solver, payoffs_of, seconds_each, work
from bearoff.match_solver.table import MatchTable
from bearoff.plays import successors
from bearoff.positions import CHECKERS, POINTS, Race
from bearoff.runtime import cores, memory_available
from bearoff.scores import CubeState, MatchEquities, Score
from bearoff.stakes import CubeOwner, Match, Money, Stakes

BoolArray = NDArray[np.bool_]

_PART = 0.5
"""Of the memory that programs may still take, what a group may."""

_LOOKED_AT = 3e7
"""Positions looked at a second of patience, a tenth of it, to find what is solved together;
of the races that come then, only whether a group has them already."""

_FEWEST_BEYOND = 0.18
"""Of the positions that `_below` counts, what one with checkers beyond home can come to."""

_FEWEST_SUCCESSORS = 30
"""Of a position, by all its rolls together, in the mean over what one of ten checkers or
more can come to and over others below it that it cannot; 41 were the fewest seen."""

_BY = "on_board", "pips"
"""What a race is small by, of both sides together."""


@dataclass(eq=False)
class Group:
    """Races of the same stakes that are solved together.

    Attributes
    ----------
    stakes : Money or Match
        As the player has them who needs fewer points: that one's positions come first.
    points : int
        Of the board. On more than home's six a group is of one race.
    rows : list of int
        Which races, of those given.
    seconds : float
        Solving takes, about.
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

    def like(self, one: "Group") -> bool:
        """Whether it may share a solving with another."""
        same = (self.stakes, self.whole, self.points)
        return same == (one.stakes, one.whole, one.points)

    def holds(self, one: "Group") -> bool:
        """Whether it has all that another has."""
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
        """Solve the races; `progress` is told the share done, and may raise to stop."""
        a, b = self.sides()
        payoffs = payoffs_of(self.stakes)
        solver = Solver(a, b, payoffs, cores(), progress, whole=self.whole)
        solver.solve(self.states)
        return MatchTable(self.stakes, solver)

    def sides(self) -> tuple[Side, Side]:
        """Return what both sides can come to."""
        a, b = (
            reachable(tuple(sorted(origins)), self.checkers, CHECKERS)
            if self.points == POINTS
            else reachable_beyond(*origins, self.checkers, CHECKERS, self.points)
            for origins in self.origins
        )
        return a, b


def may_be_solved(race: Race) -> bool:
    """Whether a race is one that is solved if that is soon done.

    All checkers are home, or both sides have borne one off: beyond home no gammons are
    known.
    """
    sides = race.roller, race.opponent
    home = max(side.highest for side in sides) <= POINTS
    return home or all(side.on_board < CHECKERS for side in sides)


def as_leader(race: Race, equities: MatchEquities) -> tuple[Stakes, tuple[int, int]]:
    """Return the stakes as the player has them who needs fewer points, and both numbers.

    That player's number comes first; for money the roller's.
    """
    race = race.on_points()
    numbers = race.roller.number, race.opponent.number
    if race.score is None:
        return Money(race.jacoby), numbers
    stakes = Match(Score(race.score.away, race.score.game), equities)
    if stakes.score.away[0] <= stakes.score.away[1]:
        return stakes, numbers
    return stakes.exchanged(), numbers[::-1]


def groups_of(
    races: Sequence[Race], equities: MatchEquities, patience: float
) -> list[Group]:
    """Gather races in groups that are solved in so many seconds together, about.

    Parameters
    ----------
    races : sequence of Race
        At home, of 15 checkers a side.
    equities : MatchEquities
        The match equity table.
    patience : float
        Seconds. Small races come first; those for which none are left are in no group.
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
    """Return what solving a race of many checkers takes at least, seen at once.

    Parameters
    ----------
    race : Race
        With ten checkers or more on a side, or with checkers beyond home.
    equities : MatchEquities
        The match equity table.

    Returns
    -------
    float
        Seconds, about.
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
    """Return how many positions have no more checkers from any point on than one has.

    All that it can come to are of these, and with ten checkers or more 85 of 100 are.
    """
    fitting = [1]  # By the checkers on the points so far, from the highest down.
    for most in itertools.accumulate(reversed(counts)):
        fitting = list(itertools.accumulate(fitting + [0] * (most + 1 - len(fitting))))
    return sum(fitting)


class _Plan:
    """Groups under way."""

    def __init__(self, checkers: int, patience: float) -> None:
        self.groups: list[Group] = []
        self._checkers, self._left = checkers, patience
        self._room = _PART * memory_available()
        self._looks = _LOOKED_AT * patience
        # Asking the machine takes longer than a small race.
        self._speeds = {each: seconds_each(each) / cores() for each in (4, 8)}
        table = successors(POINTS, checkers)
        self._lengths = np.diff(table.offsets[::21])

    def add(self, row: int, race: Race, equities: MatchEquities) -> None:
        """Put a race into a group that has it, else where it costs least."""
        if max(race.roller.highest, race.opponent.highest) > POINTS:
            self._add_beyond(row, race, equities)
            return
        stakes, numbers = as_leader(race, equities)
        one = Group(
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
        """Make a group of a race with checkers beyond home, if there is time for it."""
        if least_seconds(race, equities) > self._left:
            return
        race = race.on_points()
        stakes, numbers = as_leader(race, equities)
        checkers = max(race.roller.on_board, race.opponent.on_board)
        nothing = np.zeros(0, dtype=bool)
        group = Group(
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

    def _seconds(self, group: Group) -> float:
        """Estimate what solving takes; infinity if the memory does not hold it."""
        a, b = group.reach
        sizes = [int(np.count_nonzero(reach)) for reach in (a, b)]
        lengths = [int(self._lengths[: len(reach)][reach].sum()) for reach in (a, b)]
        each = 4 if group.whole else 8
        planes = len(group.states)
        if 2 * planes * each * sizes[0] * sizes[1] > self._room:
            return float("inf")
        work = planes * (lengths[0] * sizes[1] + lengths[1] * sizes[0])
        return work * self._speeds[each]


def _joined(group: Group, one: Group) -> Group:
    """Return the group of all races of two."""
    return Group(
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
    """Return which numbers a position can come to, of those up to its own."""
    found = np.zeros(number + 1, dtype=bool)
    found[successors(POINTS, checkers).reachable((number,))] = True
    return found


def _states(race: Race, stakes: Stakes) -> list[CubeState]:
    """Return the states of the cube that a race may come to, as the leader has them."""
    may = CubeOwner.of(race.cube).may
    if race.score is not None and race.score.away[0] > race.score.away[1]:
        may = may[::-1]
    payoffs = payoffs_of(stakes)
    state = payoffs.state(race.cube_value, *may)
    gammons = CHECKERS in (race.roller.on_board, race.opponent.on_board)
    return [
        one
        for one in payoffs.states_below(state)
        if gammons or one == payoffs.decided or any(one.may(k) for k in (0, 1))
    ]
