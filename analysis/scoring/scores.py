"""Losses of formulas in decisions with exact equities, and differences between formulas.

Losses are averaged over positions, weighted by frequency. Standard errors allow for
correlation within a game; see `Clusters`. The difference between two formulas is computed
position by position, and is far more precise than the loss of either formula.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.formulas.rules import Formula, WinFormula
from bearoff.analysis.outcomes import Gains, intervals
from bearoff.analysis.scoring.decisions import ValuedDecisions
from bearoff.matchup import CubeDecision

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Progress = Callable[[str, float], object]

ROWS = 1 << 17
"""Number of positions for which a formula is evaluated at once."""

BINS = np.arange(0, 101, 10) / 100
"""Boundaries of the intervals of estimated win probabilities, for a calibration table."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """Means over positions; their standard errors allow for positions from the same game.

    A row represents all occurrences of a pair of positions, but only the game of the first
    occurrence is known. The variance for independent occurrences is therefore multiplied by
    the *design effect*. The design effect is computed from the first occurrences: the
    variance of their sums by game, divided by their variance without regard to games.

    Attributes
    ----------
    weights : ndarray of float64, shape (n,)
        Weight of each position.
    games : ndarray of int64, shape (n,)
        Number of the game in which each position first occurs.
    visits : ndarray of float64, shape (n,), optional
        How often each position occurs; by default, the number is the position's weight.
    """

    weights: Float64Array
    games: Int64Array
    visits: Float64Array | None = None

    @classmethod
    def of(cls, decisions: ValuedDecisions) -> "Clusters":
        return cls(decisions.weights, decisions.games, decisions.visits)

    @cached_property
    def _numbers(self) -> Int64Array:
        return np.asarray(np.unique(self.games, return_inverse=True)[1])

    def mean(
        self, values: Float64Array, counted: NDArray[np.bool_] | None = None
    ) -> intervals.Mean:
        """Return the mean of the selected values, with its standard error."""
        weights = self.weights if counted is None else self.weights * counted
        visits = self.weights if self.visits is None else self.visits
        total = float(weights.sum())
        if total == 0:
            return intervals.Mean(float("nan"), float("nan"))
        mean = float(weights @ values) / total
        off = (values - mean) * weights / visits
        squares = off * off
        independent = float(squares.sum())
        if independent == 0:
            return intervals.Mean(mean, 0.0)
        by_game = np.bincount(self._numbers, weights=off)
        effect = float(by_game @ by_game) / independent
        return intervals.Mean(mean, float(np.sqrt(effect * (visits @ squares))) / total)


@dataclass(frozen=True)
class ActionLoss:
    """Losses of a formula in its decisions on one cube action.

    Attributes
    ----------
    decisions : float
        Number of decisions, counting repeated positions.
    lost : Mean
        Mean points lost per decision.
    wrong : Mean
        Proportion of decisions that are wrong.
    worst : float
        Largest loss in one decision, in points.
    worst_row : int
        Index of the decision with the largest loss.
    """

    decisions: float
    lost: intervals.Mean
    wrong: intervals.Mean
    worst: float
    worst_row: int


@dataclass(frozen=True)
class ChanceErrors:
    """Errors of estimated win probabilities, from 0 to 1.

    Attributes
    ----------
    bias : Mean
        Mean of the estimated minus the true win probability.
    calibration : tuple of (float, float, float)
        For each nonempty interval of `BINS`: number of positions, mean estimated win
        probability, and mean true win probability.
    """

    absolute: intervals.Mean
    rms: float
    bias: intervals.Mean
    calibration: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, eq=False)
class FormulaLoss:
    """Losses of a formula's cube decisions.

    Attributes
    ----------
    name : str
        Name of the formula.
    actions : dict of str to ActionLoss
        Losses in decisions to ``double``, ``redouble`` and ``take``.
    total : Mean
        Mean points that the formula's double, redouble and take together lose per position.
    per_game : Mean
        Mean points lost per game.
    chance : ChanceErrors or None
        Errors of the formula's win probabilities; None if the formula estimates none.
    losses : ndarray of float64, shape (n,)
        Points that the formula's double, redouble and take together lose in each position.
    """

    name: str
    actions: dict[str, ActionLoss]
    total: intervals.Mean
    per_game: intervals.Mean
    chance: ChanceErrors | None
    losses: Float64Array = field(repr=False)


def score_formulas(
    formulas: Sequence[Formula],
    decisions: ValuedDecisions,
    progress: Progress = lambda stage, done: None,
) -> list[FormulaLoss]:
    """Compute the losses of several formulas on the same decisions.

    Parameters
    ----------
    formulas : sequence of Formula
        Formulas to test.
    decisions : ValuedDecisions
        Cube decisions with exact equities.
    progress : callable
        Function called with the name of a formula and the completed fraction of all work.
    """
    clusters = Clusters.of(decisions)
    scores = []
    for place, formula in enumerate(formulas):
        decided = Gains.decided(formula, decisions.rollers, decisions.opponents)
        chance = None
        if isinstance(formula, WinFormula):
            estimated = _in_blocks(formula.win_probability, decisions)
            chance = _chance_errors(estimated, decisions, clusters)
        scores.append(_score(formula.name, decided, chance, decisions, clusters))
        progress(formula.name, (place + 1) / len(formulas))
    return scores


def loss_difference(
    one: FormulaLoss, other: FormulaLoss, decisions: ValuedDecisions
) -> intervals.Mean:
    """Return the mean difference in loss per position between two formulas."""
    clusters = Clusters.of(decisions)
    return clusters.mean(one.losses - other.losses)


def _in_blocks(
    estimate: Callable[..., Float64Array], decisions: ValuedDecisions
) -> Float64Array:
    return np.concatenate(
        [
            estimate(*(side[at : at + ROWS] for side in _sides(decisions)))
            for at in range(0, len(decisions), ROWS)
        ]
    )


def _sides(decisions: ValuedDecisions) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    return decisions.rollers, decisions.opponents


def _score(
    name: str,
    decided: CubeDecision,
    chance: ChanceErrors | None,
    decisions: ValuedDecisions,
    clusters: Clusters,
) -> FormulaLoss:
    lost = decisions.lost(decided)
    asked = decisions.asked
    actions = {}
    for action in Gains.ACTIONS:
        counted = asked if action == "take" else None
        worst = int(lost[action].argmax())
        visits = decisions.weights if counted is None else decisions.weights[counted]
        actions[action] = ActionLoss(
            decisions=float(visits.sum()),
            lost=clusters.mean(lost[action], counted),
            wrong=clusters.mean((lost[action] > 0).astype(np.float64), counted),
            worst=float(lost[action][worst]),
            worst_row=worst,
        )
    losses: Float64Array = lost["double"] + lost["redouble"] + lost["take"]
    total = clusters.mean(losses)
    each = float(decisions.weights.sum()) / decisions.played
    return FormulaLoss(
        name,
        actions,
        total,
        intervals.Mean(total.value * each, total.error * each),
        chance,
        losses,
    )


def _chance_errors(
    estimated: Float64Array, decisions: ValuedDecisions, clusters: Clusters
) -> ChanceErrors:
    off = estimated - decisions.win_probability
    weights = decisions.weights
    bins = np.clip(np.digitize(estimated, BINS) - 1, 0, len(BINS) - 2)
    totals = [
        np.bincount(bins, weights=weights * each, minlength=len(BINS) - 1)
        for each in (np.ones(len(off)), estimated, decisions.win_probability)
    ]
    return ChanceErrors(
        absolute=clusters.mean(np.abs(off)),
        rms=float(np.sqrt(weights @ off**2 / weights.sum())),
        bias=clusters.mean(off),
        calibration=tuple(
            (float(n), float(estimate / n), float(true / n))
            for n, estimate, true in zip(*totals, strict=True)
            if n
        ),
    )
