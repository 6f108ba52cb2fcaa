"""What a rollout has found: equities, their standard errors, and the cube action."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sim.rollouts.sums import Moments
from sim.rollouts.systematic import Systematic
from sim.rollouts.values import CHANCES, COLUMNS, TableSize

RollersCube = Literal["centred", "owned"]

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
    """A number and its errors, which are 0 where a table has the value.

    Attributes
    ----------
    value, standard_error : float
        The standard error is that of the dice.
    systematic_error : float or None
        Root mean square error to expect of the players; None where it was not measured.
        See `sim.rollouts.systematic`.
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
        Equities of the roller, in points at a cube of 1.
    gain : Estimate
        What doubling now gains over waiting, given the opponent's best answer.
    action : str
        As in `bearoff.CubeAction`.
    too_close : bool
        Whether the 95% interval of `gain`, or of the take if doubling is right, leaves
        the action open.
    """

    cube: RollersCube
    no_double: Estimate
    double_take: Estimate
    gain: Estimate
    action: str
    too_close: bool


@dataclass(frozen=True)
class Rollout:
    """What a rollout found.

    Attributes
    ----------
    win_probability : Estimate
        The roller's chance without a cube, both sides playing to win, and to save what
        gammons they may lose.
    gammon_won, gammon_lost : Estimate
        Chances that the roller wins and loses a gammon or more, without a cube.
    backgammon_won, backgammon_lost : Estimate
        Those of a backgammon: the loser has borne off none and has a checker left in the
        winner's home board.
    cubeless : Estimate
        Equity without a cube: a gammon counts two points, a backgammon three.
    centred, owned : RolloutAction
        Equities and action with the cube in the centre, and with the roller.
    games : int
        Games played; none where a table holds the race.
    table : TableSize or None
        The two-sided table that games were stopped at.
    seconds : float
        It took.
    """

    win_probability: Estimate
    gammon_won: Estimate
    gammon_lost: Estimate
    backgammon_won: Estimate
    backgammon_lost: Estimate
    cubeless: Estimate
    centred: RolloutAction
    owned: RolloutAction
    games: int
    table: TableSize | None
    seconds: float

    @property
    def standard_error(self) -> float:
        """Largest standard error of the equities."""
        equities = [self.centred.no_double, self.owned.no_double, self.owned.double_take]
        return max(estimate.standard_error for estimate in equities)


def weights_of(**columns: float) -> tuple[float, ...]:
    """Weights of `COLUMNS` in a sum, 0 where none is given."""
    return tuple(columns.get(name, 0.0) for name in COLUMNS)


_NO_DOUBLE = {"centred": weights_of(centred=1), "owned": weights_of(owned=1)}
_DOUBLE_TAKE = weights_of(opponent=2)
_EQUITIES = (*_NO_DOUBLE.values(), _DOUBLE_TAKE)
_CUBELESS = weights_of(
    cubeless=1, gammon_won=1, gammon_lost=-1, backgammon_won=1, backgammon_lost=-1
)
"""Weights of what is estimated in each equity of a rollout."""


def sure_errors(units: int) -> float:
    """Standard errors within which 95% of estimates from so many units lie.

    By Student's distribution. A rollout ends when its error looks small, so an error is
    rather too small when it ends: beyond the first wave only half of the units count,
    which makes up for it; see docs/reliability.md.

    Examples
    --------
    >>> round(sure_errors(6), 2), round(sure_errors(40), 2), round(sure_errors(1000), 2)
    (2.57, 2.07, 1.96)
    """
    from scipy.special import stdtrit

    counted = max(units / 2, min(units, FIRST_UNITS))
    return float(stdtrit(max(counted - 1, 1), (1 + CONFIDENCE) / 2))


_WIDEST = 13.0
"""Standard errors within which 95% of estimates lie, however few their units: 12.7."""


def _is_open(value: float, error: float, units: int) -> bool:
    """Whether the interval of an estimate reaches beyond 0."""
    # Most are far from 0, and the quantile is slow to load.
    return abs(value) < _WIDEST * error and abs(value) < sure_errors(units) * error


def worst_error(moments: Moments) -> float:
    """Largest standard error of the equities of a rollout."""
    return max(moments.error(*weights) for weights in _EQUITIES)


def estimate_of(
    moments: Moments, weights: tuple[float, ...], systematic: float | None = None
) -> Estimate:
    """Estimate a weighted sum of `COLUMNS`."""
    value, error = float(np.dot(weights, moments.means)), moments.error(*weights)
    return Estimate(value, error, systematic if moments.games else 0.0)


def estimates_so_far(
    moments: Moments, cube: Literal["centred", "owned", "opponent"]
) -> dict[str, Estimate]:
    """Return what a rollout for money comes to so far, by names of `bearoff.answers`.

    ``no_double`` is the equity of a roller who may not double; then there is no
    ``double_take``.
    """
    balance = estimate_of(moments, weights_of(cubeless=1))
    chance = Estimate((balance.value + 1) / 2, balance.standard_error / 2)
    found = {"win_probability": chance}
    if cube == "opponent":
        return found | {"no_double": estimate_of(moments, weights_of(opponent=1))}
    no_double = estimate_of(moments, _NO_DOUBLE[cube])
    double_take = estimate_of(moments, _DOUBLE_TAKE)
    return found | {"no_double": no_double, "double_take": double_take}


def win_probability_of(moments: Moments, systematic: Systematic) -> Estimate:
    """Estimate the chance to win without a cube."""
    balance = estimate_of(moments, weights_of(cubeless=1))
    value, error = (balance.value + 1) / 2, balance.standard_error / 2
    return Estimate(value, error, systematic.win_probability if moments.games else 0.0)


def action_of(moments: Moments, cube: RollersCube, systematic: Systematic) -> RolloutAction:
    """Summarise the moments of what doubling and waiting are worth, the cube there."""
    waiting, taken = np.array(_NO_DOUBLE[cube]), np.array(_DOUBLE_TAKE)
    no_double = estimate_of(moments, tuple(waiting), systematic.no_double)
    double_take = estimate_of(moments, tuple(taken), systematic.double_take)
    passes = double_take.value > 1
    if passes:
        gain = replace(no_double, value=1 - no_double.value)
    else:
        gain = estimate_of(moments, tuple(taken - waiting), systematic.double_take)
    doubles = gain.value >= 0
    open_double = _is_open(gain.value, gain.standard_error, moments.units)
    open_take = _is_open(double_take.value - 1, double_take.standard_error, moments.units)
    double = "redouble" if cube == "owned" else "double"
    if doubles:
        action = f"{double}, {'pass' if passes else 'take'}"
    else:
        action = f"{'too good to' if no_double.value > 1 else 'no'} {double}"
    return RolloutAction(
        cube,
        no_double,
        double_take,
        gain,
        action,
        bool(open_double or (doubles and open_take)),
    )


def summarise(moments: Moments, table: TableSize | None, systematic: Systematic) -> Rollout:
    """Summarise the moments of a race's games; see `Rollout`."""
    chances = {name: estimate_of(moments, weights_of(**{name: 1})) for name in CHANCES}
    return Rollout(
        win_probability=win_probability_of(moments, systematic),
        **chances,
        cubeless=estimate_of(moments, _CUBELESS),
        centred=action_of(moments, "centred", systematic),
        owned=action_of(moments, "owned", systematic),
        games=moments.games,
        table=table,
        seconds=0.0,
    )
