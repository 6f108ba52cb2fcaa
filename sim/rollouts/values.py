"""Tables and models for a rollout, and methods of variance reduction."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff import checks
from bearoff.bear_in import BearIn, bear_in, saving_bear_in
from bearoff.one_sided import gammons
from bearoff.race_model import RaceModel, race_model
from bearoff.scores import CubeState
from bearoff.sim.rollouts.boards import HOME_BOARD, RaceBoard
from bearoff.sim.rollouts.states import CubeStates
from bearoff.sim.rollouts.systematic import (
    MEASURED_TABLE,
    Systematic,
    stored_error,
    systematic_error,
)
from bearoff.sim.storage import schema
from bearoff.sources import PairTable
from bearoff.stakes import Cube, CubeOwner, RollersCube, Terms

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

POINTS = schema.ROLLOUT_POINTS
"""Number of points on which checkers may stand."""

STATES = ("cubeless", "centred", "owned", "opponent")
"""Cubes with which each game is played: no cube; a centred cube or the roller's cube,
without a double in the first turn; and the opponent's cube."""


CHANCES = schema.GAMMON_CHANCES
"""Four probabilities without the cube: that the roller wins at least a gammon, loses at
least a gammon, wins a backgammon, and loses a backgammon."""

COLUMNS = (*STATES, *CHANCES)
"""Names of the estimates of each game: points won for each of `STATES`, without gammons if
there is no cube; and the probabilities of `CHANCES`."""


class TwoSidedSize(NamedTuple):
    """Maximum numbers of points and checkers per side in a two-sided table."""

    points: int
    checkers: int

    def __str__(self) -> str:
        checkers = f"{self.checkers} checker{'s' * (self.checkers > 1)}"
        beyond = self.points != bearoff.POINTS
        return f"{checkers} on {self.points} points" if beyond else checkers


def _in_table(size: TwoSidedSize | None, counts: NDArray[np.int8]) -> Int64Array:
    """Return position numbers in a two-sided table; -1 for positions outside the table."""
    if size is None:
        return np.full(len(counts), -1)
    within, beyond = np.split(counts, [size.points], axis=1)
    held = ~beyond.any(axis=1) & (within.sum(axis=1) <= size.checkers)
    numbers = np.full(len(counts), -1)
    numbers[held] = bearoff.rank(within[held])
    return numbers


@lru_cache(maxsize=4)
def _board_in_table(size: TwoSidedSize | None, board: RaceBoard) -> Int64Array:
    return _in_table(size, board.counts)


