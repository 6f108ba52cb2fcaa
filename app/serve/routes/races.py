"""HTTP routes that parse a position, and evaluate one race or many."""

from functools import partial
from typing import Annotated

import orjson
from fastapi import Query, Request
from starlette.responses import Response

from bearoff.analysis.review import ContactQuestion, as_picture, position_svg
from bearoff.app.race_answers.contact import read_any
from bearoff.app.serve.answering import (
    answer_one,
    answer_rows,
    estimate_one,
    read_position,
)
from bearoff.app.serve.asking import any_question_of
from bearoff.app.serve.json_route import JSON, new_router
from bearoff.app.serve.models import (
    AnswerOut,
    AskedIn,
    ContactOut,
    PositionOut,
    RaceIn,
    RacesIn,
    RowsOut,
)
from bearoff.app.serve.problems import Refusal
from bearoff.app.serve.state import state_of

router = new_router()

COMPILING = (
    "the search for positions with contact is still being compiled, once after an "
    "installation; ask again in a minute"
)

SOLVING = 0.5
"""Fraction of a request's remaining time that may be used to solve the races of a batch."""


@router.post("/position")
async def read(asked: RaceIn) -> PositionOut:
    """Return a position in all notations, without an answer."""
    return read_position(any_question_of(asked))


@router.get("/board.svg", response_class=Response)
async def board(
    position: Annotated[
        str, Query(max_length=2000, description="Position of both sides, in any notation.")
    ],
) -> Response:
    """Return a picture of a position as SVG."""
    asked = read_any({"position": position})
    drawn = asked.state if isinstance(asked, ContactQuestion) else asked.race
    return Response(as_picture(position_svg(drawn)), media_type="image/svg+xml")


@router.post("/race")
async def one(asked: AskedIn, request: Request) -> AnswerOut | ContactOut:
    """Return the correct decisions in a position, and the costs of all alternatives.

    In a race, the answer is exact if a two-sided table contains the race or it can be
    solved in time; otherwise the fast model answers. /rollout answers by simulation. With
    contact, the answer is an estimate by a search, and its kind is "search".
    """
    state, question = state_of(request), any_question_of(asked)
    if isinstance(question, ContactQuestion):
        room = request.app.state.play
        if room is not None and room.cold:
            raise Refusal(503, COMPILING)
        return await state.workers.run(
            partial(estimate_one, question, state.estimates), request.is_disconnected
        )
    found = state.judges.look_up(question.race, asked.patience)
    work = partial(answer_one, state.judges, found, question, asked)
    if not (found.solves or question.race.score or asked.market or asked.rolls):
        return work()  # Reading a table takes less time than starting a thread.
    return await state.pool_of(found).run(work, request.is_disconnected)


@router.post("/races", response_model=RowsOut)
async def many(asked: RacesIn, request: Request) -> Response:
    """Evaluate up to 10,000 races; return the answers in the same order.

    A race that cannot be answered gets an error message instead. The fast model answers
    races that no table contains and that are not solved in time; there are no rollouts.
    """
    # Creating 10,000 pydantic models would take as long as computing the answers, and would
    # block other requests, so the answers are dictionaries.
    state = state_of(request)
    most = state.settings.races
    if len(asked.races) > most:
        got = len(asked.races)
        raise Refusal(413, f"a request may have at most {most:,} races, got {got:,}")

    def work() -> Response:
        judge = state.judges.judge(asked.patience, share=SOLVING)
        rows = answer_rows(judge, asked.races)
        return Response(orjson.dumps({"answers": rows}), media_type=JSON)

    return await state.workers.run(work)
