"""Analysis of a run of races without the cube: calibration, formulas and chart data."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from bearoff import RACE_EFFICIENCY, CubeThresholds
from bearoff.analysis.errors import FitError
from bearoff.analysis.outcomes.calibration import Calibration, calibrate
from bearoff.analysis.outcomes.cells import Cells
from bearoff.analysis.outcomes.fits import Fits, fit
from bearoff.analysis.outcomes.outcomes import Outcomes
from bearoff.analysis.outcomes.run import Run, open_run

FEWEST_CELLS = 12
"""Minimum number of nonempty cells for a doubling chart."""


@dataclass(frozen=True, eq=False, repr=False)
class RunAnalysis:
    """Results of the analysis of a simulation run.

    Attributes
    ----------
    run : Run
        Analysed run.
    outcomes : Outcomes
        Results of each pair of positions.
    efficiency : float
        Cube efficiency in Janowski's model, used for all cube decisions.
    calibration : Calibration
        Test of the win probabilities against their expected values.
    fits : Fits or None
        Fitted formulas and their errors; None if there are too few pairs of positions.
    why_no_fits : str
        Reason why `fits` is None; otherwise empty.
    cells : dict of str to Cells
        Cells of the doubling charts, by count; charts with too few cells are omitted.
    """

    run: Run
    outcomes: Outcomes
    efficiency: float
    calibration: Calibration
    fits: Fits | None
    why_no_fits: str
    cells: dict[str, Cells]

    def __repr__(self) -> str:
        return f"<RunAnalysis of {self.run!r}>"

    def __str__(self) -> str:
        told = [self.run.describe(), f"The run {self.calibration.verdict}."]
        if self.fits:
            best = self.fits.best_rule
            told.append(f"{best.formula.text} {best.wrong}")
        return "\n".join((*told, *self.shortages))

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(line)}</p>" for line in str(self).split("\n"))

    @property
    def shortages(self) -> tuple[str, ...]:
        """Sentences on analyses that are missing because the run is too small."""
        found = []
        wanted = self.run.config.get("standard_error")
        if wanted and self.run.complete:
            errors = self.outcomes.variance**0.5
            stopped = self.outcomes.games >= wanted["at_most"]
            short = int((stopped & (errors > wanted["target"])).sum())
            if short:
                found.append(
                    f"{short:,} of {len(errors):,} pairs stopped at the maximum of "
                    f"{wanted['at_most']:,} games (at_most). Their standard errors are "
                    f"above the target of {wanted['target']:g}, and up to "
                    f"{errors.max():.4f}. Raise at_most and simulate again."
                )
        if self.fits is None:
            found.append(f"No rule was fitted: {self.why_no_fits}.")
        if not self.cells:
            found.append(
                f"There is no chart: it needs {FEWEST_CELLS} cells of count and lead with "
                f"pairs in them, and the run's {len(self.outcomes):,} pairs are in fewer "
                "cells; simulate more pairs."
            )
        return tuple(found)


def analyse_run(
    run_path: str | Path | Run, efficiency: float = RACE_EFFICIENCY
) -> RunAnalysis:
    """Analyse the results of a stored simulation run.

    Parameters
    ----------
    run_path : str, Path or Run
        Run, or its folder or URI.
    efficiency : float
        Cube efficiency in Janowski's model, from 0 (dead cube) to 1 (live cube).

    Raises
    ------
    BearoffError
        If `efficiency` is not from 0 to 1.
    RunError
        If there is no run, no finished pair, or a damaged part.
    """
    # This call raises an error for an invalid cube efficiency, before any file is read.
    CubeThresholds.janowski(efficiency)
    run = run_path if isinstance(run_path, Run) else open_run(run_path)
    outcomes = Outcomes.of(run)
    fits, why_no_fits = None, ""
    try:
        fits = fit(outcomes, efficiency)
    except FitError as error:
        why_no_fits = str(error)
    cells = {
        measure: Cells.of_run(run, outcomes, measure, efficiency)
        for measure in Outcomes.MEASURES
    }
    return RunAnalysis(
        run=run,
        outcomes=outcomes,
        efficiency=efficiency,
        calibration=calibrate(outcomes),
        fits=fits,
        why_no_fits=why_no_fits,
        cells={m: c for m, c in cells.items() if len(c.count) >= FEWEST_CELLS},
    )
