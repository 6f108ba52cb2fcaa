"""What solving takes: said before, corrected while it lasts, ended where patience does."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bearoff.answers import OutOfPatience
from bearoff.match_solver import Group

OVERDUE = 1.5
"""Times its estimate, or the patience, that something may take before it is given up."""

_WEIGHT = 2.0
"""Seconds of work as estimated that the estimate counts for, beside what was taken."""


@dataclass(frozen=True)
class Wait:
    """What is being solved.

    Attributes
    ----------
    races : int
        Races to be solved, in all.
    left_out : int
        Further races at scores, for which patience does not last.
    seconds : float
        It takes, about, on a machine with nothing else to do.
    left : float
        Of what was taken so far, it still takes.
    """

    races: int
    left_out: int
    seconds: float
    left: float


class Clock:
    """Watches the solving of groups of races.

    Parameters
    ----------
    groups : sequence of Group
    patience : float
        Seconds for all of them, about.
    races : int
        Races that are asked for, of which the groups may leave some out.
    tell : callable
        Called with what is still to be waited for.
    """

    def __init__(
        self,
        groups: Sequence[Group],
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

    def begin(self, group: Group) -> bool:
        """Whether patience lasts for a group."""
        self._done += self._group
        self._group = group.seconds
        taken = time.monotonic() - self._began
        return taken + self._slower(0.0) * group.seconds <= OVERDUE * self._patience

    def update(self, done: float) -> None:
        """Tell what is left, with a share of the group done.

        Raises
        ------
        OutOfPatience
            If it lasts too long.
        """
        taken = time.monotonic() - self._began
        left = self._seconds - self._done - self._group * done
        left *= self._slower(done)
        self._tell(Wait(self._races, self._left_out, self._seconds, max(left, 0.0)))
        if taken > OVERDUE * self._patience:
            raise OutOfPatience

    def _slower(self, done: float) -> float:
        """How many times its estimate the work has taken so far."""
        taken = time.monotonic() - self._began
        return (taken + _WEIGHT) / (self._done + self._group * done + _WEIGHT)
