"""Routes of reviews: judged as a whole, or begun and looked at while it goes on."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path, Query, Request
from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, JsonValue
from starlette.concurrency import run_in_threadpool

from bearoff.analysis.review import Accuracy, Total
from bearoff.app.reviews import review_judge, review_rollouts
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.models import VerdictOut
from bearoff.app.serve.review.judging import review_all
from bearoff.app.serve.review.kept import ReviewJob, ReviewJobs, Status
from bearoff.app.serve.state import State, state_of
from bearoff.app.serve.work import current

EXAMPLE: JsonValue = {"positions": "position,dice,played\nLwAAwC0AAAAAAA,2-1,2/off 1/off"}


class FileIn(BaseModel):
    """A file, as text or, if it is none, in base64."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=200)
    text: str = ""
    data: Base64Bytes | None = Field(
        None, description="In place of the text, in base64: .xg, .bgf, .gvab."
    )

    @property
    def content(self) -> str | bytes:
        """What the file holds."""
        return self.text if self.data is None else self.data


class ReviewIn(BaseModel):
    """What is to be judged."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    files: Annotated[list[FileIn], Field(max_length=100)] = Field(
        [],
        description="Matches: .mat, .sgf, .gva, eXtreme Gammon's text, in base64 its .xg, "
        "BGBlitz's .bgf and OGXM; or lists of positions, as below.",
    )
    positions: str = Field(
        "",
        description="A position a line, a heading and rows as of bearoff race --from, or "
        "text that eXtreme Gammon or BGBlitz copied.",
    )
    error: float | None = Field(
        None,
        ge=0.0005,
        le=1,
        description="Standard error of rollouts where nothing exact holds a race; by "
        "default none are played, and the fast model answers.",
    )
    races_only: bool = Field(
        False,
        description="Leave out what comes before the races, which is estimated.",
    )
    keep: bool = Field(
        True,
        description="Keep it in the player's library, on a server for this machine alone.",
    )


class EquityOut(BaseModel):
    """What the file's analysis says of a choice."""

    name: str
    equity: float


class DecisionOut(VerdictOut):
    """A decision of a match or a list, judged."""

    number: int
    """In the order in which they were made, from 1."""
    source: str
    game: int
    line: int
    player: str
    roller: list[int]
    """Checkers on the points from the ace; with contact 25, the last on the bar."""
    opponent: list[int]
    cube: str
    cube_value: int
    dice: list[int] | None
    score: str | None
    file_program: str
    """Whose analysis the file has of it; empty if none."""
    file_level: str
    file_best: str
    file_equity: float | None
    file_cost: float | None
    file_equities: list[EquityOut]
    """By the file's analysis; empty if it has none."""
    comment: str


class ReviewOut(BaseModel):
    """Decisions, the costliest first, sums, and what could not be judged."""

    decisions: list[DecisionOut]
    totals: list[Total]
    players: list[Total]
    """By file and player, of all decisions."""
    races: list[Total]
    """By file and player, of races alone."""
    estimates: Accuracy
    problems: list[str]
    kept: list[int]
    """Numbers of the matches and lists in the library, if they are kept."""
    patience: float
    """Seconds that solving a race at a score may take, wherever a match is reviewed."""
    skipped: int
    """Turns of matches before the race, if races alone are judged."""


class GoingOut(BaseModel):
    """A review that was begun."""

    id: str
    status: Status
    error: str | None
    """Why it failed, a sentence."""
    done: int
    """Decisions judged for good."""
    decisions: int
    news: int
    """Grows whenever more is known."""
    found: ReviewOut | None
    """What is known so far, at first by the fast model; null if there is nothing new."""


router = new_router()


@router.post("/review")
async def review(asked: ReviewIn, request: Request) -> ReviewOut:
    """Judge matches, or a list of positions, decision by decision."""
    state = state_of(request)

    def work() -> ReviewOut:
        task = current.get()
        return ReviewOut(**_reviewed(state, asked, lambda *_: task.check()))

    return await state.rollouts.run(work)


@router.post("/reviews")
async def begin(asked: ReviewIn, request: Request) -> GoingOut:
    """Begin a review that goes on by itself, to be looked at by its id."""
    state = state_of(request)

    def work(going: ReviewJob) -> dict[str, Any]:
        return _reviewed(state, asked, going.step, going.watch)

    seconds = state.settings.rollout_seconds
    going = _kept(request).start(state.rollouts, seconds, work)
    return GoingOut(**going.look(0))


@router.get("/reviews/{id}")
async def look(
    request: Request,
    id: Annotated[str, Path(max_length=40)],
    news: Annotated[
        int, Query(description="Of the last look; what is old is left out.")
    ] = -1,
) -> GoingOut:
    """How far a review is, and what is known so far; it ends if nobody looks."""
    going = _kept(request).find(id)
    return await run_in_threadpool(lambda: GoingOut(**going.look(news)))


@router.delete("/reviews/{id}")
async def stop(request: Request, id: Annotated[str, Path(max_length=40)]) -> GoingOut:
    """End a review; what is known so far stays."""
    going = _kept(request).find(id)
    going.task.stop()
    return GoingOut(**going.look(going.news))


def _kept(request: Request) -> ReviewJobs:
    kept: ReviewJobs = request.app.state.reviews
    return kept


def _reviewed(
    state: State,
    asked: ReviewIn,
    on_done: Callable[[int, int], object],
    on_known: Callable[[Callable[[], dict[str, Any]]], object] = lambda known: None,
) -> dict[str, Any]:
    def step(done: int, decisions: int) -> None:
        current.get().check()
        on_done(done, decisions)

    files = [(one.name, one.content) for one in asked.files]
    judge = review_judge(current.get().check)
    roll_out = None
    if asked.error is not None:
        roll_out = review_rollouts(asked.error, watch=current.get().check)
    most = state.settings.races
    library = state.library if asked.keep else None
    return review_all(
        files,
        asked.positions,
        judge,
        roll_out,
        most,
        step,
        library,
        on_known,
        races_only=asked.races_only,
    )
