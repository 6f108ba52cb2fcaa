"""Tables and models that a rollout uses, and methods of variance reduction."""

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
"""Number of points on which checkers may be in a rollout."""

STATES = ("cubeless", "centred", "owned", "opponent")
"""Initial cubes with which each game is played: no cube, a centred cube, a cube owned by
the roller, and a cube owned by the opponent. With a centred cube or their own cube, the
roller does not double in the first turn."""


CHANCES = schema.GAMMON_CHANCES
"""Names of four probabilities in games without a cube: that the roller wins a gammon or
backgammon, loses a gammon or backgammon, wins a backgammon, and loses a backgammon."""

COLUMNS = (*STATES, *CHANCES)
"""Names of the quantities that each game estimates. The first four are the points won with
each initial cube in `STATES`; gammons count only if there is a cube. The last four are the
probabilities in `CHANCES`."""


class TwoSidedSize(NamedTuple):
    """Largest numbers of points and of checkers per side in a two-sided table."""

    points: int
    checkers: int

    def __str__(self) -> str:
        checkers = f"{self.checkers} checker{'s' * (self.checkers > 1)}"
        beyond = self.points != bearoff.POINTS
        return f"{checkers} on {self.points} points" if beyond else checkers


def _in_table(size: TwoSidedSize | None, counts: NDArray[np.int8]) -> Int64Array:
    """Return position numbers in a two-sided table; -1 for positions not in the table."""
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
    """Methods of variance reduction; none of them changes the expected results.

    Attributes
    ----------
    luck : bool
        Whether to subtract the luck of the rolls from the results.
    first_rolls : {1, 36, 1296}
        Number of games within which the first rolls are balanced. 36 balances the roller's
        first roll, and 1296 both sides' first rolls. With 1, no rolls are balanced.
    truncate : bool
        Whether to stop games at positions whose exact equities are known.
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
"""Initial cubes with which the roller may double, in the same order as in `STATES`."""


@dataclass(frozen=True, eq=False)
class ValueModel:
    """Equities that a rollout uses: exact ones where games stop, elsewhere estimates.

    Attributes
    ----------
    table : PairTable or None
        Two-sided table at which games stop. Requires a table for the stakes in `terms`.
        With None, all games are played to the end.
    techniques : Techniques
        Methods of variance reduction.
    terms : Terms
        Stakes and cube value from the viewpoint of the roller.
    cube : {"centred", "owned", "opponent"}
        Owner of the cube at the start. For money, all owners are simulated.
    longest_epc : float or None
        Largest EPC that a side may have during the games, in pips; None if unknown.

    Raises
    ------
    ScoreError
        If the table was built for other stakes.
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
        """Initial owner and value of the cube for each of `STATES`, or None.

        None stands for a game without a cube, and for a cube that is not simulated. At a
        match score, only the actual cube and the opponent's cube after a take are
        simulated.
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
        """Whether each initial cube in `STATES` is simulated."""
        return np.array([True, *(state is not None for state in self.starts[1:])])

    @property
    def doublings(self) -> tuple[RollersCube, ...]:
        """Owners of the cube for which the rollout estimates the equity of doubling."""
        if not self.terms.stakes.has_cube:
            return ()
        return tuple(cube for cube in _DOUBLERS if self.asked[STATES.index(cube)])

    @property
    def units(self) -> Float64Array:
        """Divisors that convert estimates to points at a cube value of 1.

        Only the last divisor, for the opponent's cube, may differ from 1. At a match score,
        games with this cube start at the doubled value, as after a take. For money, they
        start at a cube value of 1.
        """
        return np.array([1.0, 1.0, 1.0, 2 / self.terms.stakes.payoffs.scale[0]])

    @cached_property
    def states(self) -> CubeStates:
        """Owners and values of the cube that can occur, with the values of games."""
        longest = self.model.largest_epc if self.longest_epc is None else self.longest_epc
        return CubeStates(self.terms, self.starts, self.model, longest)

    @property
    def home(self) -> bearoff.OneSidedTable:
        """One-sided table of the home board."""
        return HOME_BOARD.table

    @cached_property
    def bear_in(self) -> BearIn:
        """Model of plays and rolls for sides with checkers outside the home board."""
        return bear_in()

    @cached_property
    def model(self) -> RaceModel:
        """Fast model of equities, by which cube decisions are made and luck is measured."""
        return race_model()

    @cached_property
    def saving(self) -> BearIn:
        """Model of plays that minimise the risk of losing a gammon."""
        return saving_bear_in()

    def gammon_at_home(
        self, winners: Int64Array, losers: Int64Array, on_roll: bool
    ) -> Float64Array:
        """Return gammon probabilities if the loser plays to save the gammon."""
        idle = _saving_tails()[0 if on_roll else 1]
        exactly = self.home.distribution[winners]
        return np.asarray(np.einsum("ij,ij->i", exactly, idle[losers]))

    @staticmethod
    def chance_above_zero(leads: Float64Array, spreads: Float64Array) -> Float64Array:
        """Return the probability that normal variables with given means are positive."""
        from bearoff.bear_in import gammon_kernels

        leads, spreads = np.broadcast_arrays(leads, np.maximum(spreads, 1e-9))
        chances = np.empty(leads.shape)
        gammon_kernels.chances_by_spread(
            leads.ravel(), spreads.ravel(), chances.reshape(-1)
        )
        return chances

    @staticmethod
    def idle_next(counts: NDArray[np.int8]) -> Float64Array:
        """Return the probabilities that the next roll bears off no checker."""
        from bearoff.bear_in import gammon_kernels

        chances = np.empty(len(counts))
        gammon_kernels.idle_next(counts, chances)
        return chances

    def gammon_chances(
        self, rollers: Int64Array, opponents: Int64Array
    ) -> tuple[Float64Array, Float64Array]:
        """Return the roller's probabilities of winning and of losing a gammon.

        All checkers must be in the home boards. The result equals that of
        `bearoff.one_sided.gammon_chance`, for many races at once.
        """
        after, before, idle = gammons.fewest_rolls_tails()
        wins = np.einsum("ij,ij->i", after[rollers], before[opponents])
        losses = np.einsum("ij,ij->i", after[opponents], idle[rollers])
        return wins, losses

    @cached_property
    def gammon_stakes(self) -> tuple[tuple[float, float], ...]:
        """Costs of losing a gammon, and extra costs of losing a backgammon, per side.

        Costs are in points for money, and in EMG at a match score. They are those at the
        initial cube value, even if the cube is turned later.
        """
        lost, won = (self.terms.worth(sign * np.arange(1, 4)) for sign in (-1, 1))
        first, second = -np.diff(lost), np.diff(won)
        return (first[0], first[1]), (second[0], second[1])

    @property
    def last_table(self) -> PairTable | None:
        """Table at which games stop; None if games are played to the end."""
        return self.table if self.techniques.truncate else None

    @cached_property
    def table_size(self) -> TwoSidedSize | None:
        """Size of the table at which games stop; None if games are played to the end."""
        table = self.last_table
        return None if table is None else TwoSidedSize(table.points, table.checkers)

    def solve(self) -> None:
        """Compute exact values for all cube states before threads start."""
        one = np.ones(1, dtype=np.int64)
        for state in self.states.states:
            if self.last_table is not None and state is not None:
                self.last_table.settled(one, one, state, self.terms)

    def without_cube(
        self, rollers: Int64Array, opponents: Int64Array
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Return the roller's probabilities of winning, and of winning or losing a gammon.

        Position numbers are those that `in_table` returns. For money, both sides maximise
        their cubeless equity. At a match score, both maximise their win probability,
        whereas the gammon probabilities assume fewest-rolls play.
        """
        table = self.last_table
        if table is None:
            raise ValueError("a two-sided table is required for exact probabilities")
        stakes = self.terms.stakes
        if stakes.score is not None:
            wins = table.win_probability(rollers, opponents)
            return wins, *self.gammon_chances(rollers, opponents)
        won, lost = table.gammon_probability(rollers, opponents)
        points = table.settled(rollers, opponents, stakes.payoffs.decided, self.terms)
        return (1 + points - won + lost) / 2, won, lost

    def in_table(self, counts: NDArray[np.int8]) -> Int64Array:
        """Return position numbers in the two-sided table; -1 for other positions.

        The array ``counts`` has type int8 and shape (n, 24).
        """
        return _in_table(self.table_size, counts)

    def board_in_table(self, board: RaceBoard) -> Int64Array:
        """Return the table's number of each position of a race board, or -1."""
        return _board_in_table(self.table_size, board)

    def exact(self, roller: int, opponent: int) -> Float64Array:
        """Return exact values of all `COLUMNS` for positions in the two-sided table."""
        if self.last_table is None:
            raise ValueError("a two-sided table is required for exact values")
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
        """Return the fast model's equity with each initial cube, from both sides' EPC."""
        return [
            self.states.typical(number, roller_epc, opponent_epc) / unit
            for number, unit in zip(self.states.starts.tolist(), self.units, strict=True)
        ]

    def systematic_error(self, race: bearoff.Race) -> Systematic:
        """Return a race's systematic errors; a dead cube has those of cubeless equities."""
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
        """Largest rounding errors of the equities in the table."""
        return stored_error(self.last_table, self.terms)

    def _start(self, cube: Cube) -> int:
        return int(self.states.starts[STATES.index(cube)])


@lru_cache(maxsize=1)
def _saving_tails() -> tuple[Float64Array, Float64Array]:
    """Return the chance to bear off no checker in n - 1 rolls, and in n rolls, by position.

    The side makes the plays that save the most gammons.
    """
    idle = np.zeros_like(bearoff.one_sided_table().distribution)
    found = gammons.saving_play().idle
    idle[:, : found.shape[1]] = found
    return np.concatenate([idle[:, :1], idle[:, :-1]], axis=1), idle
