"""One page per run: numbers with their intervals, formulas with their price, charts.

The files say nothing but what the run's files say, so that writing them again gives the
same bytes.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff import RACE_EFFICIENCY
from bearoff.analysis.outcomes import Calibration, Run, RunAnalysis, analyse_run, fits
from bearoff.analysis.output import WrittenReport, report_folder, write_report_files
from bearoff.analysis.plots import calibration_figure, chance_figure, doubling_figure
from bearoff.analysis.reports.race_page import write_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Report(WrittenReport):
    """What `write_report` wrote.

    Attributes
    ----------
    study : RunAnalysis
        The numbers on the page and its pictures.
    """

    study: RunAnalysis

    @property
    def calibration(self) -> Calibration:
        """Whether the run agrees with what it must converge to."""
        return self.study.calibration

    @property
    def fits(self) -> fits.Fits | None:
        """The fitted formulas with their scores; None where there is too little to fit."""
        return self.study.fits


def write_report(
    run_path: str | Path | Run,
    out: str | Path | None = None,
    *,
    efficiency: float = RACE_EFFICIENCY,
) -> Report:
    """Analyse a run and write its page, ``report.md``, and its charts.

    Parameters
    ----------
    run_path : str, Path or Run
        The run, or its folder or URI.
    out : str or Path, optional
        Folder to write to; the run's own if not given, which must then be a local one.
    efficiency : float
        Of the cube in Janowski's model, 0 dead to 1 live.

    Raises
    ------
    RunError
        If there is no run, no finished pair, a damaged part, or no folder to write to.
    """
    where = run_path.path if isinstance(run_path, Run) else run_path
    folder = report_folder(where, out)
    found = analyse_run(run_path, efficiency)
    files = write_report_files(folder, partial(write_page, found), draw_figures(found))
    return Report(files.page, files.charts, found)


def draw_figures(found: RunAnalysis) -> dict[str, "Figure"]:
    """Draw the pictures that a run gives, by name, in the order of the page."""
    figures: dict[str, Figure] = {}
    caption = found.run.describe()
    for measure, cells in found.cells.items():
        rule = found.fits.rule(measure) if found.fits else None
        wrong = found.fits.wrong(measure) if found.fits else ""
        figures[f"doubling-{measure}"] = doubling_figure(cells, rule, caption, wrong)
        if found.fits:
            chance = found.fits.chance(measure)
            figures[f"chance-{measure}"] = chance_figure(cells, chance, caption)
    if found.calibration.pairs:
        figures["calibration"] = calibration_figure(found.calibration, caption)
    return figures
