"""Trice's and Ward's cube rules, which differ between short and long races."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.formulas.counting import (
    Adjustment,
    Count,
    CountsArray,
    Float64Array,
    features,
)
from bearoff.analysis.formulas.rules.line import Line
from bearoff.analysis.formulas.rules.rule import CountRule
from bearoff.analysis.formulas.writing import (
    Verdict,
    Worksheet,
    format_number,
    steps,
    yes,
)
from bearoff.matchup import CubeDecision

Int64Array = NDArray[np.int64]


@dataclass(frozen=True)
class TriceRule62:
    """Trice's rule, in which take points differ between short races and long races."""

    name: str = "trice-62"
    text: str = (
        "The last take is a lead of a seventh of (the roller's count − 5), rounded down, "
        "if the roller has at most 62 pips; above 62, it is a tenth of the roller's count, "
        "rounded up, plus 1. Redouble from 2 pips before the last take, and double from 3 "
        "pips before."
    )
    source: str = "Trice, Backgammon Boot Camp"

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        count = features.pip_count(features.columns_of(rollers)).astype(np.int64)
        lead = features.pip_count(features.columns_of(opponents)) - count
        last_take = self.last_take(count)
        return CubeDecision(
            double=lead >= last_take - 3,
            redouble=lead >= last_take - 2,
            take=lead <= last_take,
        )

    def last_take(self, count: Int64Array) -> Int64Array:
        """Return the largest lead in pips at which the opponent takes.

        Examples
        --------
        >>> import numpy as np
        >>> TriceRule62().last_take(np.array([28, 45, 87, 115]))
        array([ 3,  5, 10, 13])
        """
        return np.where(count <= 62, (count - 5) // 7, -(-count // 10) + 1)

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        ours, theirs = (
            steps.write_pips(sheet, side, who)
            for side, who in zip(sides, steps.SIDES, strict=True)
        )
        lead = steps.write_lead(sheet, ours, theirs)
        # The player memorises the numbers of two rules, for short races and for long races.
        numbers = (
            *("up to 62", "less 5", "a seventh", "a tenth", "plus 1"),
            *("double 3 before", "redouble 2 before"),
        )
        if ours <= 62:
            last = (ours - 5) // 7
            sheet.write(
                "largest lead for a take, rounded down (short race)",
                f"({ours} - 5) / 7 = {last}",
                None, numbers, compare=1, small=1, part=1, round=1,
            )  # fmt: skip
        else:
            last = -(-ours // 10) + 1
            sheet.write(
                "largest lead for a take, rounded up (long race)",
                f"{ours} / 10 = {last - 1}; + 1 = {last}",
                None, numbers, compare=1, small=1, tenth=1, round=1,
            )  # fmt: skip
        verdict = Verdict(lead >= last - 3, lead >= last - 2, lead <= last)
        for action, sign, limit, before in (
            ("double", ">=", last - 3, 3),
            ("redouble", ">=", last - 2, 2),
            ("take", "<=", last, 0),
        ):
            words = "at least" if sign == ">=" else "at most"
            away = f", {before} pips before the last take" if before else ""
            sheet.write(
                f"{action} if the lead is {words} {limit}{away}",
                f"{lead} {sign} {limit}: {yes(getattr(verdict, action))}",
                None, small=bool(before) + 0, compare=1,
            )  # fmt: skip
        return verdict


_WARDS_COUNT = CountRule(
    "ward",
    "",
    Count(
        (
            Adjustment(2, "checkers", (1,), beyond=2),
            Adjustment(1, "checkers", (2,), beyond=2),
            Adjustment(-1, "covered", compared="more"),
            Adjustment(2, "checkers", compared="more"),
            Adjustment(0.5, "outside", compared="more"),
        )
    ),
    double=Line(10, -2),
    redouble=Line(10, -1),
    last_take=Line(10, 2),
)


@dataclass(frozen=True)
class Ward:
    """Ward's rule, in which the largest lead for a take depends on the length of the race.

    Ward gives take points at mean pip counts of 100, 75 and 50; other values are
    interpolated linearly.
    """

    name: str = "ward"
    source: str = "Ward, The Doubling Cube in Backgammon I, 1982"

    @property
    def text(self) -> str:
        start, _, _ = _WARDS_COUNT.text.rpartition("≥")
        return (
            f"{start}≥−4 if the mean of both pip counts is 100 or more, ≥−3 at 75, ≥−2 at "
            "50 or less, interpolated between."
        )

    def counts(
        self, rollers: CountsArray, opponents: CountsArray
    ) -> tuple[Float64Array, Float64Array]:
        """Return both sides' adjusted counts, without the tenth added to the roller's."""
        return _WARDS_COUNT.count.of(rollers, opponents)

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        """Return cube decisions, given adjusted counts and raw pip counts."""
        ours, theirs = self.counts(rollers, opponents)
        of_lines = _WARDS_COUNT.of_count(ours, theirs - ours)
        raw = features.pip_count(features.columns_of(rollers)) + features.pip_count(
            features.columns_of(opponents)
        )
        # The opponent takes up to 4 pips behind at a mean count of 100, and up to 2 pips
        # behind at a mean count of 50. All terms are multiplied by 250 to make them
        # integers.
        allowed = np.clip(raw / 2, 50, 100)
        return CubeDecision(
            double=of_lines.double,
            redouble=of_lines.redouble,
            take=25 * (10 * theirs - 11 * ours) <= 10 * allowed,
        )

    def work(self, sheet: Worksheet, sides: Sequence[tuple[int, ...]]) -> Verdict:
        ours, theirs = _WARDS_COUNT.count.work(sheet, sides)
        over = _WARDS_COUNT.excess(sheet, Line(10, 0), ours, theirs)
        double, redouble = over <= 2, over <= 1
        for action, limit, done in (("double", 2, double), ("redouble", 1, redouble)):
            sheet.write(
                f"{action} if at most {limit}",
                f"{format_number(over)} <= {limit}: {yes(done)}",
                None, (f"{action} {limit}",), compare=1,
            )  # fmt: skip
        raw = [sum(p * n for p, n in enumerate(side, 1)) for side in sides]
        mean = Fraction(sum(raw), 2)
        sheet.write(
            "mean of both pip counts", f"({raw[0]} + {raw[1]}) / 2 = {format_number(mean)}",
            None, large=1, tenth=1,
        )  # fmt: skip
        allowed = min(max(mean, Fraction(50)), Fraction(100)) / 25
        take = -over <= allowed
        sheet.write(
            "limit for a take: 4 at a mean of 100 or more, 3 at 75, 2 at 50 or less",
            f"{format_number(-over)} <= {format_number(allowed)}: {yes(take)}",
            None, ("4 from 100", "3 at 75", "2 to 50"),
            large=1, part=1, small=1, round=1, compare=3,
        )  # fmt: skip
        return Verdict(double, redouble, take)
