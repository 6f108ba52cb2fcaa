"""What a search leaves on disk: YAML, Parquet, a page, a chart of loss against cost."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.drawing import (
    ACCENT,
    GREY,
    INK,
    add_caption,
    save,
    style,
    write_table,
    write_text,
)
from analysis.epc_search import JudgedEstimate
from analysis.formula_fit import Chosen, Judged
from analysis.formula_yaml import formulas_yaml
from analysis.formulas.rule import CountRule, CountWinRule
from analysis.tables import markdown_table

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class FitResult:
    """All that a search found.

    Attributes
    ----------
    population, digest : str
        What it was found on.
    command : str
        That finds it again.
    chosen : sequence of Chosen
        By cost.
    judged : sequence of Judged
        Chosen and published formulas on the test part, by cost.
    reference : str
        The formula that differences are told to.
    estimates : sequence of JudgedEstimate
        Of EPC, found and published, on the test part.
    found_estimates : frozenset of str
        Names of those found.
    """

    population: str
    digest: str
    command: str
    chosen: Sequence[Chosen]
    judged: Sequence[Judged]
    reference: str
    estimates: Sequence[JudgedEstimate]
    found_estimates: frozenset[str] = field(default_factory=frozenset)

    @property
    def names(self) -> frozenset[str]:
        """Of the formulas found."""
        return frozenset(each.rule.name for each in self.chosen)


def write_fit(result: FitResult, folder: Path) -> list[Path]:
    """Write a search's findings into a folder; return what was written."""
    from sim.provenance import commit, versions

    folder.mkdir(parents=True, exist_ok=True)
    head, changed = commit()
    about = {
        "command": result.command,
        "population": result.population,
        "digest": result.digest,
        "commit": head,
        "changed": changed,
        "versions": versions(),
    }
    data = folder / "pareto.parquet"
    table = pareto_table(result).replace_schema_metadata({"bearoff": json.dumps(about)})
    write_table(table, data)
    comment = (
        f"Found by: {result.command}\nPopulation {result.population}, digest "
        f"{result.digest}.\nThe number in a name is its mental cost."
    )
    return [
        write_text(
            formulas_yaml([each.rule for each in result.chosen], comment),
            folder / "found.yaml",
        ),
        write_text(fit_page(result), folder / "found.md"),
        save(pareto_figure(result), folder / "pareto.png"),
        data,
    ]


def pareto_table(result: FitResult) -> "pa.Table":
    """A row for each formula and estimate: cost and error on the test part."""
    import pyarrow as pa

    training = {each.rule.name: each for each in result.chosen}
    rows: list[dict[str, Any]] = []
    for judged in result.judged:
        name = judged.formula.name
        own = training.get(name)
        rows.append(
            {
                "name": name,
                "kind": "cube",
                "found": own is not None,
                "units": judged.cost,
                "lost": judged.loss.together.value,
                "lost_error": judged.loss.together.error,
                "difference": judged.difference.value,
                "difference_error": judged.difference.error,
                "training": own.training if own else None,
                "validation": own.validation if own else None,
                "text": judged.formula.text,
            }
        )
    for each in result.estimates:
        rows.append(
            {
                "name": each.estimate.name,
                "kind": "epc",
                "found": each.estimate.name in result.found_estimates,
                "units": each.cost,
                "rms": each.rms,
                "bias": each.bias,
                "worst": each.worst,
                "text": each.estimate.text,
            }
        )
    texts = ("name", "kind", "text")
    names = [*dict.fromkeys(n for row in rows for n in row if n != "text"), "text"]
    types = dict.fromkeys(names, pa.float64()) | dict.fromkeys(texts, pa.string())
    types |= {"found": pa.bool_(), "units": pa.int64()}
    return pa.Table.from_pylist(rows, schema=pa.schema(list(types.items())))


