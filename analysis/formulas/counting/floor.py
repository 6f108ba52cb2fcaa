"""The least that a side counts: so much for each roll that takes two checkers off."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from analysis.errors import FormulaError
from analysis.formulas.counting.features import FEATURES, Columns
from analysis.formulas.counting.sides import Float64Array
from analysis.formulas.writing import (
    Number,
    Worksheet,
    format_number,
    is_halves,
    mixed,
    signed,
    times,
)


@dataclass(frozen=True)
class Floor:
    """``per_roll`` for each two checkers and for the odd one, and ``plus``.

    However low its checkers stand, a side needs a roll for each two of them, unless it
    throws doubles.

    Attributes
    ----------
    per_roll, plus : float
        Pips, whole or halves.

    Raises
    ------
    FormulaError
        If they are not.

    Examples
    --------
    >>> print(Floor(6.5, -2.0))
    6½ a pair or single, less 2
    """

    per_roll: float
    plus: float = 0.0

    def __post_init__(self) -> None:
        halves = is_halves(self.per_roll) and is_halves(self.plus)
        if not halves or self.per_roll <= 0:
            raise FormulaError(
                "a side counts at least a whole or half number above 0 for each roll, and "
                f"a whole or half number besides, got {self.per_roll} and {self.plus}"
            )

    def of(self, columns: Columns) -> Float64Array:
        """Least count of every side, from checkers by point, shape (n,)."""
        rolls = FEATURES["rolls"].count(columns, None, 0)
        return np.asarray(self.per_roll * rolls + self.plus, dtype=np.float64)

    def __str__(self) -> str:
        plus = f", {'plus' if self.plus > 0 else 'less'} {mixed(abs(self.plus))}"
        return f"{mixed(self.per_roll)} a pair or single{plus if self.plus else ''}"

    def write(
        self, sheet: Worksheet, who: str, side: tuple[int, ...], total: Number
    ) -> Number:
        """Raise a count on the worksheet to the least that it may be."""
        rolls = (sum(side) + 1) // 2
        least = Fraction(self.per_roll) * rolls + Fraction(self.plus)
        raised = max(total, least)
        return sheet.write(
            f"{who} count, at least {mixed(self.per_roll)} a roll",
            f"{rolls} x {format_number(Fraction(self.per_roll))}{signed(self.plus)} = "
            f"{format_number(least)}; {format_number(raised)}",
            raised,
            (
                f"at least {mixed(self.per_roll)} a roll",
                *((f"{mixed(self.plus)} besides",) if self.plus else ()),
            ),
            points=6,
            tenth=1,  # Half as many rolls as checkers.
            small=int(self.plus != 0),
            compare=1,
            **({} if times(self.per_roll) == "tenth" else {times(self.per_roll): 1}),
        )
