"""EPC estimates that add a constant and pips for each checker to the pip count.

Most estimates come from a table by Art Benjamin, which does not define its variables g and
h. This module takes g as the number of empty home points, and h as the height of the
tallest stack. With these definitions, the estimate `mm8` has a root mean square error of
0.3 pips and no bias. Other definitions give errors of 0.4 to 1.2 pips. A public program
reads the table in the same way (AlexAdams781, Interactive Backgammon Blunderbase).
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.formulas.counting.features import FEATURES, HOME, Columns, pip_count
from bearoff.analysis.formulas.counting.sides import CountsArray, Float64Array
from bearoff.analysis.formulas.writing import Number, Worksheet, format_number

TABLE = "the table 'EPC estimation methods' that Art Benjamin provided"
"""Title of the publication that contains Benjamin's table of EPC estimates."""

Where = Callable[[Columns], NDArray[np.bool_]]
"""Type of a function that returns a mask of the sides for which an EPC estimate is
intended, given checkers by point."""


@dataclass(frozen=True)
class Wastage:
    """EPC estimate that adds a constant and pips for each checker to the pip count.

    Attributes
    ----------
    name, text, source : str
        Name of the EPC estimate, its rule in words for players, and its publication.
    base : Fraction
        Constant added to the pip count, in pips.
    each : tuple of Fraction
        Pips added for each checker on the ace, deuce, ... point.
    meant : callable
        Function that returns a mask of the sides for which the estimate is intended, given
        an array of checkers by point.
    gap, height : Fraction
        Pips added to the pip count for each empty home point, and for each checker of the
        tallest stack.
    """

    name: str
    text: str
    source: str
    base: Fraction
    each: tuple[Fraction, ...]
    meant: Where
    gap: Fraction = Fraction(0)
    height: Fraction = Fraction(0)

    @property
    def known(self) -> int:
        return 1 + len(self.each) + bool(self.gap) + bool(self.height)

    def epc(self, counts: CountsArray) -> Float64Array:
        return self.of_columns(np.ascontiguousarray(np.asarray(counts).T, dtype=np.int16))

    def of_columns(self, columns: Columns) -> Float64Array:
        # Hundredths of a pip are integers, so the sum has no rounding errors.
        total = 100 * pip_count(columns).astype(np.int64) + int(100 * self.base)
        for weight, checkers in zip(self.each, columns, strict=False):
            total += int(100 * weight) * checkers
        total += int(100 * self.gap) * (HOME - FEATURES["covered"].count(columns, None, 0))
        total += int(100 * self.height) * FEATURES["tallest"].count(columns, None, 0)
        return np.asarray(total / 100, dtype=np.float64)

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        pips = sum(point * n for point, n in enumerate(side, 1))
        sheet.write(f"{who} pips", str(pips), None, pips=1)
        home = side[:HOME]
        seen = [(weight, n) for weight, n in zip(self.each, home, strict=False)]
        if self.gap:
            seen.append((self.gap, home.count(0) + HOME - len(home)))
        if self.height:
            seen.append((self.height, max(home)))
        total = pips + self.base + sum((weight * n for weight, n in seen), Fraction(0))
        whole = sum(weight.denominator > 1 for weight, _ in seen)
        return sheet.write(
            f"{who} EPC",
            " + ".join(
                [
                    format_number(pips + self.base),
                    *(f"{n} x {format_number(w)}" for w, n in seen if n),
                ]
            )
            + f" = {format_number(total)}",
            total,
            tuple(f"{self.name} {k}" for k in range(self.known)),
            points=len(self.each) + HOME * bool(self.gap) + HOME * bool(self.height),
            small=1 + 2 * len(seen),
            round=whole,
        )


def _tenths(*numbers: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(number, 10) for number in numbers)


def left(columns: Columns) -> Columns:
    return FEATURES["checkers"].count(columns, None, 0)


def high(columns: Columns) -> NDArray[np.bool_]:
    return np.asarray(columns[4:].sum(axis=0) > 0)


def five_points(columns: Columns) -> NDArray[np.bool_]:
    return np.asarray((columns[:5] > 1).all(axis=0))


