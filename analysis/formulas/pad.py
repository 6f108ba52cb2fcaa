"""The scratch pad: a formula worked out as a player does it, one step after the other.

A formula writes what it does on a `Pad`, with the numbers of one race. What stands there
is both the explanation of its decision and the list of work that `analysis.mental_cost`
prices, so that the two cannot tell different stories.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")

Number = int | Fraction
"""A value on the pad: nothing is rounded there but where a formula says so."""

WORK = (
    "pips",
    "points",
    "small",
    "large",
    "tenth",
    "part",
    "long",
    "round",
    "compare",
    "table",
)
"""The kinds of elementary work; `analysis.mental_cost.RUBRIC` says what each means."""


@dataclass(frozen=True)
class Step:
    """One line on the pad.

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


@dataclass
class Pad:
    """Where a formula is worked out.

    Attributes
    ----------
    epc : callable
        Gives the EPC of a side from a table, of the checkers on its points.
    steps : list of Step
        What was written so far.

    Examples
    --------
    >>> pad = Pad()
    >>> pad.write("a tenth", "70 / 10 = 7", 7, tenth=1)
    7
    >>> pad.steps[0].work
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
