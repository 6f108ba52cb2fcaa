"""Cube decisions with exact equities, for testing and fitting formulas.

Each position gives three decisions. The roller decides whether to double a centred cube,
and whether to double an owned cube. The opponent decides whether to take. The take is
tested only where a double is plausible: where the double loses at most `REASONABLE` points,
and the take at most `HOPELESS` points. Without this limit, two thirds of all takes would
come from games that should already have ended with a pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from bearoff import unrank
from bearoff.analysis.errors import FitError
from bearoff.analysis.outcomes import Gains, Outcomes
from bearoff.matchup import CubeDecision
from bearoff.sim.populations import SOURCES, DecisionValues, Population

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

REASONABLE = 0.05
"""Maximum loss in points of a double; after a worse double, the take is not tested."""

HOPELESS = 0.5
"""Maximum loss in points of a take; a worse take is not tested."""

LENGTHS = (5, 9, 13)
"""Numbers of checkers at which the second, third and fourth category of race length begin.
The player with fewer checkers left determines the category."""

ALL = "all"
"""Value of `part` that selects the training, validation and test data together."""


@dataclass(frozen=True, eq=False)
class ValuedDecisions:
    """Cube decisions with the exact equity gained by each cube action.

    Attributes
    ----------
    rollers, opponents : ndarray of int8, shape (n, points)
        Checkers on the ace, deuce, ... points of the roller and of the opponent.
    win_probability : ndarray of float64, shape (n,)
        Win probability of the roller without the cube.
    gains : Gains
        Equities gained by doubling, redoubling and taking, each of shape (n,), in points at
        a cube value of 1 or in EMG at a match score.
    weights : ndarray of float64, shape (n,)
        Weight of each decision; by default, how often the position occurs.
    games : ndarray of int64, shape (n,)
        Number of the game in which the position first occurs; decisions in the same game
        are not independent.
    played : float
        Number of games in which the positions occur.
    name, digest : str
        Name of the population and its data split; digest of the population.
    visits : ndarray of float64, shape (n,), optional
        How often each position occurs, if this number differs from the position's weight.
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
    def of_population(cls, population: Population, part: str = ALL) -> "ValuedDecisions":
        """Return the decisions of a stored set (population), or of one split of its data.

        Raises
        ------
        RunError
            If the population has no data split of this name.
        FitError
            If the data split is empty.
        """
        about = population.about
        if part != ALL:
            population = population.split(part)
        if not len(population):
            raise FitError(
                f"the data split {part} of {about['name']} contains no decisions"
            )
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
    def of_outcomes(cls, outcomes: Outcomes, efficiency: float) -> "ValuedDecisions":
        """Return a run's pairs of positions as decisions, valued by Janowski's model."""
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
        """Mask of the decisions in which the take is tested, shape (n,)."""
        gains = self.gains
        return (gains.double >= -REASONABLE) & (gains.take >= -HOPELESS)

    def balanced(self) -> "ValuedDecisions":
        """Return a copy in which all categories of race length have the same total weight.

        If positions were weighted by frequency only, a mean would mostly describe the ends
        of races, because most positions of a game have few checkers.
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

    def chosen(self, rows: BoolArray | Int64Array) -> "ValuedDecisions":
        """Return the selected decisions; the number of games, `played`, stays the same."""
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
        """Return the points lost by each of a formula's decisions, arrays of shape (n,).

        The loss of a take that is not tested is 0.
        """
        lost = self.gains.lost(decision)
        return lost | {"take": np.where(self.asked, lost["take"], 0.0)}


def gains_of(values: DecisionValues) -> Gains:
    """Return the equity gained by each cube action in a set of decisions.

    Gains are in points at a cube value of 1 or, at a match score, in EMG. The take is the
    reply to a double of a centred cube.

    Examples
    --------
    If each side needs four rolls, a redouble and a take are right:

    >>> equities = np.array([[0.73], [0.41], [0.46], [0.55], [0.0]])
    >>> gains = gains_of(DecisionValues(*equities, np.zeros(1, dtype=np.int8)))
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
    """Return a sentence with the proportion of decisions by source of the equities."""
    sources = np.concatenate([each.values.sources for each in populations])
    shares = {name: float((sources == k).mean()) for k, name in enumerate(SOURCES)}
    said = ", ".join(f"{name} {share:.0%}" for name, share in shares.items() if share)
    return f"The equities come from these sources: {said}."
