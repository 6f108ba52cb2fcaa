"""State shared by all requests to a server."""

from dataclasses import dataclass, field
from typing import cast

from fastapi import Request

from bearoff.analysis.review import Estimates
from bearoff.app.library.library import Library
from bearoff.app.serve.judges import Judges, Lookup
from bearoff.app.serve.settings import Settings
from bearoff.app.serve.work import Workers


@dataclass(frozen=True)
class State:
    """Settings, evaluators and threads of a server.

    Attributes
    ----------
    settings : Settings
    judges : Judges
    workers : Workers
        Threads that compute answers.
    views : Workers
        Threads that read the library and the trainer's file.
    solvers : Workers
        Threads for races that are solved exactly, which takes longer. Other answers have
        their own threads, so that they do not wait.
    rollouts : Workers
        Threads for rollouts, which take longer.
    library : Library or None
        Library of reviews; None if other machines can reach the server.
    estimates : Estimates
        Estimates of positions with contact.
    """

    settings: Settings
    judges: Judges
    workers: Workers
    views: Workers
    solvers: Workers
    rollouts: Workers
    library: Library | None = None
    estimates: Estimates = field(default_factory=Estimates)

    def pool_of(self, found: Lookup) -> Workers:
        """Return the pool of threads that evaluates a race."""
        return self.solvers if found.solves else self.workers


def state_of(request: Request) -> State:
    """Return the state shared by all requests."""
    return cast(State, request.app.state.shared)


def pools_of(state: State) -> tuple[Workers, ...]:
    """Return all thread pools."""
    return state.workers, state.views, state.solvers, state.rollouts
