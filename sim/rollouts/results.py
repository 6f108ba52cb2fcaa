"""Results of a rollout: equities, errors of the equities, and the cube action."""

from dataclasses import dataclass, replace

import numpy as np

from bearoff.answers import intervals
from bearoff.errors import ScoreError
from bearoff.sim.rollouts.sums import Moments
from bearoff.sim.rollouts.systematic import Systematic
from bearoff.sim.rollouts.values import (
    CHANCES,
    COLUMNS,
    STATES,
    TwoSidedSize,
    ValueModel,
)
from bearoff.stakes import PASS, Cube, CubeOwner, RollersCube, Terms, Values

CHUNK_GAMES = 6 * 1296
"""Number of games that are played at once. Many games share positions, but their arrays
must fit in the processor's cache."""

FIRST_WAVE = 4
"""Number of chunks of games after which the standard error is first estimated."""

FIRST_UNITS = FIRST_WAVE * CHUNK_GAMES // 1296
"""Number of units in the first wave of games. A *unit* is a set of 1,296 games whose first
rolls are balanced; different units are independent."""

CONFIDENCE = 0.95
"""Confidence level that a cube action must reach. Below this level, the action is too close
to call."""


@dataclass(frozen=True)
class Estimate:
    """Estimated value with its standard error and systematic error.

    Attributes
    ----------
    value, standard_error : float
        Estimated value, and its standard error due to the dice; 0 for values of a table.
    systematic_error : float or None
        Root mean square error due to imperfect plays and cube decisions. For values of an
        exact table, the largest rounding error. None if unknown.
    """

    value: float
    standard_error: float
    systematic_error: float | None = None


@dataclass(frozen=True)
class RolloutAction:
    """Cube action found by a rollout, with the equities of the alternatives.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Owner of the cube.
    no_double, double_take : Estimate
        Equities of the roller without a double, and after a double and a take.
    gain : Estimate
        Equity gained by doubling compared with not doubling, if the opponent replies
        correctly.
    action : str
        Right cube action, such as "double, take"; see `bearoff.stakes.Values`.
    too_close : bool
        Whether the errors are too large to decide between cube actions.
    """

    cube: RollersCube
    no_double: Estimate
    double_take: Estimate
    gain: Estimate
    action: str
    too_close: bool


@dataclass(frozen=True)
class Rollout:
    """Results of a rollout of one race, for money or at a match score.

    For money, equities are in points at a cube value of 1. At a match score, equities are
    normalised (EMG) at the cube value of `terms`: winning a single game is worth 1, losing
    it -1, and a passed double 1. The method `chance` converts an equity to a match-winning
    chance, and `lost` converts a difference in equity.

    Attributes
    ----------
    terms : Terms
        Stakes and cube value of the race.
    cube : {"centred", "owned", "opponent"}
        Owner of the cube from the viewpoint of the roller.
    win_probability : Estimate
        Roller's win probability without a cube, if both sides play to win and to save
        gammons.
    gammon_won, gammon_lost : Estimate
        Probabilities that the roller wins, or loses, a gammon or backgammon without a cube.
    backgammon_won, backgammon_lost : Estimate
        Probabilities of winning or losing a backgammon, in which the loser has borne off no
        checker and has a checker in the winner's home board.
    cubeless : Estimate
        Equity without a cube. For money, a gammon counts two points and a backgammon three,
        even with the Jacoby rule.
    value : Estimate
        Roller's equity without a double.
    actions : tuple of RolloutAction
        Right cube action for each owner of the cube. For money, these are a centred cube
        and the roller's cube; at a match score, only the actual cube. Empty if the roller
        may not double.
    games, units : int
        Number of games, and number of independent sets of games. Both are 0 if the
        two-sided table contains the race.
    table : TwoSidedSize or None
        Size of the two-sided table at which games stop; None if games are played to the
        end.
    seconds : float
        Duration of the rollout in seconds.
    """

    terms: Terms
    cube: Cube
    win_probability: Estimate
    gammon_won: Estimate
    gammon_lost: Estimate
    backgammon_won: Estimate
    backgammon_lost: Estimate
    cubeless: Estimate
    value: Estimate
    actions: tuple[RolloutAction, ...]
    games: int
    units: int
    table: TwoSidedSize | None
    seconds: float

    @property
    def action(self) -> RolloutAction | None:
        """Right action with the actual cube; None if the roller may not double."""
        return next((one for one in self.actions if one.cube == self.cube), None)

    def at(self, cube: RollersCube) -> RolloutAction:
        """Return the right cube action with a centred cube or with a cube of the roller.

        Raises
        ------
        ScoreError
            If the rollout did not simulate this cube. At a score, a rollout simulates only
            the actual cube.
        """
        for action in self.actions:
            if action.cube == cube:
                return action
        raise ScoreError(
            f"{self.terms.stakes.label}: this rollout has no equities for the cube "
            f"position {cube}"
        )

    @property
    def standard_error(self) -> float:
        """Largest standard error of the rollout's equities."""
        equities = [self.value]
        for action in self.actions:
            equities += [action.no_double, action.double_take]
        return max(estimate.standard_error for estimate in equities)

    def chance(self, equity: Estimate) -> Estimate:
        """Convert an equity to a match-winning chance; unchanged for money play."""
        middle, _ = self.terms.seen.line(self.terms.cube_value)
        found = self.lost(equity)
        return replace(found, value=middle + found.value)

    def lost(self, difference: Estimate) -> Estimate:
        """Convert an equity difference to match-winning chance; unchanged for money."""
        _, unit = self.terms.seen.line(self.terms.cube_value)
        off = difference.systematic_error
        return Estimate(
            unit * difference.value,
            unit * difference.standard_error,
            None if off is None else unit * off,
        )


