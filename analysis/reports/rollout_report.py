"""Report on a run of rollouts: a page that lists the races."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.outcomes import (
    Run,
    open_run,
    rollouts,
)
from bearoff.analysis.output import (
    WrittenReport,
    markdown_table,
    report_folder,
    write_report_files,
)

RACE_HEAD = (
    "race",
    "pips",
    "EPC",
    "wins",
    "gammons",
    "backgammons",
    "no double",
    "double, take",
    "action",
    "redouble?",
    "games",
)


@dataclass(frozen=True, eq=False)
class RolloutReport(WrittenReport):
    """Files and results of a report on a run of rollouts, which has no figures."""

    run: Run
    outcomes: rollouts.RolloutOutcomes


def write_rollout_report(
    run_path: str | Path, out: str | Path | None = None
) -> RolloutReport:
    """Write the report on a run of rollouts.

    Parameters
    ----------
    run_path : str or Path
        Folder or URI of the run.
    out : str or Path, optional
        Output folder; by default the folder of the run, which must then be local.

    Raises
    ------
    RunError
        If there is no run, the run is not of rollouts, it has no finished race or a damaged
        file, or the folder cannot be written to.
    """
    folder = report_folder(run_path, out)
    run = open_run(run_path)
    outcomes = rollouts.RolloutOutcomes.of(run)
    text = (
        f"# Rollouts: {run.config['run']}\n\n{run.describe()}\n\nEquities are the "
        f"roller's before the roll, {_unit(run)}; ± is one standard error. The "
        "probabilities of wins, gammons and backgammons are for play without a cube; "
        "gammons include backgammons. A cell with gammons or backgammons shows the "
        "probability of winning one v that of losing one. A question mark means that the "
        "standard and systematic errors together are too large to tell which cube action "
        "is right.\n\n"
        f"{markdown_table(RACE_HEAD, race_rows(outcomes, range(len(outcomes))))}\n"
    )
    files = write_report_files(folder, lambda pictures: text)
    return RolloutReport(files.page, files.charts, run, outcomes)


def _unit(run: Run) -> str:
    if run.score is None:
        return "for money play with a cube value of 1"
    value = run.config["rollout"]["cube_value"]
    return (
        f"normalised (EMG) at {run.score} with a cube value of {value}: 1 for winning a "
        "single game, -1 for losing one"
    )


def race_rows(outcomes: rollouts.RolloutOutcomes, races: range) -> list[tuple[str, ...]]:
    """Return table rows with the results of each race."""
    rows: list[tuple[str, ...]] = []
    pips = outcomes.pips
    for k in races:
        values, errors = (
            {name: array[k] for name, array in of.items()}
            for of in (outcomes.values, outcomes.errors)
        )
        rows.append(
            (
                f"{_listed(outcomes.roller_counts[k])} v "
                f"{_listed(outcomes.opponent_counts[k])}",
                f"{pips[k, 0]} v {pips[k, 1]}",
                f"{outcomes.roller_epc[k]:.1f} v {outcomes.opponent_epc[k]:.1f}",
                f"{values['win_probability']:.2%} ± {errors['win_probability']:.3%}",
                _both(values, "gammon"),
                _both(values, "backgammon"),
                f"{values['no_double']:+.4f} ± {errors['no_double']:.4f}",
                f"{values['double_take']:+.4f} ± {errors['double_take']:.4f}",
                f"{outcomes.double_action[k]}{_open(outcomes.double_too_close[k])}",
                f"{outcomes.redouble_action[k]}{_open(outcomes.redouble_too_close[k])}",
                f"{outcomes.games[k]:,}",
            )
        )
    return rows


def _both(values: dict[str, float], what: str) -> str:
    return f"{values[f'{what}_won']:.2%} v {values[f'{what}_lost']:.2%}"


def _open(too_close: bool) -> str:
    return " ?" if too_close else ""


def _listed(counts: NDArray[np.int8]) -> str:
    last = int(np.flatnonzero(counts)[-1]) + 1
    return ",".join(str(int(count)) for count in counts[: max(last, 6)])
