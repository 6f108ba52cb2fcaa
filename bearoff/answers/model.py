"""Values of any money race at once, by the fast model; no gammons in its equities."""

import numpy as np

from bearoff.answers.market import market_by
from bearoff.answers.races import Races
from bearoff.answers.values import Float64Array, Int64Array, Kind, Values, empty_values
from bearoff.bear_in import bear_in
from bearoff.cube import Market, RollersCube
from bearoff.one_sided import fewest_rolls_win_probability, gammon_chance
from bearoff.positions import CHECKERS, POINTS, Race, rank
from bearoff.race_model import ERRORS, estimate_optimal_win_probability, race_model


class Model:
    """Values of the race model, sides matched to what is known of their rolls.

    Both sides home are matched to the chance of their convolution, others to the standard
    deviation of their rolls; see docs/race-model.md for the errors.
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
        return found

    def _matched(self, races: Races, found: Values) -> tuple[Float64Array, Float64Array]:
        """Return the EPCs of typical sides, and fill in chances that are known better."""
        mine, theirs = races.rollers, races.opponents
        epc, std = bear_in().epc, bear_in().std_rolls
        x, y = epc(mine), epc(theirs)
        matched = race_model().matching_std_rolls(x, y, std(mine), std(theirs))
        none = (mine.sum(axis=1) < CHECKERS) & (theirs.sum(axis=1) < CHECKERS)
        found.gammons_won[none] = found.gammons_lost[none] = 0.0
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
