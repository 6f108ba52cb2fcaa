"""Wording of numbers for players: fractions, parts of a count and point numbers."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from numbers import Real

PARTS = {
    2: "half",
    3: "a third",
    4: "a quarter",
    5: "a fifth",
    6: "a sixth",
    7: "a seventh",
    8: "an eighth",
    9: "a ninth",
    10: "a tenth",
    12: "a twelfth",
    15: "a fifteenth",
    20: "a twentieth",
}
"""Words for fractions, such as "a tenth", by divisor."""


def mixed(value: float | Fraction) -> str:
    """Format a number of halves or thirds as a whole number with a fraction.

    Examples
    --------
    >>> mixed(4.5), mixed(Fraction(4, 3)), mixed(0.5), mixed(-2.0)
    ('4½', '1⅓', '½', '−2')
    """
    fraction = Fraction(value).limit_denominator(6)
    sign = "−" if fraction < 0 else ""
    whole, rest = divmod(abs(fraction), 1)
    part = {0: "", Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔"}[rest]
    return f"{sign}{whole if whole or not part else ''}{part}"


def is_halves(value: object) -> bool:
    """Return whether a value is a multiple of one half.

    Examples
    --------
    >>> [is_halves(value) for value in (3, -0.5, 0.3, float("nan"), "1")]
    [True, True, False, False, False]
    """
    if not isinstance(value, Real) or not isfinite(value):
        return False
    return (2 * float(value)).is_integer()


def signed(offset: float) -> str:
    """Format an offset with its sign, such as `` + 2`` or `` − 1½``; empty for 0."""
    if offset == 0:
        return ""
    return f" {'+' if offset > 0 else '−'} {mixed(abs(offset))}"


def point_numbers(points: Sequence[int]) -> str:
    """Format point numbers, with consecutive points as a range.

    Examples
    --------
    >>> point_numbers([4, 5, 6]), point_numbers([3]), point_numbers([1, 2, 5])
    ('points 4–6', 'point 3', 'points 1, 2 and 5')
    """
    first, last = min(points), max(points)
    if first == last:
        return f"point {first}"
    if list(points) == list(range(first, last + 1)):
        return f"points {first}–{last}"
    return f"points {listed([str(point) for point in points])}"


NUMBERS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)


def number_word(number: int) -> str:
    """Return a small integer as a word.

    Examples
    --------
    >>> number_word(8), number_word(13)
    ('eight', '13')
    """
    return NUMBERS[number - 1] if number <= len(NUMBERS) else str(number)


def listed(words: Sequence[str], last: str = "and") -> str:
    """Join words with commas and a final conjunction.

    Examples
    --------
    >>> listed(["four", "five", "six"]), listed(["ace"])
    ('four, five and six', 'ace')
    """
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def format_number(value: int | float | Fraction) -> str:
    """Format a number for a worksheet: halves as fractions, others with two decimals.

    Examples
    --------
    >>> [format_number(n) for n in (12, Fraction(9, 2), Fraction(608, 7), 2.2)]
    ['12', '4½', '86.86', '2.2']
    """
    if value * 2 == int(value * 2):
        return mixed(value).replace("−", "-")
    return f"{float(value):.2f}".rstrip("0").rstrip(".")
