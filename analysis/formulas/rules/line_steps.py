"""Worksheet steps that calculate a fraction of a count, such as a tenth."""

from collections import Counter
from fractions import Fraction

from bearoff.analysis.formulas.rules.line import Line
from bearoff.analysis.formulas.writing import (
    PARTS,
    Number,
    Worksheet,
    format_number,
    times,
)


def write_raise(sheet: Worksheet, line: Line, ours: Number) -> Number:
    if line.divisor is None:
        return ours
    share = divided(sheet, line, ours)
    raised = ours + share
    return sheet.write(
        "your raised count",
        f"{format_number(ours)} + {format_number(share)} = {format_number(raised)}",
        raised,
        large=1,
    )


def divided(sheet: Worksheet, line: Line, count: Number) -> Number:
    """Write the division of a count on the worksheet."""
    assert line.divisor is not None
    share = line.share(Fraction(count))
    less = f" - {line.less}" if line.less else ""
    parts = f"{line.parts} x " if line.parts > 1 else ""
    above = f" (none up to a count of {line.above})" if line.above else ""
    how = {"no": "", "down": ", rounded down", "up": ", rounded up"}[line.rounded]
    how += f", at most {line.most} pips" if line.most is not None else ""
    numbers = [f"divisor {line.divisor}"]
    numbers += [f"less {line.less}"] if line.less else []
    numbers += [f"{line.parts} parts"] if line.parts > 1 else []
    numbers += [f"above {line.above}"] if line.above else []
    numbers += [f"at most {line.most}"] if line.most is not None else []
    left = f"({format_number(count)}{less})" if less else format_number(count)
    return sheet.write(
        f"{parts}{PARTS.get(line.divisor, f'1/{line.divisor}')} of your count{how}{above}",
        f"{parts}{left} / {line.divisor} = {format_number(share)}",
        share,
        tuple(numbers),
        # Rounding a quotient costs as much mental work as calculating with its fraction.
        round=1,
        small=int(line.less > 0),
        compare=int(line.above > 0) + (line.most is not None),
        **_work_of(line, first=True),
    )


def _work_of(line: Line, *, first: bool) -> dict[str, int]:
    """Return the mental work, such as divisions, of calculating a fraction of a count.

    If several required leads have the same fraction, the player divides only once.
    """
    work: Counter[str] = Counter()
    if line.divisor is not None and first:
        work[times(line.divisor)] += 1
    if line.parts > 1:
        work[times(line.parts)] += 1
    return work


def write_share(sheet: Worksheet, line: Line, count: Number, *, first: bool) -> Number:
    """Write a required lead on the worksheet; its division is work only if `first`."""
    share = line.share(Fraction(count))
    needed = share + Fraction(line.offset)
    sign = "+" if line.offset > 0 else "-"
    arithmetic = format_number(share)
    if line.divisor is not None:
        parts = f"{line.parts} x " if line.parts > 1 else ""
        left = (
            f"({format_number(count)} - {line.less})" if line.less else format_number(count)
        )
        arithmetic = f"{parts}{left} / {line.divisor} = {format_number(share)}"
    if line.offset:
        again = f", {format_number(share)}" if line.divisor is not None else ""
        arithmetic += (
            f"{again} {sign} {format_number(abs(line.offset))} = {format_number(needed)}"
        )
    number = f"offset {format_number(line.offset)}" if line.offset else ""
    most = f"at most {line.most}" if line.most is not None else ""
    return sheet.write(
        line.share_text("count"),
        arithmetic,
        needed,
        tuple(
            known
            for known in (
                "" if line.divisor is None else f"{line.parts} of {line.divisor}",
                most,
                number,
            )
            if known
        ),
        round=int(line.divisor is not None),
        small=int(line.offset != 0) + int(line.less > 0),
        compare=int(line.above > 0) + (line.most is not None),
        **_work_of(line, first=first),
    )
