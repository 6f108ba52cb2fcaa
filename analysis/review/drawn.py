"""Cube decisions of a population, drawn by difficulty, to learn from."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bearoff import BearoffError, Position, Race
from bearoff.analysis.formulas import WorkedFormula
from bearoff.analysis.review.judged import Judged
from bearoff.analysis.review.judging import formula_says
from bearoff.sim.populations import SOURCES, Population

Difficulty = Literal["hard", "medium", "easy"]

DIFFICULTIES: dict[Difficulty, tuple[float, float]] = {
    "hard": (0.0, 0.05),
    "medium": (0.05, 0.15),
    "easy": (0.15, 0.4),
}
"""What the wrong answer costs, in points: more than the first, at most the second."""

_METHODS = dict(zip(SOURCES, ("exact", "model", "rollout"), strict=True))

_KINDS = ("double", "redouble", "take")


def draw_decisions(
    population: Population,
    formula: WorkedFormula,
    difficulty: Difficulty,
    count: int,
    seed: int = 0,
) -> list[Judged]:
    """Draw doubles, redoubles and takes, as many of each, as often as they arise.

    Parameters
    ----------
    population : Population
        Where from.
    formula : WorkedFormula
        What it says is told beside.
    difficulty : {"hard", "medium", "easy"}
        What the wrong answer costs, as of `DIFFICULTIES`; it is `Judged.decided`.
    count : int
        How many, all different.
    seed : int
        Of the drawing.

    Raises
    ------
    BearoffError
        If the population has fewer such decisions.
    """
    rng = np.random.default_rng(seed)
    weights = population.decisions.weights.astype(np.float64)
    drawn: list[Judged] = []
    for place, kind in enumerate(_KINDS):
        share = (count + len(_KINDS) - 1 - place) // len(_KINDS)
        rows = np.flatnonzero(_fits(population, kind, difficulty))
        if len(rows) < share:
            raise BearoffError(
                f"{population.about['name']} has {len(rows):,} {difficulty} decisions to "
                f"{kind}, got {share:,} to draw; ask for fewer, or of another population"
            )
        chances = weights[rows] / weights[rows].sum()
        chosen = rng.choice(rows, share, replace=False, p=chances)
        drawn += (_decision(population, int(row), kind, formula) for row in chosen)
    return drawn


def _margin(population: Population, kind: str) -> NDArray[np.float64]:
    """Return what doubling gains over waiting, or passing over taking."""
    values = population.values
    if kind == "take":
        return np.asarray(values.double_take - 1)
    waits = values.no_double if kind == "double" else values.no_redouble
    return np.asarray(np.minimum(values.double_take, 1) - waits)


def _fits(population: Population, kind: str, difficulty: Difficulty) -> NDArray[np.bool_]:
    """Whether it can be asked: it has that difficulty, and the values tell."""
    least, most = DIFFICULTIES[difficulty]
    cost = np.abs(_margin(population, kind))
    fits = (cost > np.maximum(least, 2 * population.values.error)) & (cost <= most)
    if kind == "take":  # After doubles that somebody makes.
        fits &= _margin(population, "double") >= 0
    return np.asarray(fits)


def _decision(
    population: Population, row: int, kind: str, formula: WorkedFormula
) -> Judged:
    values = population.values
    race = Race(
        Position(tuple(population.roller_counts[row].tolist())),
        Position(tuple(population.opponent_counts[row].tolist())),
        cube="owned" if kind == "redouble" else "centred",
        cube_value=2 if kind == "redouble" else 1,
    )
    margin = float(_margin(population, kind)[row])
    asked: Literal["double", "take"] = "take" if kind == "take" else "double"
    pair = ("take", "pass") if kind == "take" else ("no double", "double")
    wrong = pair[margin < 0]
    waits = values.no_redouble if kind == "redouble" else values.no_double
    return Judged(
        source=str(population.about["name"]),
        game=0,
        line=0,
        player="",
        kind=asked,
        race=race,
        decided=wrong,
        equities=tuple(_equities(float(waits[row]), float(values.double_take[row]))),
        cost=abs(margin),
        error=float(values.error[row]),
        method=_METHODS[SOURCES[values.sources[row]]],
        formula=formula_says(asked, race, formula),
    )


def _equities(waits: float, taken: float) -> Iterator[tuple[str, float]]:
    yield "no double", waits
    yield "double, take", taken
    yield "double, pass", 1.0
