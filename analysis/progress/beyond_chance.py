"""What leads astray, beyond chance: tested all together, and corrected for their number.

A finding is told if its probability by chance, corrected by Holm's method for all that is
tested, is below `ALPHA`: of players without any leaning one in twenty is told something.
Decisions of one match are not independent; all errors are summed by match.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from scipy import stats

from analysis.progress.clusters import LEVEL, Float64Array, difference, mean, regress, tail
from analysis.progress.made import Made

ALPHA = 0.05

FEWEST = 20
"""Matches that a test needs; with fewer, sums of skewed costs are not yet normal."""

A_YEAR = 365.25

NAMES = {
    "gaps": "gap on the high points",
    "stack": "checker of the tallest stack",
    "crossovers": "crossover",
    "outside": "checker outside home",
    "odd": "odd checker",
    "low": "checker on ace and deuce",
}
"""Features that are tested, in the singular."""


@dataclass(frozen=True)
class Finding:
    """What leads astray, beyond chance.

    Attributes
    ----------
    about : str
        What was tested, such as ``feature gaps`` or ``kind double``.
    text : str
        A sentence.
    effect, low, high : float
        In EMG a decision, with the 95% interval, which is not corrected.
    probability : float
        Of so much by chance alone, corrected for all tests.
    matches : int
        It rests on.
    """

    about: str
    text: str
    effect: float
    low: float
    high: float
    probability: float
    matches: int


def findings(own: Sequence[Made], theirs: Sequence[Made]) -> tuple[list[Finding], int]:
    """Test everything, and return what is beyond chance, the surest first.

    Parameters
    ----------
    own : sequence of Made
        A player's decisions.
    theirs : sequence of Made
        Of the opponents in the same matches.

    Returns
    -------
    found : list of Finding
    tests : int
        How many tests were made.
    """
    tested = [
        *_versus(own, theirs),
        *_groups(own, "kind", lambda one: one.kind),
        *_groups(own, "stakes", lambda one: one.stakes),
        *_groups(own, "length", lambda one: one.length),
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
    """Correct probabilities for the number of tests, by Holm's method.

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


def _costs(made: Sequence[Made]) -> list[tuple[int, float]]:
    return [(one.match, one.cost) for one in made]


def _enough(made: Sequence[Made]) -> bool:
    return len({one.match for one in made}) >= FEWEST


def _compared(
    about: str,
    texts: tuple[str, str],
    first: Sequence[tuple[int, float]],
    second: Sequence[tuple[int, float]] = (),
) -> Iterator[Finding]:
    """Test a mean, or a difference of two; the first text is told if it is positive."""
    found = difference(first, second) if second else mean(first)
    if found.low is None or found.high is None:
        return
    text = texts[0] if found.value > 0 else texts[1]
    yield Finding(
        about,
        text.format(abs(found.value)),
        found.value,
        found.low,
        found.high,
        found.probability,
        found.matches,
    )


def _versus(own: Sequence[Made], theirs: Sequence[Made]) -> Iterator[Finding]:
    if _enough(own) and _enough(theirs):
        texts = (
            "You lose {:.4f} more a decision than your opponents.",
            "You lose {:.4f} less a decision than your opponents.",
        )
        yield from _compared("opponents", texts, _costs(own), _costs(theirs))


def _groups(
    own: Sequence[Made], about: str, key: Callable[[Made], str]
) -> Iterator[Finding]:
    """Test each group of decisions against all others."""
    names = sorted({key(one) for one in own})
    for name in names if len(names) > 2 else names[:1] if len(names) == 2 else []:
        inside = [one for one in own if key(one) == name]
        outside = [one for one in own if key(one) != name]
        if _enough(inside) and _enough(outside):
            texts = (
                f"{name.capitalize()}: you lose {{:.4f}} more a decision than elsewhere.",
                f"{name.capitalize()}: you lose {{:.4f}} less a decision than elsewhere.",
            )
            yield from _compared(f"{about} {name}", texts, _costs(inside), _costs(outside))


def _beside_formula(own: Sequence[Made]) -> Iterator[Finding]:
    """Test what the formula would have lost in the same decisions."""
    beside = [
        (one.match, one.cost - one.formula_cost)
        for one in own
        if one.formula_cost is not None
    ]
    if len({match for match, _ in beside}) >= FEWEST:
        texts = (
            "The recommended formula would save you {:.4f} a cube decision.",
            "You save {:.4f} a cube decision beside the recommended formula.",
        )
        yield from _compared("formula", texts, beside)


_DIRECTIONS = {
    "double": ("no double", "You double too late: {:.4f}", "You double too early: {:.4f}"),
    "take": ("pass", "You pass too much: {:.4f}", "You take too much: {:.4f}"),
}
"""What waiting or passing is called, and what is wrong if it costs more than the other."""


def _directions(own: Sequence[Made]) -> Iterator[Finding]:
    """Test whether errors go one way."""
    for kind, (shy, late, early) in _DIRECTIONS.items():
        made = [one for one in own if one.kind == kind]
        if _enough([one for one in made if one.cost > 0]):
            signed = [
                (one.match, one.cost if one.decided == shy else -one.cost) for one in made
            ]
            behind = "a decision more than the other way."
            texts = f"{late} {behind}", f"{early} {behind}"
            yield from _compared(f"direction {kind}", texts, signed)


def _features(own: Sequence[Made]) -> Iterator[Finding]:
    """Test what each feature adds to the cost, the others held."""
    counted = [one for one in own if one.features]
    if not _enough(counted):
        return
    names, x = _independent(
        list(NAMES), np.array([[float(one.features[n]) for n in NAMES] for one in counted])
    )
    if not names:
        return
    costs = np.array([one.cost for one in counted])
    matches = np.array([one.match for one in counted], dtype=np.int64)
    groups = len(set(matches.tolist()))
    for name, effect, error in zip(
        names, *(a.tolist() for a in regress(costs, x, matches)), strict=True
    ):
        more = "more" if effect > 0 else "less"
        yield _estimated(
            f"feature {name}",
            f"With each {NAMES[name]} you lose {abs(effect):.4f} {more} a decision.",
            effect,
            error,
            groups,
        )


def _trend(own: Sequence[Made]) -> Iterator[Finding]:
    """Test whether costs change with the years."""
    days = np.array([date.fromisoformat(one.day).toordinal() for one in own]) / A_YEAR
    if not _enough(own) or np.ptp(days) == 0:
        return
    costs = np.array([one.cost for one in own])
    matches = np.array([one.match for one in own], dtype=np.int64)
    (effect,), (error,) = (a.tolist() for a in regress(costs, days[:, None], matches))
    more = "more" if effect > 0 else "less"
    text = f"Each year you lose {abs(effect):.4f} {more} a decision than the year before."
    yield _estimated("trend", text, effect, error, len(set(matches.tolist())))


def _estimated(about: str, text: str, effect: float, error: float, groups: int) -> Finding:
    half = float(stats.t.ppf((1 + LEVEL) / 2, groups - 1)) * error
    chance = tail(effect, error, groups)
    return Finding(about, text, effect, effect - half, effect + half, chance, groups)


def _independent(names: list[str], x: Float64Array) -> tuple[list[str], Float64Array]:
    """Leave out features that are a sum of those before them, or do not vary."""
    kept: list[int] = []
    for column in range(x.shape[1]):
        chosen = x[:, [*kept, column]] - x[:, [*kept, column]].mean(axis=0)
        if np.linalg.matrix_rank(chosen.T @ chosen, hermitian=True) == len(kept) + 1:
            kept.append(column)
    return [names[column] for column in kept], x[:, kept]
