"""Charts of a simulation run: win probabilities and calibration.

Functions whose names begin with ``plot_`` draw on given axes.
"""

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from bearoff.analysis.formulas.rules import ChanceRule
from bearoff.analysis.outcomes import Calibration, Cells
from bearoff.analysis.output import ACCENT, GREY, INK, SHADES, add_caption, style

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXIS_NAMES = {"pips": "pip count", "epc": "effective pip count"}

MARKERS = ("o", "s", "^", "D")
SERIES = ("#7ba3b9", "#b3361e", "#2a5a78", "#1a1a1a")
"""Colour and marker for each of the roller's counts in a chart of win probabilities."""


def plot_chance(cells: Cells, chance: ChanceRule, *, ax: "Axes") -> list["Artist"]:
    """Plot win probability against lead for a few counts, with the formula as lines."""
    held = np.unique(cells.count, return_counts=True)
    full = held[0][held[1] >= 0.6 * held[1].max()]
    counts = full[np.linspace(0, len(full) - 1, min(len(MARKERS), len(full))).astype(int)]
    artists: list[Artist] = []
    for count, marker, shade in zip(np.unique(counts), MARKERS, SERIES, strict=False):
        chosen = cells.count == count
        lead, p = cells.lead[chosen], 100 * cells.probability[chosen]
        ends = 100 * np.array([cells.low[chosen], cells.high[chosen]])
        artists += ax.errorbar(
            lead,
            p,
            yerr=np.abs(ends - p),
            linestyle="none",
            marker=marker,
            markersize=4,
            color=shade,
            elinewidth=0.9,
            label=f"{count:g} pips",
        ).get_children()
        along = np.linspace(cells.lead.min(), cells.lead.max(), 200)
        artists += ax.plot(
            along,
            100 * chance.of_count(np.full(len(along), count), along),
            color=shade,
            linewidth=1.1,
        )
    ax.set_xlabel("lead: opponent's count minus roller's (pips)")
    ax.set_ylabel("roller's win probability (%)")
    whole_ticks(ax)
    ax.legend(
        title=f"roller's {AXIS_NAMES[cells.measure]}",
        frameon=False,
        fontsize=8,
        title_fontsize=8,
        loc="lower right",
        alignment="left",
    )
    return artists


def chance_figure(cells: Cells, chance: ChanceRule, caption: str) -> "Figure":
    """Return a chart that compares a fitted formula with simulated win probabilities."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(6.6, 4.4))
        ax = figure.add_axes((0.095, 0.27, 0.88, 0.63))
        plot_chance(cells, chance, ax=ax)
        ax.set_title(f"Win probability by {AXIS_NAMES[cells.measure]}", pad=8)
        text = "\n".join(textwrap.wrap(f"Lines: {chance.text}", 100))
        figure.text(0.095, 0.155, text, fontsize=8, va="top", linespacing=1.3)
        add_caption(
            figure,
            f"{caption}. Points: mean simulated win probability of the pairs of a cell, "
            f"with its 95% interval.",
        )
    return figure


def plot_scores(calibration: Calibration, *, ax: "Axes") -> list["Artist"]:
    """Plot the z-score of each pair of positions against its expected win probability."""
    band = ax.axhspan(-1.96, 1.96, color=SHADES[1], alpha=0.6, linewidth=0)
    ax.axhline(0, color=INK, linewidth=0.7)
    points = ax.plot(
        100 * calibration.expected,
        calibration.z,
        linestyle="none",
        marker="o",
        markersize=2.2 if calibration.pairs > 300 else 3.5,
        markerfacecolor="none",
        markeredgecolor=INK,
        markeredgewidth=0.5,
        rasterized=calibration.pairs > 3000,
    )
    ax.set_xlim(0, 100)
    reach = max(4.0, 1.1 * float(np.abs(calibration.z).max()))
    if np.isfinite(reach):
        ax.set_ylim(-reach, reach)
    ax.set_xlabel("expected win probability (%)")
    ax.set_ylabel("simulated minus expected (standard errors)")
    return [band, *points]


def plot_score_histogram(calibration: Calibration, *, ax: "Axes") -> list["Artist"]:
    """Plot a horizontal histogram of the z-scores, with the standard normal density."""
    scores = calibration.z[np.isfinite(calibration.z)]
    held, edges = np.histogram(np.clip(scores, -4, 4), bins=16, range=(-4, 4))
    bars = ax.barh(
        edges[:-1],
        held,
        height=0.5,
        align="edge",
        color=SHADES[2],
        edgecolor="white",
        linewidth=0.6,
    )
    z = np.linspace(-4, 4, 161)
    law = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * 0.5 * len(scores)
    line = ax.plot(law, z, color=ACCENT, linewidth=1.4, label="normal density")
    ax.set_xlabel("pairs")
    ax.legend(frameon=False, fontsize=7.5, loc="upper right")
    return [*bars.patches, *line]


def calibration_figure(calibration: Calibration, caption: str) -> "Figure":
    """Return the calibration chart: z-scores, histogram, verdict and caption."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(6.6, 3.8))
        left = figure.add_axes((0.095, 0.21, 0.6, 0.63))
        right = figure.add_axes((0.735, 0.21, 0.24, 0.63), sharey=left)
        plot_scores(calibration, ax=left)
        plot_score_histogram(calibration, ax=right)
        right.tick_params(labelleft=False)
        verdict = "agree" if calibration.agrees else "DISAGREE"
        left.set_title(f"Simulated and expected win probabilities {verdict}", pad=20)
        left.text(
            0,
            1.03,
            "about 95 of 100 points lie in the band",
            transform=left.transAxes,
            fontsize=8,
            color=GREY,
        )
        add_caption(figure, caption)
    return figure


def whole_ticks(ax: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator

    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
