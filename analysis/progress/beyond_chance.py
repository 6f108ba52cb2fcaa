"""Significance tests for patterns in a player's errors, such as doubling too late.

A pattern is reported if the p-value of its test is below `ALPHA`, after correction by
Holm's method for the number of tests. If a player's errors have no pattern, the probability
that any pattern is reported is therefore at most 5%. Decisions of one match are not
independent, so the errors of a match are added up before testing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bearoff.analysis.progress.clusters import (
    LEVEL,
    Float64Array,
    difference,
    mean,
    regress,
    tail,
)
from bearoff.analysis.progress.made import Categories, DecisionColumns, count_matches

ALPHA = 0.05

FEWEST = 20
"""Minimum number of matches for a significance test, so that sums of costs are
approximately normal."""

A_YEAR = 365.25

NAMES = {
    "gaps": "gap on the 4, 5 and 6 points",
    "stack": "checker of the tallest stack",
    "crossovers": "crossover",
    "outside": "checker outside home",
    "odd": "odd checker",
    "low": "checker on the ace and deuce points",
}
"""Singular nouns for the tested features of a position, by key."""


@dataclass(frozen=True)
class ErrorPattern:
    """A statistically significant pattern in a player's errors.

    Attributes
    ----------
    about : str
        Name of the significance test, such as ``feature gaps`` or ``kind double``.
    text : str
        Description of the pattern in one sentence.
    effect, low, high : float
        Effect per decision in EMG, with its 95% interval, which is not corrected for
        multiple testing.
    probability : float
        p-value, corrected for multiple testing.
    matches : int
        Number of matches that contain decisions of the tested kind.
    """

    about: str
    text: str
    effect: float
    low: float
    high: float
    probability: float
    matches: int


def findings(
    own: DecisionColumns, theirs: DecisionColumns
) -> tuple[list[ErrorPattern], int]:
    """Return the significant patterns in a player's errors, and the number of tests.

    Parameters
    ----------
    own : DecisionColumns
        Decisions of the player.
    theirs : DecisionColumns
        Decisions of the opponents in the same matches, with the same match numbers.

    Returns
    -------
    found : list of ErrorPattern
    tests : int
        Number of significance tests that were performed.
    """
    tested = [
        *_versus(own, theirs),
        *_groups(own, "kind", own.kind),
        *_groups(own, "stakes", own.stakes),
        *_groups(own, "length", own.length),
        *_beside_formula(own),
        *_directions(own),
        *_features(own),
        *_trend(own),
    ]
    corrected = holm([one.probability for one in tested])
    told = [
        replace(one, probability=p)
        for one, p in zip(tested, corrected, strict=True)
        if p < ALPHA
    ]
    return sorted(told, key=lambda one: one.probability), len(tested)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Correct p-values for multiple testing by Holm's method.

    Examples
    --------
    >>> holm([0.04, 0.01, 0.5])
    [0.08, 0.03, 0.5]
    """
    corrected, greatest = [0.0] * len(probabilities), 0.0
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    for left, place in zip(range(len(order), 0, -1), order, strict=True):
        greatest = min(max(greatest, left * probabilities[place]), 1.0)
        corrected[place] = greatest
    return corrected


_Costs = tuple[NDArray[np.int64], Float64Array]
"""Two arrays: the match number and the cost of each decision."""


def _costs(made: DecisionColumns) -> _Costs:
    return made.match, made.cost


def _enough(made: DecisionColumns) -> bool:
    return count_matches(made.match) >= FEWEST


def _compared(
    about: str, texts: tuple[str, str], first: _Costs, second: _Costs | None = None
) -> Iterator[ErrorPattern]:
    """Test whether a mean cost, or a difference of two mean costs, is 0."""
    found = difference(first, second) if second else mean(*first)
    if found.low is None or found.high is None:
        return
    text = texts[0] if found.value > 0 else texts[1]
    yield ErrorPattern(
        about,
        text.format(abs(found.value)),
        found.value,
        found.low,
        found.high,
        found.probability,
        found.matches,
    )


def _versus(own: DecisionColumns, theirs: DecisionColumns) -> Iterator[ErrorPattern]:
    if _enough(own) and _enough(theirs):
        texts = (
            "You lose {:.4f} more per decision than your opponents.",
            "You lose {:.4f} less per decision than your opponents.",
        )
        yield from _compared("opponents", texts, _costs(own), _costs(theirs))


