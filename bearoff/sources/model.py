"""Fast model as a source of approximate values for any race, for money or at any score."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import bear_in
from bearoff.positions import POINTS
from bearoff.race_model import (
    ERRORS,
    NO_DOUBLE_CUBES,
    StatePlanes,
    race_model,
    typical_races,
)
from bearoff.rolls import PIPS_PER_ROLL
from bearoff.scores import LimitedPayoffs
from bearoff.sources.exact import Kind
from bearoff.sources.gammons import BACKGAMMON_ERROR, GAMMON_ERROR, known_sides
from bearoff.sources.model_errors import NO_GAMMON, PLAY, PLAY_SHARE, Zones
from bearoff.sources.races import Races
from bearoff.sources.window import DoublingWindow, window_of
from bearoff.stakes import Cube, CubeOwner, Match, Terms, Values
from bearoff.two_sided import codings

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

TIE = 1e-4
"""Difference in equity below which values count as equal, because the tables are
interpolated in single precision."""

AT_SCORES = 4 / 3
"""Factor by which the model's errors are larger at a match score than for money."""

TYPICAL_ERRORS = (*ERRORS, 0.006)
"""Errors of the model's equities of no double and of double/take, and of its win
probability, if only the EPCs of a race are known."""


class ModelSource:
    """Source that estimates values from both players' EPCs and standard deviations.

    If all checkers are in the home boards, the EPCs are changed so that the race model has
    the win probability by convolution. Otherwise, the EPCs are corrected for the standard
    deviations of the two numbers of rolls. docs/rollouts.md states the errors. The race
    model itself has no gammons. Gammon and backgammon chances come from
    `bearoff.sources.gammons`. They are multiplied by the value of a gammon or backgammon at
    the final cube value, and added.
    """

    kind: Kind = "model"

    def values(self, races: Races) -> Values:
        """Estimate the values of races; the stated errors are rarely exceeded."""
        from bearoff.sources import kernels

        matched = _matched(races)
        found = Values.empty(races.terms, races.owners, TIE)
        wins, won, lost = matched[kernels.WINS : kernels.GAMMONS + 2]
        # The gammon chance comes from a separate computation, and rounding could make it
        # exceed the win probability.
        found = replace(
            found,
            win_probability=wins,
            gammons_won=np.minimum(won, wins),
            gammons_lost=np.minimum(lost, 1 - wins),
        )
        if len(races):
            _fill(found, matched, _errors_of(races, matched))
        _fill_certain(found, races, matched[kernels.SURE])
        return found

    @staticmethod
    def stated() -> dict[str, Any]:
        """Return the constants from which errors are computed, for other programs."""
        return {
            "tie": TIE,
            "errors": TYPICAL_ERRORS,
            "gammon_error": GAMMON_ERROR,
            "backgammon_error": BACKGAMMON_ERROR,
            "play_share": PLAY_SHARE,
            "no_gammon": NO_GAMMON,
            "zones": Zones.shipped().to_dict(),
        }

    def certain(self, races: Races) -> BoolArray:
        """Return for each race whether the winner and the points are certain."""
        from bearoff.sources import kernels

        return np.asarray(_matched(races)[kernels.SURE] != 0)

    def typical(self, terms: Terms, cube: Cube, x: Float64Array, y: Float64Array) -> Values:
        """Estimate values without gammons from both sides' EPCs in pips."""
        from bearoff.sources import kernels

        found = Values.empty(terms, np.full(len(x), CubeOwner.of(cube), dtype=np.int8), TIE)
        found.win_probability[:] = race_model().win_probability(x, y)
        found.gammons_won[:] = found.gammons_lost[:] = 0.0
        matched = np.zeros((kernels.ROWS, len(x)))
        matched[kernels.X], matched[kernels.Y] = x, y
        errors = np.repeat([TYPICAL_ERRORS], len(x), axis=0).T
        _fill(found, matched, errors)
        return found

    def window(self, terms: Terms, cube: Cube, epc: float) -> DoublingWindow:
        """Find a roller's doubling window by varying the EPC of the opponent."""
        opponents = np.arange(PIPS_PER_ROLL, race_model().largest_epc, _STEP)
        rollers = np.full(len(opponents), epc)
        found = window_of(self.typical(terms, cube, rollers, opponents).widened(0.0))
        return replace(found, by_model=True)


_STEP = 0.1
"""Difference, in pips, between successive EPCs of the opponent in the search for a doubling
window."""


