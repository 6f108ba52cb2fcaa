"""The route of rollouts: what the games say so far, as they are played."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json
from starlette.responses import Response, StreamingResponse

from app.serve.answering import answer_json
from app.serve.asking import race_of
from app.serve.json_route import new_router
from app.serve.models import RaceIn
from app.serve.problems import in_one_line
from app.serve.state import State, state_of
from app.serve.work import Stopped, Task
from bearoff import BearoffError, Race
from bearoff.answers import Source
from sim.answers import Rolled
from sim.rollouts import Goal, estimates_so_far, worst_error

if TYPE_CHECKING:
    from sim.rollouts import sums

router = new_router()

EVERY = 0.1
"""Seconds between two reports of progress, at least."""

QUIET = 10.0
"""Seconds after which a stream without news says that it is still there."""

Text = Annotated[str | None, Field(max_length=4000)]
Word = Annotated[str | None, Field(max_length=100)]


EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["progress", "result", "failed"]},
        "data": {"type": "string", "description": "JSON"},
    },
}
"""Of the stream, for the description."""


class RolloutIn(BaseModel):
    """A race, as for /race, and when to stop."""

    model_config = ConfigDict(extra="forbid")

    position: Text = None
    roller: Text = Field(None, examples=["0,0,2,3,3,4,2,1"])
    opponent: Text = Field(None, examples=["0,1,2,2,3,4,1,1,1"])
    dice: Word = None
    cube: Word = None
    cube_value: int | None = None
    score: Word = None
    match: int | None = None
    crawford: bool | None = None
    money: bool = False
    jacoby: bool | None = None
    error: float = Field(0.002, ge=0.0001, le=1, description="Standard error to reach.")
    games: int = Field(1_000_000, ge=1, le=10_000_000, description="Most games.")
    seed: int = Field(0, ge=0, lt=2**64, description="Of the dice.")


@router.get(
    "/rollout",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Events progress, then one result or failed.",
            "content": {"text/event-stream": {"schema": EVENT}},
        }
    },
)
async def rollout(asked: Annotated[RolloutIn, Query()], request: Request) -> Response:
    """Roll a race out: a stream of events, which ends with the answer.

    Closing the connection ends the games.
    """
    state = state_of(request)
    fields = asked.model_dump(exclude={"error", "games", "seed"}, exclude_none=True)
    race = race_of(RaceIn.model_validate(fields))
    stream = _Stream(state, race, asked)
    return StreamingResponse(
        stream.events(),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},  # A proxy passes each event on at once.
    )


class _Stream:
    """A rollout in a thread, and what it reports to the loop."""

    def __init__(self, state: State, race: Race, asked: RolloutIn) -> None:
        self._state, self._race, self._asked = state, race, asked
        self._loop = asyncio.get_running_loop()
        self._news: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        self._task = Task(state.settings.rollout_seconds)
        self._started, self._said = monotonic(), 0.0
        self._games = 0
        self._future = state.rollouts.start(self._work, self._task)

    async def events(self) -> AsyncIterator[bytes]:
        """Yield events; at their end, or if nobody listens, the games end."""
        try:
            while True:
                try:
                    kind, found = await asyncio.wait_for(self._news.get(), QUIET)
                except TimeoutError:
                    yield b": still at it\n\n"
                    continue
                data = to_json(found, inf_nan_mode="null").decode()
                yield f"event: {kind}\ndata: {data}\n\n".encode()
                if kind != "progress":
                    return
        finally:
            self._task.stop()
            self._future.add_done_callback(lambda f: f.cancelled() or f.exception())

    def _work(self) -> None:
        seconds = self._state.settings.rollout_seconds
        try:
            self._say("result", self._rolled_out())
        except BearoffError as error:
            self._say("failed", {"error": in_one_line(error)})
        except Stopped:
            why = f"the rollout takes more than {seconds:g} seconds; allow a larger error"
            self._say("failed", {"error": why})
        except Exception:
            self._say("failed", {"error": "the server failed at this rollout; it goes on"})
            raise

    def _rolled_out(self) -> dict[str, Any]:
        judge = self._state.judges.rolling_out(self._source)
        answer = judge.answer(self._race)
        seconds = round(monotonic() - self._started, 3)
        found = answer_json(self._state.judges, answer)
        return {**found, "games": self._games, "seconds": seconds}

    def _source(self, race: Race) -> Source:
        goal = Goal(self._asked.error, self._asked.games)
        return Rolled(race, goal, seed=self._asked.seed, watch=self._watch)

    def _watch(self) -> "Callable[[sums.Moments], object]":
        before = self._games

        def report(moments: "sums.Moments") -> None:
            self._task.check()
            self._games = before + moments.games
            if monotonic() - self._said < EVERY:
                return
            self._said = monotonic()
            self._say("progress", self._progress(moments))

        return report

    def _progress(self, moments: "sums.Moments") -> dict[str, Any]:
        error = worst_error(moments)
        found: dict[str, Any] = {
            "games": self._games,
            "error": error if isfinite(error) else None,
            "goal": self._asked.error,
            "seconds": round(monotonic() - self._started, 3),
        }
        if self._race.score is None:
            for name, estimate in estimates_so_far(moments, self._race.cube).items():
                found[name] = {"value": estimate.value, "error": estimate.standard_error}
        return found

    def _say(self, kind: str, found: dict[str, Any]) -> None:
        # The loop may be gone when the server ends.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._news.put_nowait, (kind, found))
