"""Report on a run of games with the cube: a page and a figure."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bearoff.analysis.outcomes import Calibration, Run, cubeful, open_run
from bearoff.analysis.output import (
    ACCENT,
    INK,
    SHADES,
    WrittenReport,
    add_caption,
    report_folder,
    style,
    write_report_files,
)
from bearoff.analysis.plots import plot_score_histogram
from bearoff.analysis.reports.cubeful_page import write_cubeful_page

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class CubefulReport(WrittenReport):
    """Files and results of a report on a run of games with the cube.

    The report has no figure if the exact equities of all pairs are unknown.
    """

    run: Run
    outcomes: cubeful.CubefulOutcomes
    calibration: Calibration


def write_cubeful_report(
    run_path: str | Path, out: str | Path | None = None
) -> CubefulReport:
    """Analyse a run of games with the cube, and write its report.

    Parameters
    ----------
    run_path : str or Path
        Folder or URI of the run.
    out : str or Path, optional
        Output folder; by default the folder of the run, which must then be local.

    Raises
    ------
    RunError
        If there is no run, the run has no cube, no finished pair or a damaged file, or the
        folder cannot be written to.
    """
    folder = report_folder(run_path, out)
    run = open_run(run_path)
    outcomes = cubeful.CubefulOutcomes.of(run)
    calibration = cubeful.calibrate(outcomes)
    figures = {}
    if calibration.pairs:
        figures["equities"] = equity_figure(outcomes, calibration, run.describe())
    page = partial(write_cubeful_page, run, outcomes, calibration)
    files = write_report_files(folder, page, figures)
    return CubefulReport(files.page, files.charts, run, outcomes, calibration)


def plot_equities(outcomes: cubeful.CubefulOutcomes, *, ax: "Axes") -> list["Artist"]:
    """Plot simulated against exact equities, with 95% confidence intervals."""
    known = np.isfinite(outcomes.expected)
    exact, found = outcomes.expected[known], outcomes.equity[known]
    ends = [float(exact.min()), float(exact.max())]
    line = ax.plot(ends, ends, color=ACCENT, linewidth=0.8)
    bars = ax.errorbar(
        exact,
        found,
        yerr=1.96 * outcomes.error[known],
        linestyle="none",
        marker="o",
        markersize=2.6,
        markerfacecolor="white",
        markeredgewidth=0.5,
        elinewidth=0.5,
        color=INK,
    )
    unit = "equity (points)" if outcomes.score is None else "chance to win the match"
    ax.set_xlabel(f"exact {unit}")
    ax.set_ylabel(f"simulated {unit}")
    return [*line, *bars.get_children()]


def plot_equity_scores(calibration: Calibration, *, ax: "Axes") -> list["Artist"]:
    """Plot the z-score of each pair of positions against its exact equity."""
    band = ax.axhspan(-1.96, 1.96, color=SHADES[1], alpha=0.6, linewidth=0)
    ax.axhline(0, color=INK, linewidth=0.7)
    points = ax.plot(
        calibration.expected,
        calibration.z,
        linestyle="none",
        marker="o",
        markersize=2.6,
        markerfacecolor="none",
        markeredgecolor=INK,
        markeredgewidth=0.5,
    )
    scores = calibration.z[np.isfinite(calibration.z)]
    reach = max(4.0, 1.1 * float(np.abs(scores).max(initial=0.0)))
    ax.set_ylim(-reach, reach)
    ax.set_xlabel("exact value")
    ax.set_ylabel("simulated minus exact (standard errors)")
    return [band, *points]


def equity_figure(
    outcomes: cubeful.CubefulOutcomes, calibration: Calibration, caption: str
) -> "Figure":
    """Return a figure of simulated against exact equities, with their z-scores."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(9.6, 3.8))
        left = figure.add_axes((0.085, 0.21, 0.31, 0.63))
        middle = figure.add_axes((0.465, 0.21, 0.34, 0.63))
        right = figure.add_axes((0.835, 0.21, 0.15, 0.63), sharey=middle)
        plot_equities(outcomes, ax=left)
        plot_equity_scores(calibration, ax=middle)
        plot_score_histogram(calibration, ax=right)
        right.tick_params(labelleft=False)
        verdict = "agree" if calibration.agrees else "DISAGREE"
        left.set_title(f"Simulated and exact values {verdict}", pad=12)
        add_caption(
            figure,
            f"{caption}. Bars: 95% intervals; about 95 of 100 points lie in the band.",
            width=160,
        )
    return figure