def weights_of(**columns: float) -> tuple[float, ...]:
    """Return the given weights of estimates in the order of `COLUMNS`; 0 for all others."""
    return tuple(columns.get(name, 0.0) for name in COLUMNS)


_NO_DOUBLE = {"centred": weights_of(centred=1), "owned": weights_of(owned=1)}
_DOUBLE_TAKE = weights_of(opponent=2)
_EQUITIES = (*_NO_DOUBLE.values(), _DOUBLE_TAKE)
"""Weights of `COLUMNS` in three equities: without a double for a centred and an owned cube,
and after a double and a take."""


def sure_errors(units: int) -> float:
    """Return the half width of a 95% confidence interval, in standard errors.

    The factor comes from Student's t-distribution for the number of independent sets of
    games (units). A rollout stops when its estimated standard error is small, so this
    estimate tends to be too small. To correct for this, only half of the units after the
    first wave are counted; see docs/developing.md#reliability.

    Examples
    --------
    >>> round(sure_errors(6), 2), round(sure_errors(40), 2), round(sure_errors(1000), 2)
    (2.57, 2.07, 1.96)
    """
    from scipy.special import stdtrit

    counted = max(units / 2, min(units, FIRST_UNITS))
    return float(stdtrit(max(counted - 1, 1), (1 + CONFIDENCE) / 2))


_MANY = 1000
"""Number of independent sets of games above which the normal distribution is accurate
enough."""

ROUNDING = 1e-9
"""Difference below which two equities count as equal."""


def whole_error(estimate: Estimate, units: int) -> float:
    """Return the combined statistical and systematic error of an estimate.

    With few units, the statistical error is increased, so that intervals based on a normal
    distribution are as wide as those of Student's t-distribution.
    """
    dice = estimate.standard_error
    if dice and units < _MANY:
        dice *= sure_errors(units) / intervals("rollout")
    return float(np.hypot(dice, estimate.systematic_error or 0.0))


def worst_error(moments: Moments) -> float:
    """Return the largest standard error among the equities of a rollout."""
    return max(moments.error(*weights) for weights in _EQUITIES)


def estimate_of(
    moments: Moments, weights: tuple[float, ...], systematic: float | None = None
) -> Estimate:
    """Return the weighted sum of a rollout's estimates, with its standard error."""
    value, error = float(np.dot(weights, moments.means)), moments.error(*weights)
    return Estimate(value, error, systematic)


