"""Page, chart and Parquet file with the results of the study of a two-sided table."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff import ROLLS, format_roll
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
    write_table,
    write_text,
)
from bearoff.positions import Position
from bearoff.sim.storage import provenance
from research.studies.two_sided import CODE, LOSSES, PER_BIN, TwoSidedStudy
from research.studies.worst_plays import worst_plays

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHARES = (0.5, 0.9, 0.99, 0.999, 0.9999, 1.0)
"""Levels, from 0 to 1, of the quantiles of the difference that the page lists."""


def write_two_sided_study(study: TwoSidedStudy, folder: str | Path) -> list[Path]:
    """Write page, chart and Parquet file of a study into a folder; return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"fewest-rolls-{study.table.checkers:02}"
    data = folder / f"{name}.parquet"
    write_table(groups(study), data)
    return [
        write_text(page(study, f"{name}.png"), folder / f"{name}.md"),
        save(gap_figure(study), folder / f"{name}.png"),
        data,
    ]


def page(study: TwoSidedStudy, chart: str) -> str:
    """Return the results as a Markdown page; `chart` is the file name of the chart."""
    table, pairs = study.table, int(study.pairs.sum())
    most = np.unravel_index(study.gap_most.argmax(), study.gap_most.shape)
    roller, opponent = (_counts(int(n)) for n in study.gap_pair[most])
    worse = study.worse.sum(axis=(0, 2))
    parts = [
        f"# Fewest-rolls against optimal play, {table.checkers} checkers a side",
        f"`python -m research.two_sided --checkers {table.checkers}` compares "
        "[fewest-rolls play](../../docs/glossary.md) with optimal play in all "
        f"{pairs:,} pairs in which each side has a checker on the board. The win "
        "probabilities of the two-sided table differ from the exact ones by at most "
        f"{table.error('cubeless'):.1e}. The digest of the table's win probability "
        f"plane begins with {study.digest[:16]}.",
        "## Difference between the convolution and the optimal win probability",
        "The *gap* of a pair is the optimal win probability minus the win probability "
        "computed from the two fewest-rolls distributions (the convolution). The mean of "
        "the gap's absolute value over all pairs is "
        f"{_percent(study.gap_total.sum() / pairs)}. The largest gap, "
        f"{_percent(study.gap_most.max())}, is that of {roller} on roll against "
        f"{opponent}.",
        markdown_table(
            ["share of pairs", *(f"{share * 100:g}%" for share in SHARES)],
            [["gap at most", *(_percent(study.gap_quantile(share)) for share in SHARES)]],
        ),
        f"![gaps]({chart})",
        "The table shows the largest gap in percentage points, by each side's number "
        "of checkers on the board:",
        _matrix(study.gap_most * 100),
        "## Where the best play is not fewest-rolls play",
        f"The table counts the fewest-rolls plays of all {study.cells:,} pairs and rolls "
        "by their loss of win probability against the best play, if both sides play "
        f"optimally afterwards. The table leaves out losses below {LOSSES[0]:.1e}, which "
        "is two rounding steps of the stored values. The number of pairs and rolls "
        "includes rolls with only one legal play. With equal weight for all pairs, the "
        "mean loss of win probability per roll is "
        f"{_percent(study.loss_total.sum() / pairs)}.",
        markdown_table(
            ["loss of at least", "pairs and rolls", "share"],
            [
                [_percent(loss), f"{count:,}", f"{count / study.cells:.4%}"]
                for loss, count in zip(LOSSES, worse, strict=True)
            ],
        ),
        "The table shows the largest loss of win probability in one roll, in "
        "percentage points, by each side's number of checkers on the board:",
        _matrix(study.loss_most * 100),
        "The table lists the costliest fewest-rolls play for each number of the "
        "roller's checkers. The last three columns are the win probabilities after the "
        "best play and after the fewest-rolls play, and their difference:",
        markdown_table(
            ["checkers", "roller", "opponent", "roll", "fewest-rolls play", "best play",
             "best wins", "fewest-rolls wins", "loss"],
            [
                [
                    str(checkers),
                    _text(play.roller.counts),
                    _text(play.opponent.counts),
                    format_roll(play.roll),
                    play.fewest_rolls,
                    play.best,
                    f"{play.best_chance:.3%}",
                    f"{play.fewest_rolls_chance:.3%}",
                    _percent(play.loss),
                ]
                for checkers, play in worst_plays(study)
            ],
        ),
    ]  # fmt: skip
    return markdown_page(parts)


