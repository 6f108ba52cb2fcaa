"""The steps that many formulas share, as they are written on the scratch pad."""

from collections import Counter
from fractions import Fraction

from analysis.formulas.base import Verdict
from analysis.formulas.lead import Line
from analysis.formulas.line_text import share_text
from analysis.formulas.pad import Number, Pad, times, yes
from analysis.formulas.words import PARTS, figure

SIDES = ("your", "the opponent's")
"""Whose count it is, the roller being spoken to."""

EVEN = 1e-9
"""Percent within which two are equal.

A percentage is a fraction whose denominator is below 10**6, and so is a threshold that
a player can remember: if they are not equal they are further apart.
"""


def write_pips(pad: Pad, side: tuple[int, ...], who: str) -> int:
    """Count a side's pips on the pad."""
    pips = sum(point * n for point, n in enumerate(side, start=1))
    return pad.write(f"{who} pips", str(pips), pips, pips=1)


SIGNS = {"<=": "at most", ">=": "at least", ">": "more than", "<": "less than"}


def write_check(
    pad: Pad,
    action: str,
    found: Number,
    sign: str,
    limit: Number,
    done: bool,
    number: str | None = None,
) -> bool:
    """Write a comparison down; `number` names a limit that is known by heart."""
    return pad.write(
        f"{action} if {SIGNS[sign]} {figure(limit)}",
        f"{figure(found)} {sign} {figure(limit)}: {yes(done)}",
        bool(done),
        (number,) if number else (),
        compare=1,
    )


def write_lead(pad: Pad, ours: Number, theirs: Number) -> Number:
    """Take the roller's count off the opponent's."""
    lead = theirs - ours
    return pad.write(
        "your lead", f"{figure(theirs)} - {figure(ours)} = {figure(lead)}", lead, large=1
    )


def write_raise(pad: Pad, line: Line, ours: Number) -> Number:
    """Add its share to the roller's count."""
    if line.divisor is None:
        return ours
    share = divided(pad, line, ours)
    raised = ours + share
    return pad.write(
        "your count raised",
        f"{figure(ours)} + {figure(share)} = {figure(raised)}",
        raised,
        large=1,
    )


def divided(pad: Pad, line: Line, count: Number) -> Number:
    """Divide one count as a line does, its parts apart."""
    assert line.divisor is not None
    share = line.share(Fraction(count))
    less = f" - {line.less}" if line.less else ""
    parts = f"{line.parts} x " if line.parts > 1 else ""
    above = f" (none up to {line.above})" if line.above else ""
    how = {"no": "", "down": ", rounded down", "up": ", rounded up"}[line.rounded]
    numbers = [f"a part of {line.divisor}"]
    numbers += [f"less {line.less}"] if line.less else []
    numbers += [f"{line.parts} parts"] if line.parts > 1 else []
    numbers += [f"above {line.above}"] if line.above else []
    left = f"({figure(count)}{less})" if less else figure(count)
    return pad.write(
        f"{parts}{PARTS.get(line.divisor, f'1/{line.divisor}')} of it{how}{above}",
        f"{parts}{left} / {line.divisor} = {figure(share)}",
        share,
        tuple(numbers),
        # What does not come out even is rounded, or carried on as a fraction.
        round=1,
        small=int(line.less > 0),
        compare=int(line.above > 0),
        **_work_of(line, first=True),
    )


def _work_of(line: Line, *, first: bool) -> dict[str, int]:
    """Work of taking parts of a count; it is divided the first time only."""
    work: Counter[str] = Counter()
    if line.divisor is not None and first:
        work[times(line.divisor)] += 1
    if line.parts > 1:
        work[times(line.parts)] += 1
    return work


def write_share(pad: Pad, line: Line, count: Number, *, first: bool) -> Number:
    """Work out the lead that a line asks for; `first` if nothing was divided so yet."""
    share = line.share(Fraction(count))
    needed = share + Fraction(line.offset)
    sign = "+" if line.offset > 0 else "-"
    arithmetic = figure(share)
    if line.divisor is not None:
        parts = f"{line.parts} x " if line.parts > 1 else ""
        left = f"({figure(count)} - {line.less})" if line.less else figure(count)
        arithmetic = f"{parts}{left} / {line.divisor} = {figure(share)}"
    if line.offset:
        again = f", {figure(share)}" if line.divisor is not None else ""
        arithmetic += f"{again} {sign} {figure(abs(line.offset))} = {figure(needed)}"
    number = f"offset {figure(line.offset)}" if line.offset else ""
    return pad.write(
        share_text(line, "count"),
        arithmetic,
        needed,
        tuple(
            known
            for known in (
                "" if line.divisor is None else f"{line.parts} of {line.divisor}",
                number,
            )
            if known
        ),
        round=int(line.divisor is not None),
        small=int(line.offset != 0) + int(line.less > 0),
        compare=int(line.above > 0),
        **_work_of(line, first=first),
    )


def write_thresholds(
    pad: Pad, unit: str, found: float, double: float, redouble: float, last_take: float
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
        pad.write(
            f"{action} if {'at least' if sign == '>=' else 'at most'} {limit:.4g}{unit}",
            f"{found:.2f} {sign} {limit:.2f}: {yes(done)}",
            None,
            (f"{action} {limit:.4g}",),
            compare=1,
        )
    return verdict
