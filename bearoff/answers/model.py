"""Values of any money race at once: the fast model's, and what gammons add."""

import math

import numpy as np

from bearoff.answers.market import market_by
from bearoff.answers.races import Races
from bearoff.answers.values import (
    Float64Array,
    Int8Array,
    Int64Array,
    Kind,
    Values,
    empty_values,
)
from bearoff.bear_in import bear_in, first_off
from bearoff.cube import Market, RollersCube
from bearoff.one_sided import fewest_rolls_win_probability, gammon_chance, gammons
from bearoff.positions import CHECKERS, POINTS, Race, rank
from bearoff.race_model import ERRORS, estimate_optimal_win_probability, race_model
from bearoff.rolls import PIPS_PER_ROLL

GAMMON_ERROR = 0.2
"""Of the chance of a gammon: by as much equities may be off more where there is one."""

_HOME_VARIANCE = 0.05
"""Of the rolls to the first checker off, all being home."""


class Model:
    """Values of the race model, sides matched to what is known of their rolls.

    Both sides home are matched to the chance of their convolution, others to the standard
    deviation of their rolls; see docs/race-model.md for the errors. The model itself knows
    no gammons: their chances are added, of fewest-rolls play at home, and beyond of the
    rolls that a side needs to bear its first checker off.
    """

    kind: Kind = "model"

    def values(self, races: Races) -> Values:
        """Value the races; equities are rarely off by more than their errors."""
        model, found = race_model(), empty_values(len(races))
        x, y = self._matched(races, found)
        found.win_probability[:] = np.where(
            np.isnan(found.win_probability),
            model.win_probability(x, y),
            found.win_probability,
        )
        for owner in np.unique(races.owners):
            at = np.flatnonzero(races.owners == owner)
            if owner < 0:
                found.no_double[at] = model.equity(x[at], y[at], "opponent")
                continue
            cube: RollersCube = "owned" if owner else "centred"
            found.may_double[at] = True
            found.no_double[at] = model.no_double(x[at], y[at], cube)
            found.double_take[at] = 2 * model.equity(x[at], y[at], "opponent")
        found.no_double_error[:], found.double_take_error[:] = ERRORS
        _add_gammons(races, found)
        return found

    def _matched(self, races: Races, found: Values) -> tuple[Float64Array, Float64Array]:
        """Return the EPCs of typical sides, and fill in chances that are known better."""
        mine, theirs = races.rollers, races.opponents
        epc, std = bear_in().epc, bear_in().std_rolls
        x, y = epc(mine), epc(theirs)
        matched = race_model().matching_std_rolls(x, y, std(mine), std(theirs))
        found.gammons_won[:] = _gammons_won(mine, theirs, x, std(mine), 0.5)
        found.gammons_lost[:] = _gammons_won(theirs, mine, y, std(theirs), -0.5)
        home = ~(mine[:, POINTS:].any(axis=1) | theirs[:, POINTS:].any(axis=1))
        if home.any():
            a, b = rank(mine[home, :POINTS]), rank(theirs[home, :POINTS])
            chance = fewest_rolls_win_probability(a, b)
            x, y = x[home], y[home]
            found.win_probability[home] = estimate_optimal_win_probability(chance, x, y)
            nearer = race_model().matching_win_probability(x, y, chance)
            matched[0][home], matched[1][home] = nearer
            gammons = gammon_chance(a, b)
            found.gammons_won[home], found.gammons_lost[home] = gammons.wins, gammons.losses
        return matched

    def won(self, points: Int64Array) -> Float64Array:
        """Points are what they are."""
        return points.astype(np.float64)

    def market(self, race: Race) -> Market:
        """Follow every exchange of rolls of a roller who may double."""
        return market_by(self, race)


def _gammons_won(
    winners: Int8Array,
    losers: Int8Array,
    epc: Float64Array,
    std: Float64Array,
    ahead: float,
) -> Float64Array:
    """Chances that the losers bear no checker off in time, by normal sums of rolls.

    `epc` and `std` are the winners' pips and deviation of rolls, `ahead` the rolls that
    they are ahead by the turn.
    """
    mean, variance = first_off(losers)
    full = losers.sum(axis=1) == CHECKERS
    home = np.flatnonzero(full & ~losers[:, POINTS:].any(axis=1))
    if len(home):
        mean[home] = gammons.saving_play().first_off[rank(losers[home, :POINTS])]
        variance[home] = _HOME_VARIANCE
    lead = mean + ahead - epc / PIPS_PER_ROLL
    spread = np.sqrt(2 * (variance + std**2))
    chances = np.array([math.erfc(z) for z in -lead / spread]) / 2
    return np.where(full, chances, 0.0)


def _add_gammons(races: Races, found: Values) -> None:
    """Add what gammons are worth to the equities, and a share of them to the errors."""
    gain = found.gammons_won - found.gammons_lost
    risk = found.gammons_won + found.gammons_lost
    counts = ~(races.jacoby & (races.owners == 0))
    found.no_double[:] += np.where(counts, gain, 0.0)
    found.double_take[:] += 2 * gain
    found.no_double_error[:] += GAMMON_ERROR * risk
    found.double_take_error[:] += 2 * GAMMON_ERROR * risk
