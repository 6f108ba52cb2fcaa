"""Cube strategies: what a player does with the cube, asked for many races at once.

A strategy is any object that satisfies `CubeStrategy`; the formulas of `analysis` do as
well. Those here are frozen, compare by their numbers, and can be sent to another process.

Two more need the game that is played, so that only the dynamic program of
`strategy_values` can follow them: `EquilibriumCube` and `BestResponse`.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.one_sided import one_sided_table
from bearoff.positions import CHECKERS, rank
from bearoff.stakes import (
    PASS,
    RACE_EFFICIENCY,
    CubeThresholds,
    RollersCube,
)
from bearoff.two_sided import two_sided_table

ROUNDING = 1e-12
"""A chance this close to a threshold is on it: convolutions are sums of float64, and
27 throws of 36 are common in the end game, just at the dead cube's take point."""

CountsArray = NDArray[np.integer]
BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]


class CubeAnswer(Protocol):
    """Decisions of both sides, one entry a race.

    Attributes
    ----------
    double, redouble : ndarray of bool, shape (n,)
        Whether the roller turns a centred cube, and an owned one.
    take : ndarray of bool, shape (n,)
        Whether the opponent, once doubled, takes.
    """

    @property
    def double(self) -> BoolArray: ...  # noqa: D102
    @property
    def redouble(self) -> BoolArray: ...  # noqa: D102
    @property
    def take(self) -> BoolArray: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class CubeDecision:
    """A plain `CubeAnswer`: what a strategy tells both sides to do, one entry a race.

    Attributes
    ----------
    double, redouble : ndarray of bool, shape (n,)
        Whether the roller turns a centred cube, and an owned one.
    take : ndarray of bool, shape (n,)
        Whether the opponent, once doubled, takes.
    """

    double: BoolArray
    redouble: BoolArray
    take: BoolArray


class CubeStrategy(Protocol):
    """What a player does with the cube, at money play.

    Attributes
    ----------
    name : str
        What it is called in tables and files.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeAnswer:
        """Decide for the player on either side.

        Parameters
        ----------
        rollers, opponents : ndarray of int, shape (n, points)
            Checkers on the ace, deuce, ... of the side on roll and of the other, at
            least one of each on the board. `double` and `redouble` are what the player
            does as the side on roll, `take` is what they do as the other.
        """


@dataclass(frozen=True)
class PerfectCube:
    r"""Decides by the exact equities of the two-sided tables.

    Only equities before the decision are looked up: with :math:`W` the equity once the
    opponent owns the cube, :math:`D = \min(2W, 1)` that of a double and :math:`C` that of
    the right action, doubling is right just where :math:`D = C`. Stored values are not
    exact, so the roller doubles where the two differ by no more than both their errors.
    No double is missed, and one that is wrong costs twice those errors at most, 3.7e-5; a
    wrong take or pass costs less than 1e-5.

    Attributes
    ----------
    checkers : int
        Which two-sided tables are asked; they must be built, with all planes.
    jacoby : bool
        Whether gammons count only once the cube has been turned.
    """

    checkers: int = CHECKERS
    jacoby: bool = False

    @property
    def name(self) -> str:
        """``perfect``."""
        return "perfect"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Look the pairs up.

        Raises
        ------
        PositionError
            If the positions have more checkers than the table.
        TableError
            If a plane is not built or is damaged.

        Examples
        --------
        Four rolls against four are a redouble and a take:

        >>> import bearoff
        >>> _ = bearoff.build_two_sided_table(8)
        >>> four_rolls = np.array([[8, 0, 0, 0, 0, 0]])
        >>> answer = PerfectCube(8).decide(four_rolls, four_rolls)
        >>> answer.double, answer.redouble, answer.take
        (array([ True]), array([ True]), array([ True]))
        """
        x, y = (rank(counts, self.checkers) for counts in (rollers, opponents))
        table = two_sided_table(self.checkers, np.shape(rollers)[-1])
        taken = table.double_take(x, y)
        doubled = np.minimum(taken, PASS)

        def turns(cube: RollersCube) -> BoolArray:
            errors = 2 * table.error("opponent") + table.error(cube)
            return np.asarray(
                doubled >= table.equity(x, y, cube, jacoby=self.jacoby) - errors
            )

        return CubeDecision(turns("centred"), turns("owned"), take=taken <= PASS)


