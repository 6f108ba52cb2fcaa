"""Doubling charts of the right actions in a set of race decisions, with a rule's lines."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.battery import NEAR
from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.rules import CountRule
from bearoff.analysis.output import add_caption, pages, style
from bearoff.analysis.plots.doubling_chart import (
    LINES,
    Format,
    ShadedCells,
    add_legends,
    add_title,
    new_chart,
    plot_cells,
    plot_lines,
)
from bearoff.analysis.scoring import n_rolls, regions
from bearoff.sim.populations import Population

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Float64Array = NDArray[np.float64]

AGREED = 0.9
"""Minimum proportion of a cell's positions in which the same action must be right. Cells
with a smaller proportion are hatched."""

SHORT = 45
"""Maximum pip count of the roller in a short race."""

FORMAT = Format(
    size=(pages.A4.width, pages.A4.height / 2),
    axes=(0.075, 0.355, 0.905, 0.53),
    cell_edge=None,
    cell_edge_width=0.2,
    line_width=1.9,
    halo_width=4.0,
    hatch="/////",
    title={"pad": 21, "fontsize": 13},
    subtitle_at=1.022,
    legends_at=((0.068, 0.252), (0.068, 0.214)),
    shades_legend={"fontsize": 8.5, "columnspacing": 1.4},
    lines_legend={"fontsize": 8.5, "columnspacing": 1.8, "handlelength": 3.4},
)


def plot_rule(
    rule: CountRule, grid: regions.Grid, *, whole: bool, ax: "Axes"
) -> list["Artist"]:
    """Draw a rule's required leads as lines, or as steps if all counts are `whole`.

    If the lead equals the required lead, the rule still doubles or takes. If all counts are
    whole numbers, the lines for double and redouble are drawn half a step below the
    smallest lead for this action. The line for the take is drawn half a step above the
    largest lead for a take.
    """
    left, right = ax.get_xlim()
    step = grid.lead_step
    counts = np.arange(np.ceil(left), right, grid.count_step)
    lines = []
    for field, name, dashes in LINES:
        at = getattr(rule, field).at(counts)
        if whole and field == "last_take":
            last = np.ceil(at / step - 1) if rule.passes_ties else np.floor(at / step)
            at = last * step + step / 2
        elif whole:
            at = np.ceil(at / step) * step - step / 2
        lines.append((name, dashes, at))
    options = {"drawstyle": "steps-mid"} if whole else {}
    return plot_lines(counts, lines, FORMAT, ax=ax, **options)


def grid_for(measure: str, rule: CountRule | None) -> regions.Grid:
    """Return the grid of a chart; the height of a cell is one step of the rule's count."""
    halves = rule is not None and any(2 * a.pips % 2 for a in rule.count.adjustments)
    if measure == "count" and rule is not None and rule.count.each:
        # A rule that adds pips for each checker has counts and leads about twice as large
        # as pip counts and leads in pips.
        return regions.Grid(count_step=2.0, lead_from=-10.0)
    if measure == "epc" or (measure == "count" and (halves or _fractions(rule))):
        return regions.Grid(lead_step=0.5)
    return regions.Grid()


def _fractions(rule: CountRule | None) -> bool:
    return rule is not None and rule.count.start != "pips"


def exact_figure(
    population: Population,
    measure: str,
    rule: CountRule | None = None,
    *,
    wastage: float | None = None,
    paper: pages.Paper = pages.A4,
) -> "Figure":
    """Draw the doubling chart of a set of decisions, with a rule's lines and a caption.

    The chart fills half a page. Its caption states how often the shade of a cell, and the
    rule, are wrong in close decisions.
    """
    if rule is not None and measure != "count":
        starts_from = "pips" if rule.count.start == "pips" else "epc"
        if starts_from != measure:
            raise FormulaError(
                f"the lines of {rule.name!r} apply to counts that start from "
                f"{starts_from}, but the chart uses {measure}; choose the measure "
                f"{starts_from} or count"
            )
    grid = grid_for(measure, rule)
    if wastage is not None:
        population = population.chosen(regions.low_wastage(population, wastage))
    count, lead = regions.counted(population, measure, rule)
    cells = regions.gather_regions(
        count, lead, regions.right_regions(population), population.decisions.weights, grid
    )
    if not len(cells.count):
        raise FormulaError(
            f"no cell of the population {population.about['name']} has at least 10 "
            f"positions with a lead from {grid.lead_from:g} to {grid.lead_to:g} pips"
        )
    name = _count_name(measure, rule)
    with style():
        figure, ax = new_chart(replace(FORMAT, size=(paper.width, paper.height / 2)))
        shaded = ShadedCells(
            cells.count,
            cells.lead,
            grid.count_step,
            grid.lead_step,
            cells.region,
            cells.agreement < AGREED,
            (grid.lead_from, grid.lead_to),
        )
        plot_cells(shaded, FORMAT, ax=ax)
        whole = measure == "pips" or (measure == "count" and not _fractions(rule))
        lines = plot_rule(rule, grid, whole=whole, ax=ax) if rule else []
        subtitle = _subtitle(population, measure, rule, wastage)
        add_title(ax, FORMAT, f"When to double, by {name}", subtitle)
        ax.set_xlabel(f"roller's {name}")
        ax.set_ylabel("lead: opponent's count minus roller's")
        _ticks(ax)
        add_legends(
            figure, FORMAT, n_rolls.REGIONS, "right action depends on the position", lines
        )
        wrong = wrong_text(population, cells, count, lead, rule)
        figure.text(0.075, 0.172, wrong, fontsize=8.5, va="top", linespacing=1.3)
        add_caption(figure, _caption(population, cells), width=122, size=8)
    return figure


