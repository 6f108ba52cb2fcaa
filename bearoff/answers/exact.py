"""Exact values: a two-sided table for money, a race solved at a score."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bearoff.answers.races import Races
from bearoff.answers.values import (
    Float64Array,
    Int64Array,
    Kind,
    Values,
    empty_values,
)
from bearoff.cube import Market, RollersCube, market
from bearoff.match import (
    MatchEquities,
    MatchTable,
    match_equities,
    match_market,
    match_race,
)
from bearoff.one_sided import gammon_chance
from bearoff.positions import CHECKERS, POINTS, Race, rank
from bearoff.two_sided import Cube, TwoSidedTable

_CUBES: dict[int, Cube] = {1: "owned", 0: "centred", -1: "opponent"}


class Table:
    """Values of money games from a two-sided table with all planes.

    Parameters
    ----------
    table : TwoSidedTable
    """

    kind: Kind = "exact"

    def __init__(self, table: TwoSidedTable) -> None:
        self.table = table

    def holds(self, race: Race) -> bool:
        """Whether the table holds a race, whatever its points are."""
        sides = race.roller, race.opponent
        most, points = self.table.checkers, self.table.points
        return all(side.on_board <= most and side.highest <= points for side in sides)

    def values(self, races: Races) -> Values:
        """Look the races up."""
        table, found = self.table, empty_values(len(races))
        numbers = [
            rank(side[:, : table.points]) for side in (races.rollers, races.opponents)
        ]
        found.win_probability[:] = table.win_probability(*numbers)
        found.gammons_won[:] = found.gammons_lost[:] = 0.0
        sides = races.rollers, races.opponents
        has_all = [side.sum(axis=1) == CHECKERS for side in sides]
        full = np.flatnonzero(has_all[0] | has_all[1])
        if len(full):
            chances = table.gammon_probability(numbers[0][full], numbers[1][full])
            found.gammons_won[full], found.gammons_lost[full] = chances
        kinds = races.owners.astype(np.int64) * 2 + races.jacoby
        for kind in np.unique(kinds):
            at = np.flatnonzero(kinds == kind)
            pair = numbers[0][at], numbers[1][at]
            cube = _CUBES[int(races.owners[at[0]])]
            jacoby = bool(races.jacoby[at[0]]) and cube == "centred"
            found.no_double[at] = table.no_double(*pair, cube, jacoby=jacoby)
            found.no_double_error[at] = table.error(cube)
            found.may_double[at] = cube != "opponent"
            if cube != "opponent":
                found.double_take[at] = table.double_take(*pair)
                found.double_take_error[at] = 2 * table.error("opponent")
        return found

    def won(self, points: Int64Array) -> Float64Array:
        """Points are what they are."""
        return points.astype(np.float64)

    def market(self, race: Race) -> Market:
        """Follow every exchange of rolls of a roller who may double."""
        cube: RollersCube = "owned" if race.cube == "owned" else "centred"
        race = race.on_points(self.table.points)
        return market(self.table, race, cube, jacoby=race.jacoby and cube == "centred")


class AtScore:
    """Values of a race at a score and of all that can become of it, as `match_race` has.

    Equities are normalised: 1 is winning the cube as it stands, -1 losing it. Gammons are
    those of fewest-rolls play.

    Parameters
    ----------
    race : Race
        With a score, all checkers home.
    equities : MatchEquities, optional
        The match equity table, Kazaross-XG2 by default.
    progress : callable
        Called with the share that is done.
    table : MatchTable, optional
        What is solved already, as the roller has it.

    Raises
    ------
    TableError
        If so much can become of the race that it would take too long.
    """

    kind: Kind = "exact"

    def __init__(
        self,
        race: Race,
        equities: MatchEquities | None = None,
        progress: Callable[[float], None] = lambda done: None,
        table: MatchTable | None = None,
    ) -> None:
        if race.score is None:
            raise ValueError("a race at a score has one")
        self._score, self._value = race.score, race.cube_value
        self._equities = equities or match_equities()
        self._table = table or match_race(
            replace(race.on_points(POINTS), score=None),
            race.score.away,
            race.score.game,
            equities=self._equities,
            progress=progress,
        )

    def of_later(self, race: Race) -> "AtScore | None":
        """Return the values of a race that this one can become, nothing solved anew.

        None if it has another score, or cannot come up.
        """
        if race.score == self._score:
            table = self._table
        elif race.score == self._score.exchanged():
            table = self._table.exchanged()
        else:
            return None
        home = race.on_points(POINTS)
        sides = home.roller.number, home.opponent.number
        return AtScore(race, self._equities, table=table) if table.holds(*sides) else None

    @property
    def unit(self) -> float:
        """Chance to win the match that an equity of 1 is worth."""
        won, lost = (
            self._equities.after(self._score, points)
            for points in (self._value, -self._value)
        )
        return float(won - lost) / 2

    def chance(self, equity: Float64Array | float) -> Float64Array:
        """Return chances to win the match of equities of who asks."""
        lost = self._equities.after(self._score, -self._value)
        return np.asarray(lost + (np.asarray(equity) + 1) * self.unit)

    def values(self, races: Races) -> Values:
        """Look the races up; all that the roller and the opponent can come to."""
        found = empty_values(len(races))
        table = self._table.exchanged() if races.turned else self._table
        x, y = (rank(side[:, :POINTS]) for side in (races.rollers, races.opponents))
        found.win_probability[:] = table.win_probability(x, y)
        gammons = gammon_chance(x, y)
        found.gammons_won[:], found.gammons_lost[:] = gammons.wins, gammons.losses
        error = table.error / self.unit if table.folder else 0.0
        found.no_double_error[:] = found.double_take_error[:] = error
        for owner in np.unique(races.owners):
            at = np.flatnonzero(races.owners == owner)
            self._fill(found, table, at, (x[at], y[at]), _CUBES[int(owner)])
        return found

    def _fill(
        self,
        found: Values,
        table: MatchTable,
        at: Int64Array,
        pair: tuple[Int64Array, Int64Array],
        cube: Cube,
    ) -> None:
        value, turned = self._value, table is not self._table
        if cube == "opponent" or not table.score.has_cube:
            found.no_double[at] = self._normalised(table.value(*pair, value, cube), turned)
            return
        found.may_double[at] = True
        waits = self._normalised(table.no_double(*pair, value, cube), turned)
        taken = self._normalised(table.double_take(*pair, value, cube), turned)
        # What differs by rounding alone is equal.
        tie = table.error / self.unit
        taken = np.where(np.abs(taken - 1) <= tie, 1.0, taken)
        doubled = np.minimum(taken, 1.0)
        found.no_double[at] = np.where(np.abs(waits - doubled) <= tie, doubled, waits)
        found.double_take[at] = taken

    def market(self, race: Race) -> Market:
        """Follow every exchange of rolls of a roller who may double."""
        cube: RollersCube = "owned" if race.cube == "owned" else "centred"
        race = race.on_points(POINTS)
        pair = race.roller.number, race.opponent.number
        return match_market(self._table, *pair, self._value, cube)

    def estimate_seconds(self, cube: Cube) -> float:
        """Estimate how long values with the cube there will take; 0 once solved."""
        return self._table.estimate_seconds(self._value, cube)

    def _normalised(self, chances: Float64Array, turned: bool) -> Float64Array:
        lost = self._equities.after(self._score, -self._value)
        mine = 1 - chances if turned else chances
        equity = (mine - lost) / self.unit - 1
        return np.asarray(-equity if turned else equity)

    def won(self, points: Int64Array) -> Float64Array:
        """Normalise what so many points of the cube do for who asks."""
        after = [self._equities.after(self._score, int(n) * self._value) for n in points]
        return self._normalised(np.array(after), turned=False)
