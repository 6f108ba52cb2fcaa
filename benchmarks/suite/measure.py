"""Speed as a ratio to a baseline in the same run.

Seconds say as much of the machine and of who else uses it as of the program. So a
benchmark has two *sides*, ours and a baseline, that take turns; each round gives the
ratio of their speeds; the result is the median of the rounds with its middle half. Time is
the processor's, unless a side says otherwise.
"""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from benchmarks.history.records import Ratio

BUDGET = 10.0
"""Seconds by the clock from which on a benchmark starts no round but the first two; so that
all of them take six minutes, on two quiet cores."""

_LEAST = 2

Side = Callable[[], float]
"""Does a piece of work and returns the seconds that one unit of it took."""


def timed(
    work: Callable[[], object],
    units: float,
    *,
    at_least: float,
    clock: Callable[[], float] = time.process_time,
) -> Side:
    """Make a side of work that is done again and again.

    Parameters
    ----------
    work : callable
        The work.
    units : float
        How many units it does: games, pairs, commands.
    at_least : float
        Seconds that a piece lasts; short ones tell more of the clock than of the work.
    clock : callable
        Seconds from any start.
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
    """What a benchmark is measured in.

    Attributes
    ----------
    folder : Path
        Its own, empty, and removed afterwards.
    quick : bool
        Whether it only has to run: the figures are worth nothing.
    """

    folder: Path
    quick: bool = False

    def size(self, full: int, quick: int) -> int:
        """Return how much to do."""
        return quick if self.quick else full

    def timed(
        self,
        work: Callable[[], object],
        units: float,
        clock: Callable[[], float] = time.process_time,
    ) -> Side:
        """Make a side whose pieces are long enough for this setting."""
        return timed(work, units, at_least=0.0 if self.quick else 0.2, clock=clock)


@dataclass(frozen=True)
class Benchmark:
    """One speed and what it is compared with.

    Attributes
    ----------
    name : str
        Its key in the history. A change of what is measured needs a new name, or old
        figures would be compared with new ones.
    unit : str
        What the seconds are for.
    ours, baseline : str
        What is measured, for people.
    sides : callable
        Prepares both, ours first.
    rounds : int
        Of the full run, if `BUDGET` lasts for them.
    peer : str, optional
        Program of GNU Backgammon that it needs.
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
    """What a benchmark found.

    Attributes
    ----------
    benchmark : Benchmark
        Which.
    ours, baseline : float
        Median seconds for a unit.
    ratio : Ratio
        How many times the speed of the baseline ours is.
    """

    benchmark: Benchmark
    ours: float
    baseline: float
    ratio: Ratio


def compare(benchmark: Benchmark, setting: Setting) -> Measured:
    """Let the sides take turns, after a first piece of each that does not count."""
    started = time.monotonic()
    rounds = 1 if setting.quick else benchmark.rounds
    sides = benchmark.sides(setting)
    if not setting.quick:
        for side in sides:
            side()  # Compiles, opens files, fills caches.
    pairs = []
    for turn in range(rounds):
        if turn >= _LEAST and time.monotonic() - started > BUDGET:
            break
        # Each side is first in turn, so that a machine that slows down favours neither.
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
    """Return the ratio from seconds of ours and of the baseline, round by round.

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
    """Return it to four digits: the rest is noise."""
    return float(f"{value:.4g}")
