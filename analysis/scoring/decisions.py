"""Cube decisions with their right answers: what formulas are scored and fitted on.

A position gives three decisions. The roller decides about a centred cube and about an
owned one. The opponent's take counts only where a double is to be expected: where
doubling a centred cube is right or loses `REASONABLE` points at most, and where taking
loses no more than `HOPELESS`. Without the second bound two thirds of all takes would be
of games that were cashed rolls ago, and methods would be scored where they are not used.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from bearoff import unrank
from bearoff.analysis.errors import FitError
from bearoff.analysis.outcomes import Gains, Outcomes
from bearoff.matchup import CubeDecision
from bearoff.sim.populations import SOURCES, Population, Values

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

REASONABLE = 0.05
"""Points that a double may lose and its take still be asked about."""

HOPELESS = 0.5
"""Points that a take may lose and still be asked about."""

LENGTHS = (5, 9, 13)
"""Checkers of the side with fewer from which a race counts as longer: up to 4, 5 to 8, 9
to 12, and more."""

ALL = "all"
"""The name of all parts together."""


@dataclass(frozen=True, eq=False)
class PricedDecisions:
    """Positions, and what acting gains in each.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, points)
        Checkers on the ace, deuce, ... of the side on roll and of the other.
    win_probability : ndarray of float64, shape (n,)
        Cubeless chance of the roller.
    gains : Gains
        In points at a cube of 1, at a score in EMG, each of shape (n,).
    weights : ndarray of float64, shape (n,)
        How much each counts: its frequency, unless balanced.
    games : ndarray of int64, shape (n,)
        The game it first arose in; rows of one game are not independent.
    played : float
        Games they are of.
    name, digest : str
        Of the population, with its part.
    visits : ndarray of float64, shape (n,), optional
        Frequency of each, if that is not its weight.
    """

    rollers: NDArray[np.int8]
    opponents: NDArray[np.int8]
    win_probability: Float64Array
    gains: Gains
    weights: Float64Array
    games: Int64Array
    played: float
    name: str = ""
    digest: str = ""
    visits: Float64Array | None = None

    @classmethod
    def of_population(cls, population: Population, part: str = ALL) -> "PricedDecisions":
        """Take the decisions of a population, or of one of its parts.

        Raises
        ------
        RunError
            If there is no such part.
        FitError
            If the part is empty.
        """
        about = population.about
        if part != ALL:
            population = population.split(part)
        if not len(population):
            raise FitError(f"the part {part} of {about['name']} holds no decision")
        values, decisions = population.values, population.decisions
        games = about["games"]
        return cls(
            population.roller_counts,
            population.opponent_counts,
            values.win_probability,
            gains_of(values),
            decisions.weights.astype(np.float64),
            decisions.games,
            float(sum(games.values()) if part == ALL else games[part]),
            f"{about['name']}, {part}" if part != ALL else about["name"],
            about["digest"],
        )

    @classmethod
    def of_outcomes(cls, outcomes: Outcomes, efficiency: float) -> "PricedDecisions":
        """Take simulated pairs, priced by Janowski's model at their win probabilities."""
        n = len(outcomes)
        return cls(
            unrank(outcomes.roller).astype(np.int8),
            unrank(outcomes.opponent).astype(np.int8),
            outcomes.win_probability,
            Gains.at(outcomes.win_probability, efficiency),
            np.asarray(outcomes.weight, dtype=np.float64),
            np.arange(n),
            float(n),
        )

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def asked(self) -> BoolArray:
        """Mask of the positions whose take counts, shape (n,)."""
        gains = self.gains
        return (gains.double >= -REASONABLE) & (gains.take >= -HOPELESS)

    def balanced(self) -> "PricedDecisions":
        """Let each of the `LENGTHS` of a race count the same.

        Most positions of a game have few checkers left; so a mean by frequency says most
        about endings.
        """
        fewer = np.minimum(self.rollers.sum(axis=1), self.opponents.sum(axis=1))
        length = np.digitize(fewer, LENGTHS)
        totals = np.bincount(length, weights=self.weights, minlength=len(LENGTHS) + 1)
        share = totals.sum() / ((totals > 0).sum() * np.maximum(totals, 1e-300))
        return replace(
            self,
            weights=self.weights * share[length],
            visits=self.weights,
            name=f"{self.name}, balanced" if self.name else "",
        )

    def chosen(self, rows: BoolArray | Int64Array) -> "PricedDecisions":
        """Return some of the rows; `played` stays what it is."""
        chosen = {
            f.name: getattr(self, f.name)[rows]
            for f in fields(self)
            if f.name not in ("gains", "played", "name", "digest", "visits")
        }
        gains = Gains(*(getattr(self.gains, action)[rows] for action in Gains.ACTIONS))
        return replace(
            self,
            **chosen,
            gains=gains,
            visits=None if self.visits is None else self.visits[rows],
        )

    def lost(self, decision: CubeDecision) -> dict[str, Float64Array]:
        """Points that a method's decisions give away, by action, each (n,).

        A take that is not asked about loses nothing.
        """
        lost = self.gains.lost(decision)
        return lost | {"take": np.where(self.asked, lost["take"], 0.0)}


def gains_of(values: Values) -> Gains:
    """Return what acting gains, from the equities of a population.

    In points at a cube of 1, at a score in EMG; takes are of a double of a centred cube.

    Examples
    --------
    Four rolls against four, a redouble and a take:

    >>> equities = np.array([[0.73], [0.41], [0.46], [0.55], [0.0]])
    >>> gains = gains_of(Values(*equities, np.zeros(1, dtype=np.int8)))
    >>> gains.double.round(2), gains.redouble.round(2), gains.take.round(2)
    (array([0.14]), array([0.09]), array([0.45]))
    """
    doubled, redoubled = (
        np.minimum(taken, 1.0) for taken in (values.double_take, values.redoubled)
    )
    return Gains(
        doubled - values.no_double, redoubled - values.no_redouble, 1 - values.double_take
    )


def valued_by(populations: Sequence[Population]) -> str:
    """Say what share of the decisions of populations is valued by what."""
    sources = np.concatenate([each.values.sources for each in populations])
    shares = {name: float((sources == k).mean()) for k, name in enumerate(SOURCES)}
    said = ", ".join(f"{share:.0%} by the {n}" for n, share in shares.items() if share)
    return f"Decisions valued {said}."
