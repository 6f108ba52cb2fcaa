"""Worksheets, on which a formula is calculated step by step, as a player would do it.

A formula writes its steps on a `Worksheet`, with the numbers of one race. Each step
explains a part of the decision and lists its mental work. `analysis.scoring.cost` adds up
this work, so explanation and mental cost always agree.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")

Number = int | Fraction
"""Type of the exact numbers on a worksheet: integers or fractions."""


@dataclass(frozen=True)
class WorkCost:
    """Mental cost of one type of elementary work, such as an addition.

    Attributes
    ----------
    units : int
        Cost in units of about a second.
    """

    units: int
    what: str


RUBRIC = {
    "pips": WorkCost(12, "counting the pips of one side: six points, two units each"),
    "values": WorkCost(
        12, "counting one side with values of checkers that differ from their pips"
    ),
    "changed": WorkCost(0, "using a value other than the pips for the checkers of a point"),
    "points": WorkCost(1, "looking at one point or outer quadrant and adding to a count"),
    "small": WorkCost(1, "adding, subtracting or doubling a number below ten"),
    "large": WorkCost(2, "adding or subtracting a number of two digits"),
    "tenth": WorkCost(1, "multiplying or dividing a count by 2, 10, 20, 100 or 200"),
    "part": WorkCost(3, "multiplying or dividing a count by 3 to 12: a third, a seventh"),
    "long": WorkCost(8, "multiplying or dividing by any other number of two digits"),
    "round": WorkCost(1, "rounding a quotient, or calculating with a fraction"),
    "compare": WorkCost(1, "comparing two numbers"),
    "table": WorkCost(60, "looking up an EPC in a table, which nobody computes mentally"),
}
"""Mental cost of each type of elementary work, the same for all formulas."""

RUBRICS: dict[str, dict[str, int]] = {
    "standard": {},
    "pips first": {"changed": 6},
    "looks dear": {"points": 2},
}
"""Alternative mental costs that replace entries of `RUBRIC`: for players who count pips
before they adjust them, and for players who find features of a position hard to see."""


@dataclass(frozen=True)
class Step:
    """Step of the calculation on a worksheet.

    Attributes
    ----------
    words : str
        Description of the step.
    arithmetic : str
        The step's calculation with the numbers of one race.
    work : dict of str to int
        How often each type of elementary work occurs in the step.
    numbers : tuple of str
        Descriptions of the numbers to memorise.
    """

    words: str
    arithmetic: str
    work: dict[str, int]
    numbers: tuple[str, ...] = ()

    @property
    def units(self) -> int:
        """Mental cost of the step, without the cost of memorising numbers."""
        return sum(n * RUBRIC[kind].units for kind, n in self.work.items())


@dataclass
class Worksheet:
    """Worksheet on which a formula is calculated for one race.

    Attributes
    ----------
    epc : callable
        Function that returns the EPC in pips of a side, given its checkers.
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
        """Append a step to the worksheet, and return the value of the step."""
        self.steps.append(
            Step(words, arithmetic, {k: n for k, n in work.items() if n}, numbers)
        )
        return value


@dataclass(frozen=True)
class Verdict:
    """Cube decisions of a formula in one race."""

    double: bool
    redouble: bool
    take: bool


def times(number: float) -> str:
    """Return the type of mental work that multiplying or dividing by a number requires.

    The type is ``tenth`` for 1, 2, one half and their multiples by powers of ten. Without
    trailing zeros, other numbers up to 12 have the type ``part``, and all larger numbers
    the type ``long``.

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
