"""What answers to a file of races add up to."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from bearoff.answers import intervals
from bearoff.stakes import is_mistake


@dataclass(frozen=True)
class Judged:
    """What was played or decided, in sum.

    Attributes
    ----------
    count, mistakes : int
        How many, and how many of them cost more than their error, of a rollout than two
        standard errors.
    cost : float
        Of all together, in points at a cube of 1, or normalised at a score.
    """

    count: int
    mistakes: int
    cost: float


@dataclass(frozen=True)
class Summary:
    """What became of a file.

    Attributes
    ----------
    rows, problems : int
        Rows in all, and those without an answer.
    kinds : dict of str to int
        Answers by kind.
    played, decided : Judged
        What was judged.
    first_problem : str
        The first row's without an answer, with its number; empty if there is none.
    resumed : int
        Rows that an earlier call had answered.
    repeated : int
        Rows whose stored answers were damaged, or from other tables, and that were
        answered again.
    seconds : float
        This call took.
    """

    rows: int
    problems: int
    kinds: dict[str, int]
    played: Judged
    decided: Judged
    first_problem: str
    resumed: int
    repeated: int
    seconds: float


def summary_of(answers: pa.Table, resumed: int, repeated: int, seconds: float) -> Summary:
    """Sum up answers, of which some were resumed and some repeated."""
    problems = answers.column("problem").to_pylist()
    bad = [row for row, problem in enumerate(problems) if problem]
    kinds = answers.column("kind").value_counts().to_pylist()
    return Summary(
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


def _judged(answers: pa.Table, what: str) -> Judged:
    cost, error = (
        answers.column(f"{what}_{name}").to_numpy().astype(float)
        for name in ("cost", "error")
    )
    known = ~np.isnan(cost)
    # As reviews count them: beyond two standard errors of a rollout.
    spread = [intervals(kind or "") for kind in answers.column("kind").to_pylist()]
    mistakes = int(is_mistake(cost, error * np.array(spread)).sum())
    return Judged(int(known.sum()), mistakes, float(cost[known].sum()))
