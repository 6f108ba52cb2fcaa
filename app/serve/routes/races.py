"""Routes of races: one answered, and many."""

from functools import partial

from fastapi import Request
from starlette.responses import Response

from app.serve.answering import answer_one, answer_rows
from app.serve.asking import question_of
from app.serve.json_route import as_response, new_router
from app.serve.models import AnswerOut, RaceIn, RacesIn, RowsOut
from app.serve.problems import Refusal
from app.serve.state import state_of

router = new_router()


@router.post("/race", response_model=AnswerOut)
async def one(asked: RaceIn, request: Request) -> Response:
    """What is right in a race, and what everything else costs.

    Exact where a two-sided table holds the race or it can be solved at the score, else by
    the fast model; /rollout plays for more.
    """
    state, question = state_of(request), question_of(asked)
    work = partial(answer_one, state.judges, question, market=asked.market)
    if question.race.score is None and not asked.market:
        return as_response(work())  # It takes less than a thread would.
    return as_response(await state.workers.run(work))


@router.post("/races", response_model=RowsOut)
async def many(asked: RacesIn, request: Request) -> Response:
    """Up to 10,000 races, their answers in the same order.

    A race that cannot be answered has an error in its place. Races that need rollouts
    are answered by the fast model; at a score, those too long to be solved not at all.
    """
    state = state_of(request)
    most = state.settings.races
    if len(asked.races) > most:
        got = len(asked.races)
        raise Refusal(413, f"a request has at most {most:,} races, got {got:,}")

    def work() -> Response:
        return as_response({"answers": answer_rows(state.judges, asked.races)})

    return await state.workers.run(work)
