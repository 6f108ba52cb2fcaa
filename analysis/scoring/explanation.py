"""Explanation of a formula's cube decisions in one race, with losses."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from bearoff import MatchTable, PositionError, Race, TwoSidedTable, Values, cube_action
from bearoff.analysis.formulas.counting import side_epc
from bearoff.analysis.formulas.rules import WorkedFormula
from bearoff.analysis.formulas.writing import Step, Verdict, Worksheet


@dataclass(frozen=True)
class Explanation:
    """Calculation of a formula in one race, and the resulting cube decisions."""

    formula: WorkedFormula
    steps: tuple[Step, ...]
    verdict: Verdict


def explain(formula: WorkedFormula, race: Race) -> Explanation:
    """Apply a formula to one race, step by step.

    Raises
    ------
    PositionError
        If a side has borne off all checkers.

    Examples
    --------
    >>> from bearoff.analysis import formulas
    >>> from bearoff import Position
    >>> race = Race(Position((0, 0, 0, 5, 5, 5)), Position((0, 0, 0, 3, 5, 7)))
    >>> found = explain(formulas.get("zare"), race)
    >>> for step in found.steps:
    ...     print(f"{step.words:32} {step.arithmetic}")
    your pips                        75
    the opponent's pips              79
    a tenth of your count            75 / 10 = 7½
    your raised count                75 + 7½ = 82½
    your count minus the opponent's  82½ - 79 = 3½
    double if at most 2              3½ <= 2: no
    redouble if at most 1            3½ <= 1: no
    take if at least -2              3½ >= -2: yes
    """
    sides = race.roller.counts, race.opponent.counts
    for name, side in zip(("roller", "opponent"), sides, strict=True):
        if not any(side):
            raise PositionError(
                f"the {name} has borne off all checkers and the game is over; a formula "
                "needs both sides to have checkers on the board"
            )
    sheet = Worksheet(epc=lambda side: float(side_epc(np.array([side]))[0]))
    verdict = formula.work(sheet, sides)
    return Explanation(formula, tuple(sheet.steps), verdict)


@dataclass(frozen=True)
class VerdictLoss:
    """Losses of a formula's cube decisions in one race, in points.

    Attributes
    ----------
    centred, owned : Values
        Exact values and right actions, with a centred cube and with an owned cube.
    double, redouble, take : float
        Points lost by the formula's decision with a centred cube, with an owned cube, and
        on a take, at a cube value of 1; 0 for a right decision.
    """

    centred: Values
    owned: Values
    double: float
    redouble: float
    take: float


def verdict_loss(
    verdict: Verdict, table: TwoSidedTable | MatchTable, race: Race
) -> VerdictLoss:
    """Return the losses of a formula's decisions, given a table that contains the race."""
    wheres: tuple[Literal["centred", "owned"], ...] = ("centred", "owned")
    centred, owned = (cube_action(table, race, where) for where in wheres)
    return VerdictLoss(
        centred,
        owned,
        double=float(centred.wrong_double if verdict.double else centred.missed_double),
        redouble=float(owned.wrong_double if verdict.redouble else owned.missed_double),
        take=float(centred.wrong_take if verdict.take else centred.wrong_pass),
    )
