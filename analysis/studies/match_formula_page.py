"""The page of what formulas lose at scores, and of a correction."""

from pathlib import Path

from analysis.output import markdown_page, markdown_table, write_text
from analysis.studies.match_formulas import (
    BY_MEMORY,
    EPC,
    FAR,
    HOPELESS,
    REASONABLE,
    Followed,
    FormulaStudy,
)

ACTS = ("double", "take")


def write_formula_study(study: FormulaStudy, folder: str | Path) -> Path:
    """Write the page into a folder; return its path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return write_text(formula_page(study), folder / "formulas.md")


def formula_page(study: FormulaStudy) -> str:
    """Set what formulas lose at every score as Markdown, as they are and corrected."""
    scores = [away for away in study.corrections if away != FAR]
    pips = study.corrections
    later, further = (
        _grid(
            {away: f"{pips[away][act]:+d}" if pips[away][act] else "0" for away in scores}
        )
        for act in range(len(ACTS))
    )
    parts = [
        "# Formulas at a score",
        "What formulas for money lose when they are followed at a score, the cube centred; "
        "exact values, from `bearoff study match --checkers "
        f"{study.checkers} --population results/populations/cubeful.parquet`. "
        f"{study.decisions:,} decisions of test games ({study.population}), sides of up to "
        f"{study.checkers} checkers, one of more than {BY_MEMORY}. Takes are asked about "
        f"where a double loses {REASONABLE} EMG or less, and the take {HOPELESS}. Rows are "
        "the points that the roller needs, columns those of the opponent.",
        "## A correction for the head",
        "Use the formula as for money, and add so many pips to the lead that doubling "
        f"needs. They are those by which the window of a typical roller of {EPC:.0f} "
        "effective pips is [later than for money](take-points.md#long-races); for longer "
        "races take them from there.",
        later,
        "And so many to the lead with which the opponent may still take:",
        further,
        "## What it saves",
        "Means of all scores, in thousandths of an EMG a decision. *Money*: at 25-away "
        "25-away. *Best shifts*: both lines moved by what loses least at each score in "
        "other games.",
        _summary(study),
    ]
    for name, found in study.formulas.items():
        for act in ACTS:
            parts += [
                f"## {name}, {act}",
                "As it is, and corrected.",
                _grid({away: _both(found[away], act) for away in scores}),
            ]
    return markdown_page(parts)


def _grid(cells: dict[tuple[int, int], str]) -> str:
    away = sorted({a for a, _ in cells})
    rows = [[f"{a}-away", *(cells[a, b] for b in away)] for a in away]
    return markdown_table(["roller", *(f"{b}-away" for b in away)], rows)


def _both(found: Followed, act: str) -> str:
    plain, corrected = (
        1000 * getattr(lost, act) for lost in (found.plain, found.corrected)
    )
    return f"{plain:.0f} → {corrected:.0f}"


def _summary(study: FormulaStudy) -> str:
    rows = []
    for name, found in study.formulas.items():
        near = [one for away, one in found.items() if away != FAR]
        row = [name]
        for act in ACTS:
            row.append(f"{1000 * getattr(found[FAR].plain, act):.1f}")
            for kind in ("plain", "corrected", "fitted"):
                lost = [getattr(getattr(one, kind), act) for one in near]
                row.append(f"{1000 * sum(lost) / len(lost):.1f}")
        rows.append(row)
    head = ["formula"]
    for act in ACTS:
        head += [f"{act}: money", "as it is", "corrected", "best shifts"]
    return markdown_table(head, rows)
