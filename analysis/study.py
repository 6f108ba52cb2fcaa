"""The whole analysis of a run, as values: what a report or a program then shows."""

from dataclasses import dataclass
from pathlib import Path

from analysis.calibration import Calibration, calibrate
from analysis.cells import Cells, Layout, gather_cells
from analysis.errors import FitError
from analysis.fits import Fits, fit
from analysis.outcomes import MEASURES, Outcomes
from analysis.runs import Run, open_run
from bearoff import RACE_EFFICIENCY, CubeThresholds

FEWEST_CELLS = 12
"""Cells below which there is no chart."""


@dataclass(frozen=True, eq=False)
class Study:
    """What a run says.

    Attributes
    ----------
    run : Run
        Where it comes from.
    outcomes : Outcomes
        Its pairs.
    efficiency : float
        Cube efficiency of every decision below.
    calibration : Calibration
        Whether the run agrees with what it must converge to.
    fits : Fits or None
        The fitted formulas with their scores; None where there is too little to fit.
    why_no_fits : str
        Why not, then.
    cells : dict of str to Cells
        The numbers behind the charts, by measure; without those of too few cells.
    """

    run: Run
    outcomes: Outcomes
    efficiency: float
    calibration: Calibration
    fits: Fits | None
    why_no_fits: str
    cells: dict[str, Cells]


def study_run(run_path: str | Path, efficiency: float = RACE_EFFICIENCY) -> Study:
    """Analyse a run.

    Parameters
    ----------
    run_path : str or Path
        The run's folder or URI.
    efficiency : float
        Of the cube in Janowski's model, 0 dead to 1 live.

    Raises
    ------
    BearoffError
        If `efficiency` is not from 0 to 1.
    RunError
        If there is no run, no finished pair, or a damaged part.
    """
    CubeThresholds.janowski(efficiency)  # Refused before anything is read.
    run = open_run(run_path)
    outcomes = Outcomes.of(run)
    fits, why_not = None, ""
    try:
        fits = fit(outcomes, efficiency)
    except FitError as error:
        why_not = str(error)
    cells = {
        measure: gather_cells(
            outcomes,
            measure,
            Layout.of(run.config, measure, len(outcomes)),
            efficiency,
        )
        for measure in MEASURES
    }
    return Study(
        run=run,
        outcomes=outcomes,
        efficiency=efficiency,
        calibration=calibrate(outcomes),
        fits=fits,
        why_no_fits=why_not,
        cells={m: c for m, c in cells.items() if len(c.count) >= FEWEST_CELLS},
    )
