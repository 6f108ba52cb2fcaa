"""Doubling charts of exact decisions, with the lines of a formula over them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.drawing import GREY, INK, SHADES, add_caption, style
from analysis.errors import FormulaError
from analysis.exact_regions import (
    Grid,
    RegionCells,
    counted,
    gather_regions,
    low_wastage,
    right_regions,
)
from analysis.formulas.lead import Line
from analysis.formulas.rule import CountRule
from analysis.n_rolls import REGIONS
from analysis.printed import write_page
from sim.population_file import Population

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AGREED = 0.9
"""Share of a cell's positions that must want one action for it not to be hatched."""

LINES = (
    ("double", "double", (0, (1.2, 1.2))),
    ("redouble", "redouble", (0, (5, 2))),
    ("last_take", "last take", "solid"),
)
"""Fields of a `CountRule`, how the legend says them, and how they are dashed."""

A5 = (8.27, 5.83)
"""Inches of half a sheet, lying."""


def plot_regions(cells: RegionCells, *, ax: "Axes") -> list["Artist"]:
    """Shade every cell by the action right most often; hatch where it depends."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    width, height = cells.grid.count_step, cells.grid.lead_step
    patches = np.array(
        [
            Rectangle((x - width / 2, y - height / 2), width, height)
            for x, y in zip(cells.count, cells.lead, strict=True)
        ],
        dtype=object,
    )
    region = cells.region
    filled = PatchCollection(
        patches,
        facecolor=[SHADES[k] for k in region],
        edgecolor=[SHADES[k] for k in region],
        linewidth=0.2,
    )
    ax.add_collection(filled)
    artists: list[Artist] = [filled]
    # On the darkest shade only a light hatching shows.
    for dark in (False, True):
        chosen = (cells.agreement < AGREED) & ((region == len(SHADES) - 1) == dark)
        if chosen.any():
            hatching = PatchCollection(
                patches[chosen],
                facecolor="none",
                edgecolor="white" if dark else GREY,
                hatch="/////",
                linewidth=0.0,
            )
            ax.add_collection(hatching)
            artists.append(hatching)
    ax.set_xlim(cells.count.min() - width / 2, cells.count.max() + width / 2)
    ax.set_ylim(cells.grid.lead_from - height / 2, cells.grid.lead_to + height / 2)
    return artists


def plot_lines(rule: CountRule, grid: Grid, *, whole: bool, ax: "Axes") -> list["Artist"]:
    """Draw a rule's three lines; between cells where counts are `whole` steps.

    A lead on the line doubles, and takes; so among whole steps the line is drawn half a
    step below the least lead that doubles, and above the most that takes.
    """
    from matplotlib.patheffects import withStroke

    left, right = ax.get_xlim()
    low, high = ax.get_ylim()
    step = grid.lead_step
    artists: list[Artist] = []
    counts = np.arange(np.ceil(left), right, grid.count_step)
    for field, said, dashes in LINES:
        line: Line = getattr(rule, field)
        drawn: dict[str, Any] = {}
        if whole:
            at = line.at(counts) / step
            if field == "last_take":
                last = np.ceil(at - 1) if rule.passes_ties else np.floor(at)
                at = last * step + step / 2
            else:
                at = np.ceil(at) * step - step / 2
            drawn["drawstyle"] = "steps-mid"
        else:
            at = line.at(counts)
        artists += ax.plot(
            counts,
            at,
            color=INK,
            linewidth=1.9,
            linestyle=dashes,
            label=said,
            path_effects=[withStroke(linewidth=4.0, foreground="white")],
            zorder=3,
            **drawn,
        )
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)
    return artists


def grid_for(measure: str, rule: CountRule | None) -> Grid:
    """Choose the cells: a pip wide, and as high as counts of this kind differ."""
    halves = rule is not None and any(2 * a.pips % 2 for a in rule.count.adjustments)
    if measure == "epc" or (measure == "count" and (halves or _fractions(rule))):
        return Grid(lead_step=0.5)
    return Grid()


def _fractions(rule: CountRule | None) -> bool:
    return rule is not None and rule.count.start != "pips"


def exact_figure(
    population: Population,
    measure: str,
    rule: CountRule | None = None,
    *,
    wastage: float | None = None,
) -> "Figure":
    """Compose the chart: cells of a population, a rule's lines, legend and provenance.

    Parameters
    ----------
    population : Population
        Decisions with their values.
    measure : {"pips", "epc", "count"}
        How sides are counted; ``count`` is the rule's own.
    rule : CountRule, optional
        Whose lines are drawn.
    wastage : float, optional
        Leave out positions in which a side wastes more pips.

    Raises
    ------
    FormulaError
        If the rule counts otherwise than the chart, or as for `counted`.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    if rule is not None and measure != "count":
        starts_from = "pips" if rule.count.start == "pips" else "epc"
        if starts_from != measure:
            raise FormulaError(
                f"the lines of {rule.name!r} are of {starts_from}, the chart is by "
                f"{measure}; chart it by {starts_from} or by count"
            )
    grid = grid_for(measure, rule)
    if wastage is not None:
        population = population.chosen(low_wastage(population, wastage))
    count, lead = counted(population, measure, rule)
    cells = gather_regions(
        count, lead, right_regions(population), population.decisions.weights, grid
    )
    if not len(cells.count):
        raise FormulaError(
            f"the population {population.about['name']} has no cell of 10 positions met "
            f"between leads of {grid.lead_from:g} and {grid.lead_to:g} pips"
        )
    with style():
        figure = Figure(figsize=A5)
        ax = figure.add_axes((0.075, 0.305, 0.905, 0.58))
        plot_regions(cells, ax=ax)
        whole = measure == "pips" or (measure == "count" and not _fractions(rule))
        lines = plot_lines(rule, grid, whole=whole, ax=ax) if rule else []
        name = _count_name(measure, rule)
        ax.set_title(f"When to double, by {name}", pad=21, fontsize=13)
        ax.text(
            0,
            1.022,
            _subtitle(population, measure, rule, wastage),
            transform=ax.transAxes,
            fontsize=8,
            color=GREY,
        )
        ax.set_xlabel(f"roller's {name}")
        ax.set_ylabel("lead: opponent's less roller's")
        _ticks(ax)
        handles = [
            Patch(facecolor=shade, edgecolor=GREY, linewidth=0.5, label=region)
            for shade, region in zip(SHADES, REGIONS, strict=True)
        ]
        handles.append(
            Patch(
                facecolor="white",
                edgecolor=GREY,
                hatch="/////",
                linewidth=0.5,
                label="depends on the position",
            )
        )
        shared: dict[str, Any] = {
            "frameon": False, "fontsize": 8.5, "loc": "upper left", "borderpad": 0,
        }  # fmt: skip
        figure.legend(
            handles=handles,
            ncols=5,
            bbox_to_anchor=(0.068, 0.205),
            columnspacing=1.4,
            **shared,
        )
        if rule:
            figure.legend(
                handles=lines,
                ncols=3,
                bbox_to_anchor=(0.068, 0.167),
                columnspacing=1.8,
                handlelength=3.4,
                title=None,
                **shared,
            )
        add_caption(figure, _caption(population, cells), width=122, size=8)
    return figure


