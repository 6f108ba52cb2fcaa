"""The steps that many formulas share, as they are written on the worksheet."""

from bearoff.analysis.formulas.writing.wording import format_number
from bearoff.analysis.formulas.writing.worksheet import Number, Verdict, Worksheet, yes

SIDES = ("your", "the opponent's")
"""Whose count it is, the roller being spoken to."""

EVEN = 1e-9
"""Percent within which two are equal.

A percentage is a fraction whose denominator is below 10**6, and so is a threshold that
a player can remember: if they are not equal they are further apart.
"""


def write_pips(sheet: Worksheet, side: tuple[int, ...], who: str) -> int:
    """Count a side's pips on the worksheet."""
    pips = sum(point * n for point, n in enumerate(side, start=1))
    return sheet.write(f"{who} pips", str(pips), pips, pips=1)


SIGNS = {"<=": "at most", ">=": "at least", ">": "more than", "<": "less than"}


def write_check(
    sheet: Worksheet,
    action: str,
    found: Number,
    sign: str,
    limit: Number,
    done: bool,
    number: str | None = None,
) -> bool:
    """Write a comparison down; `number` names a limit that is known by heart."""
    return sheet.write(
        f"{action} if {SIGNS[sign]} {format_number(limit)}",
        f"{format_number(found)} {sign} {format_number(limit)}: {yes(done)}",
        bool(done),
        (number,) if number else (),
        compare=1,
    )


def write_lead(sheet: Worksheet, ours: Number, theirs: Number) -> Number:
    """Take the roller's count off the opponent's."""
    lead = theirs - ours
    return sheet.write(
        "your lead",
        f"{format_number(theirs)} - {format_number(ours)} = {format_number(lead)}",
        lead,
        large=1,
    )


def write_thresholds(
    sheet: Worksheet,
    unit: str,
    found: float,
    double: float,
    redouble: float,
    last_take: float,
) -> Verdict:
    """Compare a chance, or what grows with it, with three numbers known by heart."""
    verdict = Verdict(
        found >= double - EVEN, found >= redouble - EVEN, found <= last_take + EVEN
    )
    for action, sign, limit, done in (
        ("double", ">=", double, verdict.double),
        ("redouble", ">=", redouble, verdict.redouble),
        ("take", "<=", last_take, verdict.take),
    ):
        sheet.write(
            f"{action} if {'at least' if sign == '>=' else 'at most'} {limit:.4g}{unit}",
            f"{found:.2f} {sign} {limit:.2f}: {yes(done)}",
            None,
            (f"{action} {limit:.4g}",),
            compare=1,
        )
    return verdict
