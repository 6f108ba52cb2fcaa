"""Progress of a rollout, lines that are replaced, and waits that have no bar, on stderr."""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from bearoff.app.output import duration, note

if TYPE_CHECKING:
    from tqdm import tqdm

    from bearoff.sim.rollouts import sums


P = ParamSpec("P")
R = TypeVar("R")

LONG = 1.0
"""Seconds from which a wait is told, and of a race the fast model answers first."""


@contextmanager
def waiting(what: str, units: float = 1.0, *, show: bool = True) -> Iterator[None]:
    """Tell work that takes longer than a second: what it is, and for how long.

    The estimate is what as much of the same work took on this machine the last time; it is
    kept where measured speeds are. An interruption is not kept.

    Parameters
    ----------
    what : str
        What is done, the same for the same work.
    units : float
        How much of it, in whatever it is proportional to.
    show : bool
        Whether to tell anything.
    """
    # Imported before the timer's thread can be in the way of another import.
    from bearoff.storage import keep_seconds, known_seconds

    started = time.monotonic()
    timer = threading.Timer(LONG, _tell, (what, units, known_seconds))
    timer.daemon = True
    if show:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if (seconds := time.monotonic() - started) > LONG:
        keep_seconds(what, 1, seconds / units)


def _tell(
    what: str, units: float, known_seconds: Callable[[str, int], float | None]
) -> None:
    each = known_seconds(what, 1)
    if each is None:
        how_long = "done for the first time here, so how long is not known"
    else:
        how_long = f"about {duration(each * units)} in all, by the last time"
    note(f"{what}: {how_long}; Ctrl-C stops it")


def waits(what: str) -> "Callable[[Callable[P, R]], Callable[P, R]]":
    """Let a command tell its wait, as `waiting` does, unless it is asked to be quiet."""

    def told(command: Callable[P, R]) -> Callable[P, R]:
        @wraps(command)
        def run(*args: P.args, **options: P.kwargs) -> R:
            with waiting(what, show=not options.get("quiet")):
                return command(*args, **options)

        return run

    return told


class RolloutProgress:
    """Shows the games of a rollout and its standard error so far.

    Parameters
    ----------
    show : bool
        Whether to show anything.
    goal : float
        Standard error asked for.
    most : int
        Games allowed.
    """

    def __init__(self, *, show: bool, goal: float, most: int) -> None:
        self._bar: tqdm[None] | None = None
        self._show = show
        self._goal = goal
        self._most = most

    def __enter__(self) -> "RolloutProgress":
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def update(self, moments: "sums.Moments") -> bool:
        """Show the games played, those still needed, and the error so far.

        Returns whether they are to be the last, which the user asks for by Ctrl-C.
        """
        from bearoff.app.interruption import ends_early
        from bearoff.sim.engine import progress_bar
        from bearoff.sim.rollouts import worst_error

        if self._bar is None:
            self._bar = progress_bar("rollout", self._most, show=self._show)
        error = worst_error(moments)
        if self._goal and error == error:
            # The square of a ratio to a tiny goal would be more than a float holds.
            times = min(error / self._goal, float(self._most))
            self._bar.total = int(min(max(times**2, 1.0) * moments.games, self._most))
        self._bar.set_postfix_str(f"error {error:.5f}", refresh=False)
        self._bar.update(moments.games - self._bar.n)
        return ends_early()


class LiveLines:
    """Lines on a terminal, each list of them in the place of the last."""

    def __init__(self) -> None:
        self._shown = 0

    def show(self, lines: Sequence[str]) -> None:
        """Show lines, cut to the terminal's width so that none takes two."""
        width = shutil.get_terminal_size().columns - 1
        back = f"\x1b[{self._shown}F\x1b[J" if self._shown else ""
        sys.stderr.write(back + "".join(f"{line[:width]}\n" for line in lines))
        sys.stderr.flush()
        self._shown = len(lines)
