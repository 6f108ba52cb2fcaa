"""Page of recorded speed ratios, with the latest ratios and their history."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.analysis.output import (
    ACCENT,
    GREY,
    INK,
    SHADES,
    markdown_table,
    save,
    style,
    write_text,
)
from benchmarks.history.records import Machine, Record
from benchmarks.history.regressions import change
from benchmarks.suite import SUITE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAGE, CHART = "README.md", "history.png"

_ACROSS = 4

_INTRODUCTION = """\
# Speeds as ratios to a baseline

`python -m benchmarks --record` writes this page from [history.jsonl](history.jsonl). The
documentation explains [what is measured](../../docs/developing.md#benchmarks).

*Ratio* is the speed of this program divided by the speed of the baseline, as the median
over the rounds of the measurement. *Middle half* is the range from the first to the third
quartile of the ratios of these rounds. *Change* is the change of the ratio in percent since
the previous record on the same kind of machine."""


def write_page(history: Sequence[Record], folder: Path) -> None:
    """Write the page of speed ratios, with a chart if a machine has several records.

    Parameters
    ----------
    history : sequence of Record
        Records in order of time, at least one.
    folder : Path
        Folder in which the page is written.
    """
    parts = [_INTRODUCTION]
    for machine in _machines(history):
        parts += [f"## {machine}", *_of_machine(machine, history)]
    machines = Counter(record.machine for record in history)
    if max(machines.values()) > 1:
        parts += ["## Over time", f"![Ratios over time]({CHART})"]
        _draw(history, folder / CHART)
    else:
        (folder / CHART).unlink(missing_ok=True)
    write_text("\n\n".join(parts) + "\n", folder / PAGE)


def _machines(history: Sequence[Record]) -> list[Machine]:
    """Return the types of machines in the history, beginning with the latest."""
    kinds: list[Machine] = []
    for record in reversed(history):
        if record.machine not in kinds:
            kinds.append(record.machine)
    return kinds


def _of_machine(machine: Machine, history: Sequence[Record]) -> list[str]:
    records = [record for record in history if record.machine == machine]
    rows = []
    for name, benchmark in SUITE.items():
        having = [record for record in records if name in record.ratios]
        if not having:
            continue
        ratio = having[-1].ratios[name]
        since = ""
        if len(having) > 1:
            since = f"{100 * change(ratio, having[-2].ratios[name]):+.0f} %"
        rows.append(
            [
                f"{name}: {benchmark.ours}",
                benchmark.baseline,
                f"{ratio.value:.3g}",
                f"{ratio.low:.3g} to {ratio.high:.3g}",
                since,
                (having[-1].commit or "unknown")[:10],
            ]
        )
    last = records[-1]
    versions = ", ".join(f"{name} {version}" for name, version in last.versions.items())
    head = ["ours", "baseline", "ratio", "middle half", "change", "commit"]
    return [
        f"The speeds were last recorded on {last.date[:10]} with {versions}.",
        markdown_table(head, rows),
    ]


def _draw(history: Sequence[Record], path: Path) -> None:
    """Draw a small chart for each benchmark that has ever been recorded."""
    from matplotlib.figure import Figure

    names = [name for name in SUITE if any(name in record.ratios for record in history)]
    down = -(-len(names) // _ACROSS)
    with style():
        figure = Figure(figsize=(2.2 * _ACROSS, 1.25 * down + 0.5), layout="constrained")
        axes = figure.subplots(down, _ACROSS, squeeze=False).flat
        for ax in axes:
            ax.set_axis_off()
        for name, ax in zip(names, figure.axes, strict=False):
            ax.set_axis_on()
            plot_ratios(name, history, ax=ax)
        figure.supxlabel(
            "records, the oldest first; circles: machine recorded last", fontsize=7
        )
    save(figure, path)


def plot_ratios(name: str, history: Sequence[Record], *, ax: "Axes") -> None:
    """Plot the speed ratios of one benchmark, with a line for each type of machine.

    The machine of the latest record is highlighted. If a record lacks the benchmark, the
    line has a gap.
    """
    for place, machine in enumerate(_machines(history)):
        at = [
            k
            for k, record in enumerate(history, start=1)
            if record.machine == machine and name in record.ratios
        ]
        ratios = [history[k - 1].ratios[name] for k in at]
        ax.errorbar(
            at,
            [ratio.value for ratio in ratios],
            yerr=[
                [ratio.value - ratio.low for ratio in ratios],
                [ratio.high - ratio.value for ratio in ratios],
            ],
            color=ACCENT if place == 0 else SHADES[2],
            marker="o" if place == 0 else "s",
            markersize=3,
            linewidth=1,
        )
    ax.set_ylim(0, 1.1 * ax.dataLim.y1)
    ax.set_xlim(0.5, max(len(history), 2) + 0.5)
    ax.set_title(name, fontsize=7.5, color=INK)
    ax.tick_params(labelsize=6.5, colors=GREY)
    ax.xaxis.set_major_locator(_whole_numbers())


def _whole_numbers() -> object:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=4, integer=True)
