"""The worksheet: a formula worked out step by step, as a player does it.

A formula writes its steps on a `Worksheet`, with the numbers of one race. The steps both
explain the decision and list the mental work whose cost `analysis.scoring.cost` computes,
so explanation and cost always agree.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")

Number = int | Fraction
"""An exact value on the worksheet; only rounding that is part of a formula applies."""


@dataclass(frozen=True)
class WorkCost:
    """Mental cost of one kind of elementary work.

    Attributes
    ----------
    units : int
        Cost, roughly in seconds.
    what : str
        Description of the work.
    """

    units: int
    what: str


RUBRIC = {
    "pips": WorkCost(12, "a raw pip count of one side: six points, two units each"),
    "values": WorkCost(12, "the same, a checker on each point counting some other number"),
    "changed": WorkCost(0, "a point, or all, whose checkers do not count their pips"),
    "points": WorkCost(1, "a look at one point, or one outer quadrant, and counting it on"),
    "small": WorkCost(1, "adding or taking off a number below ten, doubling one"),
    "large": WorkCost(2, "adding or taking off a number of two digits"),
    "tenth": WorkCost(1, "multiplying or dividing a count by 2, 10, 20, 100 or 200"),
    "part": WorkCost(3, "multiplying or dividing a count by 3 to 12: a third, a seventh"),
    "long": WorkCost(8, "multiplying or dividing by any other number of two digits"),
    "round": WorkCost(1, "rounding, or carrying a fraction on"),
    "compare": WorkCost(1, "comparing two numbers"),
    "table": WorkCost(60, "an EPC from a table: no player works it out in the head"),
}
"""Mental cost of each kind of work, the same for all formulas."""

RUBRICS: dict[str, dict[str, int]] = {
    "standard": {},
    "pips first": {"changed": 6},
    "looks dear": {"points": 2},
}
"""Alternative mental costs that replace some units of `RUBRIC`: for players who count pips
first and then correct them, and for players who find the features of a position hard to
see. A formula should be worth its cost under all of them."""


@dataclass(frozen=True)
class Step:
    """One line on the worksheet.

    Attributes
    ----------
    words : str
        Description of the step.
    arithmetic : str
        The step's calculation with the numbers of this race.
    work : dict of str to int
        Number of times each kind of elementary work is done.
    numbers : tuple of str
        Names of the numbers that must be memorised.
    """

    words: str
    arithmetic: str
    work: dict[str, int]
    numbers: tuple[str, ...] = ()

    @property
    def units(self) -> int:
        """Mental cost by `RUBRIC`, without the cost of memorising numbers."""
        return sum(n * RUBRIC[kind].units for kind, n in self.work.items())


@dataclass
class Worksheet:
    """Worksheet of a formula for one race.

    Attributes
    ----------
    epc : callable
        Function from the checkers of a side to its EPC from a table.
    steps : list of Step
        Steps written so far.

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
        """Append a step and return its value."""
        self.steps.append(
            Step(words, arithmetic, {k: n for k, n in work.items() if n}, numbers)
        )
        return value


@dataclass(frozen=True)
class Verdict:
    """Decisions of a formula in one race; see `CubeDecision`."""

    double: bool
    redouble: bool
    take: bool


def times(number: float) -> str:
    """Return the kind of work of multiplying or dividing a count by a number.

    Factors 1, 10, 100 and one half are ``tenth``, factors up to 12 are ``part``, others are
    ``long``; trailing zeros do not matter.

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
    """Return "yes" or "no"."""
    return "yes" if done else "no"
