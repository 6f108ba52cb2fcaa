"""Sums over the answers to a file of races."""

import pyarrow as pa

from bearoff.sim.race_files.summary import summary_of


def test_a_mistake_of_a_rollout_costs_more_than_two_standard_errors():
    # Each row has the source, the cost and the error of a decision; the error of an exact
    # answer is a bound.
    rows = [
        ("exact", 0.03, 0.02),
        ("exact", 0.01, 0.02),
        ("rollout", 0.03, 0.02),  # the cost is between one and two standard errors
        ("rollout", 0.05, 0.02),
        ("model", 0.03, 0.02),
        (None, None, None),  # a race without an answer or a decision
    ]
    kinds, costs, errors = zip(*rows, strict=True)
    nothing = pa.array([None] * len(rows), pa.float64())
    answers = pa.table(
        {
            "problem": [""] * len(rows),
            "kind": pa.array(kinds, pa.string()),
            "played_cost": nothing,
            "played_error": nothing,
            "decided_cost": pa.array(costs, pa.float64()),
            "decided_error": pa.array(errors, pa.float64()),
        }
    )
    found = summary_of(answers, 0, 0, 1.0)
    assert (found.decided.count, found.decided.mistakes) == (5, 3)
    assert (found.played.count, found.played.mistakes) == (0, 0)
