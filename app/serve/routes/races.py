"""Routes of races: one read, one answered, and many."""

from functools import partial

from fastapi import Request
from starlette.responses import Response

from bearoff.app.serve.answering import answer_one, answer_rows, read_position
from bearoff.app.serve.asking import question_of, race_of
from bearoff.app.serve.json_route import as_response, new_router
from bearoff.app.serve.models import (
    AnswerOut,
    AskedIn,
    PositionOut,
    RaceIn,
    RacesIn,
    RowsOut,
)
from bearoff.app.serve.problems import Refusal
from bearoff.app.serve.state import state_of

router = new_router()

SOLVING = 0.5
"""Share of the time that a request has left, within which many races may be solved."""


@router.post("/position", response_model=PositionOut)
async def read(asked: RaceIn) -> Response:
    """A race as it is read, in all notations; nothing is worked out."""
    return as_response(read_position(race_of(asked)))


@router.post("/race", response_model=AnswerOut)
async def one(asked: AskedIn, request: Request) -> Response:
    """What is right in a race, and what everything else costs.

    Exact where a two-sided table holds the race or it is soon solved, else by the fast
    model; /rollout plays for more.
    """
    state, question = state_of(request), question_of(asked)
    work = partial(answer_one, state.judges, question, asked)
    solves = state.judges.solves(question.race, asked.patience)
    if not (solves or question.race.score or asked.market or asked.rolls):
        return as_response(work())  # It takes less than a thread would.
    pool = state.solvers if solves else state.workers
    return as_response(await pool.run(work, request.is_disconnected))


@router.post("/races", response_model=RowsOut)
async def many(asked: RacesIn, request: Request) -> Response:
    """Up to 10,000 races, their answers in the same order.

    A race that cannot be answered has a problem in its place. Nothing is rolled out: the
    fast model answers what no table holds and what is not soon solved.
    """
    state = state_of(request)
    most = state.settings.races
    if len(asked.races) > most:
        got = len(asked.races)
        raise Refusal(413, f"a request has at most {most:,} races, got {got:,}")

    def work() -> Response:
        judge = state.judges.judge(asked.patience, share=SOLVING)
        return as_response({"answers": answer_rows(judge, asked.races)})

    return await state.workers.run(work)
