"""Table of the losses of formulas on each test set."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bearoff.analysis.battery.own import BEFORE, OWN, own_games
from bearoff.analysis.battery.rows import (
    ALL,
    BY_MEMORY,
    GAME,
    Battery,
    BatteryLosses,
    battery_difference,
    score_battery,
)
from bearoff.analysis.battery.slips import one_slip
from bearoff.analysis.formulas.rules import WorkedFormula
from bearoff.analysis.outcomes import intervals
from bearoff.analysis.output import markdown_table, write_table, write_text
from bearoff.analysis.scoring import MentalCost, mental_cost, scores_seal, valued_by
from bearoff.sim.populations import Population

if TYPE_CHECKING:
    import pyarrow as pa

Progress = Callable[[str, float], object]

REFERENCE = "isight"
"""Name of the reference formula: the published formula with the smallest total loss."""

REMEMBERED = (GAME, "near", "1-4")
"""Names of test sets whose losses are also listed without races of at most four checkers
per side."""


@dataclass(frozen=True, eq=False)
class BatteryTableRow:
    """Row of the table of losses: the losses and the mental cost of one formula.

    Attributes
    ----------
    formula : WorkedFormula
        The formula.
    cost : MentalCost
        Mental cost of the formula.
    score : BatteryLosses
        Mean losses on each test set.
    memory : BatteryLosses
        Mean losses of a player who decides perfectly when both sides have at most four
        checkers, and otherwise by the formula.
    own : Mean or None
        Points lost per game against a perfect opponent; None if no games were simulated.
    slip : float or None
        Loss in close decisions if one count is wrong by one unit; None for formulas without
        a count.
    """

    formula: WorkedFormula
    cost: MentalCost
    score: BatteryLosses
    memory: BatteryLosses
    own: intervals.Mean | None
    slip: float | None

    @property
    def name(self) -> str:
        """Name of the formula."""
        return self.formula.name


@dataclass(frozen=True, eq=False)
class BatteryTable:
    """Table of the losses of formulas on each test set, sorted by increasing mental cost.

    Attributes
    ----------
    battery : Battery
        Test sets, which are the columns of the table.
    lines : tuple of BatteryTableRow
        Rows of the table, by increasing mental cost.
    part : str
        Data split from which the test sets are drawn.
    populations : dict of str to str
        Digest of the content of each population, by name.
    valued : str
        Sentence on the sources of the exact equities.
    """

    battery: Battery
    lines: tuple[BatteryTableRow, ...]
    part: str
    populations: dict[str, str]
    valued: str

    @classmethod
    def of(
        cls,
        formulas: Sequence[WorkedFormula],
        populations: Mapping[str, Population],
        part: str,
        progress: Progress = lambda stage, done: None,
    ) -> "BatteryTable":
        """Compute the table of losses on training, validation or test data, or on all data.

        Raises
        ------
        FitError
            If `Battery.of` raises this error.
        """
        battery = Battery.of(populations, part)
        without = Battery.of(populations, part, memory=True)
        scores = score_battery(formulas, battery, progress)
        remembered = [without.scored(score) for score in scores]
        lines = [
            BatteryTableRow(
                formula,
                mental_cost(formula),
                score,
                memory,
                own_games(formula, populations, part),
                one_slip(formula, battery),
            )
            for formula, score, memory in zip(formulas, scores, remembered, strict=True)
        ]
        lines.sort(key=lambda line: (line.cost.total, line.score.lost[GAME].value))
        names = {formula.name for formula in formulas}
        digests = {
            name: each.about["digest"]
            for name, each in populations.items()
            if not name.startswith(BEFORE) or name.removeprefix(BEFORE) in names
        }
        valued = valued_by([populations[name] for name in battery.decisions])
        return cls(battery, tuple(lines), part, digests, valued)

    def line(self, name: str) -> BatteryTableRow:
        """Return the row of the table of losses for a given formula."""
        return next(line for line in self.lines if line.name == name)

    def worse_rows(self, name: str, published: Collection[str]) -> dict[str, str]:
        """Return the test sets on which a published formula of no higher cost loses less.

        Returns
        -------
        dict of str to str
            Name of a published formula that loses less, by name of the test set. The
            difference in loss exceeds its standard error.
        """
        own = self.line(name)
        found: dict[str, str] = {}
        for other in self.lines:
            if other.name not in published or other.cost.total > own.cost.total:
                continue
            difference = battery_difference(own.score, other.score, self.battery)
            for row, more in difference.items():
                if more.value > more.error:
                    found.setdefault(row, other.name)
            if own.own is not None and other.own is not None:
                error = np.hypot(own.own.error, other.own.error)
                if own.own.value - other.own.value > error:
                    found.setdefault(OWN, other.name)
        return found


def battery_markdown(table: BatteryTable, ours: Collection[str]) -> str:
    """Return the table of losses as Markdown, with the formulas named in `ours` in bold."""
    rows = table.battery.rows
    published = {line.name for line in table.lines} - set(ours)
    played = any(line.own for line in table.lines)
    body = []
    for line in table.lines:
        own = line.name in ours
        worse = table.worse_rows(line.name, published) if own else {}
        cells = [f"**{line.name}**" if own else line.name, str(line.cost.total)]
        for row in rows:
            value = f"{1000 * line.score.lost[row.name].value:.1f}"
            cells.append(f"**{value}**" if own and row.name not in worse else value)
        if played:
            value = f"{1000 * line.own.value:.1f}" if line.own else ""
            cells.insert(3, f"**{value}**" if value and own and OWN not in worse else value)
        body.append(cells)
    reference = table.line(REFERENCE) if _has(table, REFERENCE) else table.lines[0]
    errors = [reference.score.lost[row.name].error for row in rows]
    heads = [row.name for row in rows]
    if played:
        errors.insert(1, reference.own.error if reference.own else np.nan)
        heads.insert(1, OWN)
    body.append([f"± ({reference.name})", "", *(f"{1000 * error:.1f}" for error in errors)])
    memory = [
        [
            f"**{line.name}**" if line.name in ours else line.name,
            *(
                f"{1000 * line.memory.lost[name].value:.1f} ± "
                f"{1000 * line.memory.lost[name].error:.1f}"
                for name in REMEMBERED
            ),
            f"{1000 * line.slip:.1f}" if line.slip is not None else "",
            *(str(cost) for cost in line.cost.by_rubric().values()),
            str(line.cost.beyond_pips),
        ]
        for line in table.lines
    ]
    what = "\n".join(
        f"- **{row.name}**: {row.text}; {row.decisions:,} positions" for row in rows
    )
    digests = ", ".join(f"{name} {d[:12]}" for name, d in table.populations.items())
    rubrics = list(table.lines[0].cost.by_rubric())
    return "\n\n".join(
        [
            markdown_table(["formula", "units", *heads], body),
            "Losses are in thousandths of a point. *Game* is the loss per player and "
            "game, where each loss is multiplied by the cube value. *Double*, "
            "*redouble* and *take* are the mean losses per decision of this kind. Each "
            "other column is the mean loss per position of the decisions to double, "
            "redouble and take together. The loss of a take is included only if the "
            "double before it is plausible. Names "
            "of formulas of this project are in bold. A loss in bold is the "
            "lowest for its mental cost: no published formula of the same or a lower "
            "cost has a loss that is lower by more than one standard error of the "
            "difference." + (_OWN_TEXT if played else ""),
            what,
            f"Positions come from {_part(table)} of the populations {digests}. "
            f"{table.valued}",
            "## Last rolls from memory, miscounts, and other mental costs",
            markdown_table(
                [
                    *("formula", *REMEMBERED, "near, miscounted"),
                    *(f"units, {rubric}" for rubric in rubrics),
                    "pips displayed",
                ],
                memory,
            ),
            "The columns `game`, `near` and `1-4` of this table give the loss of a "
            "player who follows the formula, but decides perfectly from memory when both "
            f"sides have at most {BY_MEMORY} checkers. *Near, miscounted* is the loss in "
            "near decisions if the player's count of one of the two sides is too high or "
            "too low by one. The columns on the right give the mental cost under three "
            "[rubrics](../../../docs/formulas.md#mental-cost), and the mental cost if "
            "the pip counts are displayed.",
        ]
    )


_OWN_TEXT = (
    f" *{OWN.capitalize()}* is the formula's loss per game against a perfect opponent, "
    "in games with all checkers home."
)


def _part(table: BatteryTable) -> str:
    return "all splits" if table.part == ALL else f"the {table.part} split"


def _has(table: BatteryTable, name: str) -> bool:
    return any(line.name == name for line in table.lines)


def _every(line: BatteryTableRow) -> dict[str, intervals.Mean]:
    return line.score.lost | ({OWN: line.own} if line.own else {})


def battery_json(table: BatteryTable) -> list[dict[str, Any]]:
    """Return the table of losses as JSON values, in points."""
    return [
        {
            "name": line.name,
            "mental_cost": line.cost.by_rubric(),
            "rows": {
                name: {"value": mean.value, "error": mean.error}
                for name, mean in _every(line).items()
            },
            "from_memory": {
                name: {
                    "value": line.memory.lost[name].value,
                    "error": line.memory.lost[name].error,
                }
                for name in REMEMBERED
            },
            "near_with_a_slip": line.slip,
        }
        for line in table.lines
    ]


def write_battery(
    table: BatteryTable, ours: Collection[str], command: str, folder: Path
) -> list[Path]:
    """Write the table as ``battery.md`` and ``battery.parquet``; return their paths."""
    from bearoff.sim.storage import provenance

    folder.mkdir(parents=True, exist_ok=True)
    head, changed = provenance.commit()
    about = {
        "command": command,
        "population": "battery",
        "populations": table.populations,
        "commit": head,
        "changed": changed,
        "versions": provenance.versions(),
    }
    rows = battery_rows(table).drop_columns(["from_memory", "text"])
    rows = rows.rename_columns({"row": "decision"})
    about["seal"] = scores_seal(about, rows.to_pylist())
    page = (
        f"# Losses of formulas on all test sets\n\n`{command}` computed this page. "
        "Formulas of this project are in bold. The notes below the first table explain "
        f"its columns.\n\n{battery_markdown(table, ours)}\n"
    )
    data = rows.replace_schema_metadata({"bearoff": json.dumps(about)})
    return [
        write_text(page, folder / "battery.md"),
        write_table(data, folder / "battery.parquet"),
    ]


def battery_rows(table: BatteryTable) -> "pa.Table":
    """Return the losses as a Parquet table with one row per formula and test set."""
    import pyarrow as pa

    rows = [
        {
            "formula": line.name,
            "units": line.cost.total,
            "row": name,
            "lost": mean.value,
            "lost_error": mean.error,
            "from_memory": line.memory.lost[name].value if name != OWN else None,
            "text": line.formula.text,
        }
        for line in table.lines
        for name, mean in _every(line).items()
    ]
    return pa.Table.from_pylist(rows)
