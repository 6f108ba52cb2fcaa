"""The doubling chart of a run by itself, without the rest of the report."""

from pathlib import Path

from analysis.cells import Layout, gather_cells
from analysis.charts import doubling_figure
from analysis.drawing import save
from analysis.errors import FitError, RunError
from analysis.fits import fit
from analysis.outcomes import MEASURES, Outcomes
from analysis.runs import open_run
from bearoff import RACE_EFFICIENCY, CubeThresholds

_FORMATS = (".png", ".svg")


def write_doubling_chart(
    run_path: str | Path,
    path: str | Path,
    measure: str = "pips",
    *,
    efficiency: float = RACE_EFFICIENCY,
) -> Path:
    """Draw a run's doubling chart, with the fitted rule over it where one can be fitted.

    Parameters
    ----------
    run_path : str or Path
        The run's folder or URI.
    path : str or Path
        File to write; its ending, ``.png`` or ``.svg``, says the format.
    measure : {"pips", "epc"}
        How both sides are counted.
    efficiency : float
        Of the cube in Janowski's model, 0 dead to 1 live.

    Raises
    ------
    RunError
        If there is no such run, format or measure, the run has no pair to show, or the
        file cannot be written.
    """
    CubeThresholds.janowski(efficiency)  # Refused before anything is read.
    path = Path(path)
    if path.suffix not in _FORMATS:
        raise RunError(f"a chart's name ends with .png or .svg, got {path.name!r}")
    if measure not in MEASURES:
        raise RunError(f"a chart is by {' or '.join(MEASURES)}, got {measure!r}")
    run = open_run(run_path)
    outcomes = Outcomes.of(run)
    cells = gather_cells(
        outcomes, measure, Layout.of(run.config, measure, len(outcomes)), efficiency
    )
    if not len(cells.count):
        raise RunError(f"{run_path} has no pair within the chart's leads")
    try:
        rule = fit(outcomes, efficiency).rule(measure)
    except FitError:
        rule = None  # Too few pairs for a rule are enough for a chart.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return save(doubling_figure(cells, rule, run.describe()), path)
    except OSError as error:
        raise RunError(f"cannot write the chart to {path}: {error.strerror}") from error
