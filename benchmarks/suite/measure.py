"""Speed as a ratio to a baseline in the same run.

Seconds depend on the machine and its load as much as on the program. A benchmark therefore
has two *sides*, the program and a baseline, that take turns; each round gives the ratio of
their speeds, and the result is the median of the rounds with its quartiles. Time is
processor time, unless a side says otherwise.
"""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from benchmarks.history.records import Ratio

BUDGET = 10.0
"""Wall time in seconds after which a benchmark starts no round after the second, so that
all of them take six minutes on two idle cores."""

_LEAST = 2

Side = Callable[[], float]
"""Function that does a piece of work, and returns the seconds per unit."""


def timed(
    work: Callable[[], object],
    units: float,
    *,
    at_least: float,
    clock: Callable[[], float] = time.process_time,
) -> Side:
    """Make a side from work that is repeated.

    Parameters
    ----------
    work : callable
        Function that does the work.
    units : float
        Number of units of the work: games, pairs, commands.
    at_least : float
        Minimum duration of a piece in seconds, so that the clock is accurate enough.
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
    """Environment of a benchmark.

    Attributes
    ----------
    folder : Path
        Empty folder, which is removed afterwards.
    quick : bool
        Whether the benchmark only has to run, and its results do not matter.
    """

    folder: Path
    quick: bool = False

    def size(self, full: int, quick: int) -> int:
        """Return the amount of work."""
        return quick if self.quick else full

    def timed(
        self,
        work: Callable[[], object],
        units: float,
        clock: Callable[[], float] = time.process_time,
    ) -> Side:
        """Make a side whose pieces are long enough for this environment."""
        return timed(work, units, at_least=0.0 if self.quick else 0.2, clock=clock)


@dataclass(frozen=True)
class Benchmark:
    """Speed to measure, and its baseline.

    Attributes
    ----------
    name : str
        Key in the history. A change of what is measured needs a new name, because
        otherwise old ratios would be compared with new ones.
    unit : str
        Unit of work.
    ours, baseline : str
        Descriptions of the two sides.
    sides : callable
        Function that prepares both sides, the program's first.
    rounds : int
        Number of rounds of a full run, if `BUDGET` allows them.
    peer : str, optional
        Program of GNU Backgammon that is required.
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
    """Result of a benchmark.

    Attributes
    ----------
    benchmark : Benchmark
        Benchmark that was measured.
    ours, baseline : float
        Median seconds per unit.
    ratio : Ratio
        Speed of the program divided by the baseline's.
    """

    benchmark: Benchmark
    ours: float
    baseline: float
    ratio: Ratio


def compare(benchmark: Benchmark, setting: Setting) -> Measured:
    """Let the sides take turns, after a warm-up of each."""
    started = time.monotonic()
    rounds = 1 if setting.quick else benchmark.rounds
    sides = benchmark.sides(setting)
    if not setting.quick:
        for side in sides:
            side()  # compiles, opens files, fills caches
    pairs = []
    for turn in range(rounds):
        if turn >= _LEAST and time.monotonic() - started > BUDGET:
            break
        # The sides alternate in going first, so that a machine that slows down favours
        # neither.
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
    """Return the ratio from the seconds of both sides, round by round.

    Examples
    --------
    Twice as fast in most rounds; one round was disturbed:

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
    """Round to four digits, because the rest is noise."""
    return float(f"{value:.4g}")
