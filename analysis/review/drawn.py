"""Random cube decisions of a given difficulty from a population, for training."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bearoff import BearoffError, Position, Race, Score
from bearoff.analysis.formulas import WorkedFormula
from bearoff.analysis.review.decision import Decision, Method, cube_alternatives
from bearoff.analysis.review.judging import formula_says
from bearoff.sim.populations import SOURCES, Population
from bearoff.stakes import Match, Terms, Values

Difficulty = Literal["hard", "medium", "easy"]

DIFFICULTIES: dict[Difficulty, tuple[float, float]] = {
    "hard": (0.0, 0.05),
    "medium": (0.05, 0.15),
    "easy": (0.15, 0.4),
}
"""Range of the cost of the wrong choice, in points, for each difficulty."""

_METHODS: dict[str, Method] = dict(zip(SOURCES, ("exact", "model", "rollout"), strict=True))

_KINDS = ("double", "redouble", "take")


def draw_decisions(
    population: Population,
    formula: WorkedFormula,
    difficulty: Difficulty,
    count: int,
    seed: int = 0,
) -> list[Decision]:
    """Draw equal numbers of doubles, redoubles and takes, preferring frequent positions.

    Parameters
    ----------
    population : Population
        Population from which decisions are drawn.
    formula : WorkedFormula
        Formula whose cube action is shown with each decision.
    difficulty : {"hard", "medium", "easy"}
        Difficulty of the decisions, a key of `DIFFICULTIES`. In each decision, the player's
        choice is the wrong one.
    count : int
        Number of decisions; no decision is drawn twice.
    seed : int
        Seed of the random number generator.

    Raises
    ------
    BearoffError
        If the population has too few decisions of this difficulty.
    """
    rng = np.random.default_rng(seed)
    weights = population.decisions.weights.astype(np.float64)
    drawn: list[Decision] = []
    for place, kind in enumerate(_KINDS):
        share = (count + len(_KINDS) - 1 - place) // len(_KINDS)
        values = _values(population, kind)
        rows = np.flatnonzero(_fits(population, kind, values, difficulty))
        if len(rows) < share:
            raise BearoffError(
                f"{population.about['name']} has only {len(rows):,} {difficulty} decisions "
                f"to {kind}, but {share:,} are needed; draw fewer, or choose another "
                "population"
            )
        chances = weights[rows] / weights[rows].sum()
        chosen = rng.choice(rows, share, replace=False, p=chances)
        drawn += (_decision(population, int(row), kind, values, formula) for row in chosen)
    return drawn


def _values(population: Population, kind: str) -> Values:
    """Return the equities with a centred cube or, for redoubles, with an owned cube."""
    known, owned = population.values, kind == "redouble"
    score, terms = _score(population), Terms()
    if score is not None:
        terms = Terms(Match(score), 2 if owned else 1)
    values = Values.empty(terms, np.full(len(known.error), int(owned), np.int8))
    values.no_double[:] = known.no_redouble if owned else known.no_double
    values.double_take[:] = known.redoubled if owned else known.double_take
    values.no_double_error[:] = values.double_take_error[:] = known.error
    return values


def _score(population: Population) -> Score | None:
    score = population.about.get("score")
    return None if score is None else Score.parse(score)


def _gain(kind: str, values: Values) -> NDArray[np.float64]:
    return values.take_gain if kind == "take" else values.double_gain


def _fits(
    population: Population, kind: str, values: Values, difficulty: Difficulty
) -> NDArray[np.bool_]:
    """Return a mask of the decisions with a given difficulty and small errors."""
    least, most = DIFFICULTIES[difficulty]
    cost = np.abs(_gain(kind, values))
    fits = (cost > np.maximum(least, 2 * population.values.error)) & (cost <= most)
    if kind == "take":  # Takes are drawn only after right doubles.
        fits &= _values(population, "double").double_gain >= 0
    return np.asarray(fits)


def _decision(
    population: Population, row: int, kind: str, values: Values, formula: WorkedFormula
) -> Decision:
    race = Race(
        Position(tuple(population.roller_counts[row].tolist())),
        Position(tuple(population.opponent_counts[row].tolist())),
        cube="owned" if kind == "redouble" else "centred",
        cube_value=2 if kind == "redouble" else 1,
        score=_score(population),
    )
    gains = bool(_gain(kind, values)[row] > 0)
    asked: Literal["double", "take"] = "take" if kind == "take" else "double"
    wrong = (("pass", "take") if kind == "take" else ("no double", "double"))[not gains]
    return Decision(
        asked,
        race,
        cube_alternatives(asked, values, row),
        wrong,
        _METHODS[SOURCES[population.values.sources[row]]],
        formula_says(asked, race, formula),
        source=str(population.about["name"]),
    )
