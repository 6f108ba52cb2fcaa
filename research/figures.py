"""Figures 3 and 4 of Benjamin and Ross's paper: pip count and EPC by position number.

Each position of the table is a point of the chart, at its number.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff import OneSidedTable, position_count
from bearoff.analysis.output import GREY, INK, SHADES, add_caption, save, style
from bearoff.app import tables
from bearoff.app.options import DEFAULT_CHECKERS, DEFAULT_POINTS, Checkers, Points
from bearoff.app.output import say
from research.running import Output, run_program

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_over_numbers(
    values: NDArray[np.floating], points: int, checkers: int, *, ax: "Axes"
) -> list["Artist"]:
    """Draw a value of each position by position number, as in Benjamin and Ross's paper.

    Vertical lines separate positions with different numbers of checkers on the board.
    """
    size = len(values)
    ends = [position_count(points, n) for n in range(1, checkers + 1)]
    starts = [1, *ends[:-1]]
    bands = [
        ax.axvspan(start, end, color=SHADES[0], linewidth=0, zorder=0)
        for n, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
        if n % 2
    ]
    for n, (start, end) in enumerate(zip(starts, ends, strict=True), start=1):
        if end - start > 0.02 * size:
            ax.text(
                (start + end) / 2,
                1.015,
                str(n),
                transform=ax.get_xaxis_transform(),
                ha="center",
                fontsize=7.5,
                color=GREY,
            )
    dots = ax.plot(
        np.arange(size),
        values,
        linestyle="none",
        marker=".",
        markersize=1.5,
        markeredgewidth=0,
        color=INK,
        alpha=0.7,
        rasterized=True,  # Vector graphics of all points would take megabytes.
    )
    ax.set_xlim(0, size - 1)
    ax.set_ylim(0, 1.02 * float(values.max()))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.set_xlabel("hash number")
    return [*bands, *dots]


def position_figure(table: OneSidedTable, measure: str) -> "Figure":
    """Return a figure of the pip count or EPC (``"pips"``, ``"epc"``) of all positions."""
    from matplotlib.figure import Figure

    values = {"pips": table.pips.astype(np.float64), "epc": table.epc}[measure]
    name = {"pips": "Raw pip count", "epc": "Effective pip count"}[measure]
    with style():
        figure = Figure(figsize=(6.6, 4.4))
        ax = figure.add_axes((0.085, 0.175, 0.89, 0.685))
        plot_over_numbers(values, table.points, table.checkers, ax=ax)
        ax.set_title(f"{name} of all {len(table):,} positions", pad=24)
        ax.text(
            0,
            1.055,
            "numbers above the chart: checkers still on the board",
            transform=ax.transAxes,
            fontsize=7.5,
            color=GREY,
        )
        ax.set_ylabel(f"{name.lower()} (pips)")
        add_caption(
            figure,
            f"Positions of up to {table.checkers} checkers on {table.points} points in the "
            f"order of Benjamin and Ross's perfect hash. "
            + {
                "pips": "Their Figure 3.",
                "epc": "EPC is the mean number of rolls of fewest-rolls play times 49/6. "
                "Their Figure 4.",
            }[measure],
        )
    return figure


def write_figures(folder: str | Path, table: OneSidedTable) -> list[Path]:
    """Draw both figures of the paper into a folder as PNG and SVG; return the paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, measure in (("figure-3-pips", "pips"), ("figure-4-epc", "epc")):
        figure = position_figure(table, measure)
        written += [save(figure, folder / f"{name}.{end}") for end in ("png", "svg")]
    return written


def main(
    output: Output = "results/figures",
    points: Points = DEFAULT_POINTS,
    checkers: Checkers = DEFAULT_CHECKERS,
) -> None:
    """Draw Figures 3 and 4 of the paper by Benjamin and Ross.

    The figures show the pip count and the EPC of all positions of a one-sided table.

    \b
    python -m research.figures
    python -m research.figures --points 8 --to eight
    """
    for path in write_figures(output, tables.one_sided(points, checkers)):
        say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