def write_exact_chart(
    population: Population,
    measure: str,
    rule: CountRule | None,
    folder: str | Path,
    *,
    wastage: float | None = None,
) -> list[Path]:
    """Draw a chart as PDF and PNG into a folder; return their paths."""
    name = f"doubling-{measure}"
    if rule is not None:
        name += f"-{rule.name}"
    if wastage is not None:
        name += f"-wastage-{wastage:g}"
    return write_page(
        exact_figure(population, measure, rule, wastage=wastage), Path(folder), name
    )


def _count_name(measure: str, rule: CountRule | None) -> str:
    if measure == "count" and rule is not None:
        return f"{rule.name} count"
    return {"pips": "pip count", "epc": "EPC"}[measure]


def _subtitle(
    population: Population, measure: str, rule: CountRule | None, wastage: float | None
) -> str:
    exact = {"table"} == set(_sources(population))
    said = "money play; shades: exact answers" if exact else "money play; shades: estimates"
    if wastage is not None:
        said += f", both sides wasting at most {wastage:g}"
    if rule is None:
        return said
    if measure != "count" and rule.count.adjustments:
        return f"{said}; lines: {rule.name}, its adjustments to the count left out"
    return f"{said}; lines: {rule.name}"


def _sources(population: Population) -> list[str]:
    from sim.population_file import SOURCES

    return [SOURCES[code] for code in np.unique(population.values.sources)]


def _caption(population: Population, cells: RegionCells) -> str:
    about = population.about
    return (
        f"Population {about['name']}, seed {about['seed']}, digest {about['digest'][:12]}: "
        f"{cells.met.sum():,.0f} positions met in the cells shown, values from the "
        f"{' and '.join(_sources(population))}. A cell has the shade of the action that "
        f"is right most often; hatched: it is right for less than {AGREED:.0%} of the "
        "positions met there. Redouble, take: right with the roller's own cube too. "
        "Blank: less than 10 met."
    )


def _ticks(ax: "Axes") -> None:
    from matplotlib.ticker import MultipleLocator

    ax.xaxis.set_major_locator(MultipleLocator(10))
    ax.xaxis.set_minor_locator(MultipleLocator(5))
    ax.yaxis.set_major_locator(MultipleLocator(2))
    ax.yaxis.set_minor_locator(MultipleLocator(1))
