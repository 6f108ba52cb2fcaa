"""Errors of win probability formulas and losses of cube rules in simulated races.

Averages use the weights of the pairs. The *floor* of an error is the error that a perfect
formula would show, because the number of games is finite. An error near its floor is
therefore not evidence against a formula.

Decisions are valued by Janowski's model of money play without gammons, in points at a cube
of 1 before the decision. A double gains the smaller of the roller's equities after a take
and after a pass, minus the roller's equity without a double. A take gains the opponent's
equity after the take, minus the opponent's equity after a pass.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bearoff import cubeful_equity
from bearoff.analysis.formulas.counting import CountsArray
from bearoff.analysis.formulas.rules import Formula, decide_by_chance
from bearoff.analysis.outcomes.intervals import Mean, wilson_interval
from bearoff.analysis.outcomes.outcomes import Float64Array, Outcomes
from bearoff.matchup import CubeDecision

BoolArray = NDArray[np.bool_]

BLOCK = 1 << 17
"""Number of positions for which a formula is evaluated at once."""


@dataclass(frozen=True, eq=False)
class Gains:
    """Equity gained by each cube action; negative where the action is wrong.

    Attributes
    ----------
    double, redouble : ndarray of float64
        Equity that the roller gains by doubling a centred cube, and by redoubling.
    take : ndarray of float64
        Equity that the opponent gains by taking.
    ACTIONS : tuple of str
        Names of the cube actions, which are fields of both `Gains` and `CubeDecision`.
    """

    ACTIONS: ClassVar = ("double", "redouble", "take")

    double: Float64Array
    redouble: Float64Array
    take: Float64Array

    @classmethod
    def at(cls, win_probability: Float64Array, efficiency: float) -> "Gains":
        """Return the equities gained by each cube action at given win probabilities.

        Examples
        --------
        At the last take point of a live cube, a take gains nothing:

        >>> import numpy as np
        >>> gains = Gains.at(np.array([0.8, 1.0]), 1.0)
        >>> gains.double.round(9) + 0, gains.take.round(9) + 0
        (array([0., 0.]), array([ 0., -1.]))
        """
        taken = 2 * cubeful_equity(win_probability, "opponent", efficiency)
        doubled = np.minimum(taken, 1)
        return cls(
            double=doubled - cubeful_equity(win_probability, "centred", efficiency),
            redouble=doubled - cubeful_equity(win_probability, "owned", efficiency),
            take=1 - taken,
        )

    @classmethod
    def decided(
        cls, formula: Formula, rollers: CountsArray, opponents: CountsArray
    ) -> CubeDecision:
        """Return a formula's decisions in many positions, evaluated in blocks."""
        blocks = [
            formula.decide(rollers[at : at + BLOCK], opponents[at : at + BLOCK])
            for at in range(0, len(rollers), BLOCK)
        ]
        return CubeDecision(
            *(
                np.concatenate([getattr(b, action) for b in blocks])
                for action in cls.ACTIONS
            )
        )

    def lost(self, decision: CubeDecision) -> dict[str, Float64Array]:
        """Return the equity lost by each decision; 0 if the decision is right."""
        return {
            action: np.maximum(
                np.where(getattr(decision, action), -1, 1) * getattr(self, action), 0
            )
            for action in self.ACTIONS
        }


@dataclass(frozen=True)
class SimulatedChanceErrors:
    """Errors of estimated win probabilities, compared with simulated win probabilities.

    Attributes
    ----------
    absolute : Mean
        Mean absolute difference from the simulated win probability.
    rms : Mean
        Root mean square difference from the simulated win probability.
    worst : float
        Difference with the largest absolute value: estimated minus simulated win
        probability.
    worst_pair : tuple of int
        Position numbers of the roller and the opponent in the pair of positions with the
        difference `worst`.
    floor_absolute, floor_rms : float
        Errors that a perfect formula would show because of simulation noise.
    """

    pairs: int
    absolute: Mean
    rms: Mean
    worst: float
    worst_pair: tuple[int, int]
    floor_absolute: float
    floor_rms: float


