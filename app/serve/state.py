"""State shared by all requests to a server."""

from dataclasses import dataclass
from typing import cast

from fastapi import Request

from bearoff.app.library.library import Library
from bearoff.app.serve.judges import Judges, Lookup
from bearoff.app.serve.settings import Settings
from bearoff.app.serve.work import Workers


@dataclass(frozen=True)
class State:
    """Settings, judges and thread pools of a server.

    Attributes
    ----------
    settings : Settings
    judges : Judges
    workers : Workers
        Threads for answers.
    views : Workers
        Threads for lookups without an answer.
    solvers : Workers
        Threads for races at a score that may be solved, so that other answers do not wait.
    rollouts : Workers
        Threads for rollouts, which take longer.
    library : Library or None
        Library of reviews; None if the server can be reached from other machines.
    """

    settings: Settings
    judges: Judges
    workers: Workers
    views: Workers
    solvers: Workers
    rollouts: Workers
    library: Library | None = None

    def pool_of(self, found: Lookup) -> Workers:
        """Return the threads that answer a race that was looked up."""
        return self.solvers if found.solves else self.workers


def state_of(request: Request) -> State:
    """Return the shared state."""
    return cast(State, request.app.state.shared)


def pools_of(state: State) -> tuple[Workers, ...]:
    """Return all thread pools, to count or to close them."""
    return state.workers, state.views, state.solvers, state.rollouts