def _groups(own: DecisionColumns, about: str, by: Categories) -> Iterator[ErrorPattern]:
    """Compare each group of decisions with all other decisions."""
    names = [name for name, _ in by.counts()]
    for name in names if len(names) > 2 else names[:1] if len(names) == 2 else []:
        among = by.codes == by.names.index(name)
        inside, outside = ((own.match[rows], own.cost[rows]) for rows in (among, ~among))
        if min(count_matches(one) for one, _ in (inside, outside)) >= FEWEST:
            texts = (
                f"{name.capitalize()}: you lose {{:.4f}} more than in other decisions.",
                f"{name.capitalize()}: you lose {{:.4f}} less than in other decisions.",
            )
            yield from _compared(f"{about} {name}", texts, inside, outside)


def _beside_formula(own: DecisionColumns) -> Iterator[ErrorPattern]:
    """Compare the player's costs with those of a formula in the same decisions."""
    cubes = own.of_formula(gammons=False)
    if _enough(cubes):
        texts = (
            "You lose {:.4f} more per cube decision than the recommended formula.",
            "You lose {:.4f} less per cube decision than the recommended formula.",
        )
        beside = cubes.match, cubes.cost - cubes.formula_cost
        yield from _compared("formula", texts, beside)


_DIRECTIONS = {
    "double": (
        "no double",
        "You lose {:.4f} more per decision by late doubles than by early doubles.",
        "You lose {:.4f} more per decision by early doubles than by late doubles.",
    ),
    "take": (
        "pass",
        "You lose {:.4f} more per decision by wrong passes than by wrong takes.",
        "You lose {:.4f} more per decision by wrong takes than by wrong passes.",
    ),
}
"""For each kind of decision: the passive choice, and sentences for a player whose errors
are mostly passive or mostly active."""


def _directions(own: DecisionColumns) -> Iterator[ErrorPattern]:
    """Test whether a player's errors are mostly passive or mostly active."""
    for kind, (shy, late, early) in _DIRECTIONS.items():
        made = own.select(own.kind.are(kind))
        if _enough(made.select(made.cost > 0)):
            signed = np.where(made.decided.are(shy), made.cost, -made.cost)
            yield from _compared(f"direction {kind}", (late, early), (made.match, signed))


def _features(own: DecisionColumns) -> Iterator[ErrorPattern]:
    """Test how each feature affects the cost, with the other features held fixed."""
    if not own.features or not _enough(own):
        return
    counts = np.column_stack([own.features[name] for name in NAMES])
    names, x = _independent(list(NAMES), counts)
    if not names:
        return
    for name, effect, error in zip(
        names, *(a.tolist() for a in regress(own.cost, x, own.match)), strict=True
    ):
        more = "more" if effect > 0 else "less"
        yield _estimated(
            f"feature {name}",
            f"For each {NAMES[name]}, you lose {abs(effect):.4f} {more} per decision.",
            effect,
            error,
            count_matches(own.match),
        )


def _trend(own: DecisionColumns) -> Iterator[ErrorPattern]:
    """Test whether a player's costs change over the years."""
    every = [date.fromisoformat(day).toordinal() / A_YEAR for day in own.day.names]
    days = np.array(every)[own.day.codes]
    if not _enough(own) or np.ptp(days) == 0:
        return
    found = regress(own.cost, days[:, None], own.match)
    (effect,), (error,) = (a.tolist() for a in found)
    more = "more" if effect > 0 else "less"
    text = f"Each year you lose {abs(effect):.4f} {more} per decision than in the last one."
    yield _estimated("trend", text, effect, error, count_matches(own.match))


def _estimated(
    about: str, text: str, effect: float, error: float, groups: int
) -> ErrorPattern:
    half = float(stats.t.ppf((1 + LEVEL) / 2, groups - 1)) * error
    chance = tail(effect, error, groups)
    return ErrorPattern(about, text, effect, effect - half, effect + half, chance, groups)


def _independent(names: list[str], x: Float64Array) -> tuple[list[str], Float64Array]:
    """Remove features that are constant or a linear combination of earlier features."""
    kept: list[int] = []
    for column in range(x.shape[1]):
        chosen = x[:, [*kept, column]] - x[:, [*kept, column]].mean(axis=0)
        if np.linalg.matrix_rank(chosen.T @ chosen, hermitian=True) == len(kept) + 1:
            kept.append(column)
    return [names[column] for column in kept], x[:, kept]
