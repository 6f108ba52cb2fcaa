"""The route of reviews: judged as a whole, or as a stream that says how far it is."""

import asyncio
from collections.abc import AsyncIterator, Callable
from time import monotonic
from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic_core import to_json
from starlette.responses import Response, StreamingResponse

from app.serve.json_route import as_response, new_router
from app.serve.problems import Refusal, in_one_line
from app.serve.review.judging import review_all
from app.serve.state import State, state_of
from app.serve.work import Stopped, Task, current
from bearoff import BearoffError
from bearoff.answers import Judge

EVERY = 0.1
"""Seconds between two reports of progress, at least."""

EXAMPLE: JsonValue = {"positions": "position,dice,played\nLwAAwC0AAAAAAA,2-1,2/off 1/off"}


class FileIn(BaseModel):
    """A file, as text."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=200)
    text: str


class ReviewIn(BaseModel):
    """What is to be judged."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    files: Annotated[list[FileIn], Field(max_length=100)] = Field(
        [],
        description="Matches: .mat, eXtreme Gammon's text, GNU Backgammon's .sgf; or lists "
        "of positions, as below.",
    )
    positions: str = Field(
        "",
        description="A position a line, or a heading and rows as of bearoff race --from.",
    )
    error: float | None = Field(
        None,
        ge=0.0005,
        le=1,
        description="Standard error of rollouts where nothing exact holds a race; by "
        "default none are played, and the fast model answers, not at a score.",
    )
    stream: bool = Field(
        False, description="Send events: progress, and then result or failed."
    )


class EquityOut(BaseModel):
    """An alternative."""

    name: str
    equity: float


class DecisionOut(BaseModel):
    """A decision, judged."""

    source: str
    game: int
    line: int
    player: str
    kind: Literal["double", "take", "play"]
    xgid: str
    roller: list[int]
    opponent: list[int]
    cube: str
    cube_value: int
    dice: list[int] | None
    score: str | None
    decided: str
    """Empty if the list does not say."""
    best: str
    cost: float
    error: float
    unit: str
    points: float
    """The cost at the cube's value."""
    mistake: bool
    """Whether it costs more than its error."""
    method: str
    formula: str
    equities: list[EquityOut]


class TotalOut(BaseModel):
    """Sums over decisions."""

    name: list[str]
    """Player, kind and length of the race."""
    decisions: int
    mistakes: int
    lost: float
    formula_differs: int


class ReviewOut(BaseModel):
    """Decisions, the costliest first, sums, and what could not be judged."""

    decisions: list[DecisionOut]
    totals: list[TotalOut]
    problems: list[str]


router = new_router()


@router.post(
    "/review",
    response_model=ReviewOut,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def review(asked: ReviewIn, request: Request) -> Response:
    """Judge the races of matches, or of a list of positions, decision by decision."""
    state = state_of(request)
    if asked.stream:
        return StreamingResponse(
            _events(state, asked),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )
    return as_response(await state.rollouts.run(lambda: _reviewed(state, asked)))


def _reviewed(
    state: State, asked: ReviewIn, on_done: Callable[[int, int], object] = lambda *_: None
) -> dict[str, Any]:
    def step(done: int, decisions: int) -> None:
        current.get().check()
        on_done(done, decisions)

    files = [(one.name, one.text) for one in asked.files]
    judge = _judge(state, asked.error)
    return review_all(files, asked.positions, judge, state.settings.races, step)


def _judge(state: State, error: float | None) -> Judge:
    task = current.get()
    if error is None:
        return Judge(progress=task.check)
    from sim.answers import Rolled
    from sim.rollouts import Goal

    goal = Goal(error, 1_000_000)
    return Judge(
        roll_out=lambda race: Rolled(race, goal, watch=lambda: task.check),
        progress=task.check,
    )


async def _events(state: State, asked: ReviewIn) -> AsyncIterator[bytes]:
    """Yield progress and the end; if nobody listens any more, the work ends."""
    loop = asyncio.get_running_loop()
    news: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
    said = 0.0

    def say(kind: str, found: dict[str, Any]) -> None:
        loop.call_soon_threadsafe(news.put_nowait, (kind, found))

    def on_done(done: int, decisions: int) -> None:
        nonlocal said
        if done in (0, decisions) or monotonic() - said > EVERY:
            said = monotonic()
            say("progress", {"done": done, "decisions": decisions})

    def work() -> None:
        try:
            say("result", _reviewed(state, asked, on_done))
        except BearoffError as error:
            say("failed", {"error": in_one_line(error)})
        except Stopped:
            seconds = state.settings.rollout_seconds
            why = f"the review takes more than {seconds:g} seconds; send fewer games"
            say("failed", {"error": why})
        except Exception:
            say("failed", {"error": "the server failed at this review; it goes on"})
            raise

    task = Task(state.settings.rollout_seconds)
    try:
        future = state.rollouts.start(work, task)
    except Refusal as refused:
        yield _event("failed", {"error": refused.detail})
        return
    try:
        kind = ""
        while kind not in ("result", "failed"):
            kind, found = await news.get()
            yield _event(kind, found)
    finally:
        task.stop()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())


def _event(kind: str, found: dict[str, Any]) -> bytes:
    return (
        f"event: {kind}\ndata: {to_json(found, inf_nan_mode='null').decode()}\n\n".encode()
    )