def fit_page(result: FitResult) -> str:
    """Set the findings as a Markdown page."""
    rows = []
    for judged in result.judged:
        name, loss = judged.formula.name, judged.loss
        shown = f"**{name}**" if name in result.names else name
        rows.append(
            [
                shown,
                str(judged.cost),
                f"{1000 * loss.together.value:.2f} ± {1000 * loss.together.error:.2f}",
                f"{1000 * judged.difference.value:+.2f} ± "
                f"{1000 * judged.difference.error:.2f}",
                f"{max(a.worst for a in loss.actions.values()):.2f}",
            ]
        )
    estimates = [
        [
            f"**{each.estimate.name}**"
            if each.estimate.name in result.found_estimates
            else each.estimate.name,
            str(each.cost),
            f"{each.rms:.2f}",
            f"{each.bias:+.2f}",
            f"{each.worst:+.1f}",
        ]
        for each in result.estimates
    ]
    said = [f"- **{each.rule.name}**: {_said(each.rule)}" for each in result.chosen]
    chances = [
        [
            f"**{j.formula.name}**" if j.formula.name in result.names else j.formula.name,
            f"{100 * chance.absolute.value:.2f} ± {100 * chance.absolute.error:.2f}",
            f"{100 * chance.rms:.2f}",
            f"{100 * chance.bias.value:+.2f}",
        ]
        for j in result.judged
        if (chance := j.loss.chance)
    ]
    told = [
        f"- **{each.estimate.name}**: {each.estimate.text}"
        for each in result.estimates
        if each.estimate.name in result.found_estimates
    ]
    return (
        "\n\n".join(
            [
                "# Formulas found, beside those published",
                f"`{result.command}`; population {result.population}, digest "
                f"{result.digest[:16]}. Found on the training part, chosen on validation; "
                "every figure below is of the test part, games that neither saw. Estimates "
                "of EPC are chosen on the training part. Ours are bold and called by their "
                "mental cost.",
                "![loss against mental cost](pareto.png)",
                markdown_table(
                    ["formula", "units", "lost", f"more than {result.reference}", "worst"],
                    rows,
                ),
                "Thousandths of a point per position met, by double, redouble and take "
                "together, with standard errors; the worst single decision in points.",
                "## How they go",
                "\n".join(said),
                "## Chances to win",
                markdown_table(["formula", "mean error", "rms error", "bias"], chances),
                "In percentage points, over all positions met.",
                "## Estimates of a side's EPC",
                markdown_table(["estimate", "units", "rms", "bias", "worst"], estimates),
                "Errors in pips over the sides met; units for one side.",
                "\n".join(told),
            ]
        )
        + "\n"
    )


def _said(rule: CountRule) -> str:
    if not isinstance(rule, CountWinRule):
        return rule.text
    return f"{rule.text} The chance in percent is {rule.chance.text}."


def plot_pareto(result: FitResult, *, ax: "Axes") -> None:
    """Draw loss on the test part against mental cost, a logarithmic scale for the loss."""
    ours = [j for j in result.judged if j.formula.name in result.names]
    others = [j for j in result.judged if j.formula.name not in result.names]
    ax.plot(
        [j.cost for j in ours],
        [1000 * j.loss.together.value for j in ours],
        drawstyle="steps-post",
        marker="o",
        markersize=3.5,
        linewidth=1,
        color=ACCENT,
        label="found here",
    )
    ax.plot(
        [j.cost for j in others],
        [1000 * j.loss.together.value for j in others],
        "s",
        markersize=4.5,
        color=INK,
        label="published",
    )
    for names, x, y in _labels(others):
        ax.annotate(
            names, (x, y), xytext=(6, 0), textcoords="offset points", fontsize=7.5,
            color=GREY, va="center",
        )  # fmt: skip
    ax.set_yscale("log")
    ticks = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100]
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
    ax.set_xlabel("mental cost, units")
    ax.set_ylabel("lost per position met, thousandths of a point")
    ax.grid(axis="y", linewidth=0.4, alpha=0.5)
    values = [1000 * j.loss.together.value for j in result.judged]
    ax.set_ylim(0.85 * min(values), 1.2 * max(values))
    ax.legend(frameon=False, loc="upper right")


def _labels(judged: Sequence[Judged]) -> list[tuple[str, float, float]]:
    """Join the names of formulas that stand at one place."""
    groups: list[list[Judged]] = []
    for each in judged:
        for group in groups:
            first = group[0]
            ratio = each.loss.together.value / first.loss.together.value
            if abs(each.cost - first.cost) <= 2 and 0.94 < ratio < 1.06:
                group.append(each)
                break
        else:
            groups.append([each])
    return [
        (
            ", ".join(j.formula.name for j in group),
            max(j.cost for j in group),
            1000 * sum(j.loss.together.value for j in group) / len(group),
        )
        for group in groups
    ]


def pareto_figure(result: FitResult) -> "Figure":
    """Draw the chart of loss against mental cost."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(7.2, 5.2))
        ax = figure.subplots()
        plot_pareto(result, ax=ax)
        ax.set_title("What formulas lose, and what they cost in the head")
        figure.subplots_adjust(left=0.1, right=0.97, top=0.92, bottom=0.18)
        add_caption(
            figure,
            f"Test part of the population {result.population}, digest "
            f"{result.digest[:16]}: double, redouble and take together, against exact "
            f"equities. {result.command}. Mental cost includes counting the pips.",
        )
    return figure
