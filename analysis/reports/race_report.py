"""Report on a run of cubeless races: estimates, fitted formulas and charts.

The report depends only on the files of the run, so writing it again produces the same
bytes.
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
    """Files and results of a report on a run of cubeless races.

    Attributes
    ----------
    study : RunAnalysis
        Results on which the report is based.
    """

    study: RunAnalysis

    @property
    def calibration(self) -> Calibration:
        """Result of the test of win probabilities against their expected values."""
        return self.study.calibration

    @property
    def fits(self) -> fits.Fits | None:
        """Fitted formulas and their errors; None if there are too few results for a fit."""
        return self.study.fits


def write_report(
    run_path: str | Path | Run,
    out: str | Path | None = None,
    *,
    efficiency: float = RACE_EFFICIENCY,
) -> Report:
    """Analyse a run of cubeless races, and write its report.

    Parameters
    ----------
    run_path : str, Path or Run
        Run, or its folder or URI.
    out : str or Path, optional
        Output folder; by default the folder of the run, which must then be local.
    efficiency : float
        Cube efficiency in Janowski's model, from 0 (dead cube) to 1 (live cube).

    Raises
    ------
    RunError
        If there is no run, no finished pair or a damaged file, or the folder cannot be
        written to.
    """
    where = run_path.path if isinstance(run_path, Run) else run_path
    folder = report_folder(where, out)
    found = analyse_run(run_path, efficiency)
    files = write_report_files(folder, partial(write_page, found), draw_figures(found))
    return Report(files.page, files.charts, found)


def draw_figures(found: RunAnalysis) -> dict[str, "Figure"]:
    """Draw the charts of a run; return them by name, in their order on the page."""
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
