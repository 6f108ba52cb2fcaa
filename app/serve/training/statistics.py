r"""Statistics of errors: totals by drill, development over time, and biases.

Only the first answer to each question counts, because the solution is shown afterwards. For
numerical answers, the error :math:`e_i` of answer i is regressed on the board features
:math:`x_{ij}` of its question, less their means:

.. math:: e_i = b_0 + \sum_j b_j (x_{ij} - \bar x_j) + \text{rest}_i,

The fit is by least squares, with a t test for each coefficient :math:`b_j`. For cube
decisions, Fisher's exact test compares how often the user doubles or takes wrongly with how
often the user wrongly does not. A bias is reported if its p-value, corrected by Holm's
method for the number of tests, is below `ALPHA`. For a user without any bias, the
probability of a report is thus at most 5%.
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
"""Minimum number of answers in a drill for significance tests."""

A_FEATURE = 5
"""Number of answers per board feature that a regression requires in addition to the
`FEWEST` answers."""

CLIPPED = 20.0
"""Maximum absolute error of an answer in statistics; larger errors are assumed to be typing
errors and are reduced to it."""

BLOCKS, A_BLOCK = 12, 5
"""Maximum number of blocks into which a drill's answers are divided, and minimum number of
answers in a block."""

Float64Array = NDArray[np.float64]


class AnswerBlock(BaseModel):
    """Block of consecutive answers in a drill."""

    since: str
    """Time of the first answer in the block."""
    answers: int
    mistakes: int
    seconds: float
    """Median time of an answer, in seconds."""
    error: float | None
    """Mean signed error of numerical answers, each error limited to the range -20 to 20."""
    off: float | None
    """Mean absolute error of numerical answers, each error limited to 20."""
    cost: float | None
    """Mean cost of the chosen answers, in EMG."""


class KindTotal(BaseModel):
    """Statistics of all answers in a drill, and of blocks of consecutive answers."""

    kind: str
    title: str
    unit: str
    whole: AnswerBlock
    blocks: list[AnswerBlock]


class Finding(BaseModel):
    """Statistically significant bias in the user's answers."""

    kind: str
    text: str
    effect: float
    """Size of the bias: the mean error of the answers, the change of the error for each
    occurrence of a board feature, or the difference between two proportions of wrong
    answers.
    """
    low: float | None
    high: float | None
    """Upper end of the 95% confidence interval of `effect`; null for a difference between
    proportions.
    """
    probability: float
    """P-value of the bias, corrected for the number of tests."""


class Statistics(BaseModel):
    """Statistics of all answers in the trainer."""

    answers: int
    again: int
    """Number of answers that are not the first answer to their question."""
    totals: list[KindTotal]
    findings: list[Finding]


def statistics_of(answers: Sequence[Answered], drills: Drills = DRILLS) -> Statistics:
    """Return the statistics of answers, which must be in chronological order."""
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


def _block(answers: Sequence[Answered]) -> AnswerBlock:
    errors = [clipped(one.error) for one in answers if one.error is not None]
    costs = [one.cost for one in answers if one.cost is not None]
    return AnswerBlock(
        since=answers[0].at.isoformat(timespec="seconds"),
        answers=len(answers),
        mistakes=sum(not one.right for one in answers),
        seconds=median(one.seconds for one in answers),
        error=fmean(errors) if errors else None,
        off=fmean(map(abs, errors)) if errors else None,
        cost=fmean(costs) if costs else None,
    )


def clipped(error: float) -> float:
    """Limit the absolute value of an error to `CLIPPED`.

    Examples
    --------
    >>> clipped(-900.0), clipped(1.5)
    (-20.0, 1.5)
    """
    return min(max(error, -CLIPPED), CLIPPED)


def _findings(by_kind: dict[str, list[Answered]]) -> list[Finding]:
    """Test for biases; return the significant ones by increasing p-value."""
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
    """Regress errors on features, less their means, by least squares with t tests.

    Parameters
    ----------
    errors : ndarray of float64, shape (n,)
    features : ndarray of float64, shape (n, k)
        Features of each answer's question. Requires that the features and a constant are
        linearly independent.

    Returns
    -------
    coefficients : ndarray of float64, shape (k + 1,)
        Mean error, followed by the coefficient of each feature.
    half_widths : ndarray of float64, shape (k + 1,)
        Half of the width of each coefficient's 95% confidence interval.
    probabilities : ndarray of float64, shape (k + 1,)
        Two-sided p-values of the coefficients.
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
    """Test whether the answers in a drill are biased on average or by a board feature."""
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
        size = f"{abs(effect):.2f} {unit} too {'high' if effect > 0 else 'low'}"
        if name is None:
            text = f"{what}: your answers are {size}"
        else:
            text = f"{what}: each {name} makes your answer {size}"
        yield Finding(
            kind=kind,
            text=f"{text[0].upper()}{text[1:]}.",
            effect=effect,
            low=effect - half,
            high=effect + half,
            probability=p,
        )


def _independent(names: list[str], x: Float64Array) -> tuple[list[str], Float64Array]:
    """Drop features that are constant, or linear combinations of earlier features."""
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
"""For each drill, the texts on mistakes in either direction, and the names of the two
choices."""


def _directions(by_kind: dict[str, list[Answered]]) -> Iterable[Finding]:
    """Test whether mistakes are mostly in one direction, such as doubling too late."""
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
            text=f"{text}: you are wrong in {shares[0]:.0%} of the positions in which a "
            f"{acts} is correct, and in {shares[1]:.0%} of the others.",
            effect=shares[0] - shares[1],
            low=None,
            high=None,
            probability=float(stats.fisher_exact(table).pvalue),
        )
