"""Frontier of loss against mental cost, as a page and a chart."""

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
"""Name of the test set whose frontier is shown."""

GOAL = 10.8
"""Target loss at the mental cost of `isight`, in thousandths of a point."""

SHOWN = ("keith", "isight", "thorp", "ward", "epc")
"""Published formulas shown in the chart."""

_ALL = 1000


@dataclass(frozen=True, eq=False)
class Frontier:
    """Results of the frontier search, with formulas to compare.

    Attributes
    ----------
    command : str
        Command that repeats the search.
    bounds : Bounds
        Minimum losses, in points.
    table : BatteryTable
        Losses of formulas on the test split.
    """

    command: str
    bounds: Bounds
    table: BatteryTable

    @property
    def lines(self) -> list[BatteryTableRow]:
        """Formulas shown, by increasing cost."""
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
    """Return the frontier as a Markdown page."""
    bounds = found.bounds
    row = found.table.battery.row(ROW)
    return (
        "\n\n".join(
            [
                "# The least that a count of a given cost can lose",
                f"`{found.command}`. Near decisions: {row.text}; thousandths of a point "
                f"lost by double, redouble and take. {bounds.decisions:,} decisions of the "
                "training part were fitted.",
                _answer(found),
                "![loss against mental cost](frontier.png)",
                markdown_table(
                    ["units", "least loss", "test", "other starts", "costs", "it sees"],
                    [_row(bound) for bound in bounds.bounds],
                ),
                "*Units*: what was allowed. *Least loss*: on the whole training part, of "
                "the best end of all starts; *test*: the same count on the test part, its "
                "offsets the best there. *Other starts*: how much more, in percent of the "
                "least, the next and the last of them lost on the sample.",
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
        seen.append(f"least counts up to {bound.rolls} rolls")
    told = ", ".join(seen) if len(seen) < 12 else f"{len(seen)} things"
    return [
        "any" if bound.budget >= _ALL else str(bound.budget),
        f"{1000 * bound.training:.1f}",
        f"{1000 * bound.test:.1f}",
        ", ".join(f"+{each:.0f}%" for each in more) or "none",
        str(bound.cost),
        told or "points alone",
    ]


def _answer(found: Frontier) -> str:
    """Return a sentence on whether the target loss is reached at the cost of `isight`."""
    limit = found.table.line("isight").cost.total
    within = [b for b in found.bounds.bounds if b.budget <= limit]
    reached = [b for b in found.bounds.bounds if 1000 * b.test <= GOAL]
    best = min(within, key=lambda b: b.test)
    text = (
        f"Within Isight's {limit} units no count was found that leaves less than "
        f"**{1000 * best.test:.1f}**, even with numbers of any size; "
    )
    ours = min(
        (ln for ln in found.lines if ln.name in found_names() and ln.cost.total <= limit),
        key=_lost,
    )
    text += f"`{ours.name}`, in whole numbers, leaves {_lost(ours):.1f}. "
    if not reached:
        return f"{text}Nowhere was {GOAL} reached."
    first = reached[0]
    cost = "with everything seen" if first.budget >= _ALL else f"at {first.budget} units"
    return f"{text}{GOAL} is first reached {cost}."


def _class(bounds: Bounds) -> str:
    return (
        "The counts searched have a value for each point at home, deductions for blots and "
        "stacks, a least count for each number of rolls, a share of the roller's count, "
        f"three offsets, and any of {bounds.sights - 1:,} more features: all that "
        "`formulas fit` tries at home, whether one to four checkers or more stand on any "
        "run of points, and features of sides of two or four checkers only. Numbers may be "
        "any real numbers and cost nothing; neither do checkers beyond home. So a formula "
        "in whole numbers with the same features loses no less and costs no less. The loss "
        "has many local optima: these are the least losses that simulated annealing found, "
        "not a proof."
    )


def _lost(line: BatteryTableRow) -> float:
    return 1000 * line.score.lost[ROW].value


def plot_frontier(found: Frontier, *, ax: "Axes") -> None:
    """Plot minimum losses as steps and formulas as points, with a logarithmic loss axis."""
    bounds = [b for b in found.bounds.bounds if b.budget < _ALL]
    ax.step(
        [b.budget for b in bounds],
        [1000 * b.test for b in bounds],
        where="post",
        color=INK,
        linewidth=1.2,
        label="least found, free numbers",
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
    ax.set_ylabel("lost per near decision, thousandths of a point")
    ax.grid(axis="y", linewidth=0.4, alpha=0.5)
    ax.legend(frameon=False, loc="upper right")


def frontier_figure(found: Frontier) -> "Figure":
    """Return the chart of the frontier."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(7.2, 5.0))
        ax = figure.subplots()
        plot_frontier(found, ax=ax)
        ax.set_title("The least that a count of a given cost can lose")
        figure.subplots_adjust(left=0.1, right=0.95, top=0.92, bottom=0.19)
        add_caption(
            figure,
            f"{found.table.battery.row(ROW).text}, test part; double, redouble and take "
            f"together, against exact equities. Dotted: {GOAL}. {found.command}.",
        )
    return figure
