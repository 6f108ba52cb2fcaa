"""Routes of the trainer: questions, answers, statistics, and what can be taken away.

They are there for the one player at this machine; a server that others reach has none.
"""

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.serve.drills.asked import LEVELS, Level, Marked, Question
from app.serve.drills.kinds import DRILLS, mark, question_of
from app.serve.json_route import as_response, new_router
from app.serve.problems import Refusal
from app.serve.state import state_of
from app.serve.training.session import Trainer
from app.serve.training.statistics import Statistics

T = TypeVar("T")

EXAMPLE = "n-rolls owned 4 4", "no redouble"
"""The key of a question, and an answer."""


class DrillOut(BaseModel):
    """A kind of question."""

    name: str
    title: str
    text: str


class DrillsOut(BaseModel):
    """What can be asked."""

    drills: list[DrillOut]
    levels: list[Level]
    due: int
    """Questions answered wrongly before whose time to be asked again has come."""
    answered: int
    """Answers that were given so far."""


class AnswerIn(BaseModel):
    """An answer to a question."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"key": EXAMPLE[0], "given": EXAMPLE[1], "seconds": 7}]
        },
    )

    key: str = Field(max_length=100, description="Of the question.")
    given: str = Field(max_length=100, description="A number, or one of the choices.")
    seconds: float = Field(0, ge=0, le=1e7, description="How long it took.")


class ExampleOut(BaseModel):
    """A question with an answer that is marked and explained, to be looked at."""

    question: Question
    marked: Marked


class MarkedOut(Marked):
    """An answer, marked, explained and kept."""

    due: str | None
    """When the question is asked again, in UTC; null if it need not be."""


router = new_router()


def trainer_of(request: Request) -> Trainer:
    """Return the trainer of the player at this machine."""
    trainer: Trainer | None = request.app.state.trainer
    if trainer is None:
        raise Refusal(
            403,
            "the trainer keeps one player's answers; it is there only where the server "
            "serves this machine alone",
        )
    return trainer


Mine = Annotated[Trainer, Depends(trainer_of)]


async def _run(request: Request, work: Callable[[], T]) -> T:
    return await state_of(request).workers.run(work)


@router.get("/training/drills", response_model=DrillsOut)
async def drills(request: Request, trainer: Mine) -> Response:
    """The kinds of questions, the levels, and how many questions are due."""
    def asked() -> tuple[int, int]:
        return len(trainer.store.due(trainer.now())), trainer.store.count()

    due, answered = await _run(request, asked)
    named = [{"name": d.name, "title": d.title, "text": d.text} for d in DRILLS.values()]
    return as_response(
        {"drills": named, "levels": LEVELS, "due": due, "answered": answered}
    )


@router.get("/training/example", response_model=ExampleOut)
async def example(request: Request) -> Response:
    """A question with an answer, marked and explained; nothing is kept of it."""
    key, given = EXAMPLE
    found = await _run(request, lambda: mark(key, given))
    return as_response({"question": question_of(key).model_dump(), "marked": found.model_dump()})


@router.get("/training/question", response_model=Question)
async def question(
    request: Request,
    trainer: Mine,
    kinds: Annotated[
        list[str] | None, Query(max_length=20, description="Drills; all if none.")
    ] = None,
    level: Annotated[Level, Query(description="Of a new question.")] = "medium",
    last: Annotated[
        str, Query(max_length=100, description="Key of the question before.")
    ] = "",
) -> Response:
    """The next question: one that is due to be asked again, or a new one."""
    found = await _run(request, lambda: trainer.next_question(kinds or (), level, last))
    return as_response(found.model_dump())


@router.post("/training/answers", response_model=MarkedOut)
async def answer(given: AnswerIn, request: Request, trainer: Mine) -> Response:
    """Mark an answer, explain it, and keep it."""
    marked, due = await _run(
        request, lambda: trainer.answer(given.key, given.given, given.seconds)
    )
    return as_response(marked.model_dump() | {"due": due})


@router.get("/training/statistics", response_model=Statistics)
async def statistics(request: Request, trainer: Mine) -> Response:
    """Where the errors are: by drill, over time, and what leads astray."""
    from app.serve.training.statistics import statistics_of

    found = await _run(request, lambda: statistics_of(trainer.store.answers()))
    return as_response(found.model_dump())


@router.get("/training/answers.csv", response_class=Response)
async def answers_csv(request: Request, trainer: Mine) -> Response:
    """All answers as CSV."""
    from app.serve.training.export import as_csv

    text = await _run(request, lambda: as_csv(trainer.store.answers()))
    return _file(text.encode(), "answers.csv", "text/csv; charset=utf-8")


@router.get("/training/mistakes.apkg", response_class=Response)
async def mistakes_apkg(request: Request, trainer: Mine) -> Response:
    """The questions answered wrongly, as flashcards for Anki."""
    from app.serve.training.export import as_cards

    cards = await _run(request, lambda: as_cards(trainer.store.answers()))
    return _file(cards, "mistakes.apkg", "application/octet-stream")


def _file(content: bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(content, media_type=kind, headers=headers)
