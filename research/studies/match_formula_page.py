"""Page on the loss of money formulas at match scores, and on a correction for the score."""

from pathlib import Path

from bearoff.analysis.output import markdown_page, markdown_table, write_text
from research.studies.match_formulas import (
    BY_MEMORY,
    FAR,
    HOPELESS,
    REASONABLE,
    SHIFTS,
    Away,
    Followed,
    FormulaStudy,
    Races,
)

ACTS = ("double", "take")

ALWAYS = -20
"""Largest correction in pips for which the page says that the roller should always
double."""


def write_formula_study(study: FormulaStudy, folder: str | Path) -> Path:
    """Write the page on formulas at match scores into a folder; return its path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return write_text(formula_page(study), folder / "formulas.md")


def formula_page(study: FormulaStudy) -> str:
    """Return a Markdown page on the losses of money formulas at all match scores."""
    parts = [
        "# Formulas at a score",
        f"`python -m research.match --checkers {study.checkers} --population "
        "results/populations/cubeful.parquet` computes how much equity players lose if "
        "they use a formula for money play at a match score. The values are exact. The "
        "decisions are from the test games of a [population](../populations/README.md) "
        f"({study.population}). The table groups the decisions by the number of checkers "
        "of the side that has more of them:",
        markdown_table(
            ["cube", "checkers", "decisions", "scores"],
            [
                [
                    races.cube,
                    f"{races.fewest} to {races.most}",
                    f"{races.decisions:,}",
                    "all" if races.most == study.checkers else "some",
                ]
                for races in study.races
            ],
        ),
        "The decisions do not include races with more checkers, races with a checker "
        f"beyond home, and races with at most {BY_MEMORY} checkers, which players know by "
        "heart. Decisions to take or pass are included if the double costs at most "
        f"{REASONABLE} EMG and a take costs at most {HOPELESS} EMG. In the tables of "
        "match scores, each row is for the number of points that the roller needs to win "
        "the match, and each column is for the number that the opponent needs.",
    ]
    for races in study.races:
        if races.most > study.checkers:
            parts += _longer(races)
        elif races.cube == "centred":
            parts += ["## A correction to memorise", *_every_score(races)]
        else:
            parts += [
                "## Redoubles",
                "The roller owns the cube at 2 and needs at least 3 points, because a "
                "roller who needs fewer has no use for a redouble. *Any* means that a "
                "redouble is right with any lead: the opponent needs 2 points and wins the "
                "match with the cube at 2 or at 4, so the redouble risks nothing.",
                *_every_score(races),
            ]
    return markdown_page(parts)


def _every_score(races: Races) -> list[str]:
    pips = races.corrections
    later, further = (
        _grid({away: _pips(pips[away][act]) for away in pips if away != FAR})
        for act in range(len(ACTS))
    )
    centred = races.cube == "centred"
    than_money = "for money."
    if centred:
        than_money = (
            "[for money](take-points.md#long-races). For longer races, use the numbers on "
            "the page about take points."
        )
    parts = [
        "Use the formula as for money, but add the pips in the table to the smallest "
        f"lead for a {_verb(races)}. The added pips are the difference between the "
        f"doubling windows of a typical position of {races.epc:.0f} effective pips at "
        f"this score and {than_money}",
        later,
        "Add the pips in this table to the largest lead of the roller at which the "
        "opponent takes:",
        further,
        "## Savings" if centred else "### Savings",
        "The table shows the mean losses of the formulas over all scores, in thousandths "
        "of an EMG per decision:",
        "- *Money* is the loss at 25-away 25-away, which is close to money play.\n- *As "
        "it is* and *corrected* are the losses without and with the correction above.\n- "
        "*Best shifts* is the loss if the formula's limits for the lead are shifted, "
        "separately for doubles and takes, by the number of pips "
        f"(up to {max(SHIFTS):.0f}) that lost least at this score in "
        "other games.\n- *By win probability* is the loss if the formula's win "
        "probability is compared with thresholds for the score. These thresholds divide "
        "the range between the take points for the last roll and for a live cube in the "
        "same proportion as Janowski's thresholds do for money.",
        _summary(races),
    ]
    for name, found in races.formulas.items():
        for act, called in zip(ACTS, _called(races), strict=True):
            parts += [
                f"## Formula {name}, {called}",
                "Each cell shows two losses in thousandths of an EMG per decision: first "
                "the loss of the formula for money play, then the loss of the formula "
                "with the correction.",
                _grid({away: _both(found[away], act) for away in found if away != FAR}),
            ]
    return parts


def _longer(races: Races) -> list[str]:
    """Return a page's section with the losses of all formulas in longer races, by score."""
    rows = [
        [
            f"{away[0]}-away {away[1]}-away",
            *(_pips(pips) for pips in shifts),
            *(_both(found[away], act) for act in ACTS for found in races.formulas.values()),
        ]
        for away, shifts in sorted(races.corrections.items())
    ]
    head = ["roller, opponent", "later", "further"]
    head += [f"{name}, {act}" for act in (_verb(races), "take") for name in races.formulas]
    return [
        f"## Races of {races.fewest} to {races.most} checkers, {_verb(races)}s",
        "Each cell of a formula shows two losses in thousandths of an EMG per decision: "
        "first the loss of the formula for money play, then the loss of the formula with "
        f"the correction for {races.epc:.0f} effective pips. The correction adds the pips "
        f"in the column *later* to the smallest lead for a {_verb(races)}, and the pips "
        "in the column *further* to the largest lead for a take.",
        markdown_table(head, rows),
    ]


def _verb(races: Races) -> str:
    return "double" if races.cube == "centred" else "redouble"


def _called(races: Races) -> tuple[str, str]:
    return _verb(races), "take" if races.cube == "centred" else "take of a redouble"


def _pips(pips: int) -> str:
    if pips <= ALWAYS:
        return "any"
    return f"{pips:+d}" if pips else "0"


def _grid(cells: dict[Away, str]) -> str:
    rollers, opponents = (sorted(set(of)) for of in zip(*cells, strict=True))
    rows = [[f"{a}-away", *(cells[a, b] for b in opponents)] for a in rollers]
    return markdown_table(["roller", *(f"{b}-away" for b in opponents)], rows)


def _both(found: Followed, act: str) -> str:
    plain, corrected = (
        1000 * getattr(lost, act) for lost in (found.plain, found.corrected)
    )
    return f"{plain:.0f} → {corrected:.0f}"


def _summary(races: Races) -> str:
    rows = []
    for name, found in races.formulas.items():
        near = [one for away, one in found.items() if away != FAR]
        row = [name]
        for act in ACTS:
            row.append(f"{1000 * getattr(found[FAR].plain, act):.1f}")
            for kind in ("plain", "corrected", "fitted"):
                lost = [getattr(getattr(one, kind), act) for one in near]
                row.append(f"{1000 * sum(lost) / len(lost):.1f}")
            chances = [getattr(one.by_chance, act) for one in near if one.by_chance]
            row.append(f"{1000 * sum(chances) / len(chances):.1f}" if chances else "")
        rows.append(row)
    head = ["formula"]
    for act in (_verb(races), "take"):
        kinds = ("money", "as it is", "corrected", "best shifts", "by win probability")
        head += [f"{act}: {kind}" for kind in kinds]
    return markdown_table(head, rows)
