"""Art Benjamin's table of EPC estimates: three of its entries, and the complete table."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.formulas.counting.features import HOME, Columns, columns_of, pip_count
from bearoff.analysis.formulas.counting.sides import CountsArray, Float64Array
from bearoff.analysis.formulas.counting.wastage import (
    FIVE_FLAT,
    MM8,
    MM8_MINUS,
    TABLE,
    five_points,
    high,
    left,
)
from bearoff.analysis.formulas.writing import Number, Worksheet, format_number

BoolArray = NDArray[np.bool_]

MANY = 14
"""Smallest number of checkers for which the EPC estimate `Mcg` adds more pips for gaps."""


class _Estimates(Protocol):
    def of_columns(self, columns: Columns) -> Float64Array: ...

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number: ...


class _OfTable(ABC):
    """Base class of EPC estimates that compute the wastage and add it to the pip count."""

    name: str
    seen: tuple[int, int, int]
    """Mental work to find the wastage, as three numbers: points to examine, additions, and
    numbers to memorise."""

    divided: int = 0
    """How often the player divides by the number of checkers to find the wastage."""

    def epc(self, counts: CountsArray) -> Float64Array:
        return self.of_columns(columns_of(counts))

    def of_columns(self, columns: Columns) -> Float64Array:
        # Twentieths of a pip are integers, so the sum has no rounding errors.
        columns = _padded(columns)
        wasted = self.twentieths(columns)
        return np.asarray((20 * self.start(columns) + wasted) / 20, dtype=np.float64)

    @property
    def known(self) -> int:
        return self.seen[2]

    def start(self, columns: Columns) -> NDArray[np.int64]:
        """Return the pips to which the wastage is added: by default, the pip count."""
        return pip_count(columns).astype(np.int64)

    @abstractmethod
    def twentieths(self, columns: Columns) -> NDArray[np.int64]:
        """Return the wastage of each side, in twentieths of a pip."""

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        columns = _padded(columns_of(np.array([side])))
        start = int(self.start(columns)[0])
        wasted = Fraction(int(self.twentieths(columns)[0]), 20)
        looks, additions, numbers = self.seen
        sheet.write(f"{who} pips", str(int(pip_count(columns)[0])), None, pips=1)
        return sheet.write(
            f"{who} EPC",
            f"{start} + {format_number(wasted)} = {format_number(start + wasted)}",
            start + wasted,
            tuple(f"{self.name} {k}" for k in range(numbers)),
            points=looks,
            small=additions,
            long=self.divided,
            round=1,
        )


@dataclass(frozen=True)
class SixFlat(_OfTable):
    """EPC estimate for at least two checkers on each of points 1 to 5, and any number on 6.

    With two checkers on each of the six points, the wastage is 10 pips. With one checker on
    the six point, the wastage is 1 pip less than by `FIVE_FLAT`.
    """

    name: str = "6-flat"
    text: str = (
        "Begin with the pip count plus 3. Add 2 pips for each checker on the ace point, "
        "1 on the deuce point and ½ on the three point. If the six point has one "
        "checker, subtract 1 and add ½ for each checker of the tallest stack. If the "
        "five and six points have three or more checkers each, subtract ½."
    )
    source: str = (
        f"{TABLE}; the estimate is intended for at least two checkers on each of "
        "the points 1 to 5, and "
        "at least one on the six point"
    )
    seen = (12, 8, 6)

    @staticmethod
    def meant(columns: Columns) -> BoolArray:
        return np.asarray(five_points(columns) & (columns[5] > 0))

    def twentieths(self, columns: Columns) -> NDArray[np.int64]:
        low = 60 + np.array([40, 20, 10]) @ columns[:3].astype(np.int64)
        one = 10 * columns[:HOME].max(axis=0).astype(np.int64) - 20
        spare = (columns[4] > 2) & (columns[5] > 2)
        return np.asarray(low + np.where(columns[5] == 1, one, -10 * spare))


@dataclass(frozen=True)
class Mcg(_OfTable):
    """Matt Cohn-Geier's EPC estimate for nine or more checkers."""

    name: str = "mcg"
    text: str = (
        "Begin with the pip count plus 10. For the ace point, add 2 pips for each "
        "checker after two; subtract 1½ pips if this point has one checker, and 2½ pips "
        "if this point is empty. For the deuce point, add 1¼ pips for each checker after "
        "two; subtract ¾ pip if this point has one checker, and 1 pip if this point is "
        "empty. For the three point, add ¾ pip for each checker after two; subtract ¼ "
        "pip if this point has fewer than two. Add 0.2 pips for each checker on the four "
        "point, and subtract 0.2 pips for each checker on the six point. Add 1½ if the "
        "four point is empty, 1½ if the five point is empty, and 1 if the six point is "
        "empty; add ½ for each of these points that has one checker. Add 0.3 pips for "
        "each checker of the tallest stack except three of its checkers. With 14 or 15 "
        "checkers, subtract 0.4, and add 2 instead of 1½ for an empty four or five point."
    )
    source: str = (
        f"{TABLE}, Matt Cohn-Geier; the estimate is intended for 9 checkers or "
        "more, at least one of them "
        "on the five or six point"
    )
    seen = (HOME + 3 + HOME, 2 * HOME + 2, 17)

    @staticmethod
    def meant(columns: Columns) -> BoolArray:
        return np.asarray((left(columns) >= 9) & high(columns))

    def twentieths(self, columns: Columns) -> NDArray[np.int64]:
        ace, deuce, three, four, five, six = columns[:HOME].astype(np.int64)
        many = left(columns) >= MANY
        wasted = 200 - 8 * many + 6 * (columns[:HOME].max(axis=0).astype(np.int64) - 3)
        wasted += np.choose(np.minimum(ace, 2), (-50, -30, 40 * (ace - 2)))
        wasted += np.choose(np.minimum(deuce, 2), (-20, -15, 25 * (deuce - 2)))
        wasted += np.where(three < 2, -5, 15 * (three - 2))
        wasted += 4 * (four - six)
        for point, gap in ((four, np.where(many, 40, 30)),
                           (five, np.where(many, 40, 30)), (six, 20)):  # fmt: skip
            wasted += np.where(point == 0, gap, np.where(point == 1, 10, 0))
        return np.asarray(wasted)


