"""Page about the cost of formulas at scores, and of a correction."""

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
"""Correction in pips from which doubling risks nothing."""


def write_formula_study(study: FormulaStudy, folder: str | Path) -> Path:
    """Write the page to a folder; return its path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return write_text(formula_page(study), folder / "formulas.md")


def formula_page(study: FormulaStudy) -> str:
    """Return the losses of formulas at every score as Markdown, plain and corrected."""
    parts = [
        "# Formulas at a score",
        "Loss of formulas for money that are used at a score. Exact values, "
        f"from `python -m research.match --checkers {study.checkers} --population "
        "results/populations/cubeful.parquet`. The decisions are those of test games "
        f"({study.population}), by the number of checkers of the larger side:",
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
        "Races of more checkers, or with a checker beyond home, are not judged, nor "
        f"races of {BY_MEMORY} or fewer checkers, which players know by heart. Takes are "
        f"judged where a double loses {REASONABLE} EMG or less and the take {HOPELESS} "
        "or less. Rows are the points that the roller needs, columns the points that "
        "the opponent needs.",
    ]
    for races in study.races:
        if races.most > study.checkers:
            parts += _longer(races)
        elif races.cube == "centred":
            parts += ["## A correction for the head", *_every_score(races)]
        else:
            parts += [
                "## Redoubles",
                "The cube shows 2 and is the roller's, who needs 3 points or more; with "
                "fewer nobody turns it. *Any*: an opponent who needs 2 wins the match with "
                "either cube, so that a redouble risks nothing and is right with any lead.",
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
    than_money = "later than for money."
    if centred:
        than_money = (
            "[later than for money](take-points.md#long-races); for longer races take "
            "them from there."
        )
    parts = [
        "Use the formula as for money, and add these pips to the smallest lead at which "
        f"a {_verb(races)} is right. They are the difference by which the doubling "
        f"window of a typical position of {races.epc:.0f} effective pips is {than_money}",
        later,
        "Add these pips to the largest lead at which the opponent takes:",
        further,
        "## Savings" if centred else "### Savings",
        "Means of all scores, in thousandths of an EMG a decision. *Money*: at 25-away "
        "25-away. *Best shifts*: both lines moved by the pips that lose least at each "
        "score in other games, up to "
        f"{max(SHIFTS):.0f} pips. *By chance*: the chance to win that "
        "the formula says against what the score asks, between its take points of the last "
        "roll and of a live cube where Janowski's for money lie.",
        _summary(races),
    ]
    for name, found in races.formulas.items():
        for act, called in zip(ACTS, _called(races), strict=True):
            parts += [
                f"## {name}, {called}",
                "Loss of the formula as for money, and with the correction.",
                _grid({away: _both(found[away], act) for away in found if away != FAR}),
            ]
    return parts


def _longer(races: Races) -> list[str]:
    """Return rows for some scores, with all formulas side by side."""
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
        "Loss of the formula as for money, and with the correction: so many pips more to "
        f"turn the cube (*later*) and to take (*further*), for {races.epc:.0f} effective "
        "pips.",
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
        head += [f"{act}: money", "as it is", "corrected", "best shifts", "by chance"]
    return markdown_table(head, rows)
