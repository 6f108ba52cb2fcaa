"""Pages on rollouts, compared with exact values and with the fast race model."""

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff import TwoSidedTable
from bearoff.analysis.errors import RunError
from bearoff.analysis.outcomes import Run, open_run
from bearoff.analysis.outcomes.rollouts import ESTIMATES, RolloutOutcomes
from bearoff.analysis.output import (
    ACCENT,
    INK,
    SHADES,
    add_caption,
    markdown_table,
    save,
    style,
    write_text,
    writing_to,
)
from research.studies.rollouts import (
    Agreement,
    ModelErrors,
    compare_model,
    compare_with_table,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = {
    "no_double": "no double",
    "no_redouble": "no redouble",
    "double_take": "double, take",
}


def write_agreement(
    run_path: str | Path, table: TwoSidedTable, out: str | Path
) -> list[Path]:
    """Write ``rollouts.md`` and a chart on how well a run's rollouts agree with a table.

    Raises
    ------
    RunError, TableError
        For the same reasons as in `compare_with_table` and `write_rollout_report`.
    """
    run = _money_run(run_path)
    found = compare_with_table(RolloutOutcomes.of(run), table)
    folder = Path(out)
    figure = agreement_figure(found, run.describe())
    text = (
        f"# Rollouts compared with exact values\n\nThe data are from {run.describe()}.\n\n"
        f"Each of {len(found.error['no_double']):,} races was rolled out, and then looked "
        f"up in the exact two-sided table of {table.checkers} checkers. The difference "
        "between a rolled-out and an exact equity has two parts. One part is chance, "
        "which the standard error measures. The other part comes from errors of the "
        "simulated players, until the race is in the smaller table that ends the "
        "simulated games. The last column estimates the rms of the part that comes from "
        "the players' errors: it is the square root of the mean square difference minus "
        "the mean square standard error.\n\n"
        f"{markdown_table(_AGREEMENT_HEAD, agreement_rows(found))}\n\n"
        f"![Differences](png)\n\n{_actions(found)}\n"
    )
    with writing_to(folder):
        return [
            write_text(text, folder / "rollouts.md"),
            save(figure, folder / "rollouts.png"),
        ]


def write_model_errors(run_path: str | Path, out: str | Path) -> Path:
    """Write ``rollouts.md`` on how much the fast race model differs from a run's rollouts.

    Raises
    ------
    RunError
        For the same reasons as in `compare_model` and `write_rollout_report`.
    """
    run = _money_run(run_path)
    found = compare_model(RolloutOutcomes.of(run))
    text = (
        "# The fast model compared with rollouts\n\nThe rollouts come from the "
        f"{run.describe()}.\n\nThe fast model computes the values of a race from the "
        "EPC of each side and from the standard deviation of the side's number of "
        "rolls. The table shows the rms differences between the model's values and "
        "those of the rollouts, grouped by the mean EPC of both sides. *Lost* is the "
        "equity that the roller loses by following the model, in thousandths of a "
        "point, according to the rollouts. The last column is the root mean square of "
        "the standard errors of the rolled-out equities without a double.\n\n"
        f"{markdown_table(_MODEL_HEAD, model_rows(found))}\n"
    )
    with writing_to(Path(out)):
        return write_text(text, Path(out) / "rollouts.md")


def _money_run(run_path: str | Path) -> Run:
    """Open a run of rollouts for money; raise an error for other runs."""
    run = open_run(run_path)
    if run.score is not None:
        raise RunError(
            f"{run.path} was rolled out at {run.score}, but this program compares only "
            "runs for money; see bearoff analyze"
        )
    return run


_MODEL_HEAD = (
    "EPC",
    "races",
    "win probability",
    "no double",
    "no redouble",
    "double, take",
    "lost by doubling decisions",
    "lost by redoubling decisions",
    "standard error",
)

_BANDS = (0.0, 60.0, 80.0, 100.0, 120.0, 1000.0)
"""Limits in pips of the bands of EPC for which the fast model's errors are listed."""


def model_rows(found: ModelErrors) -> list[tuple[str, ...]]:
    """Return table rows with the fast model's errors, by band of EPC and for all races."""
    rows: list[tuple[str, ...]] = []
    for low, high in (*pairwise(_BANDS), (_BANDS[0], _BANDS[-1])):
        within = (found.epc >= low) & (found.epc < high)
        if not within.any():
            continue
        name = f"{low:.0f} to {high:.0f}" if high < _BANDS[-1] else f"{low:.0f} and more"

        def rms(values: NDArray[np.float64], within: NDArray[np.bool_] = within) -> float:
            return float(np.sqrt(np.mean(values[within] ** 2)))

        rows.append(
            (
                "all" if (low, high) == (_BANDS[0], _BANDS[-1]) else name,
                f"{int(within.sum())}",
                f"{rms(found.difference['win_probability']):.2%}",
                *(f"{rms(found.difference[name]):.4f}" for name in ESTIMATES),
                *(
                    f"{1000 * float(loss[within].mean()):.3f}"
                    for loss in found.action_loss.values()
                ),
                f"{rms(found.error['no_double']):.5f}",
            )
        )
    return rows


_AGREEMENT_HEAD = (
    "equity",
    "mean difference",
    "rms difference",
    "largest",
    "rms standard error",
    "within 1.96 errors",
    "rms error caused by the simulated players",
)


def agreement_rows(found: Agreement) -> list[tuple[str, ...]]:
    """Return table rows with the differences between rollout and exact equities."""
    rows: list[tuple[str, ...]] = []
    for name in ESTIMATES:
        difference = found.estimated[name] - found.exact[name]
        error = found.error[name]
        square, chance = float(np.mean(difference**2)), float(np.mean(error**2))
        rows.append(
            (
                _NAMES[name],
                f"{difference.mean():+.5f}",
                f"{np.sqrt(square):.5f}",
                f"{np.abs(difference).max():.5f}",
                f"{np.sqrt(chance):.5f}",
                f"{np.mean(np.abs(difference) <= 1.96 * error):.1%}",
                f"{np.sqrt(max(square - chance, 0.0)):.5f}",
            )
        )
    return rows


def _actions(found: Agreement) -> str:
    races, sentences = len(found.error["no_double"]), []
    for action, loss in found.action_loss.items():
        wrong = int((loss > 0).sum())
        sentences.append(
            f"the rollouts' decision whether to {action} is wrong in {wrong} of {races:,} "
            "races" + (f" and costs at most {loss.max():.5f}" if wrong else "")
        )
    return f"According to the exact values, {'; '.join(sentences)}."


def agreement_figure(found: Agreement, provenance: str) -> "Figure":
    """Draw differences of rollout and exact equities, with 95% confidence intervals."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(7.5, 6.5))
        axes = figure.subplots(len(ESTIMATES), 1, sharex=True)
        for name, panel in zip(ESTIMATES, axes, strict=True):
            _draw_differences(panel, found, name)
        axes[0].set_title("Rollouts minus exact values, in thousandths of a point")
        axes[-1].set_xlabel("exact equity")
        figure.tight_layout(rect=(0, 0.05, 1, 1))
        add_caption(figure, f"{provenance}. Bars: 95% intervals. Line: mean difference.")
    return figure


def _draw_differences(panel: "Axes", found: Agreement, name: str) -> None:
    difference = 1000 * (found.estimated[name] - found.exact[name])
    panel.errorbar(
        found.exact[name],
        difference,
        yerr=1960 * found.error[name],
        fmt="o",
        markersize=2,
        color=SHADES[3],
        ecolor=SHADES[1],
        elinewidth=0.7,
    )
    panel.axhline(0, color=INK, linewidth=0.7)
    panel.axhline(float(difference.mean()), color=ACCENT, linewidth=1, linestyle="--")
    panel.set_ylabel(_NAMES[name])
