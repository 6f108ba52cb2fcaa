"""Results of a rollout: equities, standard errors and the cube action."""

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
"""Number of games played at once: many, because games share positions, but few enough for
the processor's cache."""

FIRST_WAVE = 4
"""Number of chunks of games played before the standard error is first estimated."""

FIRST_UNITS = FIRST_WAVE * CHUNK_GAMES // 1296
"""Minimum number of independent blocks of games before the standard error is first
estimated. Within a block, the first rolls are balanced."""

CONFIDENCE = 0.95
"""Confidence level required of a cube action; below it, the action is too close to call."""


@dataclass(frozen=True)
class Estimate:
    """Estimate with its standard error and systematic error.

    Attributes
    ----------
    value, standard_error : float
        Value, and standard error from the dice; 0 for values of a table.
    systematic_error : float or None
        Root mean square error due to imperfect play or, with exact tables, their largest
        rounding error; None if unknown. See `sim.rollouts.systematic`.
    """

    value: float
    standard_error: float
    systematic_error: float | None = None


@dataclass(frozen=True)
class RolloutAction:
    """Cube action estimated by a rollout, with the equities of all actions.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Owner of the cube.
    no_double, double_take : Estimate
        Equities of the roller; see `Rollout`.
    gain : Estimate
        Equity gained by doubling rather than not doubling, if the opponent replies
        correctly.
    action : str
        Cube action: one of the actions of `bearoff.stakes.Values`.
    too_close : bool
        Whether the errors are too large to determine the cube action.
    """

    cube: RollersCube
    no_double: Estimate
    double_take: Estimate
    gain: Estimate
    action: str
    too_close: bool


@dataclass(frozen=True)
class Rollout:
    """Results of a rollout, for money or at a match score.

    Equities are in points at a cube of 1. At a score they are normalised (EMG) at the cube
    of `terms`: 1 for winning a single game, -1 for losing one, so that a passed double is
    worth 1. `chance` and `lost` convert them to match winning chances.

    Attributes
    ----------
    terms : Terms
        Stakes of the race.
    cube : {"centred", "owned", "opponent"}
        Owner of the cube.
    win_probability : Estimate
        Win probability of the roller without the cube. Both sides play to win, and to save
        gammons.
    gammon_won, gammon_lost : Estimate
        Probabilities that the roller wins and loses a gammon or backgammon, without a cube.
    backgammon_won, backgammon_lost : Estimate
        Probabilities of a backgammon: the loser has borne off no checker and has one left
        in the winner's home board.
    cubeless : Estimate
        Equity if neither side ever doubles. For money, a gammon counts two points and a
        backgammon three, even with the Jacoby rule.
    value : Estimate
        Equity of not doubling.
    actions : tuple of RolloutAction
        Cube actions with equities: for money, with a centred cube and with the roller's
        cube; at a match score, with the actual cube. Empty if the roller may not double.
    games, units : int
        Numbers of games and of independent units; 0 for a race in the table.
    table : TwoSidedSize or None
        Size of the table at which games stop; None without a table.
    seconds : float
        Duration in seconds.
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
        """Return the right cube action with a centred cube or with the roller's cube.

        Raises
        ------
        ScoreError
            If that cube position was not simulated; at a score only the actual one is.
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
        """Largest standard error of the equities."""
        equities = [self.value]
        for action in self.actions:
            equities += [action.no_double, action.double_take]
        return max(estimate.standard_error for estimate in equities)

    def chance(self, equity: Estimate) -> Estimate:
        """Convert an equity to the roller's match-winning chance; unchanged for money."""
        middle, _ = self.terms.seen.line(self.terms.cube_value)
        found = self.lost(equity)
        return replace(found, value=middle + found.value)

    def lost(self, difference: Estimate) -> Estimate:
        """Convert a difference of equities to match-winning chances, except for money."""
        _, unit = self.terms.seen.line(self.terms.cube_value)
        off = difference.systematic_error
        return Estimate(
            unit * difference.value,
            unit * difference.standard_error,
            None if off is None else unit * off,
        )