def _fill_certain(found: Values, races: Races, points: Float64Array) -> None:
    """Set the exact values of the races whose winner and points are certain."""
    sure = points != 0
    if not sure.any():
        return
    points = points[sure].astype(np.int64)
    wins, gammon = points > 0, np.abs(points) > 1
    found.win_probability[sure], found.win_probability_error[sure] = wins, 0.0
    found.gammons_won[sure], found.gammons_lost[sure] = wins & gammon, ~wins & gammon
    counted = np.where(races.gammons_count[sure], points, np.sign(points))
    found.no_double[sure] = found.terms.worth(counted)
    found.no_double_error[sure] = 0.0
    found.cost_error[sure] = np.nan
    taken = sure & found.may_double
    found.double_take[taken] = found.terms.worth(2 * points)[taken[sure]]
    found.double_take_error[taken] = 0.0


def _errors_of(races: Races, matched: Float64Array) -> Float64Array:
    """Return the model's stated errors for each race, for money at a cube value of 1."""
    from bearoff.sources import kernels

    sides = races.rollers, races.opponents
    beyond = np.any(sides[0][:, POINTS:] | sides[1][:, POINTS:], axis=1)
    larger = np.maximum(*(side.sum(axis=1, dtype=np.int64) for side in sides))
    shorter = np.minimum(matched[kernels.X], matched[kernels.Y])
    return Zones.shipped().of(beyond, larger, shorter)


def _fill(found: Values, matched: Float64Array, errors: Float64Array) -> None:
    """Set the equities and their stated errors, separately for each owner of the cube.

    `errors` has the stated errors for money, in the order of `Zones.of`.
    """
    found.win_probability_error[:] = errors[2]
    owners, every = found.owners, np.arange(len(found.owners))
    for owner in (0, 1, -1):
        rows = every[owners == owner]
        if len(rows):
            _Cube(found, CubeOwner(owner).cube, matched, errors[:, rows], rows).fill()


