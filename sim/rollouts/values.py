"""What the values of a rollout rest on, and the techniques that make its games say more."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff import checks
from bearoff.bear_in import BearIn, bear_in, saving_bear_in
from bearoff.one_sided import gammons
from bearoff.race_model import RaceModel, race_model
from bearoff.scores import CubeState
from bearoff.sim.rollouts import choices as home_board
from bearoff.sim.rollouts.states import CubeStates
from bearoff.sim.rollouts.systematic import Systematic, stored_error, systematic_error
from bearoff.sim.storage import schema
from bearoff.sources import PairTable
from bearoff.stakes import Cube, CubeOwner, RollersCube, Terms

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

POINTS = schema.ROLLOUT_POINTS
"""Points on which a side's checkers may stand."""

STATES = ("cubeless", "centred", "owned", "opponent")
"""States of the cube that every game is played for: none; centred or owned by the roller,
who does not double on the first turn; owned by the opponent."""


CHANCES = schema.GAMMON_CHANCES
"""Chances without a cube that the roller wins and loses a gammon, backgammons among them,
and a backgammon."""

COLUMNS = (*STATES, *CHANCES)
"""What is estimated of every game: the points won in each state of the cube, without one
as if no gammon counted, and the chances."""


class Standing(NamedTuple):
    """What sides need, in some games.

    Attributes
    ----------
    numbers : ndarray of int64
        On the home board, -1 while a checker is outside.
    epc : ndarray of float64
        In pips.
    std_rolls : ndarray of float64
        Standard deviation of the rolls needed.
    """

    numbers: Int64Array
    epc: Float64Array
    std_rolls: Float64Array

    @property
    def rolls(self) -> Float64Array:
        """Mean of the rolls needed."""
        return self.epc / bearoff.PIPS_PER_ROLL

    def of(self, games: Any) -> "Standing":
        """Return those of some games, given by an index of arrays."""
        return Standing(self.numbers[games], self.epc[games], self.std_rolls[games])


def home_numbers(counts: NDArray[np.int8]) -> Int64Array:
    """Numbers on the home board of sides, shape (..., 24); -1 where one is outside."""
    outside = counts[..., bearoff.POINTS :].any(axis=-1)
    return np.where(outside, -1, bearoff.rank(counts[..., : bearoff.POINTS]))


class TableSize(NamedTuple):
    """Most points and checkers of a side in a two-sided table."""

    points: int
    checkers: int

    def __str__(self) -> str:
        """As ``8 checkers``, and the points unless they are those of the home board."""
        checkers = f"{self.checkers} checker{'s' * (self.checkers > 1)}"
        beyond = self.points != bearoff.POINTS
        return f"{checkers} on {self.points} points" if beyond else checkers


def _in_table(size: TableSize | None, counts: NDArray[np.int8]) -> Int64Array:
    """Return the sides' numbers in a table of some size, -1 of those beyond it."""
    if size is None:
        return np.full(len(counts), -1)
    within, beyond = np.split(counts, [size.points], axis=1)
    held = ~beyond.any(axis=1) & (within.sum(axis=1) <= size.checkers)
    numbers = np.full(len(counts), -1)
    numbers[held] = bearoff.rank(within[held])
    return numbers


@lru_cache(maxsize=4)
def _home_in_table(size: TableSize | None) -> Int64Array:
    return _in_table(size, home_board.home_counts())


@dataclass(frozen=True)
class Techniques:
    """Ways to make fewer games say more; each changes the error, none the mean.

    Attributes
    ----------
    luck : bool
        Take the luck of the rolls out of the results.
    first_rolls : {1, 36, 1296}
        How many games share out the first throws evenly among them: 36 the roller's, 1296
        both sides'; 1 leaves them to chance.
    truncate : bool
        Stop a game where exact values begin.
    """

    luck: bool = True
    first_rolls: int = 1296
    truncate: bool = True

    def __post_init__(self) -> None:
        checks.choice(self.luck, "luck", (False, True))
        checks.choice(self.first_rolls, "first_rolls", (1, 36, 1296))
        checks.choice(self.truncate, "truncate", (False, True))