def weights_of(**columns: float) -> tuple[float, ...]:
    """Return a weight for each of `COLUMNS`; 0 for columns that are not given."""
    return tuple(columns.get(name, 0.0) for name in COLUMNS)


_NO_DOUBLE = {"centred": weights_of(centred=1), "owned": weights_of(owned=1)}
_DOUBLE_TAKE = weights_of(opponent=2)
_EQUITIES = (*_NO_DOUBLE.values(), _DOUBLE_TAKE)
"""For each equity of a rollout, the weights of the estimates from which it is computed."""


def sure_errors(units: int) -> float:
    """Return the half width of a 95% confidence interval, in standard errors.

    It depends on the number of units by Student's t-distribution. A rollout stops when its
    error is estimated as small, so that error is biased downwards. To correct this, only
    half of the units beyond the first wave count; see docs/developing.md#reliability.

    Examples
    --------
    >>> round(sure_errors(6), 2), round(sure_errors(40), 2), round(sure_errors(1000), 2)
    (2.57, 2.07, 1.96)
    """
    from scipy.special import stdtrit

    counted = max(units / 2, min(units, FIRST_UNITS))
    return float(stdtrit(max(counted - 1, 1), (1 + CONFIDENCE) / 2))


_MANY = 1000
"""Number of independent blocks of games from which the normal distribution is accurate."""

ROUNDING = 1e-9
"""Maximum difference of equities that are considered equal."""


def whole_error(estimate: Estimate, units: int) -> float:
    """Return the combined statistical and systematic error of an estimate.

    With few units, the dice's error is increased so that the normal interval is as wide as
    Student's.
    """
    dice = estimate.standard_error
    if dice and units < _MANY:
        dice *= sure_errors(units) / intervals("rollout")
    return float(np.hypot(dice, estimate.systematic_error or 0.0))


def worst_error(moments: Moments) -> float:
    """Return the largest standard error of a rollout's equities."""
    return max(moments.error(*weights) for weights in _EQUITIES)


def estimate_of(
    moments: Moments, weights: tuple[float, ...], systematic: float | None = None
) -> Estimate:
    """Return the estimate of a sum of `COLUMNS` with given weights."""
    value, error = float(np.dot(weights, moments.means)), moments.error(*weights)
    return Estimate(value, error, systematic)


def estimates_so_far(moments: Moments, cube: Cube) -> dict[str, Estimate]:
    """Return the current estimates of a money rollout; keys are as in `bearoff.answers`.

    ``no_double`` is the equity of a roller who may not double; then there is no
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
    # Subtracting luck can move an estimate outside the range from 0 to 1.
    value = min(max((balance.value + 1) / 2, 0.0), 1.0)
    return Estimate(value, balance.standard_error / 2)


def action_of(
    moments: Moments, cube: RollersCube, systematic: Systematic, terms: Terms
) -> RolloutAction:
    """Return the cube action and equities for a cube owner."""
    waiting, taken = np.array(_NO_DOUBLE[cube]), np.array(_DOUBLE_TAKE)
    no_double = estimate_of(moments, tuple(waiting), systematic.no_double)
    double_take = estimate_of(moments, tuple(taken), systematic.double_take)
    # Both estimates use the same dice, so the difference has little statistical error;
    # systematic errors are added.
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
    """Return the results of a rollout for a cube owner.

    Without games, values and errors are those of the table.
    """
    if not moments.games:
        systematic = values.stored_error
    chances = {name: estimate_of(moments, weights_of(**{name: 1})) for name in CHANCES}
    unit = float(values.units[STATES.index(cube)])
    # The equity with the opponent's cube is computed from that of double and take, and so
    # is its systematic error.
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
    """Return the weights of the estimates in the equity without any double."""
    points = [[n * sign for n in (1, 2, 3)] for sign in (1, -1)]
    # Without any double, the Jacoby rule does not apply, so gammons count.
    (single, gammon, backgammon), (lost, two, three) = terms.worth(points).tolist()
    return weights_of(
        cubeless=1,
        gammon_won=gammon - single,
        backgammon_won=backgammon - gammon,
        gammon_lost=two - lost,
        backgammon_lost=three - two,
    )
