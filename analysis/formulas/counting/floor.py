"""Minimum of an adjusted count, given by the number of rolls that the checkers need."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting.features import FEATURES, Columns
from bearoff.analysis.formulas.counting.sides import Float64Array
from bearoff.analysis.formulas.writing import (
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
    """Minimum of a count: ``per_roll`` pips for each roll needed, plus ``plus`` pips.

    Without doubles, a side needs one roll for every two checkers, however low their points
    are.

    Attributes
    ----------
    per_roll, plus : float
        Pips for each roll that the side needs, and pips added to their sum; both are
        multiples of one half.
    most : int or None
        Maximum number of remaining checkers, an even number, for which the minimum applies;
        None for no maximum.

    Raises
    ------
    FormulaError
        If a parameter has a value that is not allowed.

    Examples
    --------
    >>> print(Floor(6.5, -2.0))
    6½ a pair or single, less 2
    """

    per_roll: float
    plus: float = 0.0
    most: int | None = None

    def __post_init__(self) -> None:
        halves = is_halves(self.per_roll) and is_halves(self.plus)
        if not halves or self.per_roll <= 0:
            raise FormulaError(
                "a minimum count must be a positive multiple of 0.5 pips for each roll, "
                f"plus a multiple of 0.5 pips; got {self.per_roll} and {self.plus}"
            )
        if self.most is not None and self.most not in range(2, 13, 2):
            raise FormulaError(
                "the maximum number of checkers for a minimum count must be 2, 4, 6, 8, "
                f"10 or 12, got {self.most}"
            )

    def of(self, columns: Columns) -> Float64Array:
        """Return the minimum count of each side, shape (n,); 0 if no minimum applies."""
        rolls = FEATURES["rolls"].count(columns, None, 0)
        least = np.asarray(self.per_roll * rolls + self.plus, dtype=np.float64)
        return least if self.most is None else np.where(2 * rolls <= self.most, least, 0.0)

    @property
    def by_rolls(self) -> tuple[float, ...]:
        """Minimum counts in pips, by number of rolls needed, beginning with one roll."""
        return tuple(
            self.per_roll * rolls + self.plus
            for rolls in range(1, (self.most or 0) // 2 + 1)
        )

    def __str__(self) -> str:
        plus = f", {'plus' if self.plus > 0 else 'less'} {mixed(abs(self.plus))}"
        return f"{mixed(self.per_roll)} a pair or single{plus if self.plus else ''}"

    @property
    def text(self) -> str:
        """The minimum count in words for players.

        Examples
        --------
        >>> print(Floor(11, -2, most=4).text)
        1–2, 3–4 left: at least 9, 20.
        """
        if self.most is None:
            return f"At least {self}."
        return f"{self._left} left: at least {', '.join(map(mixed, self.by_rolls))}."

    @property
    def _left(self) -> str:
        return ", ".join(f"{most - 1}–{most}" for most in range(2, (self.most or 0) + 1, 2))

    def write(
        self, sheet: Worksheet, who: str, side: tuple[int, ...], total: Number
    ) -> Number:
        """Write the worksheet step that raises a count to its minimum."""
        rolls = (sum(side) + 1) // 2
        if self.most is not None:
            return self._write_last(sheet, who, rolls, total)
        least = Fraction(self.per_roll) * rolls + Fraction(self.plus)
        raised = max(total, least)
        return sheet.write(
            f"{who} count, at least {mixed(self.per_roll)} pips per roll",
            f"{rolls} x {format_number(Fraction(self.per_roll))}{signed(self.plus)} = "
            f"{format_number(least)}; {format_number(raised)}",
            raised,
            (
                f"at least {mixed(self.per_roll)} pips per roll",
                *((f"{mixed(self.plus)} besides",) if self.plus else ()),
            ),
            points=6,
            tenth=1,  # The number of rolls is half the number of checkers.
            small=int(self.plus != 0),
            compare=1,
            **({} if times(self.per_roll) == "tenth" else {times(self.per_roll): 1}),
        )

    def _write_last(self, sheet: Worksheet, who: str, rolls: int, total: Number) -> Number:
        least = self.by_rolls
        counted = rolls <= len(least)
        raised = max(total, Fraction(least[rolls - 1])) if counted else total
        known = ", ".join(mixed(each) for each in least)
        return sheet.write(
            f"{who} count, at least {known} with {self._left} checkers left",
            format_number(raised),
            raised,
            tuple(f"at least {each:g}" for each in least),
            points=-(-len(least) // 2),
            compare=1 + counted,
        )
