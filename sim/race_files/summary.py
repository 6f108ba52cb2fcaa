"""Summary of the answers to a file of races."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from bearoff.answers import intervals
from bearoff.stakes import is_mistake


@dataclass(frozen=True)
class JudgedTotal:
    """Number and total cost of the judged plays, or of the judged cube decisions.

    Attributes
    ----------
    count, mistakes : int
        Number of judged decisions, and number of mistakes. A decision is a mistake if its
        cost exceeds the error of the cost, for rollouts two standard errors.
    cost : float
        Total equity lost, in points at a cube value of 1, or in EMG at a match score.
    """

    count: int
    mistakes: int
    cost: float


@dataclass(frozen=True)
class AnswerSummary:
    """Summary of the answers to a file of races.

    Attributes
    ----------
    rows, problems : int
        Number of rows of the file, and number of rows without an answer.
    kinds : dict of str to int
        Number of answers of each kind: exact, model and rollout.
    played, decided : JudgedTotal
        Numbers and costs of the checker plays, and of the cube decisions, that were judged.
    first_problem : str
        Row number and error message of the first row without an answer; empty if every row
        has one.
    resumed : int
        Number of rows whose answers an earlier, interrupted call had stored.
    repeated : int
        Number of rows that were answered again because their stored answers could not be
        used.
    seconds : float
        Duration of the call in seconds.
    """

    rows: int
    problems: int
    kinds: dict[str, int]
    played: JudgedTotal
    decided: JudgedTotal
    first_problem: str
    resumed: int
    repeated: int
    seconds: float


def summary_of(
    answers: pa.Table, resumed: int, repeated: int, seconds: float
) -> AnswerSummary:
    """Summarise the answers to a file of races."""
    problems = answers.column("problem").to_pylist()
    bad = [row for row, problem in enumerate(problems) if problem]
    kinds = answers.column("kind").value_counts().to_pylist()
    return AnswerSummary(
        rows=answers.num_rows,
        problems=len(bad),
        kinds={one["values"]: one["counts"] for one in kinds if one["values"]},
        played=_judged(answers, "played"),
        decided=_judged(answers, "decided"),
        first_problem=f"row {bad[0] + 1}: {problems[bad[0]]}" if bad else "",
        resumed=resumed,
        repeated=repeated,
        seconds=seconds,
    )


def _judged(answers: pa.Table, what: str) -> JudgedTotal:
    cost, error = (
        answers.column(f"{what}_{name}").to_numpy().astype(float)
        for name in ("cost", "error")
    )
    known = ~np.isnan(cost)
    # A cost from a rollout counts as a mistake only if it exceeds two standard errors, as
    # in reviews of matches.
    spread = [intervals(kind or "") for kind in answers.column("kind").to_pylist()]
    mistakes = int(is_mistake(cost, error * np.array(spread)).sum())
    return JudgedTotal(int(known.sum()), mistakes, float(cost[known].sum()))
