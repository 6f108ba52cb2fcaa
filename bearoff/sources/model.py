"""Values of any race at once, at any stakes: the fast model's, and what gammons add."""

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import bear_in
from bearoff.one_sided import fewest_rolls_win_probability
from bearoff.positions import POINTS, rank
from bearoff.race_model import (
    ERRORS,
    StatePlanes,
    estimate_optimal_win_probability,
    race_model,
    typical_races,
)
from bearoff.rolls import PIPS_PER_ROLL
from bearoff.sources.exact import Kind, surely_won
from bearoff.sources.gammons import (
    BACKGAMMON_ERROR,
    GAMMON_ERROR,
    backgammon_chances,
    gammon_chances,
)
from bearoff.sources.races import Races
from bearoff.sources.window import DoublingWindow, window_of
from bearoff.stakes import OWNERS, PASS, Match, Terms, Values
from bearoff.two_sided import Cube

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

TIE = 1e-4
"""Equity that planes of single precision, interpolated, do not tell apart."""

AT_SCORES = 4 / 3
"""Errors at scores beside those for money, what is at stake being the same."""

DEAD_ERROR = 0.012
"""Equity that is rarely off by more where nobody may turn the cube to any use."""

_CUBES: dict[int, Cube] = {1: "owned", 0: "centred", -1: "opponent"}


class Model:
    """Values of the race model, sides matched to what is known of their rolls.

    Both sides home are matched to the chance of their convolution, others to the standard
    deviation of their rolls; see docs/rollouts.md for the errors. The model itself knows
    no gammons: their chances and those of backgammons are added
    (`bearoff.sources.gammons`), each worth what it is with the cube as the game ends.
    """

    kind: Kind = "model"

    def values(self, races: Races) -> Values:
        """Value the races; equities are rarely off by more than their errors."""
        found = Values.empty(races.terms, races.owners, TIE)
        x, y = _matched(races, found)
        beyond = _backgammons(races, found)
        unknown = np.isnan(found.win_probability)
        found.win_probability[unknown] = race_model().win_probability(
            x[unknown], y[unknown]
        )
        owners = set(races.owners.tolist())
        if len(owners) == 1:
            _Cube(races.terms, _CUBES[owners.pop()], x, y, beyond).fill(found)
        for owner in owners:  # Of several.
            at = np.flatnonzero(races.owners == owner)
            part = found.at(at)
            _Cube(races.terms, _CUBES[owner], x[at], y[at], beyond[:, at]).fill(part)
            found.put(at, part)
        _fill_certain(found, self.certain(races))
        return found

    def certain(self, races: Races) -> BoolArray:
        """Whether somebody surely wins a single game: then the model's values are exact."""
        sides = np.stack([races.rollers, races.opponents])
        sure = ~sides[:, :, POINTS:].any(axis=(0, 2)) & (
            sides.sum(axis=2) < races.start
        ).all(0)
        x, y = rank(sides[:, sure, :POINTS])
        sure[sure] = surely_won(x, y)
        return np.asarray(sure)

    def typical(self, terms: Terms, cube: Cube, x: Float64Array, y: Float64Array) -> Values:
        """Value typical races between sides of these EPCs, in pips; without gammons."""
        found = Values.empty(terms, np.full(len(x), OWNERS[cube], dtype=np.int8), TIE)
        found.win_probability[:] = race_model().win_probability(x, y)
        found.gammons_won[:] = found.gammons_lost[:] = 0.0
        _Cube(terms, cube, x, y, np.zeros((2, len(x)))).fill(found)
        return found

    def window(self, terms: Terms, cube: Cube, epc: float) -> DoublingWindow:
        """Find the doubling window of a roller of an EPC against typical opponents."""
        opponents = np.arange(PIPS_PER_ROLL, race_model().largest_epc, _STEP)
        rollers = np.full(len(opponents), epc)
        return window_of(self.typical(terms, cube, rollers, opponents).widened(0.0))


