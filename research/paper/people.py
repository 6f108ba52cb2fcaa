"""Facts for the paper about people's errors in races, and about other programs."""

import numpy as np

from research.paper.facts import Facts
from research.paper.results import Results

_KINDS = {"play": "plays", "double": "doubling", "take": "taking"}


def gather(results: Results, facts: Facts) -> None:
    """Add facts about people's decisions, and about the errors of other programs."""
    page = results.page("people/lost.md")
    rows = results.rows("people/decisions.parquet")
    cost = np.array([row["cost"] for row in rows])
    kind = np.array([row["kind"] for row in rows])
    wrong = np.array([row["cost"] > row["error"] and row["cost"] > 0 for row in rows])
    decided = np.array([row["decided"] for row in rows])
    facts.put(
        people__decisions=len(rows),
        people__matches=page.find(r"in the races of ([\d,]+) matches"),
        people__points=page.find(r"together lose ([\d.]+) "),
        people__chance=page.find(r"or ([\d.]+) \([\d. to]+\)%\s+of\s+the\s+chance"),
        people__missed=f"{cost[decided == 'no double'].sum() / cost.sum():.0%}",
        people__half=page.find(r"costliest\s+([\d.%]+)\s+of\s+the"),
    )
    facts.put_table(
        "people.kinds",
        ("decisions", "number", "mistakes", "loss per decision", "share of the loss"),
        [
            (
                name,
                f"{(kind == one).sum():,}",
                f"{wrong[kind == one].mean():.1%}",
                f"{cost[kind == one].mean():.4f}",
                f"{cost[kind == one].sum() / cost.sum():.0%}",
            )
            for one, name in _KINDS.items()
        ],
    )
    home, mistakes = "mean cost, home (95% interval)", "wrong decisions, home"
    other = results.page("agreement/other-programs.md").table("level", home, mistakes)
    facts.put_table(
        "people.other",
        (
            "search depth",
            "loss per decision at home, thousandths (EMG), 95% interval",
            "wrong decisions at home",
        ),
        [(row["level"], row[home], row[mistakes]) for row in other],
    )
