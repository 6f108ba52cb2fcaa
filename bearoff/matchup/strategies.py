"""Cube strategies, which make one player's cube decisions for many races at once.

A strategy is any object that satisfies `CubeStrategy`, for example a formula of
`bearoff.analysis`. The strategies in this module are frozen dataclasses that compare by
value and can be pickled.

`EquilibriumCube` and `BestResponse` depend on the equities of the game, so only
`strategy_values` can use them.
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
"""Difference up to which a win probability and a threshold count as equal. Near the end of
a race, win probabilities such as 27/36 often equal a threshold except for rounding
errors."""

CountsArray = NDArray[np.integer]
BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]


class CubeAnswer(Protocol):
    """Interface of a strategy's cube decisions as arrays, one element per race.

    Attributes
    ----------
    double, redouble : ndarray of bool, shape (n,)
        Whether the roller doubles with a centred cube, and with an owned cube.
    take : ndarray of bool, shape (n,)
        Whether the opponent takes a double.
    """

    @property
    def double(self) -> BoolArray: ...
    @property
    def redouble(self) -> BoolArray: ...
    @property
    def take(self) -> BoolArray: ...


@dataclass(frozen=True, eq=False)
class CubeDecision:
    """Cube decisions of roller and opponent as arrays, one element per race.

    Attributes
    ----------
    double, redouble : ndarray of bool, shape (n,)
        Whether the roller doubles with a centred cube, and with an owned cube.
    take : ndarray of bool, shape (n,)
        Whether the opponent takes a double.
    """

    double: BoolArray
    redouble: BoolArray
    take: BoolArray


class CubeStrategy(Protocol):
    """Interface of a player's cube strategy for money play.

    Attributes
    ----------
    name : str
        Name of the strategy, as shown in tables and files.
    """

    @property
    def name(self) -> str: ...

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeAnswer:
        """Decide for many races whether to double, to redouble and to take.

        Parameters
        ----------
        rollers, opponents : ndarray of int, shape (n, points)
            Number of checkers on the 1 point, 2 point, ... of the roller and of the
            opponent, each with at least one checker. In the result, `double` and `redouble`
            are the player's decisions as roller, and `take` is the player's reply as
            opponent.
        """


@dataclass(frozen=True)
class PerfectCube:
    r"""Cube strategy that follows the exact equities of the two-sided tables.

    Only equities before the decision are used. Let :math:`W` be the equity with the
    opponent owning the cube, :math:`D = \min(2W, 1)` the equity of a double and :math:`C`
    the equity of the right action. Doubling is right exactly if :math:`D = C`. Because
    stored equities are rounded, the roller doubles if the difference is at most the sum of
    both errors. No correct double is missed. A wrong double costs at most twice these
    errors, 3.7e-5, and a wrong take or pass less than 1e-5.

    Attributes
    ----------
    checkers : int
        Number of checkers of the two-sided table, which must have cubeful values.
    jacoby : bool
        Whether the Jacoby rule applies: gammons count only after the cube has been turned.
    """

    checkers: int = CHECKERS
    jacoby: bool = False

    @property
    def name(self) -> str:
        """Name of the strategy: ``perfect``."""
        return "perfect"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return the cube decisions for pairs of positions, read from the table.

        Raises
        ------
        PositionError
            If the positions have more checkers than the table.
        TableError
            If the table has not been built or is damaged.

        Examples
        --------
        If both players have eight checkers on the 1 point, the roller doubles or redoubles,
        and the opponent takes.

        >>> import bearoff
        >>> _ = bearoff.build_two_sided_table(8, points=1)
        >>> four_rolls = np.array([[8]])
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
    """Cube strategy that compares the fewest-rolls win probability with thresholds.

    Attributes
    ----------
    double, redouble : float
        Lowest win probability at which the roller doubles with a centred cube, and with an
        owned cube.
    cash : float
        Win probability above which the opponent passes. The take point is ``1 - cash``.

    Raises
    ------
    BearoffError
        If a threshold is not between 0 and 1.
    """

    double: float
    redouble: float
    cash: float

    def __post_init__(self) -> None:
        for name in ("double", "redouble", "cash"):
            checks.real(getattr(self, name), f"the threshold {name!r}", 0, 1)

    @property
    def name(self) -> str:
        """Name of the strategy, such as ``thresholds 0.7, 0.72, 0.78``."""
        return f"thresholds {self.double:g}, {self.redouble:g}, {self.cash:g}"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return the decisions that follow from the win probabilities and the thresholds.

        Examples
        --------
        The roller has checkers on the 5 and 2 points against one checker on the 1 point,
        and wins with 19 of 36 throws. With the thresholds of a dead cube, this is enough to
        double.

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
    """Cube strategy that compares fewest-rolls win probability and Janowski's thresholds.

    Attributes
    ----------
    efficiency : float
        Cube efficiency, from 0 (dead cube) to 1 (live cube).

    Raises
    ------
    BearoffError
        If the efficiency is not between 0 and 1.
    """

    efficiency: float = RACE_EFFICIENCY

    def __post_init__(self) -> None:
        # This call raises an error unless 0 <= efficiency <= 1.
        CubeThresholds.janowski(self.efficiency)

    @property
    def name(self) -> str:
        """Name of the strategy, such as ``janowski 0.7``."""
        return f"janowski {self.efficiency:g}"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return the decisions that follow from win probabilities and cube efficiency."""
        at = CubeThresholds.janowski(self.efficiency)
        by_thresholds = ThresholdCube(at.double, at.redouble, at.cash)
        return by_thresholds.decide(rollers, opponents)


@dataclass(frozen=True)
class NeverDoubles:
    """Cube strategy that never doubles, and takes with a win probability of at least 25%.

    This player never redoubles, so an owned cube is dead. If both players make fewest-rolls
    plays, 25% is therefore the right take point.
    """

    @property
    def name(self) -> str:
        """Name of the strategy: ``never``."""
        return "never"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return decisions: no doubles, and takes with at least 25% win probability."""
        never = np.zeros(len(rollers), dtype=np.bool_)
        dead = JanowskiCube(0).decide(rollers, opponents)
        return CubeDecision(never, never, dead.take)


@dataclass(frozen=True)
class EquilibriumCube:
    """Cube strategy that is perfect for the given checker plays, if both players use it.

    If both players make fewest-rolls plays, this strategy is exact. `PerfectCube` is exact
    only if both players make the best checker plays.
    """

    @property
    def name(self) -> str:
        """Name of the strategy: ``equilibrium``."""
        return "equilibrium"


@dataclass(frozen=True)
class BestResponse:
    """Cube strategy that gains the highest equity against the opponent's cube strategy."""

    @property
    def name(self) -> str:
        """Name of the strategy: ``best response``."""
        return "best response"


def win_probability(rollers: CountsArray, opponents: CountsArray) -> Float64Array:
    """Return the rollers' win probabilities if both players make fewest-rolls plays."""
    x, y = rank(rollers), rank(opponents)
    return one_sided_table(np.shape(rollers)[-1]).fewest_rolls_win_probability(x, y)
