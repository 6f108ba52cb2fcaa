"""Published formulas for cube decisions, as their authors define them."""

from fractions import Fraction

from bearoff import RACE_EFFICIENCY
from bearoff.analysis.formulas.counting import Adjustment, Count, get_estimate
from bearoff.analysis.formulas.rules.formula import WorkedFormula
from bearoff.analysis.formulas.rules.line import Line
from bearoff.analysis.formulas.rules.metric import Johansen, Kleinman
from bearoff.analysis.formulas.rules.percent import (
    ChanceRule,
    Percent,
    RatioChance,
    janowski_percents,
)
from bearoff.analysis.formulas.rules.piecewise import TriceRule62, Ward
from bearoff.analysis.formulas.rules.rule import CountRule, CountWinRule

EIGHT_NINE_TWELVE = CountRule(
    "8-9-12",
    "Robertie, Advanced Backgammon; Zare 2000",
    Count(),
    double=Line(100, 0, parts=8),
    redouble=Line(100, 0, parts=9),
    last_take=Line(100, 0, parts=12),
)

BENJAMIN = CountRule(
    "benjamin",
    "A. Benjamin, The Art of the Long Race, USBGF",
    Count(),
    double=Line(10, -1, rounded="down"),
    redouble=Line(10, 0, rounded="down"),
    last_take=Line(10, 2, rounded="down"),
    note="For long races, in which both sides have more than 60 pips.",
)

ZARE = CountRule(
    "zare", "Zare 2003", Count(), Line(10, -2), redouble=Line(10, -1), last_take=Line(10, 2)
)

BOWER = ChanceRule(
    "bower",
    "Bower 1998",
    Count(),
    RatioChance(54, 200),
    *janowski_percents(RACE_EFFICIENCY),
    note="The percentages for the cube are from Janowski's model.",
)

THORP = CountWinRule(
    "thorp",
    "Thorp 1975; percentages of Bower 1998",
    Count(
        (
            Adjustment(2, "checkers"),
            Adjustment(1, "checkers", (1,)),
            Adjustment(-1, "covered"),
        )
    ),
    double=Line(10, -2, above=30),
    redouble=Line(10, -1, above=30),
    last_take=Line(10, 2, above=30),
    passes_ties=True,
    chance=Percent(74, Fraction(2), Line(10, 0, above=30)),
)

_KEITH = Count(
    (
        Adjustment(2, "checkers", (1,), beyond=1),
        Adjustment(1, "checkers", (2,), beyond=1),
        Adjustment(1, "checkers", (3,), beyond=3),
        Adjustment(1, "gaps"),
    )
)

KEITH = CountRule(
    "keith",
    "T. Keith 2004",
    _KEITH,
    double=Line(7, -4, rounded="down"),
    redouble=Line(7, -3, rounded="down"),
    last_take=Line(7, -2, rounded="down"),
)

KEITH_UNROUNDED = CountRule(
    "keith-unrounded",
    "T. Keith 2004, as GNU Backgammon counts it",
    _KEITH,
    double=Line(7, -4),
    redouble=Line(7, -3),
    last_take=Line(7, -2),
)

ISIGHT = CountWinRule(
    "isight",
    "Reichert, Improved Cube Handling in Races, 2014",
    Count(
        (
            Adjustment(1, "checkers", compared="more"),
            Adjustment(2, "checkers", (1,), beyond=2),
            Adjustment(1, "checkers", (2,), beyond=2),
            Adjustment(1, "checkers", (3,), beyond=3),
            Adjustment(1, "gaps", compared="matched"),
            Adjustment(1, "crossovers", compared="more"),
        )
    ),
    double=Line(6, -6),
    redouble=Line(6, -5),
    last_take=Line(6, -2),
    chance=Percent(80, Fraction(2), Line(6, 0)),
)

_EPC_LINES = (Line(7, -5, less=1), Line(7, -4, less=1), Line(7, -1, less=1))

EPC = CountRule(
    "epc",
    "Trice 2008; 4winds 2025",
    Count(start="epc"),
    *_EPC_LINES,
    note="For sides with low wastage.",
)

EPC_ESTIMATED = CountRule(
    "epc-estimated",
    "Trice 2008; 4winds 2025; this project chose which EPC estimate applies",
    Count(start="by-shape"),
    *_EPC_LINES,
    note="For sides with low wastage.",
)

EPC_BY_TABLE, EPC_FASTIMATE, EPC_MATUSSEK, EPC_MCG, EPC_MM8 = (
    CountRule(
        f"epc-{start}",
        f"Trice 2008; 4winds 2025; {start}: {get_estimate(start).source.partition(':')[0]}",
        Count(start=start),
        *_EPC_LINES,
        note=note,
    )
    for start, note in (
        ("by-table", "For sides with low wastage."),
        ("fastimate", "For 9 checkers or more."),
        ("matussek", "For up to 8 checkers."),
        ("mcg", "For 9 checkers or more."),
        ("mm8", "For 4 to 8 checkers."),
    )
)

TRICE_62 = TriceRule62()

PUBLISHED: tuple[WorkedFormula, ...] = (
    EIGHT_NINE_TWELVE,
    BENJAMIN,
    BOWER,
    EPC,
    EPC_BY_TABLE,
    EPC_ESTIMATED,
    EPC_FASTIMATE,
    EPC_MATUSSEK,
    EPC_MCG,
    EPC_MM8,
    ISIGHT,
    Johansen(),
    KEITH,
    KEITH_UNROUNDED,
    Kleinman(),
    THORP,
    TRICE_62,
    Ward(),
    ZARE,
)
"""All published formulas for cube decisions, in alphabetical order."""
