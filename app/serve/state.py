"""What all requests to a server share."""

from dataclasses import dataclass
from typing import cast

from fastapi import Request

from bearoff.app.library.library import Library
from bearoff.app.serve.judges import Judges, Lookup
from bearoff.app.serve.settings import Settings
from bearoff.app.serve.work import Workers


@dataclass(frozen=True)
class State:
    """Settings, who answers, and the threads that work answers out.

    Attributes
    ----------
    settings : Settings
    judges : Judges
    workers : Workers
        Of answers.
    views : Workers
        Of what is looked up, for which no answer is worked out.
    solvers : Workers
        Of answers at a score that may be solved, for which no other waits.
    rollouts : Workers
        Of rollouts, which take longer.
    library : Library or None
        Where reviews are kept; None where others than the player are served.
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
    """Return what the server shares."""
    return cast(State, request.app.state.shared)


def pools_of(state: State) -> tuple[Workers, ...]:
    """Return all threads that answer, to count or to close them."""
    return state.workers, state.views, state.solvers, state.rollouts
