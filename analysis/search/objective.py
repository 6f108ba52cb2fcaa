"""Objective of a formula search: a weighted sum of the losses in many decisions."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.battery import Battery, BatteryLosses
from bearoff.analysis.formulas.rules import Formula
from bearoff.analysis.outcomes import Gains
from bearoff.analysis.scoring import ValuedDecisions

Float64Array = NDArray[np.float64]
Int8Array = NDArray[np.int8]

ROWS = {
    "game": 2.0,
    "near": 6.0,
    "1-4": 1.0,
    "5-8": 1.5,
    "9-12": 1.5,
    "13-15": 1.5,
    "beyond": 2.0,
    "uniform": 1.0,
    "checkers-5": 1.0,
    "checkers-10": 1.0,
    "races": 1.0,
}
"""Weights of the test sets in the weighted sum that a formula search minimises. Each loss
is first divided by the loss of the reference formula on the same test set. Test sets that
are contained in other test sets are omitted."""

CORE, SPREAD = 0.76, 0.17
"""Centre and width of the range of win probabilities from which a sample contains more
decisions.
"""


@dataclass(frozen=True, eq=False)
class Objective:
    """Weighted cube decisions; a formula search minimises the sum of their losses.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, points)
        Checkers on the ace, deuce, ... points of the roller and of the opponent.
    gains : ndarray of float64, shape (n, 3)
        Equities that the roller gains by doubling and by redoubling, and that the opponent
        gains by passing instead of taking, each multiplied by the decision's weight.
    chance : ndarray of float64, shape (n,)
        Roller's win probability in each position.
    """

    rollers: Int8Array
    opponents: Int8Array
    gains: Float64Array
    chance: Float64Array

    @classmethod
    def of_decisions(cls, decisions: ValuedDecisions) -> "Objective":
        """Return an objective that is the mean loss per position, in points."""
        share = decisions.weights / decisions.weights.sum()
        counted = np.repeat(share[:, None], 3, axis=1)
        counted[:, 2] *= decisions.asked
        return cls(
            decisions.rollers,
            decisions.opponents,
            _gains(decisions) * counted,
            decisions.win_probability,
        )

    @classmethod
    def of_battery(cls, battery: Battery, reference: BatteryLosses) -> "Objective":
        """Return an objective: the mean loss on test sets, relative to a reference formula.

        Test sets on which the reference formula loses nothing are omitted.
        """
        lost = {name: mean.value for name, mean in reference.lost.items()}
        rows = {name: ROWS[name] for name in ROWS if lost.get(name, 0) > 0}
        whole = sum(rows.values())
        weights = {name: each / whole / lost[name] for name, each in rows.items()}
        return cls.of_rows(battery, weights)

    @classmethod
    def of_rows(cls, battery: Battery, weights: Mapping[str, float]) -> "Objective":
        """Return an objective: the weighted sum of the losses on some test sets."""
        rows = [row for row in battery.rows if row.name in weights]
        parts = []
        for name, decisions in battery.decisions.items():
            counted = np.zeros((len(decisions), 3))
            for row in rows:
                if name in row.shares:
                    counted += row.shares[name] * weights[row.name]
            kept = (counted > 0).any(axis=1)
            parts.append(
                (
                    _on_24_points(decisions.rollers[kept]),
                    _on_24_points(decisions.opponents[kept]),
                    (_gains(decisions) * counted)[kept],
                    decisions.win_probability[kept],
                )
            )
        return cls(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def __len__(self) -> int:
        return len(self.chance)

    def sample(self, size: int, seed: int) -> "Objective":
        """Draw a sample with many close decisions, weighted to represent all decisions."""
        if size >= len(self):
            return self
        off = (self.chance - CORE) / SPREAD
        often = np.sqrt(np.abs(self.gains).max(axis=1)) * (np.exp(-off * off) + 0.03)
        often /= often.sum()
        drawn = np.random.default_rng(seed).choice(len(self), size, p=often)
        rows, times = np.unique(drawn, return_counts=True)
        return Objective(
            self.rollers[rows],
            self.opponents[rows],
            self.gains[rows] * (times / (often[rows] * size))[:, None],
            self.chance[rows],
        )

    def loss(self, formula: Formula) -> float:
        """Return the value of the objective for a formula."""
        decided = Gains.decided(formula, self.rollers, self.opponents)
        acted = np.stack([decided.double, decided.redouble, ~decided.take], axis=1)
        return float(np.maximum(np.where(acted, -self.gains, self.gains), 0).sum())


def _gains(decisions: ValuedDecisions) -> Float64Array:
    gains = decisions.gains
    return np.stack([gains.double, gains.redouble, -gains.take], axis=1)


def _on_24_points(sides: Int8Array) -> Int8Array:
    return np.pad(sides, ((0, 0), (0, 24 - sides.shape[1])))
