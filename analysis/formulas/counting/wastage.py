"""Estimates that add to the pips what is wasted: so much for each checker of a point.

All are from the table published with the numbering's author. Its g and h, which it does not
define where it could be read, are the empty home points and the checkers of the tallest
stack: so `mm8` is off by 0.3 pips (rms) without bias, other readings by 0.4 to 1.2.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from analysis.formulas.counting.features import FEATURES, HOME, Columns, pip_count
from analysis.formulas.counting.sides import CountsArray, Float64Array
from analysis.formulas.writing import Number, Worksheet, format_number

_TABLE = "estimates published with Art Benjamin, Backgammon race formulae"


@dataclass(frozen=True)
class Wastage:
    """Pips, a number, and so many tenths or hundredths for what is seen.

    Attributes
    ----------
    name, text, source : str
        As in `EpcEstimate`.
    base : Fraction
        Pips added to every side.
    each : tuple of Fraction
        Pips for each checker on the ace, deuce, ...
    gap, height : Fraction
        For each empty home point; for each checker of the tallest stack.
    """

    name: str
    text: str
    source: str
    base: Fraction
    each: tuple[Fraction, ...]
    gap: Fraction = Fraction(0)
    height: Fraction = Fraction(0)

    def epc(self, counts: CountsArray) -> Float64Array:
        """Estimate the EPC of every side, in pips, shape (n,)."""
        return self.of_columns(np.ascontiguousarray(np.asarray(counts).T, dtype=np.int16))

    def of_columns(self, columns: Columns) -> Float64Array:
        """Estimate from checkers by point."""
        # In hundredths, so that nothing is rounded.
        total = 100 * pip_count(columns).astype(np.int64) + int(100 * self.base)
        for weight, checkers in zip(self.each, columns, strict=False):
            total += int(100 * weight) * checkers
        total += int(100 * self.gap) * (HOME - FEATURES["covered"].count(columns, None, 0))
        total += int(100 * self.height) * FEATURES["tallest"].count(columns, None, 0)
        return np.asarray(total / 100, dtype=np.float64)

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        """Estimate one side on the worksheet."""
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
            tuple(f"{self.name} {k}" for k in range(1 + len(seen))),
            points=len(self.each) + HOME * bool(self.gap) + HOME * bool(self.height),
            small=1 + 2 * len(seen),
            round=whole,
        )


def _tenths(*numbers: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(number, 10) for number in numbers)


ABC = Wastage(
    "abc",
    "The pip count and 7, 1 for each ace checker and ½ for each deuce checker.",
    f"{_TABLE}: for 9 checkers or more, at most 2 on each of the lowest three points",
    Fraction(7),
    _tenths(10, 5),
)

FASTIMATE = Wastage(
    "fastimate",
    "The pip count and 4, 2 for each ace checker, 1 for each deuce checker, ½ for each on "
    "the three, 1.2 for each empty home point.",
    f"{_TABLE}: for 9 checkers or more, one of them on the five or six",
    Fraction(4),
    _tenths(20, 10, 5),
    gap=Fraction(6, 5),
)

MM8 = Wastage(
    "mm8",
    "The pip count and 2; 2, 1.3, 0.8, 0.4 and 0.2 for each checker on the ace to five; "
    "0.7 for each empty home point; 0.3 for each checker of the tallest stack.",
    f"{_TABLE}, after Matussek's regression of 2004: for 4 to 8 checkers, one on the five "
    "or six",
    Fraction(2),
    _tenths(20, 13, 8, 4, 2),
    gap=Fraction(7, 10),
    height=Fraction(3, 10),
)
"""Its 4 less 0.7 x 2 and 0.3 x 2."""

WASTAGES = (ABC, FASTIMATE, MM8)
