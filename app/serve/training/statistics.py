r"""Where the errors are: totals by drill, their course, and what leads astray.

Only the first answer to each question counts, for its solution was shown then. Errors of
numbers are regressed on the `features` of the questions,

.. math:: e_i = b_0 + \sum_j b_j (x_{ij} - \bar x_j) + \text{rest}_i,

by least squares, and each coefficient is tested by its t statistic; rates of mistakes
either way of a cube decision by Fisher's exact test. A finding is shown if its p-value,
corrected for the number of all tests by Holm's method, is below `ALPHA`. So one in twenty
players without any bias is shown a finding.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel
from scipy import stats

from bearoff import BearoffError
from bearoff.analysis.progress import holm
from bearoff.app.serve.drills.kinds import DRILLS, Drills
from bearoff.app.serve.training.features import FEATURES, features_of
from bearoff.app.serve.training.store import Answered

ALPHA = 0.05
FEWEST = 20
"""Answers that a drill needs before anything is tested."""

A_FEATURE = 5
"""Answers that each coefficient needs besides."""

CLIPPED = 20.0
"""Errors beyond this are typing errors and count as this, wherever a mean is shown."""

BLOCKS, A_BLOCK = 12, 5
"""Blocks that the answers of a drill are shown in, and the fewest answers of one."""

Float64Array = NDArray[np.float64]


class Block(BaseModel):
    """Successive answers of a drill."""

    since: str
    """When the first was given."""
    answers: int
    mistakes: int
    seconds: float
    """Median."""
    error: float | None
    """Mean of the signed errors of numbers, each at most 20 either way."""
    off: float | None
    """Mean of their sizes, each at most 20."""
    cost: float | None
    """Mean cost of choices, EMG."""


class KindTotal(BaseModel):
    """A drill in numbers, and in blocks of time."""

    kind: str
    title: str
    unit: str
    whole: Block
    blocks: list[Block]


class Finding(BaseModel):
    """What leads astray, beyond chance."""

    kind: str
    text: str
    effect: float
    """Of one more of a feature on the answer; or a difference of shares."""
    low: float | None
    high: float | None
    """95% interval of `effect`, where it is a coefficient."""
    probability: float
    """Of so much by chance alone, corrected for all tests."""


class Statistics(BaseModel):
    """All that is known of the answers."""

    answers: int
    again: int
    """Of these, to questions that were asked again."""
    totals: list[KindTotal]
    findings: list[Finding]


def statistics_of(answers: Sequence[Answered], drills: Drills = DRILLS) -> Statistics:
    """Return the statistics of answers in the order in which they were given."""
    firsts = list({one.key: one for one in reversed(answers)}.values())[::-1]
    by_kind = {name: [one for one in firsts if one.kind == name] for name in drills}
    return Statistics(
        answers=len(answers),
        again=len(answers) - len(firsts),
        totals=[_total(name, of, drills) for name, of in by_kind.items() if of],
        findings=_findings(by_kind),
    )


def _total(name: str, answers: list[Answered], drills: Drills) -> KindTotal:
    count = min(BLOCKS, max(len(answers) // A_BLOCK, 1))
    ends = [len(answers) * k // count for k in range(count + 1)]
    return KindTotal(
        kind=name,
        title=drills[name].title,
        unit=drills[name].unit or "EMG",
        whole=_block(answers),
        blocks=[_block(answers[a:b]) for a, b in pairwise(ends)],
    )


def _block(answers: Sequence[Answered]) -> Block:
    errors = [clipped(one.error) for one in answers if one.error is not None]
    costs = [one.cost for one in answers if one.cost is not None]
    return Block(
        since=answers[0].at.isoformat(timespec="seconds"),
        answers=len(answers),
        mistakes=sum(not one.right for one in answers),
        seconds=median(one.seconds for one in answers),
        error=fmean(errors) if errors else None,
        off=fmean(map(abs, errors)) if errors else None,
        cost=fmean(costs) if costs else None,
    )


def clipped(error: float) -> float:
    """Return an error as it counts.

    Examples
    --------
    >>> clipped(-900.0), clipped(1.5)
    (-20.0, 1.5)
    """
    return min(max(error, -CLIPPED), CLIPPED)


def _findings(by_kind: dict[str, list[Answered]]) -> list[Finding]:
    """Test everything, correct for it, and return what is left, the surest first."""
    tested = [
        *(found for kind in FEATURES for found in _leanings(kind, by_kind[kind])),
        *_directions(by_kind),
    ]
    for one, p in zip(tested, holm([one.probability for one in tested]), strict=True):
        one.probability = p
    surest = sorted(tested, key=lambda one: one.probability)
    return [one for one in surest if one.probability < ALPHA]


def regress(
    errors: Float64Array, features: Float64Array
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Regress errors on features, each taken from its mean.

    Parameters
    ----------
    errors : ndarray of float64, shape (n,)
    features : ndarray of float64, shape (n, k)
        Linearly independent with a constant.

    Returns
    -------
    coefficients : ndarray of float64, shape (k + 1,)
        First the mean error, then of each feature.
    half_widths : ndarray of float64, shape (k + 1,)
        Of their 95% intervals.
    probabilities : ndarray of float64, shape (k + 1,)
        Of coefficients as large if there is no effect, either way.
    """
    n, k = features.shape
    design = np.column_stack([np.ones(n), features - features.mean(axis=0)])
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ errors
    rest = errors - design @ coefficients
    freedom = n - k - 1
    errs = np.sqrt(rest @ rest / freedom * np.diag(inverse))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(errs > 0, np.abs(coefficients) / errs, np.inf * np.abs(coefficients))
    t = np.nan_to_num(t, nan=0.0, posinf=np.inf)
    return (
        coefficients,
        stats.t.ppf(0.975, freedom) * errs,
        2 * stats.t.sf(t, freedom),
    )


