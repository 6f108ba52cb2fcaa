"""Typical race as a Markov chain of effective pip counts.

A side is represented by its EPC alone, in bins of ``1 / BINS_PER_ROLL`` rolls. The effect
of a roll on a bin is its effect on positions with an EPC near it, weighted by how often
they occur in races:

- *On the home board* the exact one-sided table has the EPC after each roll. Positions a
  little below and above the bin are weighted so that the mean EPC decreases by exactly one
  roll, 49/6 pips. The chance to bear off with the next roll is not changed.
- *In a long race* a roll lowers the EPC by its pips, and large doubles by a little less,
  because they cannot be played without waste: `LONG_FALLS`.
- *Between* 70 and 90 pips the two cases are mixed.

A side of EPC :math:`e` then needs exactly :math:`e / (49/6)` rolls on average, with a
standard deviation typical of sides of that EPC.
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
"""Number of discrete EPC steps per roll; one roll, the smallest nonzero EPC, is a whole
number of steps."""

ARRIVAL_SHARES = (3, 6, 10, 22, 27, 32)
"""Percentages of checkers on the 1 point to the 6 point when the last checker comes home.
Measured for 15 checkers under fewest-rolls play that start on ten points, each on point
``p`` with a probability proportional to ``p``."""

LONG_FALLS: tuple[tuple[float, float], ...] = (
    (3.18, 0.18), (4.17, 0.16), (5.17, 0.15), (5.15, 0.13), (6.14, 0.12),
    (7.11, 0.09), (6.08, 0.10), (7.07, 0.08), (8.03, 0.07), (8.98, 0.10),
    (6.97, 0.10), (7.97, 0.08), (8.93, 0.11), (9.87, 0.15), (10.76, 0.22),
    (4.24, 0.24), (8.23, 0.24), (12.12, 0.24), (15.97, 0.21), (19.53, 0.44),
    (22.79, 0.79),
)  # fmt: skip
"""Mean and standard deviation of the EPC decrease for each roll in a long race. Measured in
the one-sided table of 10 points, over positions of EPC 90 to 110 that occur in races from
ten points; rolls in the order of `bearoff.ROLLS`."""

_HOME_UNTIL, _LONG_FROM = 70.0, 90.0
"""EPCs in pips between which decreases of home positions and of long races are mixed."""

_NEAR = 1.0
"""Half-width in pips of the range of positions that represent an EPC, for EPCs from 40 pips
on."""

_MOST_FALL = 36.0
"""Upper bound in pips on the EPC decrease by a roll."""


def race_visits(table: OneSidedTable) -> Float64Array:
    """Return the mean number of times that a race visits each home position.

    Parameters
    ----------
    table : OneSidedTable
        Table of 6 points and 15 checkers.

    Returns
    -------
    ndarray of float64, shape (positions,)
        Visits from 15 checkers that come home independently with `ARRIVAL_SHARES` and
        are borne off by fewest-rolls play. The first entry is 1, because every race
        ends.

    Examples
    --------
    >>> round(float(race_visits(one_sided_table())[0]), 9)
    1.0
    """
    checks.instance(table, "table", OneSidedTable, TableError)
    counts = unrank(np.arange(len(table)), POINTS, CHECKERS)
    # Powers are computed as products, because logarithms would differ in the last bits
    # between machines.
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
    """Return the probabilities of EPC decreases by a roll, for discrete EPCs.

    The array has shape (bins, most + 1): ``[i, f]`` is the probability that a roll leads
    from bin ``i`` to bin ``i - f``. Rows sum to 1, and no decrease is 0. From one roll on
    the mean decrease is one roll. A side of one roll or less is borne off by any roll. Bin
    0 has no checkers left.
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
    """Home positions sorted by EPC."""

    def __init__(self) -> None:
        table = one_sided_table()
        order = np.argsort(table.epc, kind="stable")[1:]
        self._epc = table.epc[order]
        self._after = table.epc[table.policy[order]]
        self._visits = race_visits(table)[order]

    def falls(self, epc: float, step: float) -> tuple[Float64Array, Float64Array]:
        """Return possible decreases of an EPC, and their probabilities (mean: one roll)."""
        weights = np.array(WEIGHTS) / THROWS
        near = _NEAR * min(1.0, epc / 40.0)
        while True:
            first, last = np.searchsorted(self._epc, [epc - near, epc + near])
            here = slice(int(first), int(last))
            lag = epc - self._epc[here]
            # Successors of a long position are shifted by the difference between its EPC
            # and the EPC of this bin. Successors of a short position are not shifted,
            # because no EPC lies between 0 and one roll.
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
    """Return decreases in a long race and their probabilities; their mean is one roll."""
    mean, std = np.array(LONG_FALLS).T
    weights = np.array(WEIGHTS) / THROWS
    mean = mean + PIPS_PER_ROLL - (mean * weights).sum()
    falls = np.concatenate([mean - std, mean + std])
    return falls, np.concatenate([weights, weights]) / 2


def _spread(
    falls: Float64Array, chances: Float64Array, share: float, step: float, row: Float64Array
) -> None:
    """Add EPC decreases to a row, each split between two discrete ones of equal mean."""
    places = falls / step
    # If a decrease is a whole number of bins within rounding, all of it goes into a single
    # bin.
    bins = np.floor(places + 1e-9).astype(np.int64)
    upper = np.maximum(places - bins, 0.0)
    row += np.bincount(bins, share * chances * (1.0 - upper), minlength=len(row))
    row[1:] += np.bincount(bins, share * chances * upper, minlength=len(row))[:-1]


def solve_chain(falls: Float64Array) -> Arrays:
    """Solve the race of two sides whose EPCs decrease with the probabilities `falls`.

    `falls` has the form of `falls_of`. Returns the arrays ``planes``, ``no_double_values``
    and ``std_rolls`` of `RaceModel`.
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
"""Maximum number of discrete EPCs of a side, for up to 46 mean rolls; 15 checkers on the 24
point need 45.2."""


def typical_falls(bins: int) -> tuple[Float64Array, Int64Array, Int64Array]:
    """Return the probabilities of EPC decreases, with the smallest and largest decrease.

    `bins` is at most `MOST_BINS`. The bounds are the smallest decrease and one more than
    the largest.
    """
    return tuple(part[:bins] for part in _most_falls())  # type: ignore[return-value]


@lru_cache(maxsize=1)
def _most_falls() -> tuple[Float64Array, Int64Array, Int64Array]:
    falls = falls_of(MOST_BINS)
    return falls, *_reach(falls)


def _reach(falls: Float64Array) -> tuple[Int64Array, Int64Array]:
    """Return the smallest decrease of each row, and one more than the largest."""
    some = falls > 0
    last = falls.shape[1] - some[:, ::-1].argmax(axis=1)
    return np.asarray(some.argmax(axis=1)), np.asarray(last)
