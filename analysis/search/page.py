"""Results of a formula search as YAML, Parquet, a Markdown page and a chart."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.analysis.battery import (
    BatteryTable,
    BatteryTableRow,
    battery_markdown,
    battery_rows,
)
from bearoff.analysis.formulas.files import formulas_yaml
from bearoff.analysis.formulas.rules import ours
from bearoff.analysis.output import (
    ACCENT,
    GREY,
    INK,
    add_caption,
    markdown_table,
    save,
    style,
    write_table,
    write_text,
)
from bearoff.analysis.search.fit import ChosenFormula

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OURS = frozenset(rule.name for rule in ours.OURS)
"""Names of this project's formulas."""

DRAWN = "near"
"""Name of the test set whose losses are plotted."""


@dataclass(frozen=True, eq=False)
class FitResult:
    """Results of a formula search.

    Attributes
    ----------
    command : str
        Command that repeats the search.
    chosen : sequence of ChosenFormula
        Formulas found by the search, by increasing mental cost.
    table : BatteryTable
        Losses of found and published formulas on the test split.
    """

    command: str
    chosen: Sequence[ChosenFormula]
    table: BatteryTable

    @property
    def names(self) -> frozenset[str]:
        """Names of the formulas found by the search."""
        return frozenset(each.rule.name for each in self.chosen)


def write_fit(result: FitResult, folder: Path) -> list[Path]:
    """Write the results of a search into a folder; return the paths of the files."""
    from bearoff.sim.storage import provenance

    folder.mkdir(parents=True, exist_ok=True)
    head, changed = provenance.commit()
    about = {
        "command": result.command,
        "populations": result.table.populations,
        "commit": head,
        "changed": changed,
        "versions": provenance.versions(),
    }
    data = folder / "pareto.parquet"
    table = pareto_table(result).replace_schema_metadata({"bearoff": json.dumps(about)})
    write_table(table, data)
    digests = ", ".join(f"{name} {d[:12]}" for name, d in result.table.populations.items())
    found_on = f"Populations: {digests}."
    return [
        write_found(result.chosen, result.command, found_on, folder),
        write_text(fit_page(result), folder / "found.md"),
        save(pareto_figure(result), folder / "pareto.png"),
        data,
    ]


def write_found(
    chosen: Sequence[ChosenFormula], command: str, found_on: str, folder: Path
) -> Path:
    """Write the formulas found as YAML, with the search command and the data used."""
    comment = f"Found by: {command}\n{found_on}\nThe number in a name is its mental cost."
    folder.mkdir(parents=True, exist_ok=True)
    text = formulas_yaml([each.rule for each in chosen], comment)
    return write_text(text, folder / "found.yaml")


def pareto_table(result: FitResult) -> "pa.Table":
    """Return a table of mental cost and loss on test data, by formula and test set."""
    import pyarrow as pa

    rows = battery_rows(result.table)
    found = [name in result.names for name in rows["formula"].to_pylist()]
    return rows.append_column("found", pa.array(found))


def fit_page(result: FitResult) -> str:
    """Return the results of the search as a Markdown page."""
    return (
        "\n\n".join(
            [
                "# Formulas found by a search, and published formulas",
                f"`{result.command}` searched for formulas. The formulas were fitted to "
                "the training split of the populations, and the best of them were "
                "chosen on the validation split. All losses below are losses on the "
                "test split, which was not used for the search. Formulas found by the "
                "search are bold and named by their mental cost. The other bold "
                "formulas of this project were chosen from earlier searches.",
                "![loss against mental cost](pareto.png)",
                battery_markdown(result.table, result.names | OURS),
                "## Rules of the formulas",
                "Each rule first lists the steps of counting one side. The rule then "
                "states what the roller adds to the roller's count, and at which "
                "differences between the roller's and the opponent's count to double, "
                "redouble and take.",
                markdown_table(
                    ["formula", "rule"],
                    [[f"**{each.rule.name}**", each.rule.text] for each in result.chosen],
                    numbers=False,
                ),
            ]
        )
        + "\n"
    )


def _lost(line: BatteryTableRow) -> float:
    return 1000 * line.score.lost[DRAWN].value


def plot_pareto(result: FitResult, *, ax: "Axes") -> None:
    """Plot loss on the test data against mental cost; the loss axis is logarithmic."""
    lines = result.table.lines
    found = [line for line in lines if line.name in result.names]
    others = [line for line in lines if line.name not in result.names | OURS]
    named = [line for line in lines if line.name in OURS]
    ax.plot(
        [line.cost.total for line in found],
        [_lost(line) for line in found],
        marker="o",
        markersize=3.5,
        linewidth=1,
        color=ACCENT,
        label="found here",
    )
    ax.plot(
        [line.cost.total for line in others],
        [_lost(line) for line in others],
        "s",
        markersize=4.5,
        color=INK,
        label="published",
    )
    ax.plot(
        [line.cost.total for line in named],
        [_lost(line) for line in named],
        "D",
        markersize=4.5,
        color=ACCENT,
        label="this project's named formulas",
    )
    first = min(line.cost.total for line in lines)
    for group, below in ((others, False), (named, True)):
        for names, x, y in _labels(group):
            # Names of formulas are placed below the curve, or to the left of its beginning,
            # so that the names do not cover the curve.
            place, across = ((0, -12), "center") if below else ((6, 0), "left")
            if x == first:
                place, across = (-6, 0), "right"
            ax.annotate(
                names, (x, y), xytext=place, textcoords="offset points", fontsize=7.5,
                color=GREY, va="center", ha=across,
            )  # fmt: skip
    ax.set_xlim(first - 19, max(line.cost.total for line in lines) + 8)
    ax.set_yscale("log")
    ticks = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100]
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
    ax.set_xlabel("mental cost, units")
    ax.set_ylabel("loss per near decision, thousandths of a point")
    ax.grid(axis="y", linewidth=0.4, alpha=0.5)
    values = [_lost(line) for line in lines]
    ax.set_ylim(0.85 * min(values), 1.2 * max(values))
    ax.legend(frameon=False, loc="upper right")


def _labels(lines: Sequence[BatteryTableRow]) -> list[tuple[str, float, float]]:
    """Return one label for formulas that are plotted at almost the same point."""
    groups: list[list[BatteryTableRow]] = []
    for line in lines:
        for group in groups:
            near = abs(line.cost.total - group[0].cost.total) <= 2
            if near and 0.94 < _lost(line) / _lost(group[0]) < 1.06:
                group.append(line)
                break
        else:
            groups.append([line])
    return [
        (
            ", ".join(line.name for line in group),
            max(line.cost.total for line in group),
            sum(_lost(line) for line in group) / len(group),
        )
        for group in groups
    ]


def pareto_figure(result: FitResult) -> "Figure":
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(7.2, 5.2))
        ax = figure.subplots()
        plot_pareto(result, ax=ax)
        ax.set_title("Loss and mental cost of formulas")
        figure.subplots_adjust(left=0.1, right=0.97, top=0.92, bottom=0.18)
        row = result.table.battery.row(DRAWN)
        add_caption(
            figure,
            f"{row.decisions:,} positions of the test part: {row.text}. A loss counts the "
            f"double, redouble and take together, by exact equities. {result.command}. "
            "Mental cost includes counting the pips.",
        )
    return figure
