"""Mental cost of a formula, from the elementary steps of its mental arithmetic.

A formula writes its steps on a `Worksheet`, with the elementary work of each step. The
mental cost is the sum of this work, with each type of work multiplied by its units in the
rubric, plus one unit for each number to memorise. A unit is about a second of a trained
player's time; see docs/formulas.md.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bearoff.analysis.formulas.counting import EpcEstimate
from bearoff.analysis.formulas.rules import WorkedFormula
from bearoff.analysis.formulas.writing import RUBRIC, RUBRICS, Worksheet

NUMBER = 1
"""Mental cost of each number to memorise."""

RACES = (
    ((1, 1, 1, 1, 0, 0), (2, 1, 0, 1, 0, 0)),
    ((5, 3, 1, 1, 0, 0), (4, 3, 2, 1, 0, 0)),
    ((1, 2, 1, 2, 1, 1), (2, 1, 2, 1, 1, 1)),
    ((2, 2, 2, 3, 3, 3), (2, 2, 3, 2, 3, 3)),
    ((0, 0, 1, 4, 5, 5), (0, 0, 2, 3, 5, 5)),
    ((0, 0, 1, 3, 4, 4, 1, 2), (0, 0, 1, 3, 4, 4, 1, 2)),
)
"""Typical races, from the end of a race to a race with checkers outside the home board. The
mental cost of a formula is its cost in the costliest of these races."""


@dataclass(frozen=True)
class MentalCost:
    """Mental cost of a formula.

    Attributes
    ----------
    work : dict of str to int
        How often each type of elementary work is done.
    numbers : tuple of str
        Names of the numbers to memorise.

    Examples
    --------
    >>> from bearoff.analysis import formulas
    >>> cost = mental_cost(formulas.get("zare"))
    >>> cost.total, cost.beyond_pips, len(cost.numbers)
    (37, 13, 4)
    """

    work: dict[str, int]
    numbers: tuple[str, ...]

    @property
    def items(self) -> dict[str, int]:
        """Mental cost by type of work, with the key ``numbers`` for memorised numbers."""
        return self.items_by("standard")

    def items_by(self, rubric: str) -> dict[str, int]:
        """Return the mental cost by type of work, according to one of the `RUBRICS`."""
        other = RUBRICS[rubric]
        units = {
            kind: n * other.get(kind, RUBRIC[kind].units) for kind, n in self.work.items()
        }
        return {**units, "numbers": NUMBER * len(self.numbers)}

    @property
    def total(self) -> int:
        """Total mental cost."""
        return sum(self.items.values())

    @property
    def beyond_pips(self) -> int:
        """Mental cost without counting pips, with which nearly all formulas begin."""
        return self.total - self.items.get("pips", 0)

    def by_rubric(self) -> dict[str, int]:
        """Return the total mental cost with each of the cost scales in `RUBRICS`."""
        return {name: sum(self.items_by(name).values()) for name in RUBRICS}


def mental_cost(formula: WorkedFormula) -> MentalCost:
    """Return the mental cost of counting both sides and making all three cube decisions.

    Examples
    --------
    >>> from bearoff.analysis import formulas
    >>> keith, isight = (mental_cost(formulas.get(name)) for name in ("keith", "isight"))
    >>> keith.total < isight.total
    True
    """
    return max(costs_by_race(formula), key=lambda cost: cost.total)


def costs_by_race(formula: WorkedFormula) -> tuple[MentalCost, ...]:
    """Return the mental cost of a formula in each of the typical `RACES`."""
    return tuple(_cost_of_race(formula, race) for race in RACES)


def estimate_cost(estimate: EpcEstimate) -> MentalCost:
    """Return the mental cost of estimating the EPC of one side."""
    costs = []
    for side in (side for race in RACES for side in race):
        sheet = Worksheet()
        estimate.work(sheet, side, "your")
        costs.append(cost_of(sheet))
    return max(costs, key=lambda cost: cost.total)


def _cost_of_race(formula: WorkedFormula, race: Sequence[tuple[int, ...]]) -> MentalCost:
    # Looking up an EPC is the same mental work for every EPC, so this function may return
    # any number.
    sheet = Worksheet(epc=lambda side: 50.0)
    formula.work(sheet, race)
    return cost_of(sheet)


def cost_of(sheet: Worksheet) -> MentalCost:
    """Return the mental cost of a worksheet; each number to memorise counts once."""
    work: Counter[str] = Counter()
    numbers: dict[str, None] = {}
    for step in sheet.steps:
        work.update(step.work)
        numbers.update(dict.fromkeys(step.numbers))
    return MentalCost({kind: work[kind] for kind in RUBRIC if work[kind]}, tuple(numbers))