_MONEY = Terms()

_DOUBLERS: tuple[RollersCube, ...] = ("centred", "owned")
"""Places of the cube from which the roller may double, in the order of `STATES`."""


@dataclass(frozen=True, eq=False)
class ValueModel:
    """The values of a rollout: exact ones where games stop, the model's on the way.

    Attributes
    ----------
    table : PairTable or None
        Exact values of the pairs it holds, for the stakes of the terms.
    techniques : Techniques
        How games are played.
    terms : Terms
        What is played for, the roller on roll.
    cube : {"centred", "owned", "opponent"}
        Where the cube is at the start; for money it is played for everywhere.
    longest_epc : float or None
        Of the sides to come, in pips; None for any race.

    Raises
    ------
    ScoreError
        If the table is of games for other stakes.
    """

    table: PairTable | None
    techniques: Techniques
    terms: Terms = _MONEY
    cube: Cube = "centred"
    longest_epc: float | None = None

    def __post_init__(self) -> None:
        table, stakes = self.table, self.terms.stakes
        if table is not None and not table.plays_for(stakes):
            raise bearoff.ScoreError(
                f"a table of {table.terms().stakes.label} cannot settle games of "
                f"{stakes.label}; give one of what is played for, or none"
            )

    @cached_property
    def starts(self) -> tuple[CubeState | None, ...]:
        """State of the cube of each of `STATES` at the start; None where there is none.

        At a score only what can come up is played for: no cube, the cube where it is, and
        what a take leads to.
        """
        stakes, value = self.terms.stakes, self.terms.cube_value

        def state(cube: Cube, value: int) -> CubeState:
            return stakes.payoffs.state(value, *CubeOwner.of(cube).may)

        here = _DOUBLERS if stakes.score is None else (self.cube,)
        taken = value if self.cube == "opponent" else 2 * value
        return (
            None,
            *(state(cube, value) if cube in here else None for cube in _DOUBLERS),
            state("opponent", taken) if stakes.has_cube else None,
        )

    @cached_property
    def asked(self) -> BoolArray:
        """Whether each of `STATES` is played for."""
        return np.array([True, *(state is not None for state in self.starts[1:])])

    @property
    def doublings(self) -> tuple[RollersCube, ...]:
        """Places of the cube from which a double of the roller's is played for."""
        if not self.terms.stakes.has_cube:
            return ()
        return tuple(cube for cube in _DOUBLERS if self.asked[STATES.index(cube)])

    @property
    def units(self) -> Float64Array:
        """By what the estimates of `STATES` are divided.

        What the opponent owns is told as half of what a take is worth: at a score its
        estimate is that of the take, for money of a cube at 1.
        """
        return np.array([1.0, 1.0, 1.0, 2 / self.terms.stakes.payoffs.scale[0]])

    @cached_property
    def states(self) -> CubeStates:
        """All states that the cube can come to, and what is won there."""
        longest = self.model.largest_epc if self.longest_epc is None else self.longest_epc
        return CubeStates(self.terms, self.starts, self.model, longest)

    @cached_property
    def home(self) -> bearoff.OneSidedTable:
        """The one-sided table of the home board."""
        return bearoff.one_sided_table()

    @cached_property
    def bear_in(self) -> BearIn:
        """The policy and values of sides that are not all home."""
        return bear_in()

    @cached_property
    def model(self) -> RaceModel:
        """The fast model, by whose values the cube is played and luck is measured."""
        return race_model()

    def standing(self, counts: NDArray[np.int8]) -> Standing:
        """Return what sides need, of counts of int8, shape (..., 24)."""
        player = self.bear_in
        return Standing(home_numbers(counts), player.epc(counts), player.std_rolls(counts))

    def cubeless_after(self, other: Standing, after: Standing) -> Float64Array:
        """Return the other side's equity without a cube after each roll of a side.

        By convolution where both sides are home, else as good as the means and standard
        deviations of the rolls needed tell.

        Parameters
        ----------
        other : Standing
            Shape (games,).
        after : Standing
            Shape (games, 21).
        """
        from bearoff.sim.rollouts import kernels

        equities = np.empty(after.epc.shape)
        kernels.equities_by_spread(*other[1:], *after[1:], equities)
        home = after.numbers >= 0
        games = np.flatnonzero((other.numbers >= 0) & home.any(axis=1))
        at_home = np.maximum(after.numbers[games], 0)
        exact = np.empty(at_home.shape)
        kernels.equities_after(
            *home_board.rolls_needed(), other.numbers[games], at_home, exact
        )
        equities[games] = np.where(home[games], exact, equities[games])
        return equities

    def win_most(
        self, others: Int64Array, movers: Int64Array
    ) -> tuple[Standing, Float64Array]:
        """Make the plays that win most, both sides home, and look ahead.

        Returns
        -------
        after : Standing
            Of the mover; shape (games, 21).
        equities : ndarray of float64, shape (games, 21)
            The other side's without a cube, if both make the fewest rolls then.
        """
        from bearoff.sim.rollouts import kernels

        table = self.home
        after = np.empty((len(movers), len(bearoff.ROLLS)), dtype=np.int64)
        equities = np.empty(after.shape)
        kernels.win_most(
            *home_board.rolls_needed(),
            others,
            movers,
            home_board.policy(),
            home_board.choices(),
            after,
            equities,
        )
        return Standing(after, table.epc[after], table.std_rolls[after]), equities

    @cached_property
    def saving(self) -> BearIn:
        """The plays that save gammons."""
        return saving_bear_in()

    def gammon_at_home(
        self, winners: Int64Array, losers: Int64Array, on_roll: bool
    ) -> Float64Array:
        """Chances to win a gammon from a side that saves, both sides home."""
        idle = home_board.saving_tails()[0 if on_roll else 1]
        exactly = self.home.distribution[winners]
        return np.asarray(np.einsum("ij,ij->i", exactly, idle[losers]))

    @staticmethod
    def chance_above_zero(leads: Float64Array, spreads: Float64Array) -> Float64Array:
        """Chances that normal sums with these means and deviations are above 0."""
        from bearoff.bear_in import gammon_kernels

        leads, spreads = np.broadcast_arrays(leads, np.maximum(spreads, 1e-9))
        chances = np.empty(leads.shape)
        gammon_kernels.chances_by_spread(
            leads.ravel(), spreads.ravel(), chances.reshape(-1)
        )
        return chances

    @staticmethod
    def idle_next(counts: NDArray[np.int8]) -> Float64Array:
        """Chances that the next roll takes no checker off sides, shape (n, 24)."""
        from bearoff.bear_in import gammon_kernels

        chances = np.empty(len(counts))
        gammon_kernels.idle_next(counts, chances)
        return chances

    def gammon_chances(
        self, rollers: Int64Array, opponents: Int64Array
    ) -> tuple[Float64Array, Float64Array]:
        """Return the rollers' chances to win and to lose a gammon, both sides home.

        As `bearoff.one_sided.gammon_chance` of the two arrays of numbers, of equal shape.
        """
        after, before, idle = gammons.fewest_rolls_tails()
        wins = np.einsum("ij,ij->i", after[rollers], before[opponents])
        losses = np.einsum("ij,ij->i", after[opponents], idle[rollers])
        return wins, losses

    @cached_property
    def gammon_stakes(self) -> tuple[tuple[float, float], ...]:
        """What losing a gammon, and a backgammon beyond it, costs each side.

        In halves of what the game decides without them, for money points; with the cube
        as it is at the start, whatever becomes of it.
        """
        lost, won = (self.terms.worth(sign * np.arange(1, 4)) for sign in (-1, 1))
        first, second = -np.diff(lost), np.diff(won)
        return (first[0], first[1]), (second[0], second[1])

    @property
    def last_table(self) -> PairTable | None:
        """The table that games are stopped at; None if at none."""
        return self.table if self.techniques.truncate else None

    @cached_property
    def table_size(self) -> TableSize | None:
        """Points and checkers of the table that games are stopped at; None if at none."""
        table = self.last_table
        return None if table is None else TableSize(table.points, table.checkers)

    def solve(self) -> None:
        """Solve what games will ask for, which threads would solve side by side."""
        one = np.ones(1, dtype=np.int64)
        for state in self.states.states:
            if self.last_table is not None and state is not None:
                self.last_table.settled(one, one, state, self.terms)

    def without_cube(
        self, rollers: Int64Array, opponents: Int64Array
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Return the rollers' chances by the table to win, and to win and lose a gammon.

        For money both sides play for points; at a score to win, and gammons are those of
        the fewest rolls. Numbers are those of `in_table`.
        """
        table = self.last_table
        if table is None:
            raise ValueError("chances are a table's, and there is none")
        stakes = self.terms.stakes
        if stakes.score is not None:
            wins = table.win_probability(rollers, opponents)
            return wins, *self.gammon_chances(rollers, opponents)
        won, lost = table.gammon_probability(rollers, opponents)
        points = table.settled(rollers, opponents, stakes.payoffs.decided, self.terms)
        return (1 + points - won + lost) / 2, won, lost

    def in_table(self, counts: NDArray[np.int8]) -> Int64Array:
        """Return the sides' numbers in the table, -1 of those that it does not hold.

        Of counts of int8, shape (n, 24).
        """
        return _in_table(self.table_size, counts)

    @cached_property
    def home_in_table(self) -> Int64Array:
        """Numbers as of `in_table` of every position of the home board."""
        return _home_in_table(self.table_size)

    def exact(self, roller: int, opponent: int) -> Float64Array:
        """Return `COLUMNS` of a pair that the table holds, numbers in the table."""
        if self.last_table is None:
            raise ValueError("exact values are a table's, and there is none")
        pair = np.array([roller]), np.array([opponent])
        wins, won, lost = (chance.item() for chance in self.without_cube(*pair))
        means = np.zeros(len(COLUMNS))
        means[0] = 2 * wins - 1
        means[len(STATES) : len(STATES) + 2] = won, lost
        for cube in _DOUBLERS:
            if self.asked[STATES.index(cube)]:
                found = self.last_table.values(*pair, cube, self.terms, gammons=False)
                means[STATES.index(cube)] = found.no_double.item()
        if (opponents := self.starts[-1]) is not None:
            settled = self.last_table.settled(*pair, opponents, self.terms)
            means[STATES.index("opponent")] = settled.item() / self.units[-1]
        return means

    def typical(self, roller_epc: float, opponent_epc: float) -> list[float]:
        """About what typical sides are worth, for each of `STATES`."""
        return [
            self.states.typical(number, roller_epc, opponent_epc) / unit
            for number, unit in zip(self.states.starts.tolist(), self.units, strict=True)
        ]

    def systematic_error(self, race: bearoff.Race) -> Systematic:
        """Return the error to expect; of a cube that is dead, of the chance to win."""
        at_score = self.terms.stakes.score is not None
        into_table = self.table_size is not None
        found = systematic_error(race, at_score=at_score, into_table=into_table)
        of_chance = 2 * found.win_probability
        here, taken = (self._start(cube) for cube in (self.cube, "opponent"))
        return Systematic(
            found.win_probability,
            found.no_double if self.states.is_live(here) else of_chance,
            found.double_take if self.states.is_live(taken) else of_chance,
        )

    @cached_property
    def stored_error(self) -> Systematic:
        """Largest errors of what the table holds, which is rounded."""
        return stored_error(self.last_table, self.terms)

    def _start(self, cube: Cube) -> int:
        """Return the number of the state that games begin in, the cube there."""
        return int(self.states.starts[STATES.index(cube)])
