"""Facts for the paper about match play: losses of money formulas at match scores."""

from research.paper.facts import Facts, short
from research.paper.results import Results


def gather(results: Results, facts: Facts) -> None:
    """Add facts about the losses of money formulas at match scores."""
    page = results.page("match/formulas.md")
    saved = page.table("formula", "double: money", under="## Savings")
    head = ("money", "as it is", "corrected", "best shifts", "by chance")
    facts.put_table(
        "scores.saved",
        ("formula", *(f"{kind}: {what}" for kind in ("double", "take") for what in head)),
        [list(row.values()) for row in saved],
    )
    keith = next((row for row in saved if row["formula"] == "keith"), saved[0])
    facts.put(
        scores__money=keith["double: money"],
        scores__as_it_is=keith["double: as it is"],
        scores__corrected=keith["double: corrected"],
    )
    for name, under in (
        ("double", "## A correction"),
        ("take", "Add the pips in this table to the largest lead"),
    ):
        shifts = page.table("roller", "2-away", under=under)
        facts.put_table(
            f"scores.{name}_shifts", list(shifts[0]), [list(row.values()) for row in shifts]
        )
    tables = results.page("match/tables.md").table("score", "largest error")
    facts.put(
        scores__largest_error=short(max(float(row["largest error"]) for row in tables)),
        scores__stated_error=short(max(float(row["stated error"]) for row in tables)),
    )
    model = results.page("race-model/at-scores.md").table(
        "score, roller first", "decided alike"
    )
    alike = [row["decided alike"] for row in model]
    facts.put(
        scores__model_alike=min(alike, key=lambda cell: float(cell.rstrip("%"))),
        scores__model_cost=max(row["cost of a decision"] for row in model),
    )
