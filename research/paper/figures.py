"""Figures of the paper, drawn from results; they are legible in greyscale."""

from pathlib import Path
from typing import Any

import numpy as np

from bearoff.analysis.output import ACCENT, GREY, INK, SHADES, save, style
from research.paper import rules
from research.paper.games import agreements
from research.paper.results import Results

WIDE, HIGH = 6.3, 2.7
"""Width and height of a figure in inches; the width is that of the text."""

MARKS = ("o", "s", "^", "D", "v", "P")


def draw_figures(results: Results, folder: Path) -> list[Path]:
    """Draw all figures of the paper as SVG files."""
    with style():
        return [
            save(draw(results), folder / f"{draw.__name__}.svg")
            for draw in (waste, gap, frontier, rows, agreement, model, scores)
        ]


def waste(results: Results) -> Any:
    """Draw the wastage of positions against their pip count."""
    rows = results.outcomes("chart")
    seen = {
        (row[f"{side}_pips"], row[f"{side}_epc"])
        for row in rows
        for side in ("roller", "opponent")
    }
    pips, epc = np.array(sorted(seen)).T
    figure, axes = _figure()
    axes.plot(
        pips, epc - pips, ".", color=SHADES[3], ms=2, alpha=0.35, mew=0, rasterized=False
    )
    whole = np.unique(pips)
    median = [np.median((epc - pips)[pips == at]) for at in whole]
    axes.plot(whole, median, color=ACCENT, lw=1.5, label="median")
    axes.set(xlabel="pips", ylabel="wastage, pips")
    axes.legend(frameon=False)
    return figure


def gap(results: Results) -> Any:
    """Draw the largest error of fewest-rolls win probabilities, by numbers of checkers."""
    cells = results.rows("two-sided/fewest-rolls-15.parquet")
    most = max(cell["roller_checkers"] for cell in cells)
    grid = np.zeros((most, most))
    for cell in cells:
        grid[cell["roller_checkers"] - 1, cell["opponent_checkers"] - 1] = cell["gap_most"]
    figure, axes = _figure(high=3.0)
    shown = axes.imshow(100 * grid, origin="lower", cmap=_shades(), aspect="auto",
                        extent=(0.5, most + 0.5, 0.5, most + 0.5))  # fmt: skip
    axes.set(xlabel="opponent's checkers", ylabel="roller's checkers")
    axes.set_xticks(range(1, most + 1, 2))
    axes.set_yticks(range(1, most + 1, 2))
    figure.colorbar(shown, label="largest difference, percentage points")
    return figure


def frontier(results: Results) -> Any:
    """Draw the loss of race formulas in close decisions against their mental cost."""
    losses = rules.read_losses(results)
    figure, axes = _figure(high=3.4)
    least = results.page("formulas/frontier.md").table("budget", "minimum loss", "test")
    bounded = [row for row in least if row["budget"].isdecimal()]
    units, test = ([float(row[key]) for row in bounded] for key in ("budget", "test"))
    axes.step(
        units, test, "--", where="post", color=GREY, lw=1, label="smallest loss found"
    )
    kinds = (
        ("published", losses.published, "o", GREY),
        ("found by the search", losses.searched, ".", SHADES[2]),
        ("ours", losses.ours, "s", ACCENT),
    )
    for label, names, mark, colour in kinds:
        at = [losses.units[name] for name in names]
        lost, error = np.array([losses.lost[name][rules.NEAR] for name in names]).T
        axes.errorbar(
            at, lost, yerr=error, fmt=mark, color=colour, ms=5, lw=0.8, label=label
        )
    named: list[tuple[float, float]] = []
    for name in (*losses.ours, *losses.published):
        x, y = losses.units[name], losses.lost[name][rules.NEAR][0]
        # Labels that would overlap are omitted, because the table of formulas contains all
        # names.
        if all(abs(x - at) > 9 or not 0.93 < y / lost < 1.07 for at, lost in named):
            named.append((x, y))
            axes.annotate(name, (x, y), fontsize=6, color=INK,
                          xytext=(5, 2), textcoords="offset points")  # fmt: skip
    axes.set(
        xlabel="mental cost, units",
        ylabel="loss per near decision,\nthousandths of a point",
        yscale="log",
    )
    axes.set_yticks([10, 20, 40, 80], ["10", "20", "40", "80"])
    axes.minorticks_off()
    axes.legend(frameon=False, fontsize=7)
    return figure


