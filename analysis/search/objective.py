"""What a search makes small: one figure of many decisions, linear in what each loses."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.battery import Battery, BatteryScore
from bearoff.analysis.formulas.rules import Formula
from bearoff.analysis.outcomes import Gains
from bearoff.analysis.scoring import PricedDecisions

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
"""How much each row of the battery counts, its loss divided by the reference's. Rows that
are parts of others are left out."""

CORE, SPREAD = 0.76, 0.17
"""Chance to win at which a sample takes most decisions, and how far around it."""


@dataclass(frozen=True, eq=False)
class Objective:
    """Decisions, weighted so that all that is lost adds up to the figure.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, points)
        Checkers on the ace, deuce, ...
    gains : ndarray of float64, shape (n, 3)
        Of doubling, redoubling and passing, times what each counts.
    chance : ndarray of float64, shape (n,)
        Of the roller to win.
    """

    rollers: Int8Array
    opponents: Int8Array
    gains: Float64Array
    chance: Float64Array

    @classmethod
    def of_decisions(cls, decisions: PricedDecisions) -> "Objective":
        """Take points lost per position, of takes those that are asked about."""
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
    def of_battery(cls, battery: Battery, reference: BatteryScore) -> "Objective":
        """Take the rows relative to the reference's loss, weighted by `ROWS`, its own 1.

        Rows in which the reference loses nothing, for want of decisions, are left out.
        """
        lost = {name: mean.value for name, mean in reference.lost.items()}
        rows = {name: ROWS[name] for name in ROWS if lost.get(name, 0) > 0}
        whole = sum(rows.values())
        weights = {name: each / whole / lost[name] for name, each in rows.items()}
        return cls.of_rows(battery, weights)

    @classmethod
    def of_rows(cls, battery: Battery, weights: Mapping[str, float]) -> "Objective":
        """Take some rows, what is lost in each times its weight."""
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
        """Draw decisions, those that matter more often; the mean of the figure stays."""
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
        """Return the figure of a formula."""
        decided = Gains.decided(formula, self.rollers, self.opponents)
        acted = np.stack([decided.double, decided.redouble, ~decided.take], axis=1)
        return float(np.maximum(np.where(acted, -self.gains, self.gains), 0).sum())


def _gains(decisions: PricedDecisions) -> Float64Array:
    gains = decisions.gains
    return np.stack([gains.double, gains.redouble, -gains.take], axis=1)


def _on_24_points(sides: Int8Array) -> Int8Array:
    return np.pad(sides, ((0, 0), (0, 24 - sides.shape[1])))
