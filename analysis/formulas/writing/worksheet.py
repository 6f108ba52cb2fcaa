"""The worksheet: a formula worked out as a player does it, one step after the other.

A formula writes its steps on a `Worksheet`, with the numbers of one race. The steps are
both the explanation of its decision and the list of work that `analysis.scoring.cost`
prices, so that the two cannot differ.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")

Number = int | Fraction
"""A value on the worksheet: nothing is rounded there but where a formula says so."""


@dataclass(frozen=True)
class Rate:
    """Price of one kind of elementary work.

    Attributes
    ----------
    units : int
        About seconds.
    what : str
        What it is.
    """

    units: int
    what: str


RUBRIC = {
    "pips": Rate(12, "a raw pip count of one side: six points, two units each"),
    "values": Rate(12, "the same, a checker on each point counting some other number"),
    "changed": Rate(0, "a point, or all, whose checkers do not count their pips"),
    "points": Rate(1, "a look at one point, or one outer quadrant, and counting it on"),
    "small": Rate(1, "adding or taking off a number below ten, doubling one"),
    "large": Rate(2, "adding or taking off a number of two digits"),
    "tenth": Rate(1, "multiplying or dividing a count by 2, 10, 20, 100 or 200"),
    "part": Rate(3, "multiplying or dividing a count by 3 to 12: a third, a seventh"),
    "long": Rate(8, "multiplying or dividing by any other number of two digits"),
    "round": Rate(1, "rounding, or carrying a fraction on"),
    "compare": Rate(1, "comparing two numbers"),
    "table": Rate(60, "an EPC from a table: no player works it out in the head"),
}
"""Units of each kind of work, the same for all formulas."""

RUBRICS: dict[str, dict[str, int]] = {
    "standard": {},
    "pips first": {"changed": 6},
    "looks dear": {"points": 2},
}
"""Other opinions of what is dear, as units in place of the `RUBRIC`'s: who counts pips
first and then goes over the checkers of each point that count otherwise; who finds it hard
to see what there is. A formula should be worth its cost by all of them."""


@dataclass(frozen=True)
class Step:
    """One line on the worksheet.

    Attributes
    ----------
    words : str
        What is done.
    arithmetic : str
        The numbers of this race.
    work : dict of str to int
        How often each kind of elementary work is done.
    numbers : tuple of str
        Numbers that the rule asks to be known by heart, each named by what it is for.
    """

    words: str
    arithmetic: str
    work: dict[str, int]
    numbers: tuple[str, ...] = ()

    @property
    def units(self) -> int:
        """Units of mental cost, by the `RUBRIC`; those of the numbers not counted."""
        return sum(n * RUBRIC[kind].units for kind, n in self.work.items())


@dataclass
class Worksheet:
    """Where a formula is worked out.

    Attributes
    ----------
    epc : callable
        Gives the EPC of a side from a table, of the checkers on its points.
    steps : list of Step
        What was written so far.

    Examples
    --------
    >>> sheet = Worksheet()
    >>> sheet.write("a tenth", "70 / 10 = 7", 7, tenth=1)
    7
    >>> sheet.steps[0].work
    {'tenth': 1}
    """

    epc: Callable[[tuple[int, ...]], float] | None = None
    steps: list[Step] = field(default_factory=list)

    def write(
        self,
        words: str,
        arithmetic: str,
        value: T,
        numbers: tuple[str, ...] = (),
        **work: int,
    ) -> T:
        """Write a step down and return its value."""
        self.steps.append(
            Step(words, arithmetic, {k: n for k, n in work.items() if n}, numbers)
        )
        return value


@dataclass(frozen=True)
class Verdict:
    """The decisions of a formula for both sides of one race; see `CubeDecision`."""

    double: bool
    redouble: bool
    take: bool


def times(number: float) -> str:
    """Name the work of multiplying or dividing a count by a number.

    By 1, 10 or 100 and by one half it is a glance, by 2 to 12 the tables everyone knows,
    by others long; zeros at the end change nothing.

    Examples
    --------
    >>> [times(number) for number in (10, 2, 7, 12, 25, 200)]
    ['tenth', 'tenth', 'part', 'part', 'long', 'tenth']
    """
    digits = f"{abs(number):g}".rstrip("0") if number == int(number) else f"{number:g}"
    if digits in ("1", "2", "0.5"):
        return "tenth"
    return "part" if number != int(number) or int(digits) <= 12 else "long"


def yes(done: bool) -> str:
    """Write whether a comparison holds."""
    return "yes" if done else "no"