@dataclass(frozen=True)
class Techniques:
    """Methods of variance reduction, which do not change the expected results.

    Attributes
    ----------
    luck : bool
        Whether the luck of the rolls is subtracted from the results.
    first_rolls : {1, 36, 1296}
        Number of games among which the first rolls are balanced: 36 balances the roller's
        first roll, 1296 both sides' first rolls, and 1 neither.
    truncate : bool
        Whether games stop at positions with known exact equities.
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
"""Names of the cubes with which the roller may double, in the order of `STATES`."""


@dataclass(frozen=True, eq=False)
class ValueModel:
    """Equities for a rollout: exact where games stop, otherwise from the fast model.

    Attributes
    ----------
    table : PairTable or None
        Table of exact equities for the stakes `terms`.
    techniques : Techniques
        Methods of variance reduction.
    terms : Terms
        Stakes from the viewpoint of the roller.
    cube : {"centred", "owned", "opponent"}
        Owner of the cube at the start; for money, all cubes are simulated.
    longest_epc : float or None
        Maximum EPC of a side during the games, in pips; None if unknown.

    Raises
    ------
    ScoreError
        If the table is for other stakes.
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
                f"a table for {table.terms().stakes.label} cannot be used in games for "
                f"{stakes.label}; use a table for {stakes.label}, or no table"
            )

    @cached_property
    def starts(self) -> tuple[CubeState | None, ...]:
        """Initial state of the cube for each of `STATES`; None if it is not simulated.

        At a score only the possible states are simulated: no cube, the actual cube, and the
        cube after a take.
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
        """For each of `STATES`, whether it is simulated."""
        return np.array([True, *(state is not None for state in self.starts[1:])])

    @property
    def doublings(self) -> tuple[RollersCube, ...]:
        """Owners of the cube for which a double by the roller is simulated."""
        if not self.terms.stakes.has_cube:
            return ()
        return tuple(cube for cube in _DOUBLERS if self.asked[STATES.index(cube)])

    @property
    def units(self) -> Float64Array:
        """Divisors that convert the estimates to points at a cube value of 1.

        For the opponent's cube, the estimate at a score is that of a take; for money it is
        for a cube at 1, which is half the value of a take.
        """
        return np.array([1.0, 1.0, 1.0, 2 / self.terms.stakes.payoffs.scale[0]])

    @cached_property
    def states(self) -> CubeStates:
        """All states of the cube that can occur, and the values of games in them."""
        longest = self.model.largest_epc if self.longest_epc is None else self.longest_epc
        return CubeStates(self.terms, self.starts, self.model, longest)

    @property
    def home(self) -> bearoff.OneSidedTable:
        """One-sided table of the home board."""
        return HOME_BOARD.table

    @cached_property
    def bear_in(self) -> BearIn:
        """Model of plays and rolls needed for sides with checkers outside the home."""
        return bear_in()

    @cached_property
    def model(self) -> RaceModel:
        """Fast model, used for cube decisions and for measuring luck."""
        return race_model()

    @cached_property
    def saving(self) -> BearIn:
        """Model of plays that minimise gammon losses."""
        return saving_bear_in()

    def gammon_at_home(
        self, winners: Int64Array, losers: Int64Array, on_roll: bool
    ) -> Float64Array:
        """Return gammon probabilities against an opponent who plays to save the gammon."""
        idle = _saving_tails()[0 if on_roll else 1]
        exactly = self.home.distribution[winners]
        return np.asarray(np.einsum("ij,ij->i", exactly, idle[losers]))

    @staticmethod
    def chance_above_zero(leads: Float64Array, spreads: Float64Array) -> Float64Array:
        """Return the probabilities that normal variables are positive."""
        from bearoff.bear_in import gammon_kernels

        leads, spreads = np.broadcast_arrays(leads, np.maximum(spreads, 1e-9))
        chances = np.empty(leads.shape)
        gammon_kernels.chances_by_spread(
            leads.ravel(), spreads.ravel(), chances.reshape(-1)
        )
        return chances

    @staticmethod
    def idle_next(counts: NDArray[np.int8]) -> Float64Array:
        """Return the probabilities of bearing off no checker on the next roll."""
        from bearoff.bear_in import gammon_kernels

        chances = np.empty(len(counts))
        gammon_kernels.idle_next(counts, chances)
        return chances

    def gammon_chances(
        self, rollers: Int64Array, opponents: Int64Array
    ) -> tuple[Float64Array, Float64Array]:
        """Return the roller's probabilities of winning and of losing a gammon.

        All checkers must be in the home boards.

        Vectorised `bearoff.one_sided.gammon_chance`.
        """
        after, before, idle = gammons.fewest_rolls_tails()
        wins = np.einsum("ij,ij->i", after[rollers], before[opponents])
        losses = np.einsum("ij,ij->i", after[opponents], idle[rollers])
        return wins, losses

    @cached_property
    def gammon_stakes(self) -> tuple[tuple[float, float], ...]:
        """For each side, cost of losing a gammon and additional cost of a backgammon.

        The unit is half the difference between a plain win and a plain loss, which is a
        point for money. The cube is that at the start, even if it is turned later.
        """
        lost, won = (self.terms.worth(sign * np.arange(1, 4)) for sign in (-1, 1))
        first, second = -np.diff(lost), np.diff(won)
        return (first[0], first[1]), (second[0], second[1])

    @property
    def last_table(self) -> PairTable | None:
        """Table at which games stop; None without a table."""
        return self.table if self.techniques.truncate else None

    @cached_property
    def table_size(self) -> TwoSidedSize | None:
        """Size of the table at which games stop; None without a table."""
        table = self.last_table
        return None if table is None else TwoSidedSize(table.points, table.checkers)

    def solve(self) -> None:
        """Compute all values that the games need, before any thread starts."""
        one = np.ones(1, dtype=np.int64)
        for state in self.states.states:
            if self.last_table is not None and state is not None:
                self.last_table.settled(one, one, state, self.terms)

    def without_cube(
        self, rollers: Int64Array, opponents: Int64Array
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Return the roller's probabilities of winning, and of winning and losing a gammon.

        For money both sides maximise points; at a score they maximise wins, and the gammon
        probabilities are for fewest-rolls play. Numbers are those of `in_table`.
        """
        table = self.last_table
        if table is None:
            raise ValueError("a table is required for exact probabilities")
        stakes = self.terms.stakes
        if stakes.score is not None:
            wins = table.win_probability(rollers, opponents)
            return wins, *self.gammon_chances(rollers, opponents)
        won, lost = table.gammon_probability(rollers, opponents)
        points = table.settled(rollers, opponents, stakes.payoffs.decided, self.terms)
        return (1 + points - won + lost) / 2, won, lost

    def in_table(self, counts: NDArray[np.int8]) -> Int64Array:
        """Return position numbers in the table; -1 for positions outside the table.

        Of counts of int8, shape (n, 24).
        """
        return _in_table(self.table_size, counts)

    def board_in_table(self, board: RaceBoard) -> Int64Array:
        """Return the number in the table of every position of a board; -1 if beyond it."""
        return _board_in_table(self.table_size, board)

    def exact(self, roller: int, opponent: int) -> Float64Array:
        """Return the exact `COLUMNS`, given position numbers in the table."""
        if self.last_table is None:
            raise ValueError("a table is required for exact values")
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
        """Return the equities of a typical race for each of `STATES`."""
        return [
            self.states.typical(number, roller_epc, opponent_epc) / unit
            for number, unit in zip(self.states.starts.tolist(), self.units, strict=True)
        ]

    def systematic_error(self, race: bearoff.Race) -> Systematic:
        """Return the systematic error of equities; with a dead cube, of the win chance."""
        at_score = self.terms.stakes.score is not None
        size = self.table_size
        into_table = size is not None and size.checkers >= MEASURED_TABLE
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
        """Return the largest rounding errors of the equities in the table."""
        return stored_error(self.last_table, self.terms)

    def _start(self, cube: Cube) -> int:
        return int(self.states.starts[STATES.index(cube)])


@lru_cache(maxsize=1)
def _saving_tails() -> tuple[Float64Array, Float64Array]:
    """Return the probabilities of bearing off no checker in n - 1 and in n rolls.

    The side plays to save a gammon.
    """
    idle = np.zeros_like(bearoff.one_sided_table().distribution)
    found = gammons.saving_play().idle
    idle[:, : found.shape[1]] = found
    return np.concatenate([idle[:, :1], idle[:, :-1]], axis=1), idle