_STEP = 0.1
"""Pips of EPC between typical opponents."""


def _fill_certain(found: Values, sure: BoolArray) -> None:
    """Fill in what races are worth that are decided: the cube as it is, or taken."""
    won, lost, taken_won, taken_lost = found.terms.worth([1, -1, 2, -2])
    wins = found.win_probability[sure] > 0.5
    found.win_probability[sure] = wins
    found.no_double[sure] = np.where(wins, won, lost)
    found.no_double_error[sure] = 0.0
    taken = sure & found.may_double
    found.double_take[taken] = np.where(wins, taken_won, taken_lost)[taken[sure]]
    found.double_take_error[taken] = 0.0


class _Cube:
    """Typical races with the cube at one place, of sides matched to the races.

    `beyond`, shape (2, n), are the chances that the roller wins and loses a backgammon.
    """

    def __init__(
        self,
        terms: Terms,
        cube: Cube,
        x: Float64Array,
        y: Float64Array,
        beyond: Float64Array,
    ) -> None:
        self._terms, self._cube, self._x, self._y = terms, cube, x, y
        self._beyond = beyond
        self._may_double = cube != "opponent" and terms.stakes.has_cube

    def fill(self, found: Values) -> None:
        """Fill in equities and their errors; chances are there."""
        if self._terms.stakes.score is None:
            self._for_money(found)
        else:
            found.no_double[:] = self._read(1, "no_double")
            if self._may_double:
                found.double_take[:] = self._read(2, "value")
        found.no_double_error[:], found.double_take_error[:] = self._errors()
        at = np.flatnonzero((found.gammons_won > 0) | (found.gammons_lost > 0))
        if len(at):
            part = found.at(at)
            sides = self._x[at], self._y[at]
            here = _Cube(self._terms, self._cube, *sides, self._beyond[:, at])
            here.add_gammons(part)
            found.put(at, part)

    def _for_money(self, found: Values) -> None:
        model, x, y = race_model(), self._x, self._y
        if self._cube == "opponent":
            found.no_double[:] = model.equity(x, y, "opponent")
            return
        found.no_double[:] = model.no_double(x, y, self._cube)
        found.double_take[:] = 2 * model.equity(x, y, "opponent")

    def _errors(self) -> tuple[float, float]:
        """Errors of no double and double/take: for money as they are, else as measured.

        What a game decides at the score stands for points; nobody's cube to turn leaves
        the error of the chance to win.
        """
        stakes = self._terms.stakes
        if not isinstance(stakes, Match):
            return ERRORS
        won, lost = self._terms.worth([2, -2])
        stake = float(won - lost) / 4
        may = self._cube != "opponent", self._cube != "owned"
        both = ((1, may), (2, (False, True)))
        states = [
            stakes.payoffs.state(
                turned * self._terms.cube_value, *(who[::-1] if self._terms.turned else who)
            )
            for turned, who in both
        ]
        live = [one.first_may or one.second_may for one in states]
        return (
            AT_SCORES * max(stake, 1.0) * ERRORS[0] if live[0] else DEAD_ERROR,
            stake * (AT_SCORES * ERRORS[1] if live[1] else 2 * DEAD_ERROR),
        )

    def add_gammons(self, found: Values) -> None:
        """Add what gammons are worth to the equities, and a share of them to the errors.

        Whoever would rather play on for the gammon than cash does so.
        """
        for cube, equity, error in (
            (1, found.no_double, found.no_double_error),
            (2, found.double_take, found.double_take_error),
        ):
            if cube == 2 and not self._may_double:
                continue
            won, lost = ("waiting_won", "waiting_lost") if cube == 1 else ("won", "lost")
            chance = found.win_probability
            wins, loses = (self._terms.worth(s * cube * np.arange(1, 4)) for s in (1, -1))
            single, lost_single = wins[0], loses[0]
            # In gammons: a backgammon is worth so many times what a gammon adds.
            won_gammons = found.gammons_won + self._beyond[0] * _ratio(wins)
            lost_gammons = found.gammons_lost + self._beyond[1] * _ratio(loses)
            mine = np.divide(
                won_gammons, chance, out=np.zeros_like(chance), where=chance > 0
            )
            theirs = np.divide(
                lost_gammons, 1 - chance, out=np.zeros_like(chance), where=chance < 1
            )
            equity += mine * self._read(cube, won) - theirs * self._read(cube, lost)
            counts = cube == 2 or not self._terms.stakes.jacoby or self._cube != "centred"
            worth = won_gammons * (wins[1] - single) * counts
            risk = lost_gammons * (lost_single - loses[1]) * counts
            dead = chance * single + (1 - chance) * lost_single + worth - risk
            if cube == 1 and self._may_double:
                equity[:] = np.where(dead > PASS, np.maximum(equity, dead), equity)
            if cube == 2 or self._cube != "owned":
                too_good = dead < lost_single
                equity[:] = np.where(too_good, np.minimum(equity, dead), equity)
            threat = self._beyond.sum(axis=0) > 0
            error += np.where(threat, BACKGAMMON_ERROR, GAMMON_ERROR) * (worth + risk)

    def _read(self, cube: int, name: str) -> Float64Array:
        """Read planes of the cube as it is, or taken from the roller at twice the value."""
        planes = self._planes(cube)
        terms, read = self._terms, self._interpolated(getattr(planes, name))
        if terms.stakes.score is None:
            return cube * read
        if name in ("value", "no_double"):
            return terms.equity((read + 1) / 2)
        assert terms.unit is not None
        return read / (2 * terms.unit)

    def _planes(self, cube: int) -> StatePlanes:
        longest = float(max(self._x.max(), self._y.max()))
        races = typical_races(self._terms.stakes, longest)
        where = self._cube if cube == 1 else "opponent"
        return races.planes(cube * self._terms.cube_value, where, int(self._terms.turned))

    def _interpolated(self, plane: NDArray[np.float32]) -> Float64Array:
        return race_model().read(plane, self._x, self._y)


