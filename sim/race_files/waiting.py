"""Waiting time of solving: estimated, updated meanwhile, and limited by patience."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bearoff.answers import OutOfPatience
from bearoff.match_solver import RaceGroup

OVERDUE = 1.5
"""Factor beyond the estimate, or the patience, at which solving is given up."""

_WEIGHT = 2.0
"""Weight of the initial estimate, in seconds of estimated work, against measured times."""


@dataclass(frozen=True)
class Wait:
    """Expected waiting time for solving.

    Attributes
    ----------
    races : int
        Number of races to solve.
    left_out : int
        Number of further races at scores that do not fit in the time limit.
    seconds : float
        Estimated duration on an idle machine, in seconds.
    left : float
        Remaining duration by the measured speed, in seconds.
    """

    races: int
    left_out: int
    seconds: float
    left: float


class SolvingTimer:
    """Times the solving of groups of races.

    Parameters
    ----------
    groups : sequence of RaceGroup
    patience : float
        Approximate time limit for all groups, in seconds.
    races : int
        Number of races requested; the groups may contain fewer.
    tell : callable
        Function called with the remaining waiting time.
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
        """Return whether there is time for a group."""
        self._done += self._group
        self._group = group.seconds
        taken = time.monotonic() - self._began
        return taken + self._slower(0.0) * group.seconds <= OVERDUE * self._patience

    def update(self, done: float) -> None:
        """Report the remaining time, given the share of the group that is done.

        Raises
        ------
        OutOfPatience
            If solving takes too long.
        """
        taken = time.monotonic() - self._began
        left = self._seconds - self._done - self._group * done
        left *= self._slower(done)
        self._tell(Wait(self._races, self._left_out, self._seconds, max(left, 0.0)))
        if taken > OVERDUE * self._patience:
            raise OutOfPatience

    def _slower(self, done: float) -> float:
        """Return the ratio of measured to estimated time so far."""
        taken = time.monotonic() - self._began
        return (taken + _WEIGHT) / (self._done + self._group * done + _WEIGHT)
