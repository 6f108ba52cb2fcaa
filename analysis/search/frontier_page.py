"""Page and chart of the smallest loss as a function of mental cost."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.analysis.battery import BatteryTable, BatteryTableRow
from bearoff.analysis.formulas import found_names
from bearoff.analysis.output import (
    ACCENT,
    GREY,
    INK,
    add_caption,
    markdown_table,
    save,
    style,
    write_text,
)
from bearoff.analysis.search.frontier import Bound, Bounds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = "near"
"""Name of the test set whose losses the page shows."""

GOAL = 10.8
"""Target loss, in thousandths of a point, for a formula with the mental cost of `isight`.
"""

SHOWN = ("keith", "isight", "thorp", "ward", "epc")
"""Names of the published formulas that the chart shows."""

_ALL = 1000


@dataclass(frozen=True, eq=False)
class Frontier:
    """Results of the search with real-valued weights, and formulas for comparison.

    Attributes
    ----------
    command : str
        Command that repeats the search.
    bounds : Bounds
        Smallest loss for each budget, in points.
    table : BatteryTable
        Losses of formulas on the test split.
    """

    command: str
    bounds: Bounds
    table: BatteryTable

    @property
    def lines(self) -> list[BatteryTableRow]:
        """Formulas in the chart, by increasing mental cost."""
        shown = {*found_names(), *SHOWN}
        return [line for line in self.table.lines if line.name in shown]


def write_frontier(found: Frontier, folder: Path) -> list[Path]:
    """Write frontier.md and frontier.png into a folder; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_text(frontier_page(found), folder / "frontier.md"),
        save(frontier_figure(found), folder / "frontier.png"),
    ]


def frontier_page(found: Frontier) -> str:
    """Return the results of the search as a Markdown page."""
    bounds = found.bounds
    row = found.table.battery.row(ROW)
    return (
        "\n\n".join(
            [
                "# Minimum loss of a count by mental cost",
                f"`{found.command}` searches, for each mental cost, the count that "
                "loses the least. Losses are in thousandths of a point for the double, "
                f"redouble and take in near decisions ({row.text}). The counts were "
                f"fitted to {bounds.decisions:,} decisions of the training split.",
                _answer(found),
                "![loss against mental cost](frontier.png)",
                markdown_table(
                    ["budget", "minimum loss", "test", "other starts", "cost", "features"],
                    [_row(bound) for bound in bounds.bounds],
                ),
                "- *Budget* is the largest mental cost that the count may have, in units "
                "of about a second.\n"
                "- *Minimum loss* is the loss of the best count on the whole training "
                "split. The search was repeated from several starting points.\n"
                "- *Test* is the loss of the best count on the test split, with offsets "
                "of the required leads that are fitted to the test split.\n"
                "- *Other starts* compares the losses that the search found from its "
                "starting points, on the sample used for the search. The column shows "
                "how much larger than the smallest loss the second smallest and the "
                "largest loss are.",
                _class(bounds),
                "## Formulas",
                markdown_table(
                    ["formula", "units", "test"],
                    [
                        [line.name, str(line.cost.total), f"{_lost(line):.1f}"]
                        for line in found.lines
                    ],
                ),
            ]
        )
        + "\n"
    )


def _row(bound: Bound) -> list[str]:
    least, *others = bound.found
    more = [100 * (each / least - 1) for each in (*others[:1], *others[-1:])]
    seen = list(bound.seen)
    if bound.rolls:
        seen.append(f"minimum counts for sides that need up to {bound.rolls} rolls")
    told = "; ".join(seen) if len(seen) < 12 else f"{len(seen)} features"
    return [
        "any" if bound.budget >= _ALL else str(bound.budget),
        f"{1000 * bound.training:.1f}",
        f"{1000 * bound.test:.1f}",
        ", ".join(f"+{each:.0f}%" for each in more) or "none",
        str(bound.cost),
        told or "point values only",
    ]


