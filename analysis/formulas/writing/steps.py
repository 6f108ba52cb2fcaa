"""Worksheet steps that many formulas have in common."""

from bearoff.analysis.formulas.writing.wording import format_number
from bearoff.analysis.formulas.writing.worksheet import Number, Verdict, Worksheet, yes

SIDES = ("your", "the opponent's")
"""Words for the roller's and the opponent's numbers on a worksheet, such as "your"."""

EVEN = 1e-9
"""Difference up to which two percentages or counts are considered equal."""


def write_pips(sheet: Worksheet, side: tuple[int, ...], who: str) -> int:
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
    """Write the comparison of a value with a limit on the worksheet; return `done`."""
    return sheet.write(
        f"{action} if {SIGNS[sign]} {format_number(limit)}",
        f"{format_number(found)} {sign} {format_number(limit)}: {yes(done)}",
        bool(done),
        (number,) if number else (),
        compare=1,
    )


def write_lead(sheet: Worksheet, ours: Number, theirs: Number) -> Number:
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
    """Write the comparisons of a value with three memorised limits on the worksheet."""
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