def score_chance(estimates: Float64Array, outcomes: Outcomes) -> SimulatedChanceErrors:
    """Compute the errors of estimated win probabilities, one for each pair of positions."""
    difference = estimates - outcomes.win_probability
    square = Mean.of(difference**2, outcomes.weight)
    rms = float(np.sqrt(square.value))
    at = int(np.abs(difference).argmax())
    noise = Mean.of(outcomes.variance, outcomes.weight).value
    spread = Mean.of(np.sqrt(outcomes.variance), outcomes.weight).value
    return SimulatedChanceErrors(
        pairs=len(outcomes),
        absolute=Mean.of(np.abs(difference), outcomes.weight),
        # The standard error of a square root is the standard error of the square, divided
        # by twice the root.
        rms=Mean(rms, square.error / (2 * rms) if rms else 0.0),
        worst=float(difference[at]),
        worst_pair=(int(outcomes.roller[at]), int(outcomes.opponent[at])),
        floor_absolute=float(np.sqrt(2 / np.pi) * spread),
        floor_rms=float(np.sqrt(noise)),
    )


@dataclass(frozen=True)
class SimulatedActionLoss:
    """Error rate and lost equity of a formula's decisions on one cube action.

    Attributes
    ----------
    wrong : float
        Proportion of pairs of positions in which the decision is wrong, according to the
        simulated win probability.
    clear : float
        Proportion of pairs of positions in which the decision is wrong at every win
        probability in the 95% interval.
    lost : Mean
        Mean equity lost over all pairs of positions, in points at a cube value of 1.
    worst : float
        Largest equity lost in one pair of positions.
    floor : float or None
        Mean loss that perfect decisions would show because of simulation noise; None if
        unknown.
    """

    wrong: float
    clear: float
    lost: Mean
    worst: float
    floor: float | None


@dataclass(frozen=True)
class SimulatedFormulaLoss:
    """Error rates and lost equities of a formula's decisions on all three cube actions.

    Attributes
    ----------
    pairs : int
        Number of pairs of positions. Takes are scored for every pair, as if the roller had
        doubled.
    efficiency : float
        Cube efficiency in Janowski's model, which gives the equity of each decision.
    actions : dict of str to SimulatedActionLoss
        Losses by cube action: ``double``, ``redouble`` and ``take``.
    total : Mean
        Mean equity lost by all three cube actions together.
    """

    pairs: int
    efficiency: float
    actions: dict[str, SimulatedActionLoss]
    total: Mean


def score_decision(
    decision: CubeDecision, outcomes: Outcomes, efficiency: float
) -> SimulatedFormulaLoss:
    """Compute the losses of cube decisions, given simulated win probabilities."""
    p, weight = outcomes.win_probability, outcomes.weight
    gains = Gains.at(p, efficiency)
    lost = gains.lost(decision)
    has_expected = bool(np.isfinite(outcomes.expected).all())
    perfect = (
        gains.lost(decide_by_chance(outcomes.expected, efficiency)) if has_expected else {}
    )
    best = decide_by_chance(p, efficiency)
    low, high = wilson_interval(outcomes.wins, outcomes.games)
    ends = decide_by_chance(low, efficiency), decide_by_chance(high, efficiency)

    def score(action: str) -> SimulatedActionLoss:
        done: BoolArray = getattr(decision, action)
        wrong = done != getattr(best, action)
        clear = (done != getattr(ends[0], action)) & (done != getattr(ends[1], action))
        return SimulatedActionLoss(
            wrong=Mean.of(wrong.astype(np.float64), weight).value,
            clear=Mean.of(clear.astype(np.float64), weight).value,
            lost=Mean.of(lost[action], weight),
            worst=float(lost[action].max()),
            floor=Mean.of(perfect[action], weight).value if has_expected else None,
        )

    return SimulatedFormulaLoss(
        pairs=len(outcomes),
        efficiency=efficiency,
        actions={action: score(action) for action in Gains.ACTIONS},
        total=Mean.of(sum(lost.values(), np.zeros(len(p))), weight),
    )
