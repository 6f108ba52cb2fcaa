"""Values of plays from any source, and the choice of the best play.

Plays of equal equity are ranked by win probability, then by expected number of rolls, then
by position number, so that a side that can no longer win still plays sensibly. Tables and
self-play rank equal plays by position number alone.
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
"""Largest difference between two equities, or two probabilities, that counts as a tie."""


@dataclass(frozen=True, eq=False)
class PlayValues:
    """Equities and probabilities after plays of many races, one array entry per play.

    Attributes
    ----------
    rows : ndarray of int64
        Index of the race to which each play belongs, in ascending order.
    sides : ndarray of int8, shape (n, 24)
        The roller's checkers after each play.
    equities, errors : ndarray of float64
        The roller's equity after each play, and the error of the equity as in `Values`.
    apart : ndarray of float64
        Error of the equity difference between each play and the best play. NaN if it is
        only known to be at most the sum of both plays' errors.
    wins, gammons : ndarray of float64
        Cubeless probabilities that the roller wins, and that either side wins a gammon.
    tie : float
        Difference of equities up to which two plays count as equal.
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
        """Index of the first play that belongs to each race."""
        return np.flatnonzero(np.diff(self.rows, prepend=-1))

    def of_each(self) -> "list[PlayValues]":
        """Split the plays into one object for each race."""
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
        """Return the cost of each play, and the error of the cost.

        The cost is the equity that the play loses compared with the best play of the same
        race. It is never negative, and 0 for equally good plays. The error of the best
        play's cost is the largest equity by which another play may be better, or 0 if every
        other play is clearly worse.

        Parameters
        ----------
        spread : float or ndarray of float64
            Factor for the errors when plays are compared: 1 for bounds, 2 for standard
            errors, 0 for plays that are known to be worse.
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
        """Index of the best play for each race."""
        firsts = self.firsts
        counts = np.diff(firsts, append=len(self.rows))
        most = np.repeat(np.maximum.reduceat(self.equities, firsts), counts)
        near = np.flatnonzero(self.equities >= most - self.tie)
        alone = np.diff(self.rows[near], prepend=-1, append=-2) != 0
        tied = near[~(alone[:-1] & alone[1:])]
        if len(tied):  # Equal plays are rare.
            near = np.union1d(np.setdiff1d(near, tied), tied[self._first_of(tied)])
        return near

    @property
    def unsure(self) -> float:
        """Largest minus smallest error of the equities; 0 if gammons hardly ever occur."""
        if not (self.gammons > NO_GAMMON).any():
            return 0.0
        return float(self.errors.max() - self.errors.min())

    def ranking(self) -> Int64Array:
        """Return the indices of the plays of one race, best play first."""
        best = self.equities.max(initial=-np.inf)
        places = np.arange(len(self.rows))
        costs = np.where(self.equities >= best - self.tie, 0.0, best - self.equities)
        order = np.argsort(costs, kind="stable")
        if (np.diff(costs[order]) > 0).all():
            return order
        return np.lexsort((places, *self._keys(places)[::-1], costs))

    def _first_of(self, tied: Int64Array) -> Int64Array:
        """Choose one of each race's equal plays: by win chance, then EPC, then index."""
        rows = self.rows[tied]
        order = np.lexsort((tied, *self._keys(tied)[::-1], rows))
        return order[np.flatnonzero(np.diff(rows[order], prepend=-1))]

    def _keys(self, places: Int64Array) -> tuple[Float64Array, Float64Array]:
        """Return the sort keys of equally good plays: probability of losing, and EPC."""
        loses = np.round((1 - self.wins[places]) / ROUNDING)
        return loses, np.round(bear_in().epc(self.sides[places]), 6)


def play_values(
    source: Source, races: Races, rows: Int64Array, sides: Int8Array
) -> PlayValues:
    """Return the values that a source gives to plays of many races.

    Parameters
    ----------
    source : Source
    races : Races
        Races before the plays.
    rows, sides
        Plays as returned by `bearoff.sources.races.plays_of`.

    Raises
    ------
    ValueError
        If the source returns values for other stakes than those of the races.
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
            raise ValueError(
                f"values for {found.terms} cannot be used for races with {then.terms}"
            )
        equities[on], errors[on] = -found.equity, found.error
        # Rollouts use the same dice for all plays of one race, but not for plays of
        # different races. Only for a single race are the errors of differences between
        # plays known.
        if source.kind == "model" or rows[0] == rows[-1]:
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
    """Return the points that opponents lose if the rollers bear off now, at a cube of 1.

    An opponent who has borne off no checker loses 2 points, or 3 points if a checker is
    also in the roller's home board. Other opponents lose 1 point. With a centred cube under
    the Jacoby rule, every opponent loses 1 point.
    """
    full = races.opponents.sum(axis=1) == races.start
    behind = races.opponents[:, 18:].any(axis=1)
    counts = races.gammons_count
    return np.asarray(1 + (full & counts) + (full & behind & counts), dtype=np.int64)