def _ratio(worth: Float64Array) -> float:
    """What a backgammon adds to a gammon, in terms of what a gammon adds to a game."""
    single, gammon, backgammon = worth
    return float((backgammon - gammon) / (gammon - single)) if gammon != single else 0.0


def _backgammons(races: Races, found: Values) -> Float64Array:
    """Return chances to win and to lose a backgammon; a gammon is at least as likely."""
    sides = races.rollers, races.opponents
    won = backgammon_chances(*sides, on_roll=True)
    lost = backgammon_chances(*sides[::-1], on_roll=False)
    found.gammons_won[:] = np.maximum(found.gammons_won, won)
    found.gammons_lost[:] = np.maximum(found.gammons_lost, lost)
    return np.array([won, lost])


def _matched(races: Races, found: Values) -> tuple[Float64Array, Float64Array]:
    """Return the EPCs of typical sides, and fill in chances that are known better."""
    mine, theirs = races.rollers, races.opponents
    epc, std = bear_in().epc, bear_in().std_rolls
    x, y = epc(mine), epc(theirs)
    matched = race_model().matching_std_rolls(x, y, std(mine), std(theirs))
    found.gammons_won[:] = gammon_chances(mine, theirs, on_roll=True)
    found.gammons_lost[:] = gammon_chances(theirs, mine, on_roll=False)
    home = ~(mine[:, POINTS:].any(axis=1) | theirs[:, POINTS:].any(axis=1))
    if home.any():
        a, b = rank(mine[home, :POINTS]), rank(theirs[home, :POINTS])
        chance = fewest_rolls_win_probability(a, b)
        x, y = x[home], y[home]
        found.win_probability[home] = estimate_optimal_win_probability(chance, x, y)
        nearer = race_model().matching_win_probability(x, y, chance)
        matched[0][home], matched[1][home] = nearer
    return matched
