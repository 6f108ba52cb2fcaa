"""The doubling chart of a run as a file of its own."""

from pathlib import Path

from analysis.cells import Layout, gather_cells
from analysis.charts import doubling_figure
from analysis.drawing import save
from analysis.errors import FitError, RunError
from analysis.fit_lead import fit_lead_rule
from analysis.outcomes import MEASURES, Outcomes
from analysis.runs import open_run
from bearoff import RACE_EFFICIENCY


def write_doubling_chart(
    run_path: str | Path,
    out: str | Path,
    measure: str = "pips",
    *,
    efficiency: float = RACE_EFFICIENCY,
) -> Path:
    """Draw a run's doubling chart into a file.

    Parameters
    ----------
    run_path : str or Path
        The run's folder or URI.
    out : str or Path
        File to write; its ending says the format, ``.png`` or ``.svg``.
    measure : {"pips", "epc"}
        How both sides are counted.
    efficiency : float
        Of the cube in Janowski's model, 0 dead to 1 live.

    Returns
    -------
    Path
        The file. The rule over the chart is the one of the run's report; a run with too
        few pairs for one gives the bare chart.

    Raises
    ------
    RunError
        If there is no run, no finished pair near an even race, a damaged part, or the
        file cannot be written.
    """
    if measure not in MEASURES:
        raise RunError(f"a side is counted by {' or '.join(MEASURES)}, got {measure!r}")
    path = Path(out)
    if path.suffix not in (".png", ".svg"):
        raise RunError(f"a chart is a .png or .svg file, got {path.name!r}")
    run = open_run(run_path)
    outcomes = Outcomes.of(run)
    layout = Layout.of(run.config, measure, len(outcomes))
    cells = gather_cells(outcomes, measure, layout, efficiency)
    if not len(cells.count):
        raise RunError(
            f"{run_path} has no pair with a lead of {layout.lead_from:g} to "
            f"{layout.lead_to:g} pips, so there is nothing to draw"
        )
    try:
        seen = outcomes[~outcomes.held_out()]
        rule = fit_lead_rule(seen, measure, efficiency=efficiency)
    except FitError:
        rule = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return save(doubling_figure(cells, rule, run.describe()), path)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error
