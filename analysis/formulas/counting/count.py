"""Adjusted counts: pips, or an EPC, and so much for each thing a player can see.

Weights are whole or half pips, so that float64 holds every count without rounding, and
rules that multiply out their fractions decide ties exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from analysis.errors import FormulaError
from analysis.formulas.counting.adjustment import Adjustment, write_compared, write_own
from analysis.formulas.counting.epc_estimates import estimates, get_estimate
from analysis.formulas.counting.features import Columns, columns_of, pip_count
from analysis.formulas.counting.floor import Floor
from analysis.formulas.counting.sides import CountsArray, Float64Array, side_epc
from analysis.formulas.writing import (
    Number,
    Worksheet,
    format_number,
    is_halves,
    mixed,
    steps,
    wording,
)

Side = tuple[int, ...]
"""Checkers on ace, deuce, ... of one side."""


@dataclass(frozen=True)
class Count:
    """What a player counts of each side.

    Attributes
    ----------
    adjustments : tuple of Adjustment
        What is added to the start.
    start : str
        ``pips``, ``epc`` for the EPC that `side_epc` gives, or the name of an estimate of
        it (`analysis.formulas.counting.estimates`).
    values : tuple of float
        With ``pips``: what a checker on the ace, deuce, ... counts instead of its pips,
        whole or halves; pips on the points beyond these.
    least : Floor or None
        What a side counts at least, when all is added.

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

    def __post_init__(self) -> None:
        if self.values and self.start != "pips":
            raise FormulaError(
                f"checkers have values in place of pips only, not with {self.start!r}"
            )
        if any(not is_halves(value) or value < 0 for value in self.values):
            raise FormulaError(
                f"checkers count whole or half pips, 0 or more, got {list(self.values)}"
            )
        if self.start not in (starts := ("pips", "epc", *estimates())):
            raise FormulaError(
                f"a count starts from one of {', '.join(starts)}, got {self.start!r}"
            )

    def of(
        self, rollers: CountsArray, opponents: CountsArray
    ) -> tuple[Float64Array, Float64Array]:
        """Count both sides, each of shape (n,), in pips."""
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
            for point, value in self.valued.items():
                if point <= len(columns):
                    count += (value - point) * columns[point - 1]
            return count
        if self.start == "epc":
            return side_epc(columns.T)
        return get_estimate(self.start).of_columns(columns)

    @cached_property
    def valued(self) -> dict[int, float]:
        """The points whose checkers count something else than their pips."""
        return {p: value for p, value in enumerate(self.values, 1) if value != p}

    @property
    def worth(self) -> str:
        """What the checkers of `valued` count, in words."""
        return wording.listed(
            [f"{mixed(v)} on the {wording.point_name(p)}" for p, v in self.valued.items()]
        )

    @cached_property
    def name(self) -> str:
        """What a side has, in a sentence."""
        start = {"pips": "pip count", "epc": "EPC"}.get(self.start, "estimated EPC")
        changed = self.adjustments or self.valued or self.least
        return f"adjusted {start}" if changed else start

    @property
    def text(self) -> str:
        """The count as a player says it; nothing where pips are all there is."""
        if self.start not in ("pips", "epc"):
            start = f"Estimate both EPCs: {get_estimate(self.start).text} "
        else:
            start = "" if self.start == "pips" else "Take both sides' EPC. "
        if self.valued:
            start = f"Count pips, but a checker as {self.worth}. "
        least = f"A side counts at least {self.least}. " if self.least else ""
        if not self.adjustments:
            return start + least
        what = {"pips": "pip count"}.get(self.start, "EPC")
        plus = [str(a) for a in self.adjustments if a.pips > 0]
        less = [str(a) for a in self.adjustments if a.pips < 0]
        added = f"add to the {what} {wording.listed(plus)}" if plus else ""
        taken = f"take off {wording.listed(less)}" if less else ""
        changes = "; ".join(part for part in (added, taken) if part)
        return f"{start}On both sides {changes}. {least}"

    def work(self, sheet: Worksheet, sides: Sequence[Side]) -> tuple[Number, Number]:
        """Count both sides on the worksheet."""
        totals: list[Number] = [
            self.write_start(sheet, side, who)
            for side, who in zip(sides, steps.SIDES, strict=True)
        ]
        both = [columns_of(np.array([side])) for side in sides]
        for adjustment in self.adjustments:
            charged = [int(a[0]) for a in adjustment.charged(*both)]
            if adjustment.compared == "own":
                for i, who in enumerate(steps.SIDES):
                    totals[i] = write_own(sheet, adjustment, who, totals[i], charged[i])
            else:
                write_compared(sheet, adjustment, totals, charged)
        if self.least is not None:
            for i, who in enumerate(steps.SIDES):
                totals[i] = self.least.write(sheet, who, sides[i], totals[i])
        return totals[0], totals[1]

    def write_start(self, sheet: Worksheet, side: Side, who: str) -> Number:
        """Write down what one side's count starts from."""
        if self.valued:
            return self._write_values(sheet, side, who)
        if self.start == "pips":
            return steps.write_pips(sheet, side, who)
        if self.start == "epc":
            if sheet.epc is None:
                raise FormulaError("an EPC needs a table of the side")
            epc = Fraction(sheet.epc(side))
            return sheet.write(f"{who} EPC, from a table", format_number(epc), epc, table=1)
        return get_estimate(self.start).work(sheet, side, who)

    def _write_values(self, sheet: Worksheet, side: Side, who: str) -> Number:
        """Count a side by values; as dear as pips, and halves and memory besides."""
        worth = [Fraction(self.valued.get(p, p)) for p in range(1, len(side) + 1)]
        total = sum((n * value for n, value in zip(side, worth, strict=True)), Fraction(0))
        halves = sum(value.denominator > 1 for value in worth)
        each = " + ".join(
            f"{n} x {format_number(value)}"
            for n, value in zip(side, worth, strict=True)
            if n
        )
        return sheet.write(
            f"{who} checkers by their values",
            f"{each or 0} = {format_number(total)}",
            total,
            tuple(
                f"{mixed(v)} on the {wording.point_name(p)}" for p, v in self.valued.items()
            ),
            points=6,
            small=6 + halves,
        )
