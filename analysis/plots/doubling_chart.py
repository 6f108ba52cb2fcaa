"""Doubling charts: cells shaded by cube action, and a rule's required leads as lines.

This module draws both the charts of simulation runs and the charts of populations.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.output import GREY, INK, SHADES

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Float64Array = NDArray[np.float64]

LINES = (
    ("double", "double", (0, (1.2, 1.2))),
    ("redouble", "redouble", (0, (5, 2))),
    ("last_take", "last take", "solid"),
)
"""Lines in a doubling chart: attribute of the cube rule, name in the legend, and dash
pattern."""


@dataclass(frozen=True)
class Format:
    """Layout of a chart; lengths are in inches, figure fractions or points.

    Attributes
    ----------
    axes : tuple of float
        Left edge, bottom edge, width and height of the axes, in figure fractions.
    cell_edge : str or None
        Colour of the cell borders; None for the fill colour of the cell.
    cell_edge_width, line_width, halo_width : float
        Widths of the borders of cells, of lines, and of the white edge around a line.
    hatch : str
        Hatching pattern of cells in which the right action depends on the position.
    title, subtitle_at : dict, float
        Options of the title, and position of the subtitle above the axes.
    legends_at : tuple of (float, float)
        Upper left corners of the two legends: shades and lines.
    shades_legend, lines_legend : dict
        Options of the two legends.
    """

    size: tuple[float, float]
    axes: tuple[float, float, float, float]
    cell_edge: str | None
    cell_edge_width: float
    line_width: float
    halo_width: float
    hatch: str
    title: dict[str, Any]
    subtitle_at: float
    legends_at: tuple[tuple[float, float], tuple[float, float]]
    shades_legend: dict[str, Any]
    lines_legend: dict[str, Any]


@dataclass(frozen=True, eq=False)
class ShadedCells:
    """Cells of a doubling chart, with their cube actions.

    Attributes
    ----------
    count, lead : ndarray of float64
        Centre of each cell: the roller's count and the lead.
    width, height : float
        Width of every cell in units of the count, and height in units of the lead.
    region : ndarray of int64
        Cube action of each cell: an index into `analysis.output.SHADES`.
    hatched : ndarray of bool
        Whether different actions are right within the cell.
    lead_limits : tuple of float
        Smallest and largest lead among the cell centres.
    """

    count: Float64Array
    lead: Float64Array
    width: float
    height: float
    region: NDArray[np.int64]
    hatched: NDArray[np.bool_]
    lead_limits: tuple[float, float]


def new_chart(form: Format) -> tuple["Figure", "Axes"]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=form.size)
    return figure, figure.add_axes(form.axes)


def add_title(ax: "Axes", form: Format, title: str, subtitle: str) -> None:
    ax.set_title(title, **form.title)
    ax.text(0, form.subtitle_at, subtitle, transform=ax.transAxes, fontsize=8, color=GREY)


def plot_cells(cells: ShadedCells, form: Format, *, ax: "Axes") -> list["Artist"]:
    """Shade cells by cube action; hatch cells in which different actions are right."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    width, height = cells.width, cells.height
    patches = np.array(
        [
            Rectangle((x - width / 2, y - height / 2), width, height)
            for x, y in zip(cells.count, cells.lead, strict=True)
        ],
        dtype=object,
    )
    shades = [SHADES[k] for k in cells.region]
    filled = PatchCollection(
        patches,
        facecolor=shades,
        edgecolor=form.cell_edge or shades,
        linewidth=form.cell_edge_width,
    )
    ax.add_collection(filled)
    artists: list[Artist] = [filled]
    # Dark hatching would be invisible on the darkest cells, so they have light hatching.
    for dark in (False, True):
        chosen = cells.hatched & ((cells.region == len(SHADES) - 1) == dark)
        if chosen.any():
            hatching = PatchCollection(
                patches[chosen],
                facecolor="none",
                edgecolor="white" if dark else GREY,
                hatch=form.hatch,
                linewidth=0.0,
            )
            ax.add_collection(hatching)
            artists.append(hatching)
    low, high = cells.lead_limits
    ax.set_xlim(cells.count.min() - width / 2, cells.count.max() + width / 2)
    ax.set_ylim(low - height / 2, high + height / 2)
    return artists


def plot_lines(
    count: Float64Array,
    lines: Iterable[tuple[str, Any, Float64Array]],
    form: Format,
    *,
    ax: "Axes",
    **options: Any,
) -> list["Artist"]:
    """Draw lines on a chart, given the label, dash pattern and leads of each line."""
    from matplotlib.patheffects import withStroke

    limits = ax.get_xlim(), ax.get_ylim()
    artists: list[Artist] = []
    for label, dashes, lead in lines:
        artists += ax.plot(
            count,
            lead,
            color=INK,
            linewidth=form.line_width,
            linestyle=dashes,
            label=label,
            path_effects=[withStroke(linewidth=form.halo_width, foreground="white")],
            zorder=3,
            **options,
        )
    ax.set_xlim(limits[0])
    ax.set_ylim(limits[1])
    return artists


def add_legends(
    figure: "Figure",
    form: Format,
    regions: Sequence[str],
    hatched: str,
    lines: Sequence["Artist"],
) -> None:
    """Draw the legends of shades, hatching and lines below the axes."""
    from matplotlib.patches import Patch

    patches = [
        Patch(facecolor=shade, edgecolor=GREY, linewidth=0.5, label=region)
        for shade, region in zip(SHADES, regions, strict=True)
    ]
    patches.append(
        Patch(
            facecolor="white", edgecolor=GREY, hatch=form.hatch, linewidth=0.5,
            label=hatched,
        )
    )  # fmt: skip
    rows = ((patches, 5, form.shades_legend), (lines, 3, form.lines_legend))
    for (handles, columns, options), at in zip(rows, form.legends_at, strict=True):
        if handles:
            figure.legend(
                handles=handles,
                ncols=columns,
                bbox_to_anchor=at,
                frameon=False,
                loc="upper left",
                borderpad=0,
                **options,
            )
