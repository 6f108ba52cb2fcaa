"""Leads required for doubling and taking, as functions of the roller's count."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal, get_args

import numpy as np

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.counting import Float64Array
from bearoff.analysis.formulas.writing import (
    PARTS,
    is_halves,
    mixed,
    signed,
)

Rounded = Literal["no", "down", "up"]


@dataclass(frozen=True)
class Line:
    """Required lead of a cube rule: a fraction of the roller's count, plus an offset.

    The required lead is ``parts * (count - less) / divisor + offset``. The count is the
    roller's. The parameters `rounded`, `above` and `most` change the fraction before the
    offset is added.

    Attributes
    ----------
    divisor : int or None
        Divisor of the roller's count; None if the required lead does not depend on the
        count.
    offset : float
        Pips added to the fraction of the count, a multiple of one half.
    parts : int
        Numerator of the fraction, such as 8 with divisor 100 for 8%.
    rounded : {"no", "down", "up"}
        How the fraction of the count is rounded to whole pips.
    above : int
        Largest count of the roller at which no fraction of the count is added; 0 if a
        fraction is always added.
    less : int
        Pips subtracted from the count before the division.
    most : int or None
        Maximum of the fraction of the count, in pips; None for no maximum.

    Raises
    ------
    FormulaError
        If a parameter has a value that is not allowed.
    """

    divisor: int | None
    offset: float
    parts: int = 1
    rounded: Rounded = "no"
    above: int = 0
    less: int = 0
    most: int | None = None

    def __post_init__(self) -> None:
        if (self.divisor is not None and self.divisor < 1) or self.parts < 1:
            raise FormulaError(
                "the numerator of a fraction of a count must be at least 1, got "
                f"{self.parts} / {self.divisor}"
            )
        if self.rounded not in get_args(Rounded):
            raise FormulaError(
                "the rounding of a fraction must be one of "
                f"{', '.join(get_args(Rounded))}, got {self.rounded!r}"
            )
        if not is_halves(self.offset):
            raise FormulaError(
                "the offset of a required lead must be a multiple of 0.5 pips, got "
                f"{self.offset}"
            )

    def at(self, count: Float64Array) -> Float64Array:
        """Return the required lead in pips for each count."""
        return self._whole(count) / self._scale + self.offset

    def beyond(self, count: Float64Array, lead: Float64Array) -> Float64Array:
        """Return the difference between lead and required lead, multiplied by the divisor.

        The multiplied difference has no rounding errors. If the fraction is rounded, the
        difference is not multiplied.
        """
        scale = self._scale
        return scale * lead - self._whole(count) - scale * self.offset

    @property
    def _scale(self) -> int:
        return (self.divisor or 1) if self.rounded == "no" else 1

    def _whole(self, count: Float64Array) -> Float64Array:
        if self.divisor is None:
            return 0 * count
        share = self.parts * (count - self.less)
        # Counts are multiples of 0.5, so rounding errors of the quotient never move it to
        # or past an integer.
        if self.rounded == "down":
            share = np.floor(share / self.divisor)
        elif self.rounded == "up":
            share = np.ceil(share / self.divisor)
        if self.most is not None:
            share = np.minimum(share, self.most * self._scale)
        return np.where(count > self.above, share, 0.0) if self.above else share

    def share(self, count: Fraction) -> Fraction:
        """Return the required lead without the offset: the exact fraction of a count."""
        if self.divisor is None or (self.above and count <= self.above):
            return Fraction(0)
        share = self.parts * (count - self.less) / self.divisor
        if self.rounded == "down":
            share = Fraction(floor(share))
        elif self.rounded == "up":
            share = Fraction(ceil(share))
        return share if self.most is None else min(share, Fraction(self.most))

    def __str__(self) -> str:
        """Return the required lead as text, such as ``count/10 - 2``.

        Examples
        --------
        >>> print(Line(10, -2.0), Line(None, 4.5), sep=", ")
        count/10 − 2, 4½
        """
        return self.over("count")

    def over(self, count: str) -> str:
        """Return the required lead as text, with a noun for the count, such as "EPC".

        Examples
        --------
        >>> Line(10, -2.0).over("EPC")
        'EPC/10 − 2'
        """
        if self.divisor is None:
            return mixed(self.offset)
        parts = f"{self.parts} " if self.parts > 1 else ""
        return f"{parts}{count}/{self.divisor}{signed(self.offset)}"

    @property
    def is_straight(self) -> bool:
        """Whether the fraction of the count is neither rounded nor limited."""
        return (self.rounded, self.above, self.less, self.most) == ("no", 0, 0, None)

    def share_text(self, name: str) -> str:
        """Return the required lead as text, with the fraction of the count in words.

        Examples
        --------
        >>> Line(100, 0, parts=8).share_text("pip count")
        "8% of the roller's pip count"
        >>> Line(10, -2, parts=3, rounded="down", less=20).share_text("count")
        "3/10 of what the roller's count has above 20, rounded down, less 2"
        """
        if self.divisor is None:
            return mixed(self.offset)
        part = PARTS.get(self.divisor, f"1/{self.divisor}")
        if self.divisor == 100:
            part = f"{self.parts}%"
        elif self.parts > 1:
            part = f"{self.parts}/{self.divisor}"
        of = f"the roller's {name}"
        share = f"{part} of {f'what {of} has above {self.less}' if self.less else of}"
        share += f", rounded {self.rounded}" if self.rounded != "no" else ""
        share += f" (none up to {self.above})" if self.above else ""
        share += f", at most {self.most}" if self.most is not None else ""
        if not self.offset:
            return share
        return f"{share}, {'plus' if self.offset > 0 else 'less'} {mixed(abs(self.offset))}"

    @property
    def raise_text(self) -> str:
        """Instruction for adding the fraction of the count to the roller's count, in words.

        Examples
        --------
        >>> print(Line(7, -4, rounded="down").raise_text)
        Roller: add a seventh, rounded down.
        """
        assert self.divisor is not None
        part = PARTS.get(self.divisor, f"1/{self.divisor}")
        if self.parts > 1:
            part = f"{self.parts}/{self.divisor}"
        of = f" of what is above {self.less}" if self.less else ""
        rounded = f", rounded {self.rounded}" if self.rounded != "no" else ""
        above = f" if above {self.above}" if self.above else ""
        above += f", at most {self.most}" if self.most is not None else ""
        return f"Roller: add {part}{of}{rounded}{above}."
