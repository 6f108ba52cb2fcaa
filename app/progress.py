"""Progress of rollouts, long waits and reviews, shown on stderr."""

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
"""Minimum duration, in seconds, of a wait that is announced to the user."""


@contextmanager
def waiting(what: str, units: float = 1.0, *, show: bool = True) -> Iterator[None]:
    """Context manager that announces a long wait, with an estimate of its duration.

    The estimate is the last duration of the same work on this machine. Durations of
    interrupted work are not recorded.
    """
    # `bearoff.storage` is imported before the timer's thread starts, because an import in
    # that thread could block other imports.
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
        how_long = "this machine does this for the first time, so the duration is unknown"
    else:
        how_long = f"about {duration(each * units)} in total, like the last time"
    note(f"{what}: {how_long}; Ctrl-C stops it")


def waits(what: str) -> "Callable[[Callable[P, R]], Callable[P, R]]":
    """Return a decorator for a command, which announces a long wait for the command."""

    def told(command: Callable[P, R]) -> Callable[P, R]:
        @wraps(command)
        def run(*args: P.args, **options: P.kwargs) -> R:
            with waiting(what, show=not options.get("quiet")):
                return command(*args, **options)

        return run

    return told


class RolloutProgress:
    """Progress of a rollout: the number of games and the current standard error.

    Parameters
    ----------
    show : bool
        Whether to show the progress.
    goal : float
        Standard error at which the rollout stops.
    most : int
        Maximum number of games in the rollout.
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
        """Show the number of games played, the estimated number needed, and the error.

        Return whether the user has asked, by Ctrl-C, to end the rollout.
        """
        from bearoff.app.interruption import ends_early
        from bearoff.sim.engine import progress_bar
        from bearoff.sim.rollouts import worst_error

        if self._bar is None:
            self._bar = progress_bar("rollout", self._most, show=self._show)
        error = worst_error(moments)
        if self._goal and error == error:
            # The ratio of the two errors is limited, because the square of a large ratio
            # would overflow.
            times = min(error / self._goal, float(self._most))
            self._bar.total = int(min(max(times**2, 1.0) * moments.games, self._most))
        self._bar.set_postfix_str(f"error {error:.5f}", refresh=False)
        self._bar.update(moments.games - self._bar.n)
        return ends_early()


class LiveLines:
    """Lines in a terminal that are replaced at each update."""

    def __init__(self) -> None:
        self._shown = 0

    def show(self, lines: Sequence[str]) -> None:
        """Replace the lines shown before by new ones, truncated to the terminal's width."""
        width = shutil.get_terminal_size().columns - 1
        back = f"\x1b[{self._shown}F\x1b[J" if self._shown else ""
        sys.stderr.write(back + "".join(f"{line[:width]}\n" for line in lines))
        sys.stderr.flush()
        self._shown = len(lines)
