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
from analysis.formulas.adjustment import Adjustment, write_compared, write_own
from analysis.formulas.base import CountsArray, Float64Array, side_epc
from analysis.formulas.epc_estimates import estimates, get_estimate
from analysis.formulas.features import (
    Columns,
    columns_of,
    pip_count,
)
from analysis.formulas.floor import Floor
from analysis.formulas.pad import Number, Pad
from analysis.formulas.words import figure, listed, mixed, point_name
from analysis.formulas.writing import SIDES, write_pips

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
        it (`analysis.formulas.estimates`).
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
        if any(2 * value != int(2 * value) or value < 0 for value in self.values):
            raise FormulaError(
                f"checkers count whole or half pips, 0 or more, got {list(self.values)}"
            )
        if self.start not in (known := ("pips", "epc", *estimates())):
            raise FormulaError(
                f"a count starts from one of {', '.join(known)}, got {self.start!r}"
            )

    def of(
        self, rollers: CountsArray, opponents: CountsArray
    ) -> tuple[Float64Array, Float64Array]:
        """Count both sides, each of shape (n,), in pips."""
        mine, his = columns_of(rollers), columns_of(opponents)
        ours, theirs = self._start_of(mine), self._start_of(his)
        for adjustment in self.adjustments:
            a, b = adjustment.charged(mine, his)
            ours += adjustment.pips * a
            theirs += adjustment.pips * b
        if self.least is not None:
            ours = np.maximum(ours, self.least.of(mine))
            theirs = np.maximum(theirs, self.least.of(his))
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
        return listed(
            [f"{mixed(v)} on the {point_name(p)}" for p, v in self.valued.items()]
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
        added = f"add to the {what} {listed(plus)}" if plus else ""
        taken = f"take off {listed(less)}" if less else ""
        said = "; ".join(part for part in (added, taken) if part)
        return f"{start}On both sides {said}. {least}"

    def work(self, pad: Pad, sides: Sequence[Side]) -> tuple[Number, Number]:
        """Count both sides on the pad."""
        totals: list[Number] = [
            self.write_start(pad, side, who) for side, who in zip(sides, SIDES, strict=True)
        ]
        both = [columns_of(np.array([side])) for side in sides]
        for adjustment in self.adjustments:
            charged = [int(a[0]) for a in adjustment.charged(*both)]
            if adjustment.compared == "own":
                for i, who in enumerate(SIDES):
                    totals[i] = write_own(pad, adjustment, who, totals[i], charged[i])
            else:
                write_compared(pad, adjustment, totals, charged)
        if self.least is not None:
            for i, who in enumerate(SIDES):
                totals[i] = self.least.write(pad, who, sides[i], totals[i])
        return totals[0], totals[1]

    def write_start(self, pad: Pad, side: Side, who: str) -> Number:
        """Write down what one side's count starts from."""
        if self.valued:
            return self._write_values(pad, side, who)
        if self.start == "pips":
            return write_pips(pad, side, who)
        if self.start == "epc":
            if pad.epc is None:
                raise FormulaError("an EPC needs a table of the side")
            epc = Fraction(pad.epc(side))
            return pad.write(f"{who} EPC, from a table", figure(epc), epc, table=1)
        return get_estimate(self.start).work(pad, side, who)

    def _write_values(self, pad: Pad, side: Side, who: str) -> Number:
        """Count a side by values; as dear as pips, and halves and memory besides."""
        worth = [Fraction(self.valued.get(p, p)) for p in range(1, len(side) + 1)]
        total = sum((n * value for n, value in zip(side, worth, strict=True)), Fraction(0))
        halves = sum(value.denominator > 1 for value in worth)
        each = " + ".join(
            f"{n} x {figure(value)}" for n, value in zip(side, worth, strict=True) if n
        )
        return pad.write(
            f"{who} checkers by their values",
            f"{each or 0} = {figure(total)}",
            total,
            tuple(f"{mixed(v)} on the {point_name(p)}" for p, v in self.valued.items()),
            points=6,
            small=6 + halves,
        )
