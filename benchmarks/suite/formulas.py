"""Speed of computing the losses of formulas in decisions with exact equities."""

import numpy as np

import bearoff
from bearoff.analysis import formulas
from bearoff.analysis.scoring import ValuedDecisions, score_formulas
from bearoff.analysis.scoring.decisions import gains_of
from bearoff.sim.populations import DecisionValues
from benchmarks.suite.measure import Benchmark, Setting, Side


def decisions_of(n: int, checkers: int) -> ValuedDecisions:
    """Return `n` random pairs of positions, with exact values from a two-sided table."""
    bearoff.build_two_sided_table(checkers)
    table = bearoff.two_sided_table(checkers)
    size = bearoff.position_count(checkers=checkers)
    x, y = np.random.default_rng(1).integers(1, size, (2, n))
    values = DecisionValues(
        table.win_probability(x, y),
        table.no_double(x, y, "centred"),
        table.no_double(x, y, "owned"),
        table.double_take(x, y),
        error=np.zeros(n),
        sources=np.zeros(n, dtype=np.int8),
    )
    return ValuedDecisions(
        rollers=bearoff.unrank(x),
        opponents=bearoff.unrank(y),
        win_probability=values.win_probability,
        gains=gains_of(values),
        weights=np.ones(n),
        games=np.arange(n),
        played=float(n),
    )


def by_analysis(decisions: ValuedDecisions) -> float:
    """Return the points that Keith's count loses per position, computed by this program."""
    (score,) = score_formulas([formulas.get("keith")], decisions)
    return score.total.value


def in_python(decisions: ValuedDecisions) -> float:
    """Return the points that Keith's count loses per position, computed in plain Python."""
    lost = 0.0
    gains = decisions.gains
    rows = zip(
        decisions.rollers.tolist(),
        decisions.opponents.tolist(),
        gains.double.tolist(),
        gains.redouble.tolist(),
        gains.take.tolist(),
        decisions.asked.tolist(),
        strict=True,
    )
    for roller, opponent, double, redouble, take, asked in rows:
        ours = _keith_count(roller)
        behind = ours + ours // 7 - _keith_count(opponent)
        lost += max(0.0, -double if behind <= 4 else double)
        lost += max(0.0, -redouble if behind <= 3 else redouble)
        if asked:
            lost += max(0.0, -take if behind >= 2 else take)
    return lost / len(decisions)


def _keith_count(side: list[int]) -> int:
    count = sum(point * checkers for point, checkers in enumerate(side, start=1))
    count += 2 * max(0, side[0] - 1) + max(0, side[1] - 1) + max(0, side[2] - 3)
    return count + side[3:].count(0)


def _scoring(setting: Setting) -> tuple[Side, Side]:
    n, checkers = setting.size(100_000, 200), setting.size(8, 2)
    decisions = decisions_of(n, checkers)
    few = decisions.chosen(np.arange(setting.size(10_000, 200)))
    return (
        setting.timed(lambda: by_analysis(decisions), n),
        setting.timed(lambda: in_python(few), len(few)),
    )


BENCHMARKS = (
    Benchmark(
        "formula-scoring",
        "position",
        "Keith's count scored on 100,000 pairs of 8 checkers, with its standard errors",
        "the same scoring, race by race in Python, without standard errors",
        _scoring,
    ),
)
