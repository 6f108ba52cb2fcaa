"""Write what a search found: YAML, Parquet, a page, a chart of loss against cost."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.formulas.files import formulas_yaml
from analysis.formulas.rules import CountRule, CountWinRule
from analysis.output import (
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
from analysis.search.epc import EstimateScore
from analysis.search.fit import Chosen, HeldOutScore

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
    scored : sequence of HeldOutScore
        Chosen and published formulas on the test part, by cost.
    reference : str
        The formula that differences are taken from.
    estimates : sequence of EstimateScore
        Of EPC, found and published, on the test part.
    found_estimates : frozenset of str
        Names of those found.
    """

    population: str
    digest: str
    command: str
    chosen: Sequence[Chosen]
    scored: Sequence[HeldOutScore]
    reference: str
    estimates: Sequence[EstimateScore]
    found_estimates: frozenset[str] = field(default_factory=frozenset)

    @property
    def names(self) -> frozenset[str]:
        """Of the formulas found."""
        return frozenset(each.rule.name for each in self.chosen)


def write_fit(result: FitResult, folder: Path) -> list[Path]:
    """Write a search's findings into a folder; return what was written."""
    from sim.storage import provenance

    folder.mkdir(parents=True, exist_ok=True)
    head, changed = provenance.commit()
    about = {
        "command": result.command,
        "population": result.population,
        "digest": result.digest,
        "commit": head,
        "changed": changed,
        "versions": provenance.versions(),
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
    for scored in result.scored:
        name = scored.formula.name
        own = training.get(name)
        rows.append(
            {
                "name": name,
                "kind": "cube",
                "found": own is not None,
                "units": scored.cost,
                "lost": scored.loss.total.value,
                "lost_error": scored.loss.total.error,
                "difference": scored.difference.value,
                "difference_error": scored.difference.error,
                "training": own.training if own else None,
                "validation": own.validation if own else None,
                "text": scored.formula.text,
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
    for scored in result.scored:
        name, loss = scored.formula.name, scored.loss
        shown = f"**{name}**" if name in result.names else name
        rows.append(
            [
                shown,
                str(scored.cost),
                f"{1000 * loss.total.value:.2f} ± {1000 * loss.total.error:.2f}",
                f"{1000 * scored.difference.value:+.2f} ± "
                f"{1000 * scored.difference.error:.2f}",
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
    texts_of_rules = [
        f"- **{each.rule.name}**: {_text_of(each.rule)}" for each in result.chosen
    ]
    chances = [
        [
            f"**{j.formula.name}**" if j.formula.name in result.names else j.formula.name,
            f"{100 * chance.absolute.value:.2f} ± {100 * chance.absolute.error:.2f}",
            f"{100 * chance.rms:.2f}",
            f"{100 * chance.bias.value:+.2f}",
        ]
        for j in result.scored
        if (chance := j.loss.chance)
    ]
    texts_of_estimates = [
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
                    [
                        "formula",
                        "units",
                        "lost",
                        f"difference to {result.reference}",
                        "worst",
                    ],
                    rows,
                ),
                "Thousandths of a point per position, each by its frequency, lost by "
                "double, redouble and take, with standard errors; the worst single "
                "decision in points.",
                "## How they go",
                "\n".join(texts_of_rules),
                "## Chances to win",
                markdown_table(["formula", "mean error", "rms error", "bias"], chances),
                "In percentage points, each position by its frequency.",
                "## Estimates of a side's EPC",
                markdown_table(["estimate", "units", "rms", "bias", "worst"], estimates),
                "Errors in pips, each side by its frequency; units for one side.",
                "\n".join(texts_of_estimates),
            ]
        )
        + "\n"
    )


def _text_of(rule: CountRule) -> str:
    if not isinstance(rule, CountWinRule):
        return rule.text
    return f"{rule.text} The chance in percent is {rule.chance.text}."


def plot_pareto(result: FitResult, *, ax: "Axes") -> None:
    """Draw loss on the test part against mental cost, a logarithmic scale for the loss."""
    ours = [j for j in result.scored if j.formula.name in result.names]
    others = [j for j in result.scored if j.formula.name not in result.names]
    ax.plot(
        [j.cost for j in ours],
        [1000 * j.loss.total.value for j in ours],
        drawstyle="steps-post",
        marker="o",
        markersize=3.5,
        linewidth=1,
        color=ACCENT,
        label="found here",
    )
    ax.plot(
        [j.cost for j in others],
        [1000 * j.loss.total.value for j in others],
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
    values = [1000 * j.loss.total.value for j in result.scored]
    ax.set_ylim(0.85 * min(values), 1.2 * max(values))
    ax.legend(frameon=False, loc="upper right")


def _labels(scored: Sequence[HeldOutScore]) -> list[tuple[str, float, float]]:
    """Join the names of formulas that stand at one place."""
    groups: list[list[HeldOutScore]] = []
    for each in scored:
        for group in groups:
            first = group[0]
            ratio = each.loss.total.value / first.loss.total.value
            if abs(each.cost - first.cost) <= 2 and 0.94 < ratio < 1.06:
                group.append(each)
                break
        else:
            groups.append([each])
    return [
        (
            ", ".join(j.formula.name for j in group),
            max(j.cost for j in group),
            1000 * sum(j.loss.total.value for j in group) / len(group),
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
