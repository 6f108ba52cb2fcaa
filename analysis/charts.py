"""Pictures of a run. Functions named ``plot_`` only draw, on the axes they are given."""

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from analysis.calibration import Calibration
from analysis.cells import REGIONS, Cells
from analysis.drawing import ACCENT, GREY, INK, SHADES, add_caption, style
from analysis.formulas.lead import LeadRule, Line

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXIS_NAMES = {"pips": "pip count", "epc": "effective pip count"}

LINES = (
    ("double", "double from", (0, (1.2, 1.2))),
    ("redouble", "redouble from", (0, (5, 2))),
    ("last_take", "last take at", "solid"),
)
"""Fields of a `LeadRule`, how the legend says them, and how they are dashed."""


def plot_cells(cells: Cells, *, ax: "Axes") -> list["Artist"]:
    """Fill every cell with the shade of its cube action; hatch those undecided."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    width, height = cells.layout.count_step, cells.layout.lead_step
    patches = np.array(
        [
            Rectangle((x - width / 2, y - height / 2), width, height)
            for x, y in zip(cells.count, cells.lead, strict=True)
        ],
        dtype=object,
    )
    filled = PatchCollection(
        patches,
        facecolor=[SHADES[region] for region in cells.region],
        edgecolor="white",
        linewidth=0.6,
    )
    ax.add_collection(filled)
    artists: list[Artist] = [filled]
    # On the darkest shade only a light hatching shows.
    for dark in (False, True):
        chosen = ~cells.decided & ((cells.region == len(SHADES) - 1) == dark)
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
    ax.set_ylim(cells.lead.min() - height / 2, cells.lead.max() + height / 2)
    name = AXIS_NAMES[cells.measure]
    ax.set_xlabel(f"roller's {name} (pips)")
    ax.set_ylabel(f"lead: opponent's {name} less roller's (pips)")
    return artists


def plot_rule(rule: LeadRule, *, ax: "Axes") -> list["Artist"]:
    """Draw a rule's three lines over the chart, each labelled where it ends."""
    from matplotlib.patheffects import withStroke

    left, right = ax.get_xlim()
    low, high = ax.get_ylim()
    count = np.linspace(left, right, 200)
    artists: list[Artist] = []
    for field, said, dashes in LINES:
        line: Line = getattr(rule, field)
        artists += ax.plot(
            count,
            line.at(count),
            color=INK,
            linewidth=1.7,
            linestyle=dashes,
            label=f"{said} {line}",
            path_effects=[withStroke(linewidth=3.6, foreground="white")],
            zorder=3,
        )
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)
    return artists


def doubling_figure(cells: Cells, rule: LeadRule | None, caption: str) -> "Figure":
    """Compose the doubling chart: cells, the rule over them, legend and provenance."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    with style():
        figure = Figure(figsize=(6.6, 5.6))
        ax = figure.add_axes((0.095, 0.33, 0.88, 0.575))
        plot_cells(cells, ax=ax)
        lines = plot_rule(rule, ax=ax) if rule else []
        ax.set_title(f"When to double, by {AXIS_NAMES[cells.measure]}", pad=22)
        ax.text(
            0,
            1.025,
            f"money play, cube efficiency {cells.efficiency:g} (Janowski); shades from "
            f"simulated win probabilities",
            transform=ax.transAxes,
            fontsize=8,
            color=GREY,
        )
        patches = [
            Patch(facecolor=shade, edgecolor=GREY, linewidth=0.5, label=name)
            for shade, name in zip(SHADES, REGIONS, strict=True)
        ]
        patches.append(
            Patch(
                facecolor="white",
                edgecolor=GREY,
                hatch="/////",
                linewidth=0.5,
                label="undecided",
            )
        )
        shared = {"frameon": False, "fontsize": 8, "loc": "upper left", "borderpad": 0}
        figure.legend(
            handles=patches, ncols=5, bbox_to_anchor=(0.09, 0.252), columnspacing=1.3,
            handlelength=1.6, **shared,
        )
        if rule:
            figure.legend(
                handles=lines, ncols=3, bbox_to_anchor=(0.09, 0.212), columnspacing=1.6,
                handlelength=3.2, **shared,
            )
            said = "\n".join(textwrap.wrap(rule.text, 98))
            figure.text(0.092, 0.165, said, fontsize=8, va="top", linespacing=1.3)
        add_caption(
            figure,
            f"{caption}. Undecided: the 95% interval of the cell's mean win probability "
            f"crosses a threshold.",
        )
    return figure


def plot_scores(calibration: Calibration, *, ax: "Axes") -> list["Artist"]:
    """Draw each pair's z-score over its expected win probability."""
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
    ax.set_ylabel("simulated less expected (standard errors)")
    return [band, *points]


def plot_score_histogram(calibration: Calibration, *, ax: "Axes") -> list["Artist"]:
    """Draw how the z-scores are spread, lying on its side, beside the normal law."""
    scores = calibration.z[np.isfinite(calibration.z)]
    edges = np.arange(-4, 4.01, 0.5)
    bars = ax.hist(
        np.clip(scores, -4, 4),
        bins=edges,
        orientation="horizontal",
        color=SHADES[2],
        edgecolor="white",
        linewidth=0.6,
    )[2]
    z = np.linspace(-4, 4, 161)
    law = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * 0.5 * len(scores)
    line = ax.plot(law, z, color=ACCENT, linewidth=1.4, label="normal law")
    ax.set_xlabel("pairs")
    ax.legend(frameon=False, fontsize=7.5, loc="upper right")
    return [*bars, *line]


def calibration_figure(calibration: Calibration, caption: str) -> "Figure":
    """Compose the calibration picture: scores, their spread, verdict and provenance."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(6.6, 4.1))
        left = figure.add_axes((0.095, 0.265, 0.6, 0.585))
        right = figure.add_axes((0.735, 0.265, 0.24, 0.585), sharey=left)
        plot_scores(calibration, ax=left)
        plot_score_histogram(calibration, ax=right)
        right.tick_params(labelleft=False)
        verdict = "agree" if calibration.agrees else "DISAGREE"
        left.set_title(f"Simulated and expected win probabilities {verdict}", pad=20)
        left.text(
            0,
            1.03,
            "95 of 100 points belong in the band",
            transform=left.transAxes,
            fontsize=8,
            color=GREY,
        )
        add_caption(figure, caption)
    return figure