class _Cube:
    """Races with the same owner of the cube, whose equities the model computes together."""

    def __init__(
        self,
        found: Values,
        cube: Cube,
        matched: Float64Array,
        errors: Float64Array,
        rows: Int64Array,
    ) -> None:
        self._stated, self._of_plays = errors[:PLAY], errors[PLAY:]
        self._found, self._terms, self._cube = found, found.terms, cube
        self._matched, self._rows = matched, rows
        self._may_double = cube != "opponent" and found.terms.stakes.has_cube

    def fill(self) -> None:
        """Set the equities and their errors; the chances must have been set before."""
        from bearoff.sources import kernels

        found, rows = self._found, self._rows
        won, lost = self._matched[kernels.GAMMONS : kernels.GAMMONS + 2]
        threatened = rows[(won[rows] > 0) | (lost[rows] > 0)]
        for play in self._of_plays:
            found.cost_error[rows] = self._scale * play
            found.cost_error[rows[np.fmax(won[rows], lost[rows]) > NO_GAMMON]] = np.nan
        if self._terms.stakes.score is None and not self._terms.stakes.has_cube:
            self._fill_dead()
            return
        turned = (2,) if self._may_double else ()
        for cube in (1, *turned):
            self._read(cube)
        found.no_double_error[rows], taken_error = self._errors()
        if self._may_double:
            found.double_take_error[rows] = taken_error
        if len(threatened):
            for cube in (1, *turned):
                self._add_gammons(cube, threatened)

    def _fill_dead(self) -> None:
        """Set the equities for money games in which the cube has reached its limit."""
        from bearoff.sources import kernels

        found, rows = self._found, self._rows
        gained, lost = (
            self._matched[kernels.GAMMONS + side]
            + self._matched[kernels.BACKGAMMONS + side]
            for side in (0, 1)
        )
        counts = not self._terms.stakes.jacoby or self._cube != "centred"
        wins, gained, lost = found.win_probability[rows], gained[rows], lost[rows]
        found.no_double[rows] = 2 * wins - 1 + counts * (gained - lost)
        off = counts * BACKGAMMON_ERROR * (gained + lost)
        found.no_double_error[rows] = 2 * self._stated[2] + off

    def _read(self, cube: int) -> None:
        """Interpolate the equities of no double (`cube` 1) or of double/take (`cube` 2)."""
        from bearoff.sources import kernels

        terms, model, factor, more = self._terms, race_model(), float(cube), 0.0
        if not terms.stakes.is_chain:
            no_double, planes = model.no_double_values, model.planes
            if cube == 2 or self._cube == "opponent":
                plane = planes[codings.PLANES.index("opponent")]
            else:
                plane = no_double[NO_DOUBLE_CUBES.index(self._cube)]
        else:
            states = self._planes(cube, self._rows)
            plane = states.no_double if cube == 1 else states.value
            factor, more = self._of_chain()
        out = self._found.no_double if cube == 1 else self._found.double_take
        sides = self._matched[: kernels.Y + 1]
        kernels.equities(plane, model.step, factor, more, self._rows, *sides, out)

    def _of_chain(self) -> tuple[float, float]:
        """Return the factor and the summand that convert the model's values to equities."""
        payoffs = self._terms.stakes.payoffs
        if isinstance(payoffs, LimitedPayoffs):
            return payoffs.span / 2, 0.0
        middle, end = (float(self._terms.equity(chance)) for chance in (0.5, 1.0))
        return end - middle, middle

    @property
    def _stake(self) -> float:
        """Equity between a win and a loss after a double, divided by the same for money."""
        won, lost = self._terms.worth([2, -2])
        return float(won - lost) / 4

    @property
    def _scale(self) -> float:
        """Factor that converts errors for money to errors at the stakes of the races."""
        if not isinstance(self._terms.stakes, Match):
            return 1.0
        return AT_SCORES * max(self._stake, 1.0)

    def _errors(self) -> tuple[Float64Array, Float64Array]:
        """Return the stated errors of the equities of no double and of double/take.

        For money, the errors are those of the data file. At a match score, they are
        proportional to the equity at stake. If neither player may double, the error of the
        equity comes from that of the win probability.
        """
        waiting, taking, chance = self._stated
        stakes, stake = self._terms.stakes, self._stake
        if not isinstance(stakes, Match):
            return waiting, taking
        may = CubeOwner.of(self._cube).may
        both = ((1, may), (2, (False, True)))
        states = [
            stakes.payoffs.state(
                turned * self._terms.cube_value, *(who[::-1] if self._terms.turned else who)
            )
            for turned, who in both
        ]
        live = [one.first_may or one.second_may for one in states]
        return (
            self._scale * waiting if live[0] else 2 * chance,
            stake * (AT_SCORES * taking if live[1] else 4 * chance),
        )

    def _add_gammons(self, cube: int, rows: Int64Array) -> None:
        """Add the value of gammons to the equity of no double (1) or of double/take (2)."""
        from bearoff.sources import kernels

        found, terms, planes = self._found, self._terms, self._planes(cube, rows)
        wins, loses = (terms.worth(s * cube * np.arange(1, 4)) for s in (1, -1))
        counts = cube == 2 or not terms.stakes.jacoby or self._cube != "centred"
        ends = kernels.Ends(
            float(wins[0]),
            float(loses[0]),
            float(wins[1] - wins[0]) * counts,
            float(loses[0] - loses[1]) * counts,
            _ratio(wins),
            _ratio(loses),
            self._of_chain()[0] if terms.stakes.is_chain else float(cube),
            cube == 1 and self._may_double,
            cube == 2 or self._cube != "owned",
        )
        waits = cube == 1
        kernels.add_gammons(
            planes.waiting_won if waits else planes.won,
            planes.waiting_lost if waits else planes.lost,
            race_model().step,
            ends,
            rows,
            self._matched,
            found.no_double if waits else found.double_take,
            found.no_double_error if waits else found.double_take_error,
            (GAMMON_ERROR, BACKGAMMON_ERROR),
        )

    def _planes(self, cube: int, rows: Int64Array) -> StatePlanes:
        from bearoff.sources import kernels

        longest = float(self._matched[: kernels.Y + 1, rows].max())
        races = typical_races(self._terms.stakes, longest)
        where = self._cube if cube == 1 else "opponent"
        return races.planes(cube * self._terms.cube_value, where, int(self._terms.turned))


def _ratio(worth: Float64Array) -> float:
    """Return (backgammon - gammon) / (gammon - single game), all as equities."""
    single, gammon, backgammon = worth
    return float((backgammon - gammon) / (gammon - single)) if gammon != single else 0.0


def _matched(races: Races) -> Float64Array:
    """Return the output of `kernels.match`: EPCs and chances, one column per race."""
    from bearoff.sources import kernels

    model, found = race_model(), np.empty((kernels.ROWS, len(races)))
    typical = model.planes[0], model.step, model.std_rolls
    sides = races.rollers, races.opponents
    bad = kernels.match(known_sides(), typical, *sides, races.start, found)
    if bad >= 0:  # This call raises an error that states the EPC.
        epcs = [bear_in().epc(side[[bad]]) for side in sides]
        model.win_probability(*epcs)
    return found