ABC = Wastage(
    "abc",
    "Begin with the pip count plus 7. Add 1 pip for each checker on the ace point and ½ "
    "pip for each on the deuce point.",
    f"{TABLE}; the estimate is intended for 9 checkers or more, with at most 2 on "
    "each of the points 1 "
    "to 3",
    Fraction(7),
    _tenths(10, 5),
    lambda columns: (left(columns) >= 9) & (columns[:3] <= 2).all(axis=0),
)

FASTIMATE = Wastage(
    "fastimate",
    "Begin with the pip count plus 4. Add 2 pips for each checker on the ace point, 1 on "
    "the deuce point and ½ on the three point; add 1.2 for each empty home point.",
    f"{TABLE}; the estimate is intended for 9 checkers or more, at least one of "
    "them on the five or six "
    "point",
    Fraction(4),
    _tenths(20, 10, 5),
    lambda columns: (left(columns) >= 9) & high(columns),
    gap=Fraction(6, 5),
)

FIVE_FLAT = Wastage(
    "5-flat",
    "Begin with the pip count plus 3. Add 2 pips for each checker on the ace point, 1 on "
    "the deuce point and ½ on the three point; add ½ for each checker of the tallest "
    "stack.",
    f"{TABLE}; the estimate is intended for at least two checkers on each of the "
    "points 1 to 5, and none "
    "on the six point",
    Fraction(3),
    _tenths(20, 10, 5),
    lambda columns: five_points(columns) & (columns[5] == 0),
    height=Fraction(1, 2),
)
"""EPC estimate for at least two checkers on each of the points 1 to 5, and none on the six
point."""

MATUSSEK = Wastage(
    "matussek",
    "Begin with the pip count plus 4.6. Add 2, 1.3, 0.8, 0.4, 0.2 and 0.1 pips for each "
    "checker on the points 1, 2, 3, 4, 5 and 6.",
    "Matussek, How to calculate exact game winning chances during bearoff, 2004; "
    "the estimate is intended for up to 8 checkers; this project repeated the "
    "linear regression as "
    "described, because the published coefficients were not available",
    Fraction(46, 10),
    _tenths(20, 13, 8, 4, 2, 1),
    lambda columns: left(columns) <= 8,
)

MM8 = Wastage(
    "mm8",
    "Begin with the pip count plus 2. Add 2, 1.3, 0.8, 0.4 and 0.2 pips for each checker "
    "on the points 1, 2, 3, 4 and 5; add 0.7 for each empty home point; add 0.3 for each "
    "checker of the tallest stack.",
    f"{TABLE}, after Matussek's regression of 2004; the estimate is intended for "
    "4 to 8 checkers, at "
    "least one of them on the five or six point",
    Fraction(2),
    _tenths(20, 13, 8, 4, 2),
    lambda columns: (left(columns) >= 4) & (left(columns) <= 8) & high(columns),
    gap=Fraction(7, 10),
    height=Fraction(3, 10),
)
"""EPC estimate for 4 to 8 checkers, at least one of them on the five or six point."""

MM8_MINUS = Wastage(
    "mm8-minus",
    "Begin with the pip count plus 2.4. Add 2, 1.3, 0.8 and 0.4 pips for each checker on "
    "the points 1, 2, 3 and 4; add 0.3 for each checker of the tallest stack.",
    f"{TABLE}; the estimate is intended for 6 or 8 checkers, none beyond the four "
    "point, and exactly one "
    "on the ace or deuce point",
    Fraction(24, 10),
    _tenths(20, 13, 8, 4),
    lambda columns: (
        ((left(columns) == 6) | (left(columns) == 8))
        & ~high(columns)
        & (columns[:2] == 1).any(axis=0)
    ),
    height=Fraction(3, 10),
)
"""EPC estimate for 6 or 8 checkers on the points 1 to 4, with exactly one checker on the
ace or deuce point."""

WASTAGES = (ABC, FASTIMATE, FIVE_FLAT, MATUSSEK, MM8, MM8_MINUS)
