"""What a formula for money loses when it is followed at a score, and how to correct it.

The formulas are those that compare adjusted counts: a count and lines. A correction is a
shift of two lines, in pips: *later* is by how much longer the lead must be to double,
*further* by how much longer it may be to take. Both are chosen on one half of the pairs and
judged on the other.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.formulas.rules import CountRule, Line
from bearoff import MatchActions

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]

SHIFTS = np.array(sorted(range(-16, 17), key=abs)) / 2
"""Shifts tried, in pips; of equal ones the first is chosen."""

REASONABLE = 0.05
"""EMG that a double may lose and its take still be asked about."""

HOPELESS = 0.5
"""EMG that a take may lose and still be asked about."""


@dataclass(frozen=True)
class Followed:
    """What following a formula loses at a score, in EMG a decision.

    Attributes
    ----------
    double, take : float
        As it is.
    corrected_double, corrected_take : float
        With its lines shifted.
    later, further : float
        Shifts of the lines to double and of the last take, in pips of its count.
    """

    double: float
    take: float
    corrected_double: float
    corrected_take: float
    later: float
    further: float


class FormulaAtScores:
    """A formula's leads in a set of pairs, to be priced at any score.

    Parameters
    ----------
    rule : CountRule
        The formula.
    rollers, opponents : ndarray of int8, shape (n, 6)
        Checkers on ace to six.
    judging : ndarray of bool, shape (n,)
        Which pairs judge the shifts that the others choose.
    """

    def __init__(
        self,
        rule: CountRule,
        rollers: NDArray[np.int8],
        opponents: NDArray[np.int8],
        judging: BoolArray,
    ) -> None:
        ours, theirs = rule.count.of(rollers, opponents)
        self.rule = rule
        self._judging = judging
        self._doubled = _beyond(rule.double, ours, theirs - ours)
        self._taken = _beyond(rule.last_take, ours, theirs - ours)

    def follow(self, answer: MatchActions) -> Followed:
        """Price the formula at a score, the cube centred."""
        wrong, missed = (
            answer.emg(cost) for cost in (answer.wrong_double, answer.missed_double)
        )
        taken, passed = (
            answer.emg(cost) for cost in (answer.wrong_take, answer.wrong_pass)
        )
        # A double that loses much is not expected, and a take of it is not asked about.
        asked = (wrong <= REASONABLE) & (taken <= HOPELESS)
        doubled = [self._doubled >= shift for shift in SHIFTS]
        if self.rule.passes_ties:
            takes = [self._taken < shift for shift in SHIFTS]
        else:
            takes = [self._taken <= shift for shift in SHIFTS]
        chosen, losses = [], []
        for acts, (act, wait), counted in (
            (doubled, (wrong, missed), np.ones_like(asked)),
            (takes, (taken, passed), asked),
        ):
            choosing, judged = (
                [_mean(np.where(one, act, wait)[half]) for one in acts]
                for half in (counted & ~self._judging, counted & self._judging)
            )
            chosen.append(int(np.argmin(choosing)))
            losses.append((judged[0], judged[chosen[-1]]))
        later, further = SHIFTS[chosen].tolist()
        return Followed(
            double=losses[0][0],
            take=losses[1][0],
            corrected_double=losses[0][1],
            corrected_take=losses[1][1],
            later=later,
            further=further,
        )


def _mean(costs: Float64Array) -> float:
    return float(costs.mean()) if costs.size else 0.0


def _beyond(line: Line, count: Float64Array, lead: Float64Array) -> Float64Array:
    """Return by how many pips each lead is beyond a line."""
    scaled = line.beyond(count, lead)
    pip = scaled - replace(line, offset=line.offset + 1).beyond(count, lead)
    return np.asarray(scaled / pip)