def _leanings(kind: str, answers: list[Answered]) -> Iterable[Finding]:
    """Test the mean error of a drill, and each of its features."""
    rows, errors = [], []
    for one in answers:
        try:
            found = features_of(one.key)
        except BearoffError:
            continue
        if found is not None and one.error is not None:
            rows.append(found)
            errors.append(clipped(one.error))
    names = list(FEATURES[kind])
    if len(rows) < FEWEST + A_FEATURE * len(names):
        return
    x = np.array(rows)
    names, x = _independent(names, x)
    unit = DRILLS[kind].unit
    what = DRILLS[kind].title.lower()
    for name, effect, half, p in zip(
        [None, *names], *(a.tolist() for a in regress(np.array(errors), x)), strict=True
    ):
        over, size = effect > 0, f"{abs(effect):.2f} {unit}"
        if name is None:
            text = f"{what}: your answers are {size} too {'high' if over else 'low'}"
        elif over:
            text = f"{what}: you overestimate {name}; each adds {size} to your answer"
        else:
            text = f"{what}: you underestimate {name}; each takes {size} off your answer"
        yield Finding(
            kind=kind,
            text=f"{text[0].upper()}{text[1:]}.",
            effect=effect,
            low=effect - half,
            high=effect + half,
            probability=p,
        )


def _independent(names: list[str], x: Float64Array) -> tuple[list[str], Float64Array]:
    """Leave out features that are a sum of those before them, or do not vary."""
    kept: list[int] = []
    for column in range(x.shape[1]):
        chosen = x[:, [*kept, column]] - x[:, [*kept, column]].mean(axis=0)
        if np.linalg.matrix_rank(chosen) == len(kept) + 1:
            kept.append(column)
    return [names[column] for column in kept], x[:, kept]


_EITHER = {
    "double": ("You double too late", "You double too early", "double", "no double"),
    "take": ("You pass too much", "You take too much", "take", "pass"),
}
"""What is wrong if the one or the other right choice is missed more often."""


def _directions(by_kind: dict[str, list[Answered]]) -> Iterable[Finding]:
    """Test whether mistakes go one way."""
    for kind, (late, early, acts, waits) in _EITHER.items():
        answers = by_kind[kind]
        groups = [
            [one for one in answers if one.answer.replace("re", "") == name]
            for name in (acts, waits)
        ]
        if min(map(len, groups)) < FEWEST // 2:
            continue
        wrong = [sum(not one.right for one in group) for group in groups]
        table = [[w, len(group) - w] for w, group in zip(wrong, groups, strict=True)]
        shares = [w / len(group) for w, group in zip(wrong, groups, strict=True)]
        text = late if shares[0] > shares[1] else early
        yield Finding(
            kind=kind,
            text=f"{text}: you miss {shares[0]:.0%} where it is right to {acts}, "
            f"{shares[1]:.0%} where it is not.",
            effect=shares[0] - shares[1],
            low=None,
            high=None,
            probability=float(stats.fisher_exact(table).pvalue),
        )
