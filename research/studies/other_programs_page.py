"""Page on the errors of other programs in races."""

from pathlib import Path

from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.analysis.progress import mean
from research.studies.other_programs import Verdicts


def write_other_programs_page(
    found: Verdicts, other: Verdicts, path: Path, of: str
) -> Path:
    """Write a page on the errors of GNU Backgammon and of eXtreme Gammon in races."""
    return write_text(other_programs_page(found, other, of), path)


def other_programs_page(found: Verdicts, other: Verdicts, of: str) -> str:
    """Return a Markdown page on the errors of GNU Backgammon and of eXtreme Gammon."""
    home, differ = found.home, ~found.agreed
    text = f"""`python -m research.other_programs` writes this page. {of}

The games contain {len(found.match):,} decisions in races, {home.sum():,} of them with both
sides home. GNU Backgammon judged each decision at {len(found.levels)} levels of search. The
levels make different choices in {differ.sum():,} decisions ({differ.mean():.1%}), mostly
because several plays are equally good. Mean costs are in thousandths of an EMG per
decision. If both sides are home, and the levels or the fast model of this program disagree,
costs are exact. If a checker is beyond home, costs are estimated by the fast model, and
count only if they exceed the model's error."""
    public = f"""The table shows the costs of eXtreme Gammon's choices in
{len(other.match):,} decisions in races. The files of the 13 public matches of [the
tests](../../tests/data/README.md) judge these decisions, mostly at the level that eXtreme
Gammon calls 2-ply. Both sides are home in {other.home.sum():,} of these {len(other.home):,}
decisions."""
    limits = """A decision counts as correct if all levels and the fast model agree. With
checkers beyond home, no exact values are known, so costs are estimated by the fast model.
Equities in GNU Backgammon's texts have three decimals, and the first play listed counts as
GNU Backgammon's choice. Deeper levels of GNU Backgammon do not evaluate plays that
shallower levels rate low."""
    return markdown_page(
        [
            "# Other programs in races, judged by exact values if all checkers are home",
            text,
            _levels(found),
            "## Differences between two levels at home",
            _pairs(found),
            "## eXtreme Gammon",
            public,
            _levels(other),
            "## Limits",
            limits,
        ]
    )


def _levels(found: Verdicts) -> str:
    """Return a Markdown table with the costs of each search depth."""
    rows = []
    home = found.home
    for level, cost in zip(found.levels, found.cost.T, strict=True):
        cells = [level]
        for of_them in (home, ~home):
            lost = mean(found.match[of_them], 1000 * cost[of_them])
            interval = "" if lost.low is None else f" ({lost.low:.3f} to {lost.high:.3f})"
            cells.append(f"{lost.value:.3f}{interval}")
        for kind in ("play", "double", "take"):
            of_kind = home & (found.kind == kind)
            cells.append(f"{1000 * cost[of_kind].mean():.3f}" if of_kind.any() else "")
        cells.append(f"{(cost[home] > 0).sum():,}")
        cells.append(f"{cost[home].max(initial=0):.4f}")
        rows.append(cells)
    head = [
        "level", "mean cost, home (95% interval)", "mean cost, beyond home (95% interval)",
        "plays, home", "doubles, home", "takes, home", "wrong decisions, home",
        "largest cost, home, EMG",
    ]  # fmt: skip
    return markdown_table(head, rows)


def _pairs(found: Verdicts) -> str:
    """Return a Markdown table that compares the search depths in pairs."""
    rows = []
    exact = found.home & found.exact
    for one in range(len(found.levels)):
        for other in range(one + 1, len(found.levels)):
            apart = found.cost[exact, one] - found.cost[exact, other]
            rows.append(
                [
                    f"{found.levels[one]} and {found.levels[other]}",
                    f"{(apart != 0).sum():,}",
                    f"{(apart < 0).sum():,}",
                    f"{(apart > 0).sum():,}",
                    f"{apart.sum():+.4f}",
                ]
            )
    head = ["levels", "decisions with different losses", "the first loses less"]
    head += ["the second loses less", "loss of the first minus the second, EMG"]
    return markdown_table(head, rows)