def estimates_so_far(moments: Moments, cube: Cube) -> dict[str, Estimate]:
    """Return the estimates of an unfinished money rollout, named as in `bearoff.answers`.

    If the opponent owns the cube, ``no_double`` is the roller's equity, and there is no
    ``double_take``.
    """
    found = {"win_probability": _chance(moments)}
    if cube == "opponent":
        return found | {"no_double": estimate_of(moments, weights_of(opponent=1))}
    no_double = estimate_of(moments, _NO_DOUBLE[cube])
    double_take = estimate_of(moments, _DOUBLE_TAKE)
    return found | {"no_double": no_double, "double_take": double_take}


def win_probability_of(moments: Moments, systematic: Systematic) -> Estimate:
    """Return the estimate of the win probability without a cube."""
    return replace(_chance(moments), systematic_error=systematic.win_probability)


def _chance(moments: Moments) -> Estimate:
    balance = estimate_of(moments, weights_of(cubeless=1))
    # Subtracting luck can move the estimate of a probability below 0 or above 1.
    value = min(max((balance.value + 1) / 2, 0.0), 1.0)
    return Estimate(value, balance.standard_error / 2)


def action_of(
    moments: Moments, cube: RollersCube, systematic: Systematic, terms: Terms
) -> RolloutAction:
    """Return the right cube action and the equities, if the cube has the given owner."""
    waiting, taken = np.array(_NO_DOUBLE[cube]), np.array(_DOUBLE_TAKE)
    no_double = estimate_of(moments, tuple(waiting), systematic.no_double)
    double_take = estimate_of(moments, tuple(taken), systematic.double_take)
    # The equities with and without a double come from the same dice, so statistical errors
    # partly cancel in their difference. Systematic errors add up.
    both = systematic.double_take + systematic.no_double
    gain = estimate_of(moments, tuple(taken - waiting), both)
    found = Values.empty(terms, np.array([CubeOwner.of(cube)], dtype=np.int8), ROUNDING)
    for name, estimate in (("no_double", no_double), ("double_take", double_take)):
        getattr(found, name)[:] = estimate.value
        getattr(found, f"{name}_error")[:] = whole_error(estimate, moments.units)
    found.gain_error[:] = whole_error(gain, moments.units)
    decided = found.row(0, intervals("rollout"))
    if double_take.value > PASS:
        gain = replace(no_double, value=PASS - no_double.value)
    return RolloutAction(
        cube,
        no_double,
        double_take,
        gain,
        str(decided["action"]),
        bool(decided["too_close"]),
    )


def summarise(
    moments: Moments, values: ValueModel, cube: Cube, systematic: Systematic
) -> Rollout:
    """Return the results of a rollout for an owner of the cube.

    If no games were played, equities and errors come from the two-sided table.
    """
    if not moments.games:
        systematic = values.stored_error
    chances = {name: estimate_of(moments, weights_of(**{name: 1})) for name in CHANCES}
    unit = float(values.units[STATES.index(cube)])
    # If the opponent owns the cube, the roller is in the same situation as after a double
    # and a take. The systematic error is therefore that of `double_take`, in the right
    # unit.
    off = systematic.no_double
    if cube == "opponent":
        off = systematic.double_take * unit / 2
    return Rollout(
        terms=values.terms,
        cube=cube,
        win_probability=win_probability_of(moments, systematic),
        **chances,
        cubeless=estimate_of(
            moments, _cubeless_weights(values.terms), 2 * systematic.win_probability
        ),
        value=estimate_of(moments, weights_of(**{cube: unit}), off),
        actions=tuple(
            action_of(moments, one, systematic, values.terms) for one in values.doublings
        ),
        games=moments.games,
        units=moments.units,
        table=values.table_size,
        seconds=0.0,
    )


def _cubeless_weights(terms: Terms) -> tuple[float, ...]:
    """Return the weights of a rollout's estimates in its cubeless equity."""
    points = [[n * sign for n in (1, 2, 3)] for sign in (1, -1)]
    # Gammons count in the cubeless equity even if the Jacoby rule applies.
    (single, gammon, backgammon), (lost, two, three) = terms.worth(points).tolist()
    return weights_of(
        cubeless=1,
        gammon_won=gammon - single,
        backgammon_won=backgammon - gammon,
        gammon_lost=two - lost,
        backgammon_lost=three - two,
    )