def rows(results: Results) -> Any:
    """Draw the losses of race formulas on each test set."""
    losses = rules.read_losses(results)
    names = (*losses.ours, *(name for name in rules.USUAL if name in losses.lost))
    figure, axes = _figure(high=3.2)
    places = np.arange(len(losses.rows))
    colours = [ACCENT, *SHADES[::-1], INK]
    for k, name in enumerate(names):
        lost, error = np.array([losses.lost[name][row] for row in losses.rows]).T
        own = name in losses.ours
        look = {
            "fmt": MARKS[k % len(MARKS)],
            "color": colours[k % 3] if own else GREY,
            "mfc": None if own else "white",
        }
        beside = places + 0.12 * (k - len(names) / 2)
        axes.errorbar(beside, lost, yerr=error, ms=4.5, lw=0.8, label=name, **look)
    axes.set_yscale("log")
    axes.set_yticks([1, 3, 10, 30], ["1", "3", "10", "30"])
    axes.minorticks_off()
    axes.set_xticks(places, losses.rows, rotation=40, ha="right", fontsize=7)
    axes.set_ylabel("loss, thousandths of a point")
    axes.grid(axis="y", lw=0.3, color=SHADES[1])
    figure.legend(frameon=False, fontsize=7, ncols=6, loc="outside upper center")
    return figure


def agreement(results: Results) -> Any:
    """Draw the differences between simulated and expected values, in standard errors."""
    runs = agreements(results)
    groups = {
        "without a cube": [run.calibration.z for run in runs if run.run.kind == "races"],
        "with the cube": [run.calibration.z for run in runs if run.run.kind != "races"],
    }
    figure, both = _figure(columns=2)
    edges = np.linspace(-4, 4, 33)
    middle = np.linspace(-4, 4, 200)
    for axes, (name, found) in zip(both, groups.items(), strict=True):
        z = np.concatenate(found)
        axes.hist(z, edges, density=True, color=SHADES[1], edgecolor=SHADES[3], lw=0.4)
        axes.plot(
            middle, np.exp(-(middle**2) / 2) / np.sqrt(2 * np.pi), color=ACCENT, lw=1.3
        )
        axes.set_title(f"{name}: {len(z):,} pairs", fontsize=8)
        axes.set_xlabel("z-score")
    return figure


def model(results: Results) -> Any:
    """Draw the errors of the fast model against the roller's EPC."""
    page = results.page("race-model/errors.md")
    lines = page.table("method", "10 to 15", under="shows the rms error of")
    bands = list(lines[0])[1:]
    at = [np.mean([float(edge) for edge in band.split(" to ")]) for band in bands]
    figure, axes = _figure()
    colours = (GREY, SHADES[2], SHADES[3], ACCENT, INK)
    for k, row in enumerate(lines):
        error = [float(row[band]) for band in bands]
        look = {"marker": MARKS[k % len(MARKS)], "ls": ("-", "--", "-.", "-", ":")[k % 5]}
        axes.plot(at, error, ms=4, lw=1, color=colours[k % 5], label=row["method"], **look)
    axes.set(
        xlabel="roller's effective pip count", ylabel="rms error, points", ylim=(0, None)
    )
    axes.legend(frameon=False, fontsize=7)
    return figure


def scores(results: Results) -> Any:
    """Draw the equity that money formulas for doubling lose at match scores."""
    lines = results.page("match/formulas.md").table(
        "roller", "2-away", under="## Formula keith, double"
    )
    away = list(lines[0])[1:]
    cells = np.array([[row[at].split(" → ") for at in away] for row in lines], float)
    figure, both = _figure(high=3.1, columns=2)
    for axes, title, part in zip(both, ("as it is", "corrected"), (0, 1), strict=True):
        shown = axes.imshow(cells[..., part], cmap=_shades(), vmin=0, vmax=60)
        for (y, x), value in np.ndenumerate(cells[..., part]):
            axes.text(x, y, f"{value:.0f}", ha="center", va="center", fontsize=6,
                      color="white" if value > 35 else INK)  # fmt: skip
        labels = [at.removesuffix("-away") for at in away]
        axes.set_xticks(range(len(away)), labels)
        axes.set_yticks(range(len(away)), labels)
        axes.set_title(title, fontsize=8)
        axes.set_xlabel("opponent needs")
        axes.spines[:].set_visible(False)
    both[0].set_ylabel("roller needs")
    figure.colorbar(
        shown, ax=both, label="loss per decision, thousandths of a point", extend="max"
    )
    return figure


def _figure(high: float = HIGH, columns: int = 1) -> tuple[Any, Any]:
    """Return a new figure and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDE, high), layout="constrained")
    # With less padding, the edge of the figure would cut off lines.
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    return figure, figure.subplots(1, columns)


def _shades() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("shades", SHADES)
