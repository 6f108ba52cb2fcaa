"""Doubling charts of the results of a simulation run."""

import textwrap
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bearoff import RACE_EFFICIENCY
from bearoff.analysis.errors import FitError, RunError
from bearoff.analysis.formulas.rules import CountRule
from bearoff.analysis.outcomes import Cells, Outcomes, fits, open_run
from bearoff.analysis.output import add_caption, save, style
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
from bearoff.analysis.plots.run_charts import AXIS_NAMES, whole_ticks

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMAT = Format(
    size=(6.6, 5.4),
    axes=(0.095, 0.335, 0.88, 0.565),
    cell_edge="white",
    cell_edge_width=0.6,
    line_width=1.7,
    halo_width=3.6,
    hatch="//////",
    title={"pad": 22},
    subtitle_at=1.025,
    legends_at=((0.087, 0.256), (0.087, 0.214)),
    shades_legend={"fontsize": 8, "columnspacing": 1.3, "handlelength": 1.6},
    lines_legend={"fontsize": 8, "columnspacing": 1.6, "handlelength": 3.2},
)


def doubling_figure(
    cells: Cells, rule: CountRule | None, caption: str, wrong: str = ""
) -> "Figure":
    """Return a doubling chart: shaded cells, lines of a rule, legend and caption.

    `wrong` is a sentence for the chart on how often the rule's decisions are wrong.
    """
    with style():
        figure, ax = new_chart(FORMAT)
        plot_run_cells(cells, ax=ax)
        lines = plot_rule(rule, ax=ax) if rule else []
        add_title(
            ax,
            FORMAT,
            f"When to double, by {AXIS_NAMES[cells.measure]}",
            f"money play, cube efficiency {cells.efficiency:g} (Janowski); shades from "
            "simulated win probabilities",
        )
        add_legends(figure, FORMAT, Cells.REGIONS, "undecided", lines)
        if rule:
            text = "\n".join([*textwrap.wrap(rule.leads, 98), wrong])
            figure.text(0.095, 0.167, text, fontsize=8, va="top", linespacing=1.3)
        add_caption(
            figure,
            f"{caption}. Undecided: the 95% interval of the cell's mean win probability "
            f"crosses a threshold. Blank: no pair was played.",
        )
    return figure


def plot_run_cells(cells: Cells, *, ax: "Axes") -> list["Artist"]:
    """Shade cells by cube action; hatch cells where the right action is uncertain."""
    shaded = ShadedCells(
        cells.count,
        cells.lead,
        cells.layout.count_step,
        cells.layout.lead_step,
        cells.region,
        ~cells.decided,
        (cells.lead.min(), cells.lead.max()),
    )
    artists = plot_cells(shaded, FORMAT, ax=ax)
    ax.set_xlabel(f"roller's {AXIS_NAMES[cells.measure]} (pips)")
    ax.set_ylabel("lead: opponent's count minus roller's (pips)")
    whole_ticks(ax)
    return artists


def plot_rule(rule: CountRule, *, ax: "Axes") -> list["Artist"]:
    """Draw a rule's three lines, each labelled with its required lead."""
    count = np.linspace(*ax.get_xlim(), 200)
    lines = [(name, dashes, getattr(rule, field)) for field, name, dashes in LINES]
    return plot_lines(
        count,
        [(f"{name}: {line}", dashes, line.at(count)) for name, dashes, line in lines],
        FORMAT,
        ax=ax,
    )


def write_doubling_chart(
    run_path: str | Path,
    out: str | Path,
    measure: str = "epc",
    *,
    efficiency: float = RACE_EFFICIENCY,
) -> Path:
    """Write the doubling chart of a simulation run to a file.

    Parameters
    ----------
    run_path : str or Path
        Folder or URI of the run.
    out : str or Path
        Output file, with the extension ``.png`` or ``.svg``.
    measure : {"epc", "pips"}
        How both sides count: a name in `Outcomes.MEASURES`.
    efficiency : float
        Cube efficiency in Janowski's model, from 0 (dead cube) to 1 (live cube).

    Returns
    -------
    Path
        Path of the chart. The chart shows the same cube rule as the run's report, if the
        run has enough pairs of positions to fit a rule.

    Raises
    ------
    RunError
        If there is no run, no finished pair near an even race, a damaged part, or the file
        cannot be written.
    """
    if measure not in Outcomes.MEASURES:
        raise RunError(
            f"the measure must be {' or '.join(Outcomes.MEASURES)}, got {measure!r}"
        )
    path = Path(out)
    if path.suffix not in (".png", ".svg"):
        raise RunError(f"the chart must be a .png or .svg file, got {path.name!r}")
    run = open_run(run_path)
    outcomes = Outcomes.of(run)
    cells = Cells.of_run(run, outcomes, measure, efficiency)
    if not len(cells.count):
        raise RunError(
            f"{run_path} has no pair with a lead from {cells.layout.lead_from:g} to "
            f"{cells.layout.lead_to:g} pips, so there is nothing to draw"
        )
    rule, wrong = None, ""
    with suppress(FitError):
        rule, wrong = fits.fit_rule(outcomes, measure, efficiency)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return save(doubling_figure(cells, rule, run.describe(), wrong), path)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error
