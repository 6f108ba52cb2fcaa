"""Page with tables and a chart on the errors of the fast race model."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.output import (
    ACCENT,
    GREY,
    INK,
    SHADES,
    add_caption,
    markdown_page,
    markdown_table,
    save,
    style,
    write_text,
)
from research.studies.race_model import (
    BANDS,
    METHODS,
    NEAR,
    OPEN,
    SPREAD,
    WEIGHTINGS,
    Cell,
    RaceModelStudy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHART = "errors.png"

_TITLES = {
    "visits": "Positions weighted by their frequency in races",
    "uniform": "All positions with equal weight",
}

_LINES = {
    "EPC": (SHADES[2], ":"),
    "EPC and standard deviation": (GREY, "-."),
    "fewest-rolls chance": (SHADES[3], "--"),
    "optimal chance": (INK, "-"),
    "Janowski": (ACCENT, (0, (5, 1, 1, 1, 1, 1))),
}


def write_race_model_study(study: RaceModelStudy, folder: str | Path) -> list[Path]:
    """Write the page and chart on the fast race model to a folder; return the paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return [
        write_text(page(study), folder / "errors.md"),
        save(error_figure(study), folder / CHART),
    ]


def page(study: RaceModelStudy) -> str:
    """Return the errors of the fast race model as a Markdown page."""
    pairs = sum(map(len, study.cells))
    near = sum(int(cell.near.sum()) for cell in study.cells)
    parts = [
        f"# Errors of the race model, {study.checkers} checkers a side",
        f"`python -m research.race_model --checkers {study.checkers}` compares several "
        "methods of estimating the values of a race with the exact two-sided table. It "
        f"uses {pairs:,} pairs in which the roller wins {OPEN:.0%} to {1 - OPEN:.0%} of "
        f"the games. Of these pairs, {near:,} contain a *near* decision, which is a "
        f"double, redouble or take for which the wrong choice costs less than {NEAR} "
        f"points. Rollers are drawn from bands of EPC between {BANDS[0]:g} and "
        f"{BANDS[-1]:g} pips. The opponent's EPC is at most {SPREAD:.0%} below or above "
        "the limits of the roller's band. All whole pips of EPC have equal weight. The "
        f"seed is {study.seed}.",
        "- *win*: the method's rms error of the win probability without a cube, in "
        "percentage points\n"
        "- *no double*, *double/take*: rms errors of the equity without a double and of "
        "the equity after a double and a take, with a centred cube, in points\n"
        "- *doubling*, *redoubling*, *taking*: mean loss per pair from the method's "
        "wrong decisions of this kind, in thousandths of a point at a cube value of 1",
        "Each method uses different quantities, which are known for each side of a "
        "race:\n\n- *EPC* uses the effective pip counts (EPC) of both sides\n- *EPC "
        "and standard deviation* uses the EPCs, and the standard deviations of the "
        "numbers of rolls that the sides need\n- *fewest-rolls chance* uses the EPCs, "
        "and the win probability if both sides use fewest-rolls play\n- *optimal "
        "chance* uses the EPCs, and the fewest-rolls win probability corrected for "
        "best play\n- *Janowski* uses Janowski's formula at a cube efficiency of 0.7, "
        "with the fewest-rolls win probability",
    ]
    for weighting in WEIGHTINGS:
        cells = study.of(weighting)
        parts += [
            f"## {_TITLES[weighting]}",
            _method_table(cells, near=False),
            "The next table contains only pairs with near decisions:",
            _method_table(cells, near=True),
            "The table shows the rms error of the equity after a double and a take in "
            "points, by the roller's EPC:",
            _band_table(cells, double_take_error, digits=4),
            "The table shows the sum of the mean losses in near doubling, redoubling "
            "and taking decisions, in thousandths of a point, by the roller's EPC:",
            _band_table(cells, lost_near, digits=3),
        ]
    parts.append(f"![errors by EPC]({CHART})")
    return markdown_page(parts)


def double_take_error(cell: Cell, method: int) -> float:
    """Return the root mean square error of double/take, in points."""
    return _rms(cell.double_take[method])