def write_exact_chart(
    population: Population,
    measure: str,
    rule: CountRule | None,
    folder: str | Path,
    *,
    wastage: float | None = None,
    paper: pages.Paper = pages.A4,
) -> list[Path]:
    """Write the doubling chart of a set of decisions as PDF and PNG; return their paths."""
    name = f"doubling-{measure}"
    if rule is not None:
        name += f"-{rule.name}"
    if wastage is not None:
        name += f"-wastage-{wastage:g}"
    figure = exact_figure(population, measure, rule, wastage=wastage, paper=paper)
    return pages.write_page(figure, Path(folder), name)


def wrong_text(
    population: Population,
    cells: regions.RegionCells,
    count: Float64Array,
    lead: Float64Array,
    rule: CountRule | None = None,
) -> str:
    """Return a sentence on how often chart and rule are wrong in close decisions."""
    right, weights = regions.right_regions(population), population.decisions.weights
    chance = population.values.win_probability
    near = (NEAR[0] <= chance) & (chance <= NEAR[1])
    pips = population.roller_counts @ np.arange(1, population.roller_counts.shape[1] + 1)
    shares = []
    for chosen in (near, near & (pips <= SHORT)):
        if not chosen.any():
            return ""
        met = regions.gather_regions(
            count[chosen], lead[chosen], right[chosen], weights[chosen], cells.grid, least=0
        )
        shares.append([cells.wrong(met)])
        if rule is not None:
            said = regions.rule_regions(rule, population) != right
            shares[-1].append(float(np.average(said[chosen], weights=weights[chosen])))
    (shade, *lines), (short, *short_lines) = shares
    text = (
        f"At a win probability of {100 * NEAR[0]:.0f} to {100 * NEAR[1]:.0f}%, the shades "
        f"are wrong in {shade:.1%} of decisions ({short:.1%} with at most {SHORT} pips)."
    )
    if rule is not None:
        text += (
            f"\nThe rule {rule.name} is wrong in {lines[0]:.1%} of these decisions "
            f"({short_lines[0]:.1%} with at most {SHORT} pips)."
        )
    return text


def _count_name(measure: str, rule: CountRule | None) -> str:
    if measure == "count" and rule is not None:
        return f"{rule.name} count"
    return {"pips": "pip count", "epc": "EPC"}[measure]


def _subtitle(
    population: Population, measure: str, rule: CountRule | None, wastage: float | None
) -> str:
    exact = {"table"} == set(_sources(population))
    played = population.about.get("score", "money play")
    said = f"{played}; shades: {'exact answers' if exact else 'estimates'}"
    if wastage is not None:
        said += f"; only sides that waste at most {wastage:g} pips"
    if rule is None:
        return said
    if measure != "count" and rule.count.adjustments:
        return f"{said}; lines: the rule {rule.name} without adjustments"
    return f"{said}; lines: {rule.name}"


def _sources(population: Population) -> list[str]:
    from bearoff.sim.populations import SOURCES

    return [SOURCES[code] for code in np.unique(population.values.sources)]


def _caption(population: Population, cells: regions.RegionCells) -> str:
    about = population.about
    return (
        f"Population {about['name']}, seed {about['seed']}, digest {about['digest'][:12]}: "
        f"{cells.frequency.sum():,.0f} positions in the cells shown, with values from the "
        f"{' and '.join(_sources(population))}. A cell has the shade of the action that "
        f"is right most often, and is hatched if this action is right in less than "
        f"{AGREED:.0%} of the positions. In the shade of 'redouble, take', a redouble is "
        "also right. Cells with fewer than 10 positions are blank."
    )


def _ticks(ax: "Axes") -> None:
    from matplotlib.ticker import MultipleLocator

    ax.xaxis.set_major_locator(MultipleLocator(10))
    ax.xaxis.set_minor_locator(MultipleLocator(5))
    ax.yaxis.set_major_locator(MultipleLocator(2))
    ax.yaxis.set_minor_locator(MultipleLocator(1))
