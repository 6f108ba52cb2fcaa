"""The tables of a report, as Markdown."""

from collections.abc import Iterable, Sequence

import numpy as np

from analysis.equity import ACTIONS
from analysis.fits import ScoredChance, ScoredRule
from analysis.intervals import wilson_interval, z_scores
from analysis.outcomes import Outcomes
from analysis.scores import Mean

MOST_ROWS = 24
"""Pairs that a report lists at most."""


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Set a table; columns after the first are set to the right.

    Examples
    --------
    >>> print(markdown_table(["pair", "games"], [["a", "100"]]))
    | pair | games |
    |:---|---:|
    | a | 100 |
    """
    lines = [
        "| " + " | ".join(head) + " |",
        "|" + "|".join([":---", *["---:"] * (len(head) - 1)]) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
    return "\n".join(lines)


def chosen_pairs(outcomes: Outcomes) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Pick the pairs to list: all, or as many evenly spread over the win probability."""
    if len(outcomes) <= MOST_ROWS:
        return np.arange(len(outcomes))
    order = np.argsort(outcomes.win_probability, kind="stable")
    picked: np.ndarray[tuple[int], np.dtype[np.int64]] = order[
        np.linspace(0, len(order) - 1, MOST_ROWS).astype(np.int64)
    ]
    return picked


def pair_table(outcomes: Outcomes) -> str:
    """List pairs with their simulated win probabilities beside what is expected."""
    low, high = wilson_interval(outcomes.wins, outcomes.games)
    known = np.isfinite(outcomes.expected)
    z = z_scores(outcomes.wins, outcomes.games, outcomes.expected)
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
                f"{outcomes.win_probability[i]:.3%}",
                f"{low[i]:.3%} to {high[i]:.3%}",
                f"{outcomes.expected[i]:.3%}" if known[i] else "unknown",
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


def chance_table(scored: Sequence[ScoredChance]) -> str:
    """Errors of formulas of the win probability, in percentage points."""
    rows = []
    for entry in scored:
        score = entry.score
        rows.append(
            [
                formula_name(entry),
                _points(score.absolute, 100),
                _points(score.rms, 100),
                f"{100 * score.worst:+.1f} ({score.worst_pair[0]} v {score.worst_pair[1]})",
            ]
        )
    return markdown_table(["formula", "mean error", "rms error", "worst"], rows)


def rule_table(scored: Sequence[ScoredRule]) -> str:
    """Wrong decisions and their price, in thousandths of a point."""
    rows = []
    for entry in scored:
        actions = entry.score.actions
        rows.append(
            [
                formula_name(entry),
                *(f"{actions[a].wrong:.1%} ({actions[a].clear:.1%})" for a in ACTIONS),
                *(_points(actions[a].lost, 1000) for a in ACTIONS),
                _points(entry.score.total, 1000),
            ]
        )
    floors = [scored[0].score.actions[a].floor for a in ACTIONS]
    if all(floor is not None for floor in floors):
        known = [1000 * (floor or 0.0) for floor in floors]
        rows.append(
            ["*floor: deciding by the expected values*", "", "", ""]
            + [f"{floor:.2f}" for floor in [*known, sum(known)]]
        )
    return markdown_table(
        [
            "formula",
            *(f"{action}: wrong (clearly)" for action in ACTIONS),
            *(f"{action}: lost" for action in ACTIONS),
            "lost together",
        ],
        rows,
    )


def _side(counts: Sequence[int], number: int) -> str:
    return f"{','.join(str(int(count)) for count in counts)} ({number})"


def formula_name(entry: ScoredChance | ScoredRule) -> str:
    """Name a formula in a table: with its measure if it has one."""
    measure = getattr(entry.formula, "measure", None)
    label = {"pips": ", pips", "epc": ", EPC", None: ""}[measure]
    return f"{entry.formula.name}{label}"


def _points(mean: Mean, scale: float) -> str:
    return f"{scale * mean.value:.2f} ± {scale * mean.error:.2f}"
