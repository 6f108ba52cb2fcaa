"""Progress of a rollout, and lines that are replaced, on stderr."""

import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tqdm import tqdm

    from sim.rollouts import sums


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

    def update(self, moments: "sums.Moments") -> None:
        """Show the games played, those still needed, and the error so far."""
        from sim.engine import progress_bar
        from sim.rollouts import worst_error

        if self._bar is None:
            self._bar = progress_bar("rollout", self._most, show=self._show)
        error = worst_error(moments)
        if self._goal and error == error:
            needed = moments.games * (error / self._goal) ** 2
            self._bar.total = int(min(max(needed, moments.games), self._most))
        self._bar.set_postfix_str(f"error {error:.5f}", refresh=False)
        self._bar.update(moments.games - self._bar.n)


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
