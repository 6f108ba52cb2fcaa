"""Facts for the paper about the fast race model and the program's speed."""

from research.paper.facts import Facts
from research.paper.results import Results


def gather(results: Results, facts: Facts) -> None:
    """Add facts about the errors of the fast race model, and about measured speeds."""
    page = results.page("race-model/errors.md")
    rows = page.table(
        "method", "win, %", under="## Positions weighted by their frequency in races"
    )
    columns = (
        "win, %",
        "no double, points",
        "double/take, points",
        "doubling",
        "redoubling",
        "taking",
    )
    facts.put_table(
        "model.errors",
        (
            "known about each side",
            "winning chance, %",
            "no double",
            "double/take",
            "doubling",
            "redoubling",
            "taking",
        ),
        [
            (
                row["method"],
                *(
                    next(v for k, v in row.items() if k.startswith(name))
                    for name in columns
                ),
            )
            for row in rows
        ],
    )
    best = min(rows[:-1], key=lambda row: float(row["double/take, points"]))
    usual = rows[-1]
    facts.put(
        model__pairs=page.find(r"It uses ([\d,]+) pairs in which"),
        model__best=best["method"],
        model__best_chance=best["win, %"],
        model__best_equity=best["double/take, points"],
        model__usual_equity=usual["double/take, points"],
        model__usual=usual["method"],
    )
    speeds = results.page("benchmarks/README.md").table("ours", "baseline", "ratio")
    wanted = ("rollout-gnubg", "two-sided-build-gnubg", "self-play", "rollout")
    facts.put_table(
        "speeds.ratios",
        ("ours", "baseline", "times as fast"),
        [
            (
                *(row[k].split(": ", 1)[-1] for k in ("ours", "baseline")),
                _ratio(row["ratio"]),
            )
            for row in speeds
            if row["ours"].split(":")[0] in wanted
        ],
        words=2,
    )
    starts = results.page("game/races.md")
    table = starts.text.splitlines()
    head = next(line for line in table if line.startswith("|  | net"))
    facts.put_table(
        "starts.compared",
        [cell.strip() or "starts of races" for cell in head.strip("|").split("|")],
        [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in table
            if line.startswith("| ") and not line.startswith(("|  |", "|:"))
        ],
    )


def _ratio(text: str) -> str:
    ratio = float(text)
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
