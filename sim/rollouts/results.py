"""What a rollout has found: equities, their standard errors, and the cube action."""

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
    TableSize,
    ValueModel,
)
from bearoff.stakes import PASS, Cube, CubeOwner, RollersCube, Terms, Values

CHUNK_GAMES = 6 * 1296
"""Games played side by side: enough to share positions, few enough for the cache."""

FIRST_WAVE = 4
"""Chunks of the first wave, from which the error is estimated."""

FIRST_UNITS = FIRST_WAVE * CHUNK_GAMES // 1296
"""Units of the first wave, at the least."""

CONFIDENCE = 0.95
"""Of the intervals that leave an action open."""


@dataclass(frozen=True)
class Estimate:
    """A number and its errors.

    Attributes
    ----------
    value, standard_error : float
        The standard error is that of the dice, 0 where a table has the value.
    systematic_error : float or None
        Root mean square error to expect of the players, or the largest of what a table
        has rounded; None where neither is known. See `sim.rollouts.systematic`.
    """

    value: float
    standard_error: float
    systematic_error: float | None = None


@dataclass(frozen=True)
class RolloutAction:
    """Cube action of a race that was rolled out.

    Attributes
    ----------
    cube : {"centred", "owned"}
        Where the cube is.
    no_double, double_take : Estimate
        Equities of the roller, as of `Rollout`.
    gain : Estimate
        What doubling now gains over waiting, given the opponent's best answer.
    action : str
        As in `bearoff.stakes.Values`.
    too_close : bool
        Whether the errors of dice and players leave the action open, of `gain` or, if
        doubling is right, of the take: as of `bearoff.stakes.Values`, whose rule it is.
    """

    cube: RollersCube
    no_double: Estimate
    double_take: Estimate
    gain: Estimate
    action: str
    too_close: bool


@dataclass(frozen=True)
class Rollout:
    """What a rollout found, for money or at a score.

    Equities are in points at a cube of 1; at a score they are normalised (EMG) at the
    cube of `terms`: 1 for a single game won, -1 for one lost, so that a double that is
    passed is worth 1. `chance` and `lost` turn them into chances to win the match.

    Attributes
    ----------
    terms : Terms
        What is played for.
    cube : {"centred", "owned", "opponent"}
        Where the cube is.
    win_probability : Estimate
        The roller's chance without a cube, both sides playing to win, and to save what
        gammons they may lose.
    gammon_won, gammon_lost : Estimate
        Chances that the roller wins and loses a gammon or more, without a cube.
    backgammon_won, backgammon_lost : Estimate
        Those of a backgammon: the loser has borne off none and has a checker left in the
        winner's home board.
    cubeless : Estimate
        Equity if the cube stays as it is; for money a gammon counts two points, a
        backgammon three, Jacoby's rule or not.
    value : Estimate
        Equity if the roller does not double now.
    actions : tuple of RolloutAction
        Equities and what is right: for money with the cube in the centre, and with the
        roller; at a score where it is, and none if the roller may not double.
    games, units : int
        Games played, and the independent parts of them; none where a table holds the race.
    table : TableSize or None
        The table that games were stopped at.
    seconds : float
        It took.
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
    table: TableSize | None
    seconds: float

    @property
    def action(self) -> RolloutAction | None:
        """What is right with the cube where it is; None if the roller may not double."""
        return next((one for one in self.actions if one.cube == self.cube), None)

    def at(self, cube: RollersCube) -> RolloutAction:
        """Return what is right with the cube in the centre, or with the roller.

        Raises
        ------
        ScoreError
            If that was not played for: at a score the cube is where it is.
        """
        for action in self.actions:
            if action.cube == cube:
                return action
        raise ScoreError(f"{self.terms.stakes.label}: no cube {cube} was played for")

    @property
    def standard_error(self) -> float:
        """Largest standard error of the equities."""
        equities = [self.value]
        for action in self.actions:
            equities += [action.no_double, action.double_take]
        return max(estimate.standard_error for estimate in equities)

    def chance(self, equity: Estimate) -> Estimate:
        """Turn an equity into the roller's chance to win the match; for money as it is."""
        middle, _ = self.terms.seen.line(self.terms.cube_value)
        found = self.lost(equity)
        return replace(found, value=middle + found.value)

    def lost(self, difference: Estimate) -> Estimate:
        """Turn a difference of equities, such as a gain, into one of chances."""
        _, unit = self.terms.seen.line(self.terms.cube_value)
        off = difference.systematic_error
        return Estimate(
            unit * difference.value,
            unit * difference.standard_error,
            None if off is None else unit * off,
        )


