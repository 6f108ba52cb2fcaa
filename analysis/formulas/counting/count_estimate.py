"""EPC estimates found by searches: an adjusted count plus a constant."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bearoff.analysis.formulas.counting.adjustment import write_own
from bearoff.analysis.formulas.counting.count import Count
from bearoff.analysis.formulas.counting.features import Columns, columns_of
from bearoff.analysis.formulas.counting.sides import CountsArray, Float64Array
from bearoff.analysis.formulas.writing import (
    Number,
    Worksheet,
    format_number,
    signed,
)


@dataclass(frozen=True)
class CountEstimate:
    """EPC estimate: an adjusted count plus a constant.

    Attributes
    ----------
    name, source : str
        Name of the EPC estimate, and the data to which it was fitted.
    count : Count
        Adjusted count of one side. Requires ``compared="own"`` in every adjustment, because
        a side's EPC does not depend on the opponent.
    waste : float
        Constant wastage in pips, a multiple of one half.

    Examples
    --------
    >>> import numpy as np
    >>> count = Count(values=(3, 3))
    >>> estimate = CountEstimate("mine", "own", count, 6.5)
    >>> print(estimate.text)
    Each side's checkers count their pips, but 3 on points 1–2. The EPC is that + 6½.
    >>> estimate.epc(np.array([[2, 1, 0, 0, 0, 1]]))
    array([21.5])
    """

    name: str
    source: str
    count: Count
    waste: float

    @property
    def text(self) -> str:
        """Instruction to players on how to estimate the EPC, in words."""
        return f"{' '.join(self.count.steps)} The EPC is that{signed(self.waste)}."

    def epc(self, counts: CountsArray) -> Float64Array:
        """Return the estimated EPC of each side in pips, shape (n,)."""
        return self.of_columns(columns_of(counts))

    def of_columns(self, columns: Columns) -> Float64Array:
        """Estimate the EPC of each side, given checkers by point, shape (points, n)."""
        sides = columns.T
        ours, _ = self.count.of(sides, np.zeros_like(sides))
        return np.asarray(ours + self.waste)

    def work(self, sheet: Worksheet, side: tuple[int, ...], who: str) -> Number:
        """Write the calculation of one side's estimated EPC on the worksheet."""
        total = self.count.write_start(sheet, side, who)
        columns = columns_of(np.array([side]))
        for adjustment in self.count.adjustments:
            charged = int(adjustment.charged(columns, columns)[0][0])
            total = write_own(sheet, adjustment, who, total, charged)
        if self.count.least is not None:
            total = self.count.least.write(sheet, who, side, total)
        waste = Fraction(self.waste)
        epc = Fraction(total) + waste
        return sheet.write(
            f"{who} EPC",
            f"{format_number(total)} + {format_number(waste)} = {format_number(epc)}",
            epc,
            (f"waste {format_number(waste)}",),
            small=1,
        )
