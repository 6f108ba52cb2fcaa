"""HTTP routes of the trainer: questions, answers, statistics and exported files.

The routes exist only on a server that other machines cannot reach.
"""

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Query, Request
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from starlette.responses import Response

from bearoff.app.serve.drills.asked import DrillQuestion, Marked
from bearoff.app.serve.drills.kinds import DRILLS
from bearoff.app.serve.drills.own import EMPTY, Own
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.problems import Refusal
from bearoff.app.serve.state import state_of
from bearoff.app.serve.training.session import (
    OWN,
    WISHES,
    MarkedAnswer,
    Trainer,
    Wish,
)
from bearoff.app.serve.training.statistics import Statistics
from bearoff.app.serve.training.summary import Summary, summary_of

T = TypeVar("T")

EXAMPLE = "n-rolls owned 4 4"
"""Key of the question in the documentation's example."""

_ID = f"0 {EXAMPLE}"
_Id = Annotated[str, Field(max_length=120, description="Id of the question.")]


class DrillOut(BaseModel):
    """Drill (a type of question), with its title and description."""

    name: str
    title: str
    text: str


class DrillsOut(BaseModel):
    """Drills, and the levels of difficulty that users can choose."""

    drills: list[DrillOut]
    levels: list[Wish]


class OwnOut(BaseModel):
    """Questions from the mistakes and saved positions in the library."""

    players: list[str]
    """Players in the library, sorted by decreasing number of decisions."""
    player: str
    """Player whose mistakes become questions; empty for all players."""
    questions: int
    empty: str
    """Advice if there are no mistakes or saved positions; otherwise empty."""


class AnswerIn(BaseModel):
    """Answer to a question of the trainer."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"id": _ID, "given": "no redouble", "seconds": 7}]},
    )

    id: _Id
    given: str = Field(
        max_length=100,
        description="Answer: a number, or one of the choices; empty if the time ran out.",
    )
    seconds: float = Field(
        0, ge=0, le=1e7, description="Time taken for the answer, in seconds."
    )
    hints: int = Field(0, ge=0, le=10, description="Number of hints requested.")


class IdIn(BaseModel):
    """Identifier of a question of the trainer."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": _ID}]})

    id: _Id


class HintIn(BaseModel):
    """Request for a hint to a question of the trainer."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": _ID, "number": 1}]}
    )

    id: _Id
    number: int = Field(
        1,
        ge=1,
        le=10,
        description="Number of the hint, starting at 1; later hints reveal more.",
    )


class DrillHintOut(BaseModel):
    """Hint to a question of the trainer."""

    text: str


class ExampleOut(BaseModel):
    """Example of a question with a marked and explained answer."""

    question: DrillQuestion
    marked: Marked


class MarkedOut(Marked):
    """Stored answer to a question, marked and explained."""

    id: str
    due: str | None
    """Time in UTC when the question is due again; null if never."""
    rating: float | None
    """Rating of the user after the answer; null if the answer was not rated."""
    hints: int
    knew: bool
    """Whether the user declared the answer mistyped, so that it counts as correct."""


router = new_router()


def trainer_of(request: Request) -> Trainer:
    trainer: Trainer | None = request.app.state.trainer
    if trainer is None:
        raise Refusal(
            403,
            "the trainer stores one player's answers, so it is available only if the "
            "server serves this machine alone",
        )
    return trainer


Mine = Annotated[Trainer, Depends(trainer_of)]
Whose = Annotated[
    str | None,
    Query(
        max_length=200,
        description="Player whose mistakes are questions; by default the user; empty for "
        "all players.",
    ),
]


async def _run(request: Request, work: Callable[[], T]) -> T:
    return await state_of(request).views.run(work)


def _marked(id_: str, kept: MarkedAnswer) -> MarkedOut:
    answered = kept.answered
    return MarkedOut(
        **kept.marked.model_dump(),
        id=id_,
        due=kept.due,
        rating=answered.rating,
        hints=answered.hints,
        knew=answered.knew,
    )


@router.get("/training/drills")
async def drills(request: Request, trainer: Mine) -> DrillsOut:
    """Return the drills with their descriptions, and the levels of difficulty."""
    found = trainer.drills.values()
    named = [DrillOut(name=one.name, title=one.title, text=one.text) for one in found]
    return DrillsOut(drills=named, levels=list(WISHES))


@router.get("/training/own")
async def own(
    request: Request,
    trainer: Mine,
    player: Whose = None,
) -> OwnOut:
    """Return the library's players, and the number of questions for the chosen player."""

    def found() -> OwnOut:
        # Without a library, the drill on the user's own mistakes does not exist.
        drill = dict(trainer.drills).get(OWN)
        if not isinstance(drill, Own):
            return OwnOut(players=[], player="", questions=0, empty=EMPTY)
        questions = len(drill.keys(player))
        return OwnOut(
            players=[name for name, _ in drill.library.players()],
            player=next(iter(drill.names(player)), ""),
            questions=questions,
            empty="" if questions else EMPTY,
        )

    return await _run(request, found)


