"""Plays: what each is worth by any source, and which is the best.

Of plays that are worth the same the one that wins most often is the best, then the one that
leaves the fewest rolls, last the one that leads to the lowest number: a side that cannot
win any more still plays like a player. So it is in answers alone; tables and self-play take
the lowest number.
"""

from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bearoff.bear_in import bear_in
from bearoff.sources.model_errors import NO_GAMMON, PLAY_SHARE
from bearoff.sources.races import Races
from bearoff.sources.source import Source

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]

ROUNDING = 1e-9
"""Equities and chances that differ by no more count as equal."""


@dataclass(frozen=True, eq=False)
class PlayValues:
    """What plays are worth, one entry a play; see `play_values`.

    Attributes
    ----------
    rows : ndarray of int64
        Rising: which race each play is of.
    sides : ndarray of int8, shape (n, 24)
        The roller's checkers after it.
    equities, errors : ndarray of float64
        Of the roller, and the most by which they are wrong.
    apart : ndarray of float64
        Most by which the difference to the best is wrong, where that is known better than
        by the sum of both errors; else NaN.
    wins, gammons : ndarray of float64
        Cubeless chances of the roller to win, and that a gammon is won or lost.
    tie : float
        Equities that differ by no more are equal.
    """

    rows: Int64Array
    sides: Int8Array
    equities: Float64Array
    errors: Float64Array
    apart: Float64Array
    wins: Float64Array
    gammons: Float64Array
    tie: float

    @property
    def firsts(self) -> Int64Array:
        """Place of the first play of each race."""
        return np.flatnonzero(np.diff(self.rows, prepend=-1))

    def of_each(self) -> "list[PlayValues]":
        """Return the plays of each race by themselves."""
        ends = np.append(self.firsts, len(self.rows)).tolist()
        names = [one.name for one in fields(self) if one.name != "tie"]
        parts = (
            {name: getattr(self, name)[slice(*pair)] for name in names}
            for pair in pairwise(ends)
        )
        return [PlayValues(**part, tie=self.tie) for part in parts]

    def cost_and_error(
        self, spread: Float64Array | float = 1.0
    ) -> tuple[Float64Array, Float64Array]:
        """Return what each play costs, and the error of that cost.

        The cost is the equity lost against the best play of the race: never negative, and 0
        for plays equal to the best. The best play itself is wrong by what another may be
        better, all errors taken; by nothing if every other play is clearly worse.

        Parameters
        ----------
        spread : float or ndarray of float64
            Half-width of an interval in errors: 1 for bounds, 2 for standard errors; 0 of
            plays that are known to be worse.
        """
        best, firsts = self.best, self.firsts
        against = np.repeat(best, np.diff(firsts, append=len(self.rows)))
        costs = self.equities[against] - self.equities
        errors = np.where(
            np.isnan(self.apart), self.errors + self.errors[against], self.apart
        )
        costs = np.where(costs > self.tie, costs, 0.0)
        spread = np.broadcast_to(spread, costs.shape)
        better = np.maximum(spread * errors - costs, 0.0)
        better[best] = 0.0
        errors[best] = np.maximum.reduceat(better, firsts) / spread[best]
        return costs, errors

    @property
    def best(self) -> Int64Array:
        """Place of the best play of each race."""
        firsts = self.firsts
        counts = np.diff(firsts, append=len(self.rows))
        most = np.repeat(np.maximum.reduceat(self.equities, firsts), counts)
        near = np.flatnonzero(self.equities >= most - self.tie)
        alone = np.diff(self.rows[near], prepend=-1, append=-2) != 0
        tied = near[~(alone[:-1] & alone[1:])]
        if len(tied):  # Rare, and the order of the others does not matter.
            near = np.union1d(np.setdiff1d(near, tied), tied[self._first_of(tied)])
        return near

    @property
    def unsure(self) -> float:
        """How much more some errors are where gammons are at stake; 0 where none are."""
        if not (self.gammons > NO_GAMMON).any():
            return 0.0
        return float(self.errors.max() - self.errors.min())

    def ranking(self) -> Int64Array:
        """Places of the plays of one race, the best first."""
        best = self.equities.max(initial=-np.inf)
        places = np.arange(len(self.rows))
        costs = np.where(self.equities >= best - self.tie, 0.0, best - self.equities)
        order = np.argsort(costs, kind="stable")
        if (np.diff(costs[order]) > 0).all():
            return order
        return np.lexsort((places, *self._keys(places)[::-1], costs))

    def _first_of(self, tied: Int64Array) -> Int64Array:
        """Places in `tied` of the first of each race, by wins, rolls and number."""
        rows = self.rows[tied]
        order = np.lexsort((tied, *self._keys(tied)[::-1], rows))
        return order[np.flatnonzero(np.diff(rows[order], prepend=-1))]

    def _keys(self, places: Int64Array) -> tuple[Float64Array, Float64Array]:
        """What equal plays are sorted by: chances to lose, and effective pips."""
        loses = np.round((1 - self.wins[places]) / ROUNDING)
        return loses, np.round(bear_in().epc(self.sides[places]), 6)


def play_values(
    source: Source, races: Races, rows: Int64Array, sides: Int8Array
) -> PlayValues:
    """Value plays, the roller's checkers after each given.

    Parameters
    ----------
    source : Source
    races : Races
        Before the plays.
    rows, sides
        As `bearoff.sources.races.plays_of` gives them.

    Raises
    ------
    ValueError
        If the source values races of other terms: then the two are not to be compared.
    """
    count = len(rows)
    equities, (errors, wins, gammons) = np.empty(count), np.zeros((3, count))
    apart, tie = np.full(count, np.nan), ROUNDING
    off = ~sides.any(axis=1)
    wins[off] = 1.0
    if off.any():
        equities[off] = races.terms.worth(points_lost(races.select(rows[off])))
    on = ~off
    if on.any():
        then = races.after(rows[on], sides[on])
        found = source.values(then)
        if found.terms != then.terms:
            raise ValueError(f"values of {found.terms} for races of {then.terms}")
        equities[on], errors[on] = -found.equity, found.error
        if source.kind == "model" or rows[0] == rows[-1]:  # Games are paired by race.
            apart[on] = found.cost_error
        wins[on] = 1 - found.win_probability
        gammons[on] = np.nan_to_num(found.gammons_won + found.gammons_lost)
        tie = max(tie, found.tie)
    apart[np.isin(rows, rows[off])] = np.nan
    values = PlayValues(rows, sides, equities, errors, apart, wins, gammons, tie)
    if source.kind == "model" and count:
        firsts = values.firsts
        most = np.maximum.reduceat(equities, firsts)
        lost = np.repeat(most, np.diff(firsts, append=count)) - equities
        apart += PLAY_SHARE * lost
    return values


def points_lost(races: Races) -> Int64Array:
    """Times the cube that the opponents lose if the rollers bear off now.

    Two with all checkers on the board, three with one of them in the roller's home; one
    with a centred cube by Jacoby's rule.
    """
    full = races.opponents.sum(axis=1) == races.start
    behind = races.opponents[:, 18:].any(axis=1)
    counts = races.gammons_count
    return np.asarray(1 + (full & counts) + (full & behind & counts), dtype=np.int64)