def groups(study: TwoSidedStudy) -> "pa.Table":
    """Return the results as an Arrow table, a row for each pair of checker counts."""
    import pyarrow as pa

    rows = range(1, study.table.checkers + 1)
    x, y = (side.ravel() for side in np.meshgrid(rows, rows, indexing="ij"))
    pairs = study.pairs[x, y]
    head, dirty = provenance.commit()
    record = {
        "command": f"python -m research.two_sided --checkers {study.table.checkers}",
        "plane": study.digest,
        "losses": LOSSES,
        "commit": head,
        "dirty": dirty,
        "versions": provenance.versions(),
    }
    columns = {
        "roller_checkers": x.astype(np.int8),
        "opponent_checkers": y.astype(np.int8),
        "pairs": pairs,
        "gap_mean": study.gap_total[x, y] / pairs,
        "gap_most": study.gap_most[x, y],
        "gap_roller": study.gap_pair[x, y, 0],
        "gap_opponent": study.gap_pair[x, y, 1],
        "rolls": pairs * len(ROLLS),
        **{f"rolls_worse_{k}": study.worse[x, k, y] for k in range(len(LOSSES))},
        "loss_mean": study.loss_total[x, y] / pairs,
        "loss_most": study.loss_most[x, y],
        "loss_roller": study.loss_pair[x, y, 0],
        "loss_opponent": study.loss_pair[x, y, 1],
    }
    return pa.table(columns).replace_schema_metadata(
        {"bearoff": json.dumps(record, sort_keys=True)}
    )


def gap_figure(study: TwoSidedStudy) -> "Figure":
    """Draw how much less often fewest-rolls play wins than optimal play."""
    from matplotlib.figure import Figure

    checkers = study.table.checkers
    with style():
        figure = Figure(figsize=(8.4, 4.4))
        figure.text(
            0.08, 0.94, "How far fewest-rolls play is from the best: chances to win",
            fontsize=11, fontweight="bold",
        )  # fmt: skip
        left = figure.add_axes((0.08, 0.185, 0.37, 0.66))
        plot_gaps(study, ax=left)
        left.set_title("Share of pairs whose chance differs by more", fontsize=9)
        right = figure.add_axes((0.56, 0.185, 0.4, 0.66))
        plot_largest_gaps(study, ax=right)
        right.set_title("Largest difference, in percentage points", fontsize=9)
        add_caption(
            figure,
            f"Optimal less fewest-rolls win probability of all {int(study.pairs.sum()):,} "
            f"pairs of {checkers} checkers a side. Plane {study.digest[:16]}, "
            f"python -m research.two_sided --checkers {checkers}.",
            width=140,
        )
    return figure


def plot_gaps(study: TwoSidedStudy, *, ax: "Axes") -> None:
    """Draw the proportion of pairs whose difference exceeds each value, for each sign."""
    middle = len(study.histogram) // 2
    pairs = study.histogram.sum()
    sides = (
        ("optimal is higher", study.histogram[middle + 1 :], INK, "-"),
        ("optimal is lower", study.histogram[:middle][::-1], ACCENT, "--"),
    )
    for label, counts, color, line in sides:
        beyond = counts[::-1].cumsum()[::-1] / pairs
        shown = np.flatnonzero(beyond)
        ax.plot(
            (shown + 0.5) / PER_BIN * 100,
            beyond[shown],
            color=color,
            linestyle=line,
            label=label,
        )
    ax.set_yscale("log")
    ax.set_xlim(left=0)
    ax.set_xlabel("difference (percentage points)")
    ax.set_ylabel("share of pairs")
    ax.legend(frameon=False, fontsize=8)


def plot_largest_gaps(study: TwoSidedStudy, *, ax: "Axes") -> None:
    """Draw the largest difference in win probability by both sides' numbers of checkers."""
    from matplotlib.colors import LinearSegmentedColormap

    shown = study.gap_most[1:, 1:] * 100
    shades = LinearSegmentedColormap.from_list("gap", SHADES)
    ax.imshow(shown, cmap=shades, origin="lower", vmin=0, aspect="auto")
    size = 8.5 - 0.25 * len(shown)
    for (x, y), value in np.ndenumerate(shown):
        dark = value > 0.7 * shown.max()
        ax.text(y, x, f"{value:.1f}", ha="center", va="center", fontsize=size,
                color="white" if dark else INK)  # fmt: skip
    ticks = range(0, len(shown), 1 if len(shown) <= 10 else 2)
    ax.set_xticks(ticks, [str(k + 1) for k in ticks])
    ax.set_yticks(ticks, [str(k + 1) for k in ticks])
    ax.tick_params(length=0, colors=GREY)
    ax.set_xlabel("opponent's checkers left")
    ax.set_ylabel("roller's checkers left")


def _matrix(values: NDArray[np.float64]) -> str:
    side = range(1, len(values))
    return markdown_table(
        ["roller \\ opponent", *map(str, side)],
        [[str(x), *(f"{values[x, y]:.2f}" for y in side)] for x in side],
    )


def _percent(value: float) -> str:
    return f"{value:.4%}" if value < 100 * CODE else f"{value:.3%}"


def _counts(number: int) -> str:
    return _text(Position.from_number(number).counts)


def _text(counts: tuple[int, ...]) -> str:
    return ",".join(map(str, counts))