@router.get("/training/example")
async def example(request: Request) -> ExampleOut:
    """Return an example question with a marked and explained answer; nothing is stored."""
    found = await _run(request, lambda: DRILLS.mark(EXAMPLE, "no redouble"))
    return ExampleOut(question=DRILLS.question(EXAMPLE), marked=found)


@router.get("/training/question")
async def question(
    request: Request,
    trainer: Mine,
    kinds: Annotated[
        list[str] | None,
        Query(max_length=20, description="Names of the drills; by default all."),
    ] = None,
    level: Annotated[Wish, Query(description="Difficulty of a new question.")] = "fitting",
    passed: Annotated[
        list[str] | None,
        Query(max_length=200, description="Ids of questions to exclude."),
    ] = None,
    due: Annotated[
        bool,
        Query(description="Whether to return only questions that are due for repetition."),
    ] = False,
    player: Whose = None,
) -> DrillQuestion:
    """Return the next question, either due again or new; status 404 if there is none."""

    def ask() -> DrillQuestion:
        return trainer.next_question(
            kinds or (), level, passed or (), due_only=due, player=player
        )

    return await _run(request, ask)


@router.post("/training/hint")
async def hint(asked: HintIn, request: Request, trainer: Mine) -> DrillHintOut:
    """Return a hint to a question; the answer must state the number of hints used."""
    text = await _run(request, lambda: trainer.hint(asked.id, asked.number))
    return DrillHintOut(text=text)


@router.post("/training/answers")
async def answer(given: AnswerIn, request: Request, trainer: Mine) -> MarkedOut:
    """Mark, explain and store an answer; status 409 if it is not the first answer."""
    kept = await _run(
        request,
        lambda: trainer.answer(given.id, given.given, given.seconds, given.hints),
    )
    return _marked(given.id, kept)


@router.post("/training/answers/knew")
async def knew(asked: IdIn, request: Request, trainer: Mine) -> MarkedOut:
    """Count the latest answer as correct, as the user asks after a typing error."""
    kept = await _run(request, lambda: trainer.knew(asked.id))
    return _marked(asked.id, kept)


@router.post("/training/answers/undo")
async def undo(asked: IdIn, request: Request, trainer: Mine) -> DrillQuestion:
    """Delete the latest answer, restore the schedule, and return the question."""
    return await _run(request, lambda: trainer.undo(asked.id))


@router.get("/training/summary")
async def summary(
    request: Request,
    trainer: Mine,
    since: Annotated[
        AwareDatetime | None,
        Query(
            description="Start time of the set of answers; by default the start of the day."
        ),
    ] = None,
) -> Summary:
    """Return the user's progress, and a summary of recent answers."""
    return await _run(request, lambda: summary_of(trainer, since))


@router.get("/training/statistics")
async def statistics(request: Request, trainer: Mine) -> Statistics:
    """Return statistics of errors: by drill, over time, and significant biases."""
    from bearoff.app.serve.training.statistics import statistics_of

    return await _run(
        request, lambda: statistics_of(trainer.store.answers(), trainer.drills)
    )


@router.get("/training/answers.csv", response_class=Response)
async def answers_csv(request: Request, trainer: Mine) -> Response:
    """Return all answers as CSV."""
    from bearoff.app.serve.training.export import as_csv

    text = await _run(request, lambda: as_csv(trainer.store.answers(), trainer.drills))
    return _file(text.encode(), "answers.csv", "text/csv; charset=utf-8")


@router.get("/training/mistakes.apkg", response_class=Response)
async def mistakes_apkg(request: Request, trainer: Mine) -> Response:
    """Return the questions answered wrongly as flashcards for Anki."""
    from bearoff.app.serve.training.export import as_cards

    cards = await _run(request, lambda: as_cards(trainer.store.answers(), trainer.drills))
    return _file(cards, "mistakes.apkg", "application/octet-stream")


def _file(content: bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(content, media_type=kind, headers=headers)
