"""Markov chain of the fast model, in which each player has only an effective pip count.

A side's position is represented only by its EPC, rounded to ``1 / BINS_PER_ROLL`` rolls;
the rounded EPCs are called bins. A roll changes the EPC as it does on average in positions
with a similar EPC, weighted by their frequency in races:

- *In the home board*, the exact one-sided table has the EPC after each roll. Positions with
  a slightly lower or higher EPC are weighted so that the mean EPC decreases by exactly one
  roll, 49/6 pips. The probability of bearing off with the next roll is not changed.
- *In a long race*, a roll lowers the EPC by its pips. Large doubles lower it by a little
  less, because they cannot be played without wastage; see `LONG_FALLS`.
- *Between* 70 and 90 pips, the two cases are mixed.

A side with an EPC of :math:`e` then needs exactly :math:`e / (49/6)` rolls on average, and
the standard deviation is typical of positions with this EPC.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.errors import TableError
from bearoff.one_sided import OneSidedTable, one_sided_table
from bearoff.positions import CHECKERS, POINTS, unrank
from bearoff.rolls import PIPS_PER_ROLL, THROWS, WEIGHTS
from bearoff.storage import Arrays

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

BINS_PER_ROLL = 16
"""Number of EPC bins in one roll, which is 8 1/6 pips and the smallest nonzero EPC."""

ARRIVAL_SHARES = (3, 6, 10, 22, 27, 32)
"""Percentages of a player's checkers on the 1 point to the 6 point when the last checker
comes home. They were measured with 15 checkers that start on random points from 1 to 10."""

LONG_FALLS: tuple[tuple[float, float], ...] = (
    (3.18, 0.18), (4.17, 0.16), (5.17, 0.15), (5.15, 0.13), (6.14, 0.12),
    (7.11, 0.09), (6.08, 0.10), (7.07, 0.08), (8.03, 0.07), (8.98, 0.10),
    (6.97, 0.10), (7.97, 0.08), (8.93, 0.11), (9.87, 0.15), (10.76, 0.22),
    (4.24, 0.24), (8.23, 0.24), (12.12, 0.24), (15.97, 0.21), (19.53, 0.44),
    (22.79, 0.79),
)  # fmt: skip
"""Mean and standard deviation, in pips, of the decrease of the EPC in a long race, for each
roll in the order of `bearoff.ROLLS`. They were measured over positions with an EPC from 90
to 110."""

_HOME_UNTIL, _LONG_FROM = 70.0, 90.0
"""Limits of EPCs in pips. Below the first limit, the EPC decreases as in the home board;
above the second, as in a long race; between them, the model interpolates."""

_NEAR = 1.0
"""Maximum difference in pips between an EPC of the model and the EPCs of the positions that
represent it. The difference is smaller for EPCs below 40 pips."""

_MOST_FALL = 36.0
"""Upper bound on the decrease of the EPC in a roll, in pips."""


def race_visits(table: OneSidedTable) -> Float64Array:
    """Return how often, on average, each home-board position occurs in a race.

    Parameters
    ----------
    table : OneSidedTable
        One-sided table of 6 points and 15 checkers.

    Returns
    -------
    ndarray of float64, shape (positions,)
        Mean numbers of visits for 15 checkers that come home independently with the
        probabilities `ARRIVAL_SHARES` and are borne off by fewest-rolls play. The first
        element is 1, because every race ends there.

    Examples
    --------
    >>> round(float(race_visits(one_sided_table())[0]), 9)
    1.0
    """
    checks.instance(table, "table", OneSidedTable, TableError)
    counts = unrank(np.arange(len(table)), POINTS, CHECKERS)
    # Logarithms differ between machines in their last bits, so factorials and powers are
    # computed as products.
    factorials = np.cumprod(np.concatenate([[1.0], np.arange(1.0, CHECKERS + 1)]))
    visits = np.full(len(table), factorials[CHECKERS])
    for point, share in enumerate(ARRIVAL_SHARES):
        powers = np.cumprod(np.concatenate([[1.0], np.full(CHECKERS, share / 100)]))
        visits *= (powers / factorials)[counts[:, point]]
    visits[counts.sum(axis=1) < CHECKERS] = 0.0
    weights = np.array(WEIGHTS) / THROWS
    for pips in range(int(table.pips.max()), 0, -1):
        at = np.flatnonzero(table.pips == pips)
        visits += np.bincount(
            table.policy[at].ravel(),
            weights=(visits[at, None] * weights).ravel(),
            minlength=len(table),
        )
    return visits


def falls_of(bins: int) -> Float64Array:
    """Return, for each EPC bin, how likely a roll decreases the EPC by each amount.

    The array has the shape (bins, most + 1). Element ``[i, f]`` is the probability that a
    roll lowers the EPC from bin ``i`` to bin ``i - f``. Each row sums to 1, and every roll
    lowers the EPC. For EPCs of one roll or more, the mean decrease is one roll. From an EPC
    of one roll or less, every roll bears all checkers off. Bin 0 is the position without
    checkers.
    """
    step = PIPS_PER_ROLL / BINS_PER_ROLL
    falls = np.zeros((bins, int(_MOST_FALL / step) + 2))
    one = min(BINS_PER_ROLL + 1, bins)
    falls[np.arange(one), np.arange(one)] = 1.0
    home = _Home()
    for i in range(one, bins):
        share = np.clip((i * step - _HOME_UNTIL) / (_LONG_FROM - _HOME_UNTIL), 0.0, 1.0)
        if share < 1.0:
            _spread(*home.falls(i * step, step), 1.0 - share, step, falls[i])
        if share > 0.0:
            _spread(*_long_falls(), share, step, falls[i])
    return falls


class _Home:
    """Positions with all checkers home, sorted by EPC, and the EPC after each roll."""

    def __init__(self) -> None:
        table = one_sided_table()
        order = np.argsort(table.epc, kind="stable")[1:]
        self._epc = table.epc[order]
        self._after = table.epc[table.policy[order]]
        self._visits = race_visits(table)[order]

    def falls(self, epc: float, step: float) -> tuple[Float64Array, Float64Array]:
        """Return the amounts by which a roll may lower an EPC, and their probabilities."""
        weights = np.array(WEIGHTS) / THROWS
        near = _NEAR * min(1.0, epc / 40.0)
        while True:
            first, last = np.searchsorted(self._epc, [epc - near, epc + near])
            here = slice(int(first), int(last))
            lag = epc - self._epc[here]
            # The EPC after a roll is corrected by the difference between the EPC of the bin
            # and the EPC of the position. Low EPCs are corrected less, because no EPC lies
            # between 0 and one roll.
            after = self._after[here]
            moving = np.clip((after - PIPS_PER_ROLL) / 10.0, 0.0, 1.0)
            after = np.minimum(after + moving * lag[:, None], epc - step)
            excess = (after * weights).sum(axis=1) - (epc - PIPS_PER_ROLL)
            speak = np.maximum(1.0 - np.abs(lag) / near, 0.0) * self._visits[here]
            below = np.where(excess < 0.0, speak, 0.0)
            above = np.where(excess > 0.0, speak, 0.0)
            too_little, too_much = -(below * excess).sum(), (above * excess).sum()
            if too_little > 0.0 and too_much > 0.0:
                break
            near *= 1.25
        balanced = below * too_much + above * too_little
        balanced /= balanced.sum()
        return (epc - after).ravel(), (balanced[:, None] * weights).ravel()


def _long_falls() -> tuple[Float64Array, Float64Array]:
    """Return the EPC decreases of a roll in a long race, and their probabilities."""
    mean, std = np.array(LONG_FALLS).T
    weights = np.array(WEIGHTS) / THROWS
    mean = mean + PIPS_PER_ROLL - (mean * weights).sum()
    falls = np.concatenate([mean - std, mean + std])
    return falls, np.concatenate([weights, weights]) / 2


def _spread(
    falls: Float64Array, chances: Float64Array, share: float, step: float, row: Float64Array
) -> None:
    """Add the probabilities of EPC decreases to a row, each divided between two bins."""
    places = falls / step
    # The term 1e-9 allows for rounding errors, so that a decrease by a whole number of bins
    # is not divided between two bins.
    bins = np.floor(places + 1e-9).astype(np.int64)
    upper = np.maximum(places - bins, 0.0)
    row += np.bincount(bins, share * chances * (1.0 - upper), minlength=len(row))
    row[1:] += np.bincount(bins, share * chances * upper, minlength=len(row))[:-1]


def solve_chain(falls: Float64Array) -> Arrays:
    """Solve the race of two players whose EPCs decrease with given probabilities.

    `falls` is an array such as `falls_of` returns. Returns the arrays ``planes``,
    ``no_double_values`` and ``std_rolls`` of `RaceModel`.
    """
    from bearoff.race_model import kernels

    bins = len(falls)
    first, last = _reach(falls)
    planes, no_double = np.empty((4, bins, bins)), np.empty((2, bins, bins))
    kernels.solve(falls, first, last, planes, no_double)
    mean, second = np.zeros(bins), np.zeros(bins)
    for i in range(1, bins):
        chances = falls[i, first[i] : last[i]]
        after = i - np.arange(first[i], last[i])
        mean[i] = 1 + (chances * mean[after]).sum()
        second[i] = 2 * mean[i] - 1 + (chances * second[after]).sum()
    return {
        "planes": planes.astype(np.float32),
        "no_double_values": no_double.astype(np.float32),
        "std_rolls": np.sqrt(np.maximum(second - mean**2, 0.0)),
    }


MOST_BINS = 46 * BINS_PER_ROLL + 1
"""Maximum number of EPC bins, which suffices for positions that need up to 46 rolls on
average. Fifteen checkers on the 24 point need 45.2 rolls."""


def typical_falls(bins: int) -> tuple[Float64Array, Int64Array, Int64Array]:
    """Return the probabilities of EPC decreases for each EPC bin, and their ranges.

    `bins` is the number of EPC bins, at most `MOST_BINS`. The last two results have the
    smallest decrease for each bin, and one more than the largest decrease.
    """
    return tuple(part[:bins] for part in _most_falls())  # type: ignore[return-value]


@lru_cache(maxsize=1)
def _most_falls() -> tuple[Float64Array, Int64Array, Int64Array]:
    falls = falls_of(MOST_BINS)
    return falls, *_reach(falls)


def _reach(falls: Float64Array) -> tuple[Int64Array, Int64Array]:
    """Return each row's smallest EPC decrease, and one more than its largest decrease."""
    some = falls > 0
    last = falls.shape[1] - some[:, ::-1].argmax(axis=1)
    return np.asarray(some.argmax(axis=1)), np.asarray(last)
