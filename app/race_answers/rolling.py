"""Rollouts for commands, shown with a progress bar."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bearoff import Race
    from bearoff.sim.rollouts import sums
    from bearoff.sources import Source

ERROR = 0.002
"""Standard error of an equity, in points, at which a rollout stops by default."""

MOST_GAMES = 1_000_000
"""Maximum number of games in a rollout."""


def rolling_out(
    error: float | None, seed: int, workers: int | None, *, show: bool
) -> "Callable[[Race], Source]":
    """Return a function that returns, for a race, the rollout that answers it."""

    def source(race: "Race") -> "Source":
        from bearoff.sim.rollouts import Goal, RolloutSource

        goal = ERROR if error is None else error
        return RolloutSource(
            race,
            Goal(goal, MOST_GAMES),
            seed=seed,
            workers=workers or "auto",
            watch=lambda: _watch(goal, show=show),
        )

    return source


def _watch(error: float, *, show: bool) -> "Callable[[sums.Moments], bool]":
    from bearoff.app.progress import RolloutProgress

    return RolloutProgress(show=show, goal=error, most=MOST_GAMES).update
