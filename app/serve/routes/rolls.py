"""The route of the 21 rolls: what each does to a race."""

from typing import Any

from fastapi import Request
from pydantic import BaseModel
from starlette.responses import Response

from app.answers.one import choice_as_json
from app.serve.asking import race_of
from app.serve.json_route import as_response, new_router
from app.serve.models import ChoiceOut, Kind, RaceIn
from app.serve.state import State, state_of
from bearoff import Race, format_roll
from bearoff.answers import RollAnswer, answer_rolls

router = new_router()


class ReplyOut(BaseModel):
    """What the opponent's replies do to a cube that is not turned."""

    loses: float
    outcomes: dict[str, float]


class RollOut(BaseModel):
    """A roll and its best play."""

    dice: list[int]
    roll: str
    chance: float
    play: str
    after: list[int]
    equity: float
    luck: float
    error: float
    win_probability: float
    won: bool
    second: ChoiceOut | None
    market: ReplyOut | None


class RollsOut(BaseModel):
    """The rolls in the order 2-1, 3-1, 3-2, ... 6-5, then the doubles."""

    kind: Kind
    equity: float
    rolls: list[RollOut]


@router.post("/rolls", response_model=RollsOut)
async def rolls(asked: RaceIn, request: Request) -> Response:
    """What each of the 21 rolls does: best play, luck, market losers after it.

    Equities are the roller's after the play, the cube where it is; their mean is that of
    not doubling. Beyond tables they are the fast model's.
    """
    state = state_of(request)
    race = race_of(asked)
    return as_response(await state.workers.run(lambda: _rolls(state, race)))


def _rolls(state: State, race: Race) -> dict[str, Any]:
    found = state.judges.ask(race, lambda judge: answer_rolls(judge, race))
    return {
        "kind": found[0].best.kind,
        "equity": sum(one.chance * one.best.equity for one in found),
        "rolls": [_roll(one) for one in found],
    }


def _roll(found: RollAnswer) -> dict[str, Any]:
    best, second = found.best, found.second
    return {
        "dice": list(found.dice),
        "roll": format_roll(found.dice),
        "chance": found.chance,
        "play": best.name,
        "after": list(best.play.after.counts),
        "equity": best.equity,
        "luck": found.luck,
        "error": found.error,
        "win_probability": found.win_probability,
        "won": not best.play.after.on_board,
        "second": second and choice_as_json(second),
        "market": None
        if found.outcomes is None
        else {"loses": found.losing, "outcomes": found.outcomes},
    }
