"""Estimates of the time for solving the races of a file, and a time limit."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bearoff.answers import OutOfPatience
from bearoff.match_solver import RaceGroup

OVERDUE = 1.5
"""Multiple of the time limit after which no more races are solved."""

_WEIGHT = 2.0
"""Seconds that are added to the measured solving time and to the estimated solving time
before their ratio is computed. The ratio is therefore close to 1 at first."""


@dataclass(frozen=True)
class Wait:
    """Expected time for solving the races of a file.

    Attributes
    ----------
    races : int
        Number of races that are to be solved.
    left_out : int
        Number of races at match scores that are not solved because of the time limit.
    seconds : float
        Estimated total time on an otherwise idle machine, in seconds.
    left : float
        Estimated remaining time at the measured speed, in seconds.
    """

    races: int
    left_out: int
    seconds: float
    left: float


class SolvingTimer:
    """Timer that decides which groups of races are solved within a time limit.

    Parameters
    ----------
    groups : sequence of RaceGroup
    patience : float
        Approximate time limit for all groups of races together, in seconds.
    races : int
        Total number of races to be solved, including those that are left out.
    tell : callable
        Function that is called with the expected remaining time.
    """

    def __init__(
        self,
        groups: Sequence[RaceGroup],
        patience: float,
        races: int,
        tell: Callable[[Wait], object],
    ) -> None:
        self._patience, self._tell = patience, tell
        self._races = sum(len(group.rows) for group in groups)
        self._left_out = races - self._races
        self._seconds = sum(group.seconds for group in groups)
        self._done, self._group = 0.0, 0.0
        self._began = time.monotonic()
        if races:
            self.update(0.0)

    def begin(self, group: RaceGroup) -> bool:
        """Return whether the time limit allows a group of races to be solved."""
        self._done += self._group
        self._group = group.seconds
        taken = time.monotonic() - self._began
        return taken + self._slower(0.0) * group.seconds <= OVERDUE * self._patience

    def update(self, done: float) -> None:
        """Report the remaining time, given the solved fraction of the current group."""
        taken = time.monotonic() - self._began
        left = self._seconds - self._done - self._group * done
        left *= self._slower(done)
        self._tell(Wait(self._races, self._left_out, self._seconds, max(left, 0.0)))
        if taken > OVERDUE * self._patience:
            raise OutOfPatience

    def _slower(self, done: float) -> float:
        """Return the ratio of the measured to the estimated solving time so far."""
        taken = time.monotonic() - self._began
        return (taken + _WEIGHT) / (self._done + self._group * done + _WEIGHT)
