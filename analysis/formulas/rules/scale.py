"""Win probability from the lead, the mean of both counts, and a short table to memorise.

The win probability is the normal distribution function of (lead + head start) / spread. The
head start is the advantage of being on roll, in pips. Head start and spread depend on the
mean of both counts. Between the rows of the table, they are interpolated linearly.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting import Float64Array
from bearoff.analysis.formulas.writing import Number, Worksheet, format_number, steps

SPREADS = ((0.0, 50), (0.25, 60), (0.5, 69), (0.75, 77), (1.0, 84), (1.5, 93))
"""Values of the normal distribution function that a player memorises. Each pair contains a
quotient, (lead + head start) / spread, and the win percentage for this quotient."""


@dataclass(frozen=True)
class Scale:
    """Table of head start and spread by mean count, for computing win percentages.

    Attributes
    ----------
    rows : tuple of (int, int, int)
        Rows of the table: mean of both counts in ascending order, head start and spread,
        all in pips.

    Raises
    ------
    FormulaError
        If the means of both counts are not in ascending order, or a spread is not positive.

    Examples
    --------
    >>> scale = Scale(((20, 7, 8), (40, 7, 14)))
    >>> scale.percent(np.array([30.0, 26.0]), np.array([-7.0, 8.0])).round(1)
    array([50. , 91.4])
    """

    rows: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        means = [mean for mean, _, _ in self.rows]
        if sorted(set(means)) != means or any(spread < 1 for *_, spread in self.rows):
            raise FormulaError(
                "the rows of a scale must be in ascending order of the mean, with spreads "
                f"of at least 1, got {[list(row) for row in self.rows]}"
            )

    def percent(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Return win percentages, given the roller's counts and leads in pips."""
        from scipy.special import ndtr  # Imported here because the import is slow.

        means, starts, spreads = np.array(self.rows, dtype=np.float64).T
        mean = count + lead / 2
        ahead = lead + np.interp(mean, means, starts)
        percent: Float64Array = 100 * ndtr(ahead / np.interp(mean, means, spreads))
        return percent

    def work(self, sheet: Worksheet, ours: Number, theirs: Number) -> Number:
        """Write the lead, mean count, quotient and win percentage on the worksheet."""
        lead = steps.write_lead(sheet, ours, theirs)
        mean = (ours + theirs) / Fraction(2)
        means, starts, spreads = np.array(self.rows, dtype=np.float64).T
        start, spread = (float(np.interp(float(mean), means, y)) for y in (starts, spreads))
        sheet.write(
            "mean of both counts; head start and spread for this mean",
            f"{format_number(mean)}; {start:.3g}, {spread:.3g}",
            mean,
            tuple(f"row {row}" for row in self.rows),
            large=1,
            tenth=1,
        )
        percent = float(self.percent(np.array([float(ours)]), np.array([float(lead)]))[0])
        return sheet.write(
            "your chance in percent",
            f"({format_number(lead)} + {start:.3g}) / {spread:.3g} = "
            f"{(float(lead) + start) / spread:.2f}: {percent:.1f}",
            Fraction(percent),
            tuple(f"{at:g} spreads" for at, _ in SPREADS),
            small=1,
            long=1,
            round=1,
        )

    @property
    def text(self) -> str:
        """Instruction to players on how to estimate the win probability, in words."""
        rows = "; ".join(f"{mean}: {start}, {spread}" for mean, start, spread in self.rows)
        law = ", ".join(f"{at:g} is {percent}%" for at, percent in SPREADS)
        return (
            "Divide your lead plus a head start by a spread. The head start and the spread "
            f"depend on the mean of both counts: {rows}. The quotient gives the winning "
            f"chance: {law}."
        )
