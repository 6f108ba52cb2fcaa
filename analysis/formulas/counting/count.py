"""Adjusted counts: a pip count or EPC, plus adjustments for features of the position.

Adjustments and values of checkers are multiples of half a pip. float64 adds them without
rounding errors, so equal counts compare as equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby

import numpy as np

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting.adjustment import (
    Adjustment,
    write_compared,
    write_own,
)
from bearoff.analysis.formulas.counting.epc_estimates import estimates, get_estimate
from bearoff.analysis.formulas.counting.features import HOME, Columns, columns_of, pip_count
from bearoff.analysis.formulas.counting.floor import Floor
from bearoff.analysis.formulas.counting.sides import CountsArray, Float64Array, side_epc
from bearoff.analysis.formulas.writing import (
    Number,
    Worksheet,
    format_number,
    is_halves,
    mixed,
    signed,
    steps,
    wording,
)

Side = tuple[int, ...]
"""Number of checkers on each point of one side, beginning with the ace point."""


@dataclass(frozen=True)
class Count:
    """Adjusted count of one side, in pips.

    Attributes
    ----------
    adjustments : tuple of Adjustment
        Adjustments for features of the position.
    start : str
        Count before adjustments: ``pips``; ``epc`` for the EPC computed by `side_epc`; or
        the name of an EPC estimate.
    values : tuple of float
        Value in pips of a checker on the ace, deuce, ... point, which replaces its pips; a
        multiple of one half. Requires ``start="pips"``.
    least : Floor or None
        Minimum of the adjusted count; None for no minimum.
    each : float
        Pips added for each checker without an entry in `values`, a multiple of one half.
        Requires ``start="pips"``.
    twice : float or None
        If given, each checker outside the home board is worth twice its pips plus this
        number of pips, a multiple of one half. Requires ``start="pips"``.

    Examples
    --------
    >>> import numpy as np
    >>> count = Count((Adjustment(2, "checkers", (1,), beyond=2),))
    >>> roller, opponent = np.array([[5, 1, 0, 0, 0, 0]]), np.array([[2, 0, 1, 0, 0, 0]])
    >>> ours, theirs = count.of(roller, opponent)
    >>> float(ours[0]), float(theirs[0])
    (13.0, 5.0)
    """

    adjustments: tuple[Adjustment, ...] = ()
    start: str = "pips"
    values: tuple[float, ...] = ()
    least: Floor | None = None
    each: float = 0.0
    twice: float | None = None

    def __post_init__(self) -> None:
        if (self.values or self.each or self.twice is not None) and self.start != "pips":
            raise FormulaError(
                "values of checkers can be used only with a count that starts from pips, "
                f"got {self.start!r}"
            )
        if any(not is_halves(value) or value < 0 for value in self.values):
            raise FormulaError(
                "the values of checkers must be nonnegative multiples of 0.5 pips, got "
                f"{list(self.values)}"
            )
        if self.twice is not None and (
            len(self.values) > HOME or not is_halves(self.twice)
        ):
            raise FormulaError(
                "the key 'twice' must be a multiple of 0.5, and can be used only if no "
                f"point outside the home board has a value; got {self.twice}"
            )
        if not is_halves(self.each) or self.each < 0:
            raise FormulaError(
                "the number of pips added for each checker must be a nonnegative multiple "
                f"of 0.5, got {self.each}"
            )
        if self.start not in (starts := ("pips", "epc", *estimates())):
            raise FormulaError(
                f"the start of a count must be one of {', '.join(starts)}, got "
                f"{self.start!r}"
            )

    def of(
        self, rollers: CountsArray, opponents: CountsArray
    ) -> tuple[Float64Array, Float64Array]:
        """Return the counts of both sides in pips, two arrays of shape (n,)."""
        ours_by_point, theirs_by_point = columns_of(rollers), columns_of(opponents)
        ours, theirs = self._start_of(ours_by_point), self._start_of(theirs_by_point)
        for adjustment in self.adjustments:
            a, b = adjustment.charged(ours_by_point, theirs_by_point)
            ours += adjustment.pips * a
            theirs += adjustment.pips * b
        if self.least is not None:
            ours = np.maximum(ours, self.least.of(ours_by_point))
            theirs = np.maximum(theirs, self.least.of(theirs_by_point))
        return ours, theirs

    def _start_of(self, columns: Columns) -> Float64Array:
        if self.start == "pips":
            count = pip_count(columns).astype(np.float64)
            if self.each:
                count += self.each * columns.sum(axis=0)
            if self.twice is not None:
                for point, checkers in enumerate(columns[HOME:], HOME + 1):
                    count += (point + self.twice - self.each) * checkers
            for point, value in self.valued.items():
                if point <= len(columns):
                    count += (value - point - self.each) * columns[point - 1]
            return count
        if self.start == "epc":
            return side_epc(columns.T)
        return get_estimate(self.start).of_columns(columns)

    @property
    def counted(self) -> bool:
        """Whether some checkers have a value in the count that differs from their pips."""
        return bool(self.valued or self.each or self.twice is not None)

    @cached_property
    def valued(self) -> dict[int, float]:
        """Value of a checker by point, where this value is not its pips plus `each`."""
        return {p: v for p, v in enumerate(self.values, 1) if v != p + self.each}

    @property
    def worth(self) -> str:
        """Text that says how many pips a checker is worth on each point.

        Examples
        --------
        >>> print(Count(values=(3, 3, 4)).worth)
        their pips, but 3 on points 1–2, 4 on point 3
        >>> print(Count(values=(6, 7, 8, 9, 11, 13), each=5, twice=1).worth)
        pips+5 on points 1–3, 2×pips+1 beyond
        >>> print(Count(values=(6, 7, 8, 9, 11, 12), each=5, twice=1).worth)
        6, 7, 8, 9, 11, 12 on points 1–6, 2×pips+1 beyond
        """
        pips = f"their pips+{mixed(self.each)}" if self.each else "their pips"
        whole = len(self.values) == HOME
        if low := self._rising:
            pips = pips.removeprefix("their ")
            more = signed(self.twice or 0.0).replace(" ", "")
            return f"{pips} on {wording.point_numbers(low)}, 2×pips{more} beyond"
        if whole:
            home = f"{', '.join(map(mixed, self.values))} on points 1–6"
        else:
            on = {
                value: [p for p, v in self.valued.items() if v == value]
                for value in self.valued.values()
            }
            exceptions = (
                f"{mixed(v)} on {wording.point_numbers(p)}" for v, p in on.items()
            )
            home = f"{pips}, but {', '.join(exceptions)}" if self.valued else pips
        if self.twice is not None:
            return f"{home}, 2×pips{signed(self.twice).replace(' ', '')} beyond"
        return f"{home}, {pips} beyond" if whole else home

    @property
    def _rising(self) -> tuple[int, ...]:
        """Low points where a checker is worth its pips plus `each`, not twice its pips.

        The tuple is empty if the values of checkers do not follow this pattern.
        """
        if self.twice is None or len(self.values) != HOME:
            return ()
        low = tuple(p for p, v in enumerate(self.values, 1) if v != 2 * p + self.twice)
        alike = all(self.values[p - 1] == p + self.each for p in low)
        return low if alike and low == tuple(range(1, len(low) + 1)) else ()

    @cached_property
    def name(self) -> str:
        """Noun for the count in a sentence, such as "pip count" or "EPC"."""
        start = {"pips": "pip count", "epc": "EPC"}.get(self.start, "estimated EPC")
        return "count" if self.changed else start

    @property
    def changed(self) -> bool:
        """Whether the count differs from the pip count, EPC or estimate in `start`."""
        return bool(self.adjustments or self.least or self.counted)

    @property
    def steps(self) -> tuple[str, ...]:
        """Instructions to a player on how to count one side, as a list of sentences.

        Examples
        --------
        >>> for step in Count((Adjustment(1, "gaps"), Adjustment(1, "outside"))).steps:
        ...     print(step)
        Each side counts pips.
        +1 per empty point 4–6, per checker beyond home.
        """
        if self.counted:
            start = f"Each side's checkers count {self.worth}."
        elif self.start in ("pips", "epc"):
            start = f"Each side counts {'pips' if self.start == 'pips' else 'its EPC'}."
        else:
            start = f"Each side estimates its EPC: {get_estimate(self.start).text}"
        alike = groupby(
            self.adjustments, lambda a: (a.left, a.amount) if a.joins else str(a)
        )
        changes = (f"{_listed(tuple(each))}." for _, each in alike)
        least = (self.least.text,) if self.least else ()
        return start, *(f"{c[0].upper()}{c[1:]}" for c in changes), *least

    def work(self, sheet: Worksheet, sides: Sequence[Side]) -> tuple[Number, Number]:
        """Write the counts of both sides on the worksheet."""
        totals: list[Number] = [
            self.write_start(sheet, side, who)
            for side, who in zip(sides, steps.SIDES, strict=True)
        ]
        both = [columns_of(np.array([side])) for side in sides]
        for adjustment in self.adjustments:
            charged = [int(a[0]) for a in adjustment.charged(*both)]
            if adjustment.compared == "own":
                for i, who in enumerate(steps.SIDES):
                    met = adjustment.met_by(sum(sides[i]))
                    totals[i] = write_own(
                        sheet, adjustment, who, totals[i], charged[i], met=met
                    )
            else:
                write_compared(sheet, adjustment, totals, charged)
        if self.least is not None:
            for i, who in enumerate(steps.SIDES):
                totals[i] = self.least.write(sheet, who, sides[i], totals[i])
        return totals[0], totals[1]

    def write_start(self, sheet: Worksheet, side: Side, who: str) -> Number:
        """Write the count of one side, before any adjustments, on the worksheet."""
        if self.counted:
            return self._write_values(sheet, side, who)
        if self.start == "pips":
            return steps.write_pips(sheet, side, who)
        if self.start == "epc":
            if sheet.epc is None:
                raise FormulaError(
                    "an exact EPC is available only if a one-sided table contains the "
                    "position"
                )
            epc = Fraction(sheet.epc(side))
            return sheet.write(f"{who} EPC, from a table", format_number(epc), epc, table=1)
        return get_estimate(self.start).work(sheet, side, who)

    def _write_values(self, sheet: Worksheet, side: Side, who: str) -> Number:
        """Write the sum of the checkers' values of one side on the worksheet."""
        worth = [
            Fraction(self.valued.get(p, p + self.each))
            if p <= HOME or self.twice is None
            else 2 * p + Fraction(self.twice)
            for p in range(1, len(side) + 1)
        ]
        total = sum((n * value for n, value in zip(side, worth, strict=True)), Fraction(0))
        halves = sum(value.denominator > 1 for value in worth[:6])
        each = " + ".join(
            f"{n} x {format_number(value)}"
            for n, value in zip(side, worth, strict=True)
            if n
        )
        return sheet.write(
            f"sum of {who} checker values",
            f"{each or 0} = {format_number(total)}",
            total,
            (
                *((f"{mixed(self.each)} a checker",) if self.each else ()),
                *(("twice",) if self.twice is not None else ()),
                *(("besides twice",) if self.twice else ()),
                *(
                    f"{mixed(v)} on {wording.point_numbers([p])}"
                    for p, v in self.valued.items()
                ),
            ),
            values=1,
            changed=len(self.valued) + bool(self.each),
            # For checkers outside the home board, the player multiplies the pips by 2, and
            # then adds the constant `twice` unless this constant is 0.
            small=halves + (self.twice is not None) + bool(self.twice),
        )


def _listed(alike: tuple[Adjustment, ...]) -> str:
    first, *others = alike
    once = all(each.each.startswith("per ") for each in alike)
    again = (each.each if once else f"{each.amount} {each.each}" for each in others)
    return ", ".join([str(first), *again])
