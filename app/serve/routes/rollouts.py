"""Route of rollouts, which streams intermediate results."""

from collections.abc import Callable
from functools import partial
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from bearoff import Race
from bearoff.answers import PATIENCE, decisions_of, intervals, read_question
from bearoff.app.race_answers.fields import as_json, decisions_json
from bearoff.app.serve.answering import answer_out
from bearoff.app.serve.events import DESCRIPTION, Events
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.state import State, state_of
from bearoff.sim.rollouts import (
    Goal,
    RolloutSource,
    estimates_so_far,
    games_needed,
    worst_error,
)
from bearoff.sources import Races, Source
from bearoff.stakes import Values

if TYPE_CHECKING:
    from bearoff.sim.rollouts import sums

router = new_router()

Text = Annotated[str | None, Field(max_length=4000)]
Word = Annotated[str | None, Field(max_length=100)]


class RolloutIn(BaseModel):
    """Race to roll out, and conditions under which the rollout stops."""

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
    error: float = Field(
        0.002,
        ge=0.0001,
        le=1,
        description="Standard error of the equities, in points, at which the rollout "
        "stops.",
    )
    games: int = Field(
        1_000_000, ge=1, le=10_000_000, description="Maximum number of games."
    )
    seed: int = Field(0, ge=0, lt=2**64, description="Seed of the dice.")


@router.get(
    "/rollout",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Stream of progress events, followed by a result event or a "
            "failed event.",
            "content": {"text/event-stream": {"schema": DESCRIPTION}},
        }
    },
)
async def rollout(asked: Annotated[RolloutIn, Query()], request: Request) -> Response:
    """Roll out a race; the result is a stream of events that ends with the answer.

    If the client closes the connection, the rollout stops.
    """
    state = state_of(request)
    fields = asked.model_dump(exclude={"error", "games", "seed"}, exclude_none=True)
    race = read_question(fields).race
    rollout = _Rollout(state, race, asked)
    return Events(state, rollout.work, "rollout", "allow a larger error").response()


class _Rollout:
    """Rollout of a race, with intermediate results."""

    def __init__(self, state: State, race: Race, asked: RolloutIn) -> None:
        self._state, self._race, self._asked = state, race, asked
        self._goal = Goal(asked.error, asked.games)
        self._started, self._games = monotonic(), 0
        self._moments: sums.Moments | None = None

    def work(self, events: Events) -> dict[str, Any]:
        """Roll out the race and return the answer."""
        judge = self._state.judges.judge(PATIENCE, lambda race: self._source(race, events))
        source = judge.source(self._race)
        answer = judge.answer(self._race, source=source)
        found = answer_out(as_json(answer), answer, source).model_dump()
        seconds = round(monotonic() - self._started, 3)
        return found | {"games": self._games, "seconds": seconds}

    def _source(self, race: Race, events: Events) -> Source:
        watch = partial(self._watch, events)
        return RolloutSource(race, self._goal, seed=self._asked.seed, watch=watch)

    def _watch(self, events: Events) -> "Callable[[sums.Moments], None]":
        before = self._games
        # The first rollout is of the race before the roll; further rollouts are of the
        # races after the plays.
        of_race = before == 0

        def report(moments: "sums.Moments") -> None:
            self._games = before + moments.games
            if of_race:
                self._moments = moments
            events.progress(partial(self._progress, moments, of_race=of_race))

        return report

    def _progress(self, moments: "sums.Moments", *, of_race: bool) -> dict[str, Any]:
        error = worst_error(moments)
        found: dict[str, Any] = {
            "part": "race" if of_race else "plays",
            "games": self._games,
            "needed": games_needed(moments, self._goal),
            "error": error if isfinite(error) else None,
            "goal": self._asked.error,
            "seconds": round(monotonic() - self._started, 3),
        }
        known = self._moments
        if self._race.score is None and known and isfinite(worst_error(known)):
            found |= self._so_far(known)
        return found

    def _so_far(self, moments: "sums.Moments") -> dict[str, Any]:
        """Estimate the equities and decisions of a money race from the games so far."""
        races = Races.of([self._race])
        values = Values.empty(races.terms, races.owners)
        for name, estimate in estimates_so_far(moments, self._race.cube).items():
            getattr(values, name)[0] = estimate.value
            if name in ("no_double", "double_take"):
                getattr(values, f"{name}_error")[0] = estimate.standard_error
        numbers = values.row(0, intervals("rollout"))
        # The progress event has its own field `error`, so that of the equities is left out.
        found = {
            name: number or None if name == "action" else number
            for name, number in numbers.items()
            if name != "error" and number == number
        }
        return found | {"decisions": decisions_json(decisions_of(values))}