def lost_near(cell: Cell, method: int) -> float:
    """Return a method's mean loss in close decisions, in thousandths of a point."""
    if not cell.near.any():
        return float("nan")
    return 1000 * float(cell.lost[method][:, cell.near].mean(axis=1, dtype=float).sum())


def error_figure(study: RaceModelStudy) -> "Figure":
    """Draw each method's errors of double/take, and its losses in close decisions."""
    from matplotlib.figure import Figure

    cells = study.of("visits")
    with style():
        figure = Figure(figsize=(8.4, 4.0))
        left = figure.add_axes((0.08, 0.2, 0.38, 0.68))
        plot_by_epc(cells, double_take_error, ax=left)
        left.set_title("Error of double/take")
        left.set_ylabel("rms error (points)")
        left.set_ylim(bottom=2e-3)
        left.legend(frameon=False, fontsize=7.5, loc="lower left", ncols=2)
        right = figure.add_axes((0.57, 0.2, 0.4, 0.68))
        plot_by_epc(cells, lost_near, ax=right)
        right.set_title("Lost in near decisions")
        right.set_ylabel("thousandths of a point")
        right.set_ylim(bottom=1e-3)
        add_caption(
            figure,
            f"{sum(map(len, cells)):,} pairs of {study.checkers} checkers a side, "
            f"positions as races meet them, seed {study.seed}; python -m "
            f"research.race_model --checkers {study.checkers}. Janowski's formula at an "
            "efficiency of 0.7.",
            width=140,
        )
    return figure


def plot_by_epc(
    cells: Sequence[Cell], measure: Callable[[Cell, int], float], *, ax: "Axes"
) -> None:
    """Draw a statistic of each method's errors against the roller's EPC."""
    middles = [(cell.low + cell.high) / 2 for cell in cells]
    for k, method in enumerate(METHODS):
        color, line = _LINES[method]
        values = np.array([measure(cell, k) for cell in cells])
        # A logarithmic axis cannot show a loss of zero.
        values[values <= 0] = np.nan
        ax.plot(middles, values, color=color, linestyle=line, label=method)
    ax.set_yscale("log")
    ax.set_xlabel("roller's EPC (pips)")


def _method_table(cells: Sequence[Cell], *, near: bool) -> str:
    """Return a table of each method's errors, averaged over all bands of EPC."""
    rows = []
    cells = [cell for cell in cells if cell.near.any() or not near]
    for k, method in enumerate(METHODS):
        squares, lost = np.zeros(3), np.zeros(3)
        for cell in cells:
            at = cell.near if near else np.ones(len(cell), dtype=np.bool_)
            for i, errors in enumerate((cell.chance, cell.no_double, cell.double_take)):
                squares[i] += _rms(errors[k, at]) ** 2
            lost += cell.lost[k][:, at].mean(axis=1, dtype=float)
        win, no_double, double_take = np.sqrt(squares / len(cells))
        rows.append(
            [
                method,
                f"{100 * win:.3f}",
                f"{no_double:.4f}",
                f"{double_take:.4f}",
                *(f"{1000 * points:.3f}" for points in lost / len(cells)),
            ]
        )
    return markdown_table(
        [
            "method",
            "win, %",
            "no double, points",
            "double/take, points",
            *(f"{what}, 0.001 points" for what in ("doubling", "redoubling", "taking")),
        ],
        rows,
    )


def _band_table(
    cells: Sequence[Cell], measure: Callable[[Cell, int], float], *, digits: int
) -> str:
    """Return a table with a row for each method and a column for each band of EPC."""
    return markdown_table(
        ["method", *(f"{cell.low:g} to {cell.high:g}" for cell in cells)],
        [
            [method, *(f"{measure(cell, k):.{digits}f}" for cell in cells)]
            for k, method in enumerate(METHODS)
        ],
    )


def _rms(errors: NDArray[np.float32]) -> float:
    return float(np.sqrt(np.mean(errors.astype(np.float64) ** 2)))
