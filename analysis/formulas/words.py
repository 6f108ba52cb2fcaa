"""How players say numbers: halves and thirds, and parts of a count."""

from fractions import Fraction

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
"""How a player says a count divided by each number."""

COUNT_NAMES = {"pips": "pip count", "epc": "EPC"}
"""What each measure is called in a sentence."""


def mixed(value: float | Fraction) -> str:
    """Write a number of halves or thirds as players do.

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


def signed(offset: float) -> str:
    """Write `` + 2``, `` − 1½`` or nothing for 0."""
    if offset == 0:
        return ""
    return f" {'+' if offset > 0 else '−'} {mixed(abs(offset))}"


def adjusted(start: str, offset: float) -> str:
    """Write a share of a count with what is added to it.

    Examples
    --------
    >>> adjusted("a tenth", -2.0)
    'a tenth less 2'
    """
    if offset == 0:
        return start
    return f"{start} {'plus' if offset > 0 else 'less'} {mixed(abs(offset))}"
