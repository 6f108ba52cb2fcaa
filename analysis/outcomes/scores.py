"""Scores of a formula on outcomes: errors of a chance, gains and losses of decisions.

Averages weigh each pair by its weight in the run. Next to each stands the *floor*, what
the finite number of games alone would make a perfect formula seem to err; an error near
its floor is no evidence of any.

Decisions gain or lose by Janowski's model of money play, which has no gammons, in points
at a cube of 1 before the decision: the roller who doubles gets the lesser of the
equities after a take and after a pass, less that of holding the cube; the opponent who
takes gets the difference to passing.
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
"""Positions that a formula is asked about at a time."""


@dataclass(frozen=True, eq=False)
class Gains:
    """Equity gained by acting rather than not; negative where acting is wrong.

    Attributes
    ----------
    double, redouble : ndarray of float64
        To the roller, of turning a centred and an owned cube.
    take : ndarray of float64
        To the opponent who has been doubled, of taking.
    ACTIONS : tuple of str
        The three decisions, by the names of the fields here and of a `CubeDecision`.
    """

    ACTIONS: ClassVar = ("double", "redouble", "take")

    double: Float64Array
    redouble: Float64Array
    take: Float64Array

    @classmethod
    def at(cls, win_probability: Float64Array, efficiency: float) -> "Gains":
        """Return the gains at the roller's chances to win, 0 to 1.

        Examples
        --------
        Two sides of a live cube at the point of last take, where taking costs nothing:

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
        """Ask a formula about many positions, some at a time."""
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
        """Equity that each of a decision's `ACTIONS` gives away, 0 or more."""
        return {
            action: np.maximum(
                np.where(getattr(decision, action), -1, 1) * getattr(self, action), 0
            )
            for action in self.ACTIONS
        }


@dataclass(frozen=True)
class ChanceScore:
    """Errors of estimated win probabilities, all as probabilities from 0 to 1.

    Attributes
    ----------
    pairs : int
        Pairs scored.
    absolute : Mean
        Mean absolute difference to the simulated value.
    rms : Mean
        Root mean square difference.
    worst : float
        The largest difference, of the formula's value less the simulated one.
    worst_pair : tuple of int
        Numbers of the roller and the opponent where it is.
    floor_absolute, floor_rms : float
        What a perfect formula would seem to err.
    """

    pairs: int
    absolute: Mean
    rms: Mean
    worst: float
    worst_pair: tuple[int, int]
    floor_absolute: float
    floor_rms: float


def score_chance(estimates: Float64Array, outcomes: Outcomes) -> ChanceScore:
    """Score estimated win probabilities, one per pair of `outcomes`."""
    difference = estimates - outcomes.win_probability
    square = Mean.of(difference**2, outcomes.weight)
    rms = float(np.sqrt(square.value))
    at = int(np.abs(difference).argmax())
    noise = Mean.of(outcomes.variance, outcomes.weight).value
    spread = Mean.of(np.sqrt(outcomes.variance), outcomes.weight).value
    return ChanceScore(
        pairs=len(outcomes),
        absolute=Mean.of(np.abs(difference), outcomes.weight),
        # The error of a square root, from that of its square.
        rms=Mean(rms, square.error / (2 * rms) if rms else 0.0),
        worst=float(difference[at]),
        worst_pair=(int(outcomes.roller[at]), int(outcomes.opponent[at])),
        floor_absolute=float(np.sqrt(2 / np.pi) * spread),
        floor_rms=float(np.sqrt(noise)),
    )


@dataclass(frozen=True)
class ActionScore:
    """Price of one of the three decisions.

    Attributes
    ----------
    wrong : float
        Share of pairs where it differs from the decision at the simulated value.
    clear : float
        Share where it still differs at both ends of that value's 95% interval.
    lost : Mean
        Equity given away, in points at a cube of 1, over all pairs.
    worst : float
        The most that one pair gives away.
    floor : float or None
        What decisions by the expected values seem to give away; None where unknown.
    """

    wrong: float
    clear: float
    lost: Mean
    worst: float
    floor: float | None


@dataclass(frozen=True)
class RuleScore:
    """Price of a formula's decisions.

    Attributes
    ----------
    pairs : int
        Pairs scored; takes are scored at every pair, as if the roller had doubled.
    efficiency : float
        Of the cube in the model that sets the price.
    actions : dict of str to ActionScore
        By ``double``, ``redouble`` and ``take``.
    total : Mean
        Equity given away by all three.
    """

    pairs: int
    efficiency: float
    actions: dict[str, ActionScore]
    total: Mean


def score_decision(
    decision: CubeDecision, outcomes: Outcomes, efficiency: float
) -> RuleScore:
    """Price decisions, one per pair of `outcomes`, at the simulated win probabilities."""
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

    def score(action: str) -> ActionScore:
        done: BoolArray = getattr(decision, action)
        wrong = done != getattr(best, action)
        clear = (done != getattr(ends[0], action)) & (done != getattr(ends[1], action))
        return ActionScore(
            wrong=Mean.of(wrong.astype(np.float64), weight).value,
            clear=Mean.of(clear.astype(np.float64), weight).value,
            lost=Mean.of(lost[action], weight),
            worst=float(lost[action].max()),
            floor=Mean.of(perfect[action], weight).value if has_expected else None,
        )

    return RuleScore(
        pairs=len(outcomes),
        efficiency=efficiency,
        actions={action: score(action) for action in Gains.ACTIONS},
        total=Mean.of(sum(lost.values(), np.zeros(len(p))), weight),
    )
