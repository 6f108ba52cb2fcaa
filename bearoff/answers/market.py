"""Market losers by any source of values: what an exchange of rolls does to the cube."""

import numpy as np

from bearoff.answers.races import Races, plays_of
from bearoff.answers.values import (
    Float64Array,
    Int8Array,
    Int64Array,
    Source,
    equities_after,
)
from bearoff.cube import Market, RollersCube
from bearoff.positions import Race
from bearoff.rolls import ROLLS

_WON, _TOO_GOOD, _PASS, _TAKE, _NO_DOUBLE, _OPPONENT_DOUBLES, _LOST = range(7)


def market_by(source: Source, race: Race) -> Market:
    """Follow every exchange of rolls if the roller, who may, does not double now.

    As `bearoff.market`, of which it shares the outcomes.
    """
    cube: RollersCube = "owned" if race.cube == "owned" else "centred"
    rolls = len(ROLLS)
    start = Races.of([race]).select(np.zeros(rolls, dtype=np.int64))
    after = best_after(source, start)
    outcomes = np.full((rolls, rolls), _WON, dtype=np.uint8)
    close = np.zeros(outcomes.shape, dtype=bool)
    on = np.flatnonzero(after.any(axis=1))
    if cube == "centred" and len(on):
        theirs = source.values(start.after(on, after[on])).actions
        outcomes[on[theirs.doubles]] = _OPPONENT_DOUBLES
        close[on] = theirs.double_too_close[:, None]
        on = on[~theirs.doubles]
    if len(on):
        each = np.repeat(on, rolls)
        replies = start.after(each, after[each])
        reached = best_after(source, replies, np.tile(np.arange(rolls), len(on)))
        outcomes[on] = _LOST
        left = np.flatnonzero(reached.any(axis=1))
        then = source.values(replies.after(left, reached[left])).actions
        doubled = np.where(then.takes, _TAKE, _PASS)
        waits = np.where(then.too_good, _TOO_GOOD, _NO_DOUBLE)
        own, reply = each[left], left % rolls
        outcomes[own, reply] = np.where(then.doubles, doubled, waits)
        close[own, reply] |= then.too_close
    for array in (outcomes, close):
        array.setflags(write=False)
    return Market(cube, outcomes, close)


def best_after(source: Source, races: Races, rolls: Int64Array | None = None) -> Int8Array:
    """Return each roller's side after its best play of its roll, shape (n, 24).

    `rolls` are places in `bearoff.ROLLS`; the first race has the first, if not given.
    """
    places = np.arange(len(races)) if rolls is None else rolls
    rows, sides = plays_of(races.rollers, places)
    equities, _ = equities_after(source, races, rows, sides)
    return sides[first_best(rows, equities)]


def first_best(
    rows: Int64Array,
    equities: Float64Array,
) -> Int64Array:
    """Return the place of the first greatest equity of each row; `rows` rise."""
    firsts = np.flatnonzero(np.diff(rows, prepend=-1))
    best = np.repeat(
        np.maximum.reduceat(equities, firsts), np.diff(firsts, append=len(rows))
    )
    at_best = np.flatnonzero(equities == best)
    return at_best[np.searchsorted(at_best, firsts)]
