"""Routes of races: one read, one answered, and many."""

from functools import partial
from typing import Annotated

import orjson
from fastapi import Query, Request
from starlette.responses import Response

from bearoff import Race
from bearoff.analysis.review import as_picture, position_svg
from bearoff.app.serve.answering import answer_one, answer_rows, read_position
from bearoff.app.serve.asking import question_of, race_of
from bearoff.app.serve.json_route import JSON, new_router
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


@router.post("/position")
async def read(asked: RaceIn) -> PositionOut:
    """A race as it is read, in all notations; nothing is worked out."""
    return read_position(race_of(asked))


@router.get("/board.svg", response_class=Response)
async def board(
    position: Annotated[
        str, Query(max_length=2000, description="Both sides in any notation.")
    ],
) -> Response:
    """A picture of a race, as SVG."""
    picture = as_picture(position_svg(Race.parse(position)))
    return Response(picture, media_type="image/svg+xml")


@router.post("/race")
async def one(asked: AskedIn, request: Request) -> AnswerOut:
    """What is right in a race, and what everything else costs.

    Exact where a two-sided table holds the race or it is soon solved, else by the fast
    model; /rollout plays for more.
    """
    state, question = state_of(request), question_of(asked)
    found = state.judges.look_up(question.race, asked.patience)
    work = partial(answer_one, state.judges, found, question, asked)
    if not (found.solves or question.race.score or asked.market or asked.rolls):
        return work()  # It takes less than a thread would.
    return await state.pool_of(found).run(work, request.is_disconnected)


@router.post("/races", response_model=RowsOut)
async def many(asked: RacesIn, request: Request) -> Response:
    """Up to 10,000 races, their answers in the same order.

    A race that cannot be answered has a problem in its place. Nothing is rolled out: the
    fast model answers what no table holds and what is not soon solved.
    """
    # Models of 10,000 rows take as long to make and to write as all their answers, and
    # the framework writes them in the thread that all other requests wait for.
    state = state_of(request)
    most = state.settings.races
    if len(asked.races) > most:
        got = len(asked.races)
        raise Refusal(413, f"a request has at most {most:,} races, got {got:,}")

    def work() -> Response:
        judge = state.judges.judge(asked.patience, share=SOLVING)
        rows = answer_rows(judge, asked.races)
        return Response(orjson.dumps({"answers": rows}), media_type=JSON)

    return await state.workers.run(work)
