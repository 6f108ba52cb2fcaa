"""What all requests to a server share."""

from dataclasses import dataclass
from typing import cast

from fastapi import Request

from app.serve.judges import Judges
from app.serve.settings import Settings
from app.serve.work import Workers


@dataclass(frozen=True)
class State:
    """Settings, who answers, and the threads that work answers out.

    Attributes
    ----------
    settings : Settings
    judges : Judges
    workers : Workers
        Of answers.
    solvers : Workers
        Of answers at a score that may be solved, for which no other waits.
    rollouts : Workers
        Of rollouts, which take longer.
    """

    settings: Settings
    judges: Judges
    workers: Workers
    solvers: Workers
    rollouts: Workers


def state_of(request: Request) -> State:
    """Return what the server shares."""
    return cast(State, request.app.state.shared)
