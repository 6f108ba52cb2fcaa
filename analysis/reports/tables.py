"""Tables of a report on a simulation run, in Markdown."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.outcomes import Gains, Outcomes, fits, intervals
from bearoff.analysis.output import markdown_table

MOST_ROWS = 24
"""Maximum number of pairs of positions listed in a report."""

SKIPPED = (
    "Number of pairs that were not tested, because they have no expected value or too few "
    "wins or losses"
)
"""Beginning of a sentence that ends with the number of pairs of positions without a test.
"""


def spread(values: NDArray[np.float64], most: int = MOST_ROWS) -> NDArray[np.int64]:
    """Return the indices of at most `most` values, evenly spaced in sorted order."""
    if len(values) <= most:
        return np.arange(len(values))
    order = np.argsort(values, kind="stable")
    return order[np.linspace(0, len(order) - 1, most).astype(np.int64)]


def selection(shown: int, of: int, values: str) -> str:
    """Return a phrase that says which pairs of positions are listed in a table."""
    if shown == of:
        return "all pairs"
    return f"{shown} of {of:,} pairs, evenly spaced in order of {values}"


def pair_table(outcomes: Outcomes) -> str:
    """Return a table of simulated and expected win probabilities."""
    low, high = intervals.wilson_interval(outcomes.wins, outcomes.games)
    known = np.isfinite(outcomes.expected)
    z = intervals.z_scores(outcomes.wins, outcomes.games, outcomes.expected)
    rows = []
    for i in range(len(outcomes)):
        rows.append(
            [
                _side(outcomes.roller_counts[i], outcomes.roller[i]),
                _side(outcomes.opponent_counts[i], outcomes.opponent[i]),
                f"{outcomes.roller_pips[i]:.0f}",
                f"{outcomes.lead('pips')[i]:+.0f}",
                f"{outcomes.roller_epc[i]:.2f}",
                f"{outcomes.lead('epc')[i]:+.2f}",
                f"{outcomes.games[i]:,}",
                intervals.percent(outcomes.win_probability[i], 3),
                f"{intervals.percent(low[i], 3)} to {intervals.percent(high[i], 3)}",
                intervals.percent(outcomes.expected[i], 3) if known[i] else "unknown",
                f"{z[i]:+.2f}" if known[i] else "",
            ]
        )
    return markdown_table(
        [
            "roller",
            "opponent",
            "pips",
            "lead",
            "EPC",
            "lead in EPC",
            "games",
            "simulated",
            "95% interval",
            "expected",
            "z",
        ],
        rows,
    )


def chance_table(scored: Sequence[fits.FittedChance]) -> str:
    """Return a table of errors of win probability formulas, in percentage points."""
    rows = []
    for entry in scored:
        score = entry.score
        rows.append(
            [
                entry.formula.name,
                _points(score.absolute, 100),
                _points(score.rms, 100),
                f"{100 * score.worst:+.1f} ({score.worst_pair[0]} v {score.worst_pair[1]})",
            ]
        )
    return markdown_table(["formula", "mean error", "rms error", "worst"], rows)


def rule_table(scored: Sequence[fits.FittedRule]) -> str:
    """Return a table of errors and losses of cube rules, in thousandths of a point."""
    rows = []
    for entry in scored:
        actions = entry.score.actions
        rows.append(
            [
                entry.formula.name,
                *(
                    f"{actions[a].wrong:.1%} ({actions[a].clear:.1%})"
                    for a in Gains.ACTIONS
                ),
                *(_points(actions[a].lost, 1000) for a in Gains.ACTIONS),
                _points(entry.score.total, 1000),
            ]
        )
    floors = [scored[0].score.actions[a].floor for a in Gains.ACTIONS]
    if all(floor is not None for floor in floors):
        known = [1000 * (floor or 0.0) for floor in floors]
        rows.append(
            [
                "*lower limit of the losses: decisions by the expected win probabilities*",
                "",
                "",
                "",
            ]
            + [f"{floor:.2f}" for floor in [*known, sum(known)]]
        )
    return markdown_table(
        [
            "formula",
            *(f"{action}: wrong (clearly)" for action in Gains.ACTIONS),
            *(f"{action}: lost" for action in Gains.ACTIONS),
            "lost in total",
        ],
        rows,
    )


def _side(counts: Sequence[int], number: int) -> str:
    return f"{','.join(str(int(count)) for count in counts)} ({number})"


def _points(mean: intervals.Mean, scale: float) -> str:
    return f"{scale * mean.value:.2f} ± {scale * mean.error:.2f}"