def weights_of(**columns: float) -> tuple[float, ...]:
    """Weights of `COLUMNS` in a sum, 0 where none is given."""
    return tuple(columns.get(name, 0.0) for name in COLUMNS)


_NO_DOUBLE = {"centred": weights_of(centred=1), "owned": weights_of(owned=1)}
_DOUBLE_TAKE = weights_of(opponent=2)
_EQUITIES = (*_NO_DOUBLE.values(), _DOUBLE_TAKE)
"""Weights of what is estimated in each equity of a rollout."""


def sure_errors(units: int) -> float:
    """Standard errors within which 95% of estimates from so many units lie.

    By Student's distribution. A rollout ends when its error looks small, so an error is
    rather too small when it ends: beyond the first wave only half of the units count,
    which makes up for it; see docs/developing.md#reliability.

    Examples
    --------
    >>> round(sure_errors(6), 2), round(sure_errors(40), 2), round(sure_errors(1000), 2)
    (2.57, 2.07, 1.96)
    """
    from scipy.special import stdtrit

    counted = max(units / 2, min(units, FIRST_UNITS))
    return float(stdtrit(max(counted - 1, 1), (1 + CONFIDENCE) / 2))


_MANY = 1000
"""Units from which Student's distribution is as good as normal, and not slow to load."""

ROUNDING = 1e-9
"""Equity that sums of games do not tell apart."""


def whole_error(estimate: Estimate, units: int) -> float:
    """Error of an estimate, dice and players added in squares.

    Of few units the error of the dice is that of as wide an interval of many.
    """
    dice = estimate.standard_error
    if dice and units < _MANY:
        dice *= sure_errors(units) / intervals("rollout")
    return float(np.hypot(dice, estimate.systematic_error or 0.0))


def worst_error(moments: Moments) -> float:
    """Largest standard error of the equities of a rollout."""
    return max(moments.error(*weights) for weights in _EQUITIES)


def estimate_of(
    moments: Moments, weights: tuple[float, ...], systematic: float | None = None
) -> Estimate:
    """Estimate a weighted sum of `COLUMNS`."""
    value, error = float(np.dot(weights, moments.means)), moments.error(*weights)
    return Estimate(value, error, systematic)


def estimates_so_far(moments: Moments, cube: Cube) -> dict[str, Estimate]:
    """Return what a rollout for money comes to so far, by names of `bearoff.answers`.

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
    """Estimate the chance to win without a cube."""
    return replace(_chance(moments), systematic_error=systematic.win_probability)


def _chance(moments: Moments) -> Estimate:
    balance = estimate_of(moments, weights_of(cubeless=1))
    # Luck that is taken out may leave more than all games, or less than none.
    value = min(max((balance.value + 1) / 2, 0.0), 1.0)
    return Estimate(value, balance.standard_error / 2)


def action_of(
    moments: Moments, cube: RollersCube, systematic: Systematic, terms: Terms
) -> RolloutAction:
    """Summarise the moments of what doubling and waiting are worth, the cube there."""
    waiting, taken = np.array(_NO_DOUBLE[cube]), np.array(_DOUBLE_TAKE)
    no_double = estimate_of(moments, tuple(waiting), systematic.no_double)
    double_take = estimate_of(moments, tuple(taken), systematic.double_take)
    # Dice are the same for both; the players' errors, or a table's, add up.
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
    """Summarise the moments of a race's games, the cube there; see `Rollout`.

    Of no games the values are the table's, and so are the errors.
    """
    if not moments.games:
        systematic = values.stored_error
    chances = {name: estimate_of(moments, weights_of(**{name: 1})) for name in CHANCES}
    unit = float(values.units[STATES.index(cube)])
    # The opponent's cube is what a take leads to.
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
    """Weights of the estimates in the equity of a cube that stays as it is."""
    points = [[n * sign for n in (1, 2, 3)] for sign in (1, -1)]
    # Jacoby's rule speaks of a cube that may be turned.
    (single, gammon, backgammon), (lost, two, three) = terms.worth(points).tolist()
    return weights_of(
        cubeless=1,
        gammon_won=gammon - single,
        backgammon_won=backgammon - gammon,
        gammon_lost=two - lost,
        backgammon_lost=three - two,
    )
