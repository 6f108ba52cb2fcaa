"""What a formula costs in the head, under one rubric for all; see docs/mental-cost.md.

A formula writes its steps on a `Pad`; each step says how much elementary work it is. The
cost is the work times the rubric's units, and one unit for each number that must be
known by heart. A unit is about a second of a trained player's time.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.formulas.base import WorkedFormula
from analysis.formulas.epc_estimates import EpcEstimate
from analysis.formulas.pad import WORK, Pad, Step


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
    "points": Rate(1, "a look at one point, or one outer quadrant, and counting it on"),
    "small": Rate(1, "adding or taking off a number below ten, doubling one"),
    "large": Rate(2, "adding or taking off a number of two digits"),
    "tenth": Rate(1, "multiplying or dividing a count by 2, 10, 20, 100 or 200"),
    "part": Rate(3, "multiplying or dividing a count by 3 to 12: a third, a seventh"),
    "long": Rate(8, "multiplying or dividing by any other number of two digits"),
    "round": Rate(1, "rounding, or carrying a fraction on"),
    "compare": Rate(1, "comparing two numbers"),
    "table": Rate(60, "an EPC from a table: nobody works it out in the head"),
}
"""Units of each kind of work, the same for all formulas."""

NUMBER = 1
"""Units for each number that must be known by heart."""

RACES = (
    ((5, 3, 1, 1, 0, 0), (4, 3, 2, 1, 0, 0)),
    ((2, 2, 2, 3, 3, 3), (2, 2, 3, 2, 3, 3)),
    ((0, 0, 1, 4, 5, 5), (0, 0, 2, 3, 5, 5)),
    ((0, 0, 1, 3, 4, 4, 1, 2), (0, 0, 1, 3, 4, 4, 1, 2)),
)
"""A short, a middle, a long home-board race and one not yet home.

Hardly a formula's work depends on the race; where it branches the dearest branch counts.
"""


@dataclass(frozen=True)
class MentalCost:
    """What a formula costs in the head.

    Attributes
    ----------
    work : dict of str to int
        How often each kind of elementary work is done.
    numbers : tuple of str
        Numbers to be known by heart, each named by what it is for.

    Examples
    --------
    >>> from analysis import formulas
    >>> cost = mental_cost(formulas.get("zare"))
    >>> cost.total, cost.beyond_pips, len(cost.numbers)
    (37, 13, 4)
    """

    work: dict[str, int]
    numbers: tuple[str, ...]

    @property
    def items(self) -> dict[str, int]:
        """Units by kind of work, and those of the numbers under ``numbers``."""
        units = {kind: n * RUBRIC[kind].units for kind, n in self.work.items()}
        return {**units, "numbers": NUMBER * len(self.numbers)}

    @property
    def total(self) -> int:
        """All units."""
        return sum(self.items.values())

    @property
    def beyond_pips(self) -> int:
        """Units besides the raw pip counts that nearly all formulas begin with."""
        return self.total - self.items.get("pips", 0)


def mental_cost(formula: WorkedFormula) -> MentalCost:
    """Price a formula: both sides counted, and double, redouble and take decided.

    Examples
    --------
    >>> from analysis import formulas
    >>> keith, isight = (mental_cost(formulas.get(name)) for name in ("keith", "isight"))
    >>> keith.total < isight.total
    True
    """
    return max((_cost_of_race(formula, race) for race in RACES), key=lambda c: c.total)


def estimate_cost(estimate: EpcEstimate) -> MentalCost:
    """Price an estimate of one side's EPC."""
    costs = []
    for side in (side for race in RACES for side in race):
        pad = Pad()
        estimate.work(pad, side, "your")
        costs.append(cost_of(pad))
    return max(costs, key=lambda cost: cost.total)


def _cost_of_race(formula: WorkedFormula, race: Sequence[tuple[int, ...]]) -> MentalCost:
    pad = Pad(epc=lambda side: 50.0)  # What an exact EPC is does not change the work.
    formula.work(pad, race)
    return cost_of(pad)


def units_of(step: Step) -> int:
    """Units of one step, the numbers that it asks to be known apart."""
    return sum(n * RUBRIC[kind].units for kind, n in step.work.items())


def cost_of(pad: Pad) -> MentalCost:
    """Price what stands on a pad; a number known by heart counts once."""
    work: Counter[str] = Counter()
    numbers: dict[str, None] = {}
    for step in pad.steps:
        work.update(step.work)
        numbers.update(dict.fromkeys(step.numbers))
    return MentalCost({kind: work[kind] for kind in WORK if work[kind]}, tuple(numbers))