@dataclass(frozen=True)
class NearlyNoMiss(_OfTable):
    """EPC estimate for checkers without gaps on points 1 to 4, by rolls and mean point.

    G is the mean point number of the checkers, minus half a point for an odd number of
    checkers. A public program reads the table in the same way (AlexAdams781, Interactive
    Backgammon Blunderbase).
    """

    name: str = "nnm"
    text: str = (
        "7 times the number of rolls that are needed at two checkers per roll, plus 1. "
        "Let G be the mean point number of the checkers, less ½ if the number of checkers "
        "is odd. If this mean G is from 1.4 to 2, add 2G − 2.8 pips to the estimate; if "
        "G is above 2, add 4G − 7 pips."
    )
    source: str = (
        f"{TABLE}, after Trice; the estimate is intended for sides without gaps "
        "and without checkers "
        "beyond the four point"
    )
    seen = (HOME, 3, 7)
    divided = 1

    @staticmethod
    def meant(columns: Columns) -> BoolArray:
        return np.asarray(_gapless(columns) & ~high(columns))

    def start(self, columns: Columns) -> NDArray[np.int64]:
        """Return the EPC if no roll ever misses: 7 pips per remaining roll, plus 1 pip."""
        return np.asarray((left(columns).astype(np.int64) + 1) // 2 * 7 + 1)

    def twentieths(self, columns: Columns) -> NDArray[np.int64]:
        """Return the pips that are added to `start`, in twentieths of a pip, shape (n,)."""
        checkers = left(columns)
        mean = pip_count(columns[:HOME]) / np.maximum(checkers, 1) - checkers % 2 / 2
        more = np.where(mean > 2, 4 * mean - 7, np.maximum(2 * mean - 2.8, 0))
        return np.asarray(np.round(20 * more), dtype=np.int64)


def _padded(columns: Columns) -> Columns:
    return np.pad(columns, ((0, max(0, HOME - len(columns))), (0, 0)))


def _gapless(columns: Columns) -> BoolArray:
    on = columns[:HOME] > 0
    above = np.cumsum(on[::-1], axis=0)[::-1] > 0
    return np.asarray((on == above).all(axis=0))


@dataclass(frozen=True)
class TableEstimate:
    """EPC estimate by Benjamin's table, or by another estimate if the table has no entry.

    Attributes
    ----------
    other : estimate
        EPC estimate for positions that have no entry in Benjamin's table.
    """

    other: _Estimates
    name: str = "by-table"
    text: str = (
        "If each of the points 1 to 5 has at least two checkers, use 6-flat or 5-flat. "
        "Otherwise, if a checker is on the five or six point, use MCG for 9 checkers "
        "or more and MM8 for 4 to 8 checkers. If no checker is on the five or six "
        "point, use MM8 minus for 6 or 8 checkers with exactly one on the ace or deuce "
        "point, and nearly-no-miss if there are no gaps. For all other positions, use "
        "the rules by shape."
    )
    source: str = f"{TABLE}; this project chose the order in which the estimates are tried"

    def epc(self, counts: CountsArray) -> Float64Array:
        return self.of_columns(columns_of(counts))

    def meant(self, columns: Columns) -> BoolArray:
        """Return true for every side; `other` estimates sides without a table entry."""
        return np.ones(columns.shape[1], dtype=np.bool_)

    def of_columns(self, columns: Columns) -> Float64Array:
        columns = _padded(columns)
        found = self.other.of_columns(columns)
        for estimate in reversed(_ORDER):
            found = np.where(estimate.meant(columns), estimate.of_columns(columns), found)
        return found

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        columns = _padded(columns_of(np.array([side])))
        used = next((e for e in _ORDER if e.meant(columns)[0]), self.other)
        sheet.write(
            f"estimate to use for {who} checkers", getattr(used, "name", "by shape"), None,
            _KNOWN, points=HOME, compare=3,
        )  # fmt: skip
        # The steps of the chosen estimate list no numbers to memorise, because `_KNOWN`
        # already contains the numbers of all estimates.
        own = Worksheet()
        found = used.work(own, side, who)
        for step in own.steps:
            sheet.write(step.words, step.arithmetic, None, (), **step.work)
        return found


_ORDER = (SixFlat(), FIVE_FLAT, Mcg(), MM8, MM8_MINUS, NearlyNoMiss())

_KNOWN = tuple(
    f"{name} {k}"
    for name, known in (*((e.name, e.known) for e in _ORDER), ("kind", 6), ("by shape", 8))
    for k in range(known)
)
"""Names of all numbers that a player must memorise to use Benjamin's table."""

OF_TABLE: tuple[Mcg, NearlyNoMiss, SixFlat] = (Mcg(), NearlyNoMiss(), SixFlat())