def _answer(found: Frontier) -> str:
    """Return a sentence on whether some adjusted count reaches the target loss."""
    limit = found.table.line("isight").cost.total
    within = [b for b in found.bounds.bounds if b.budget <= limit]
    reached = [b for b in found.bounds.bounds if 1000 * b.test <= GOAL]
    best = min(within, key=lambda b: b.test)
    text = (
        "For counts with fractional numbers that have at most the mental cost of Isight's "
        f"formula, {limit} units, the smallest loss that the search found is "
        f"**{1000 * best.test:.1f}** thousandths of a point. "
    )
    ours = min(
        (ln for ln in found.lines if ln.name in found_names() and ln.cost.total <= limit),
        key=_lost,
    )
    text += f"`{ours.name}`, with whole numbers, loses {_lost(ours):.1f} thousandths. "
    if not reached:
        return f"{text}No count reached the target of {GOAL} thousandths."
    first = reached[0]
    cost = (
        "with all features"
        if first.budget >= _ALL
        else (f"at a mental cost of {first.budget} units")
    )
    return f"{text}The target of {GOAL} thousandths is first reached {cost}."


def _class(bounds: Bounds) -> str:
    return (
        "Each count that the search considers has a value for each home point, "
        "adjustments for blots and stacks, a minimum count for each number of rolls, a "
        "fraction of the roller's count, and three offsets of the required leads. The "
        f"count may also have any of {bounds.sights - 1:,} more features: the home "
        "features of `formulas fit`, conditions that a run of adjacent points contains "
        "at least one, two, three or four checkers, and features that apply only to "
        "sides with at most two or four checkers. All numbers may be fractional. In this "
        "search, "
        "remembering numbers and counting checkers beyond home have no mental cost. A "
        "formula with whole numbers and the same features therefore has at least the "
        "same loss and at least the same mental cost. The loss as a function of the "
        "numbers has many local minima. The table shows the smallest losses found by "
        "simulated annealing, which are not proved to be minimal."
    )


def _lost(line: BatteryTableRow) -> float:
    return 1000 * line.score.lost[ROW].value


def plot_frontier(found: Frontier, *, ax: "Axes") -> None:
    """Plot smallest losses as steps and formulas as points, on a logarithmic loss axis."""
    bounds = [b for b in found.bounds.bounds if b.budget < _ALL]
    ax.step(
        [b.budget for b in bounds],
        [1000 * b.test for b in bounds],
        where="post",
        color=INK,
        linewidth=1.2,
        label="smallest loss found, fractional numbers",
    )
    ours = found_names()
    for own, marker, color, label in (
        (False, "s", INK, "published"),
        (True, "D", ACCENT, "found here"),
    ):
        lines = [line for line in found.lines if (line.name in ours) == own]
        ax.plot(
            [line.cost.total for line in lines],
            [_lost(line) for line in lines],
            marker,
            markersize=4.5,
            color=color,
            label=label,
        )
        for line in lines:
            ax.annotate(
                line.name, (line.cost.total, _lost(line)), xytext=(6, 0),
                textcoords="offset points", fontsize=7.5, color=GREY, va="center",
            )  # fmt: skip
    ax.axhline(GOAL, color=GREY, linewidth=0.8, linestyle=":")
    ax.set_yscale("log")
    ticks = [5, 7, 10, 15, 20, 30, 50, 70, 100]
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
    ax.set_xlabel("mental cost, units")
    ax.set_ylabel("loss per near decision, thousandths of a point")
    ax.grid(axis="y", linewidth=0.4, alpha=0.5)
    ax.legend(frameon=False, loc="upper right")


def frontier_figure(found: Frontier) -> "Figure":
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(7.2, 5.0))
        ax = figure.subplots()
        plot_frontier(found, ax=ax)
        ax.set_title("Minimum loss of a count by mental cost")
        figure.subplots_adjust(left=0.1, right=0.95, top=0.92, bottom=0.19)
        add_caption(
            figure,
            f"{found.table.battery.row(ROW).text}, test part; double, redouble and take "
            f"together, against exact equities. Dotted: {GOAL}. {found.command}.",
        )
    return figure