@dataclass(frozen=True)
class ThresholdCube:
    """Decides by the fewest-rolls win probability of the roller, a convolution.

    Attributes
    ----------
    double, redouble : float
        From here on the roller turns a centred cube, and an owned one.
    cash : float
        Above this the opponent passes; the take point is one less this.

    Raises
    ------
    BearoffError
        If one of them is not from 0 to 1.
    """

    double: float
    redouble: float
    cash: float

    def __post_init__(self) -> None:
        for name in ("double", "redouble", "cash"):
            checks.real(getattr(self, name), f"{name} of a threshold cube", 0, 1)

    @property
    def name(self) -> str:
        """As in ``thresholds 0.7, 0.72, 0.78``."""
        return f"thresholds {self.double:g}, {self.redouble:g}, {self.cash:g}"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Compare the win probability with the thresholds.

        Examples
        --------
        Checkers on the 5 and 2 against one on the ace, 19 of 36: enough to double at a
        dead cube's thresholds.

        >>> five_and_two, ace = np.array([[0, 1, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0]])[:, None]
        >>> answer = ThresholdCube(0.5, 0.5, 0.75).decide(five_and_two, ace)
        >>> answer.double, answer.take
        (array([ True]), array([ True]))
        """
        chance = win_probability(rollers, opponents)
        return CubeDecision(
            double=chance >= self.double - ROUNDING,
            redouble=chance >= self.redouble - ROUNDING,
            take=chance <= self.cash + ROUNDING,
        )


@dataclass(frozen=True)
class JanowskiCube:
    """Decides by Janowski's thresholds on the fewest-rolls win probability.

    Attributes
    ----------
    efficiency : float
        Cube efficiency, 0 dead to 1 live.

    Raises
    ------
    BearoffError
        If it is not from 0 to 1.
    """

    efficiency: float = RACE_EFFICIENCY

    def __post_init__(self) -> None:
        CubeThresholds.janowski(self.efficiency)  # Refuses a wrong one.

    @property
    def name(self) -> str:
        """As in ``janowski 0.7``."""
        return f"janowski {self.efficiency:g}"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Compare the win probability with the thresholds of this efficiency."""
        at = CubeThresholds.janowski(self.efficiency)
        by_thresholds = ThresholdCube(at.double, at.redouble, at.cash)
        return by_thresholds.decide(rollers, opponents)


@dataclass(frozen=True)
class NeverDoubles:
    """Never turns the cube, and takes with a win probability of 25% or more.

    The cube is dead in such hands, so this take point is right as long as
    both sides play fewest-rolls.
    """

    @property
    def name(self) -> str:
        """``never``."""
        return "never"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Take by the dead cube's take point."""
        never = np.zeros(len(rollers), dtype=np.bool_)
        dead = JanowskiCube(0).decide(rollers, opponents)
        return CubeDecision(never, never, dead.take)


@dataclass(frozen=True)
class EquilibriumCube:
    """The cube of perfect play by both sides in the very game that is played.

    The checker play of both sides is part of the game: against fewest-rolls play this is
    exact where `PerfectCube`, which supposes the best play, is not quite.
    """

    @property
    def name(self) -> str:
        """``equilibrium``."""
        return "equilibrium"


@dataclass(frozen=True)
class BestResponse:
    """The cube that gains the most against what the other side does."""

    @property
    def name(self) -> str:
        """``best response``."""
        return "best response"


def win_probability(rollers: CountsArray, opponents: CountsArray) -> Float64Array:
    """Chance of the rollers when both sides play fewest-rolls, shape (n,).

    Parameters
    ----------
    rollers, opponents : ndarray of int, shape (n, points)
        Checkers on the ace, deuce, ... of each side.
    """
    x, y = rank(rollers), rank(opponents)
    return one_sided_table(np.shape(rollers)[-1]).fewest_rolls_win_probability(x, y)
