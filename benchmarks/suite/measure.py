"""Speed of the program relative to a baseline that is measured in the same process.

Seconds depend on the machine and its load as much as on the program. A benchmark therefore
has two *sides*, the program and a baseline, which take turns. Each round gives the ratio of
their speeds. The result is the median over the rounds, with its quartiles. Times are
processor times, unless the function that measures a side uses another clock.
"""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, process_time

from benchmarks.history.records import Ratio

BUDGET = 10.0
"""Wall time in seconds after which a benchmark starts no further round."""

_LEAST = 2

Side = Callable[[], float]
"""Type of a function that measures one side of a benchmark (the program or its baseline),
and returns the seconds per unit of work."""


def timed(
    work: Callable[[], object],
    units: float,
    *,
    at_least: float,
    clock: Callable[[], float] = process_time,
) -> Side:
    """Return a function that repeats some work and returns the seconds per unit of work.

    Parameters
    ----------
    work : callable
        Function whose duration is measured.
    units : float
        Number of units in the work: games, pairs or commands.
    at_least : float
        Minimum number of seconds for which the work is repeated.
    clock : callable
        Function that returns the time in seconds.
    """

    def piece() -> float:
        times, start = 0, clock()
        while True:
            work()
            times += 1
            seconds = clock() - start
            if seconds >= at_least:
                return seconds / (times * units)

    return piece


@dataclass(frozen=True)
class Setting:
    """Folder in which a benchmark runs, and whether the run is quick.

    Attributes
    ----------
    folder : Path
        Empty folder for the benchmark, which is removed afterwards.
    quick : bool
        Whether the run only checks that the benchmark works.
    """

    folder: Path
    quick: bool = False

    def size(self, full: int, quick: int) -> int:
        """Return the amount of work to do: `quick` in a quick run, otherwise `full`."""
        return quick if self.quick else full

    def timed(
        self,
        work: Callable[[], object],
        units: float,
        clock: Callable[[], float] = process_time,
    ) -> Side:
        """Return a function that measures some work, repeated for a sufficient time."""
        return timed(work, units, at_least=0.0 if self.quick else 0.2, clock=clock)


@dataclass(frozen=True)
class Benchmark:
    """Benchmark of the program's speed, compared with a baseline.

    Attributes
    ----------
    name : str
        Name of the benchmark in the history. If the measured work changes, the benchmark
        needs a new name.
    unit : str
        Unit of work, in the singular.
    ours, baseline : str
        Descriptions of what the program does, and of what the baseline does.
    sides : callable
        Function that returns two functions: one measures the program, the other the
        baseline.
    rounds : int
        Maximum number of rounds of a full run; `BUDGET` may allow fewer.
    peer : str, optional
        Program of GNU Backgammon that the benchmark needs; empty for none.
    """

    name: str
    unit: str
    ours: str
    baseline: str
    sides: Callable[[Setting], tuple[Side, Side]]
    rounds: int = 7
    peer: str | None = None


@dataclass(frozen=True)
class Measured:
    """Result of a benchmark: the times per unit and the speed ratio.

    Attributes
    ----------
    benchmark : Benchmark
        Benchmark that was measured.
    ours, baseline : float
        Median number of seconds per unit of work, for the program and for the baseline.
    ratio : Ratio
        Ratio of the program's speed to the baseline's speed.
    """

    benchmark: Benchmark
    ours: float
    baseline: float
    ratio: Ratio


def compare(benchmark: Benchmark, setting: Setting) -> Measured:
    """Measure the program and its baseline in turn, after a warm-up of each."""
    started = monotonic()
    rounds = 1 if setting.quick else benchmark.rounds
    sides = benchmark.sides(setting)
    if not setting.quick:
        for side in sides:
            side()  # The first call compiles code, opens files and fills caches.
    pairs = []
    for turn in range(rounds):
        if turn >= _LEAST and monotonic() - started > BUDGET:
            break
        # The two programs alternate in running first, so that a machine that slows down
        # favours neither.
        order = (0, 1) if turn % 2 == 0 else (1, 0)
        seconds = [0.0, 0.0]
        for k in order:
            if not setting.quick:
                gc.collect()
            seconds[k] = sides[k]()
        pairs.append((seconds[0], seconds[1]))
    return Measured(
        benchmark,
        ours=median(ours for ours, _ in pairs),
        baseline=median(theirs for _, theirs in pairs),
        ratio=ratio_of(pairs),
    )


def ratio_of(pairs: list[tuple[float, float]]) -> Ratio:
    """Return the speed ratio from the seconds of the program and the baseline per round.

    Examples
    --------
    The program is about twice as fast as the baseline in four rounds, and slower in one:

    >>> ratio_of([(1.0, 2.0), (1.1, 2.2), (1.0, 1.9), (3.0, 2.0), (1.0, 2.1)])
    Ratio(value=2.0, low=1.9, high=2.0, rounds=5)
    """
    ratios = [theirs / ours for ours, theirs in pairs]
    low, middle, high = (
        quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    )
    return Ratio(
        value=_rounded(middle), low=_rounded(low), high=_rounded(high), rounds=len(ratios)
    )


def _rounded(value: float) -> float:
    """Round to four significant digits, because further digits are noise."""
    return float(f"{value:.4g}")
