"""Program that measures speeds relative to baselines, and compares them with records.

Run as ``python -m benchmarks`` or ``make bench``; docs/developing.md explains the output.
The exit status is 1 if a ratio is more than 20% below the recorded one, and 2 if nothing
can be measured or compared.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bearoff import BearoffError
from benchmarks.history.page import write_page
from benchmarks.history.records import (
    HISTORY,
    Machine,
    Record,
    append_record,
    committed,
    read_history,
)
from benchmarks.history.regressions import WORSE, Comparison, compare_to_history
from benchmarks.pages import PAGES
from benchmarks.suite import SUITE
from benchmarks.suite.measure import Benchmark, Measured, Setting, compare
from benchmarks.ways.own_cache import own_cache
from oracles import gnubg

RESULTS = Path(__file__).parents[1] / "results"

_ROW = "{:22} {:>10} {:>10} {:>9}  {:>18} {:>10} {:>8}"
_HEAD = ("benchmark", "ours", "baseline", "ratio", "middle half", "committed", "change")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and compare speeds, and record them if requested; return the exit status."""
    options = _options(arguments)
    try:
        return _write(options) if options.page else _measure(options)
    except (BearoffError, OSError) as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--only", metavar="NAME", nargs="+", help="measure only these benchmarks"
    )
    parser.add_argument(
        "--list", action="store_true", help="list the benchmarks, measure nothing"
    )
    parser.add_argument(
        "--page", choices=PAGES, help="measure and write this page of results/"
    )
    exclusive = parser.add_mutually_exclusive_group()
    exclusive.add_argument(
        "--record", action="store_true", help="add the measured speed ratios to the history"
    )
    exclusive.add_argument(
        "--quick",
        action="store_true",
        help="only check that every benchmark runs, with little work; record nothing",
    )
    parser.add_argument(
        "--gnubg",
        choices=("auto", "no"),
        default="auto",
        help="auto: compare with GNU Backgammon if it is installed",
    )
    parser.add_argument(
        "--history", type=Path, default=HISTORY, help="file of the recorded speed ratios"
    )
    return parser.parse_args(arguments)


def _measure(options: argparse.Namespace) -> int:
    benchmarks = _chosen(options.only)
    if options.list:
        for one in benchmarks:
            print(f"{one.name}: {one.ours}\n    against {one.baseline}")
        return 0
    history = [] if options.quick else read_history(options.history)
    machine, start = Machine.this(), time.monotonic()
    print(f"{machine}\n\n{_ROW.format(*_HEAD)}", flush=True)
    compared, left_out = [], []
    with own_cache():
        for one in benchmarks:
            if one.peer and (options.gnubg == "no" or gnubg.find(one.peer) is None):
                left_out.append(one)
                continue
            before = committed(one.name, history, machine)
            found = compare_to_history(
                lambda b=one: _compared(b, options.quick), before, machine
            )
            compared.append(found)
            print(_row(found), flush=True)
    if options.record:
        record = Record.of(
            {one.measured.benchmark.name: one.measured.ratio for one in compared}
        )
        write_page(append_record(record, options.history), options.history.parent)
    print("\n".join(["", *_remarks(compared, left_out, time.monotonic() - start)]))
    return 1 if any(one.worse for one in compared) else 0


def _write(options: argparse.Namespace) -> int:
    page = PAGES[options.page]
    text = page.page(options.quick).rstrip()
    if options.quick:
        print(text)
    else:
        path = RESULTS / page.PATH
        path.write_text(f"{text}\n", encoding="utf-8")
        print(f"{path} is written")
    return 0


def _chosen(names: Sequence[str] | None) -> list[Benchmark]:
    unknown = [name for name in names or () if name not in SUITE]
    if unknown:
        raise BearoffError(
            f"there is no benchmark {unknown[0]!r}; there are {', '.join(SUITE)}"
        )
    return [SUITE[name] for name in names or SUITE]


def _compared(benchmark: Benchmark, quick: bool) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        return compare(benchmark, Setting(Path(folder), quick))


def _row(found: Comparison) -> str:
    measured = found.measured
    ratio, before, change = measured.ratio, found.before, found.change
    row = _ROW.format(
        measured.benchmark.name,
        _seconds(measured.ours),
        _seconds(measured.baseline),
        f"{ratio.value:.3g}",
        f"{ratio.low:.3g} to {ratio.high:.3g}",
        "none" if before is None else f"{before.ratio.value:.3g}",
        "" if change is None else f"{100 * change:+.0f} %",
    )
    return f"{row}  WORSE" if found.worse else row.rstrip()


def _seconds(seconds: float) -> str:
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _remarks(
    compared: Sequence[Comparison], left_out: Sequence[Benchmark], seconds: float
) -> Iterator[str]:
    """Yield the remarks to be printed below the table of measured speeds."""
    for one in left_out:
        yield (
            f"{one.name} was not measured, because GNU Backgammon's {one.peer} is not "
            f"installed, or was excluded by --gnubg no. {gnubg.TO_INSTALL}"
        )
    for slower in compared:
        if slower.before is None or not slower.worse:
            continue
        found, before = slower.measured.ratio.value, slower.before.ratio.value
        record = slower.before.record
        yield (
            f"WORSE: {slower.measured.benchmark.name} is {found:.3g} times as fast as its "
            f"baseline. The recorded ratio is {before:.3g} ({record.date[:10]}, commit "
            f"{(record.commit or 'unknown')[:10]}). Two measurements were more than "
            f"{100 * WORSE:.0f} % below the recorded ratio."
        )
    elsewhere = [one for one in compared if one.elsewhere]
    if elsewhere:
        machine = elsewhere[0].before and elsewhere[0].before.record.machine
        yield (
            f"The recorded ratios of {len(elsewhere)} benchmarks are from another type of "
            f"machine ({machine}), so a decrease does not count as worse."
        )
    yield (
        f"{len(compared)} speed ratios were measured in {seconds:.0f} s. A ratio of 2 "
        "means that the program is twice as fast as its baseline. Times are processor "
        "times for one unit of work, as medians over the rounds."
    )


if __name__ == "__main__":
    sys.exit(main())
