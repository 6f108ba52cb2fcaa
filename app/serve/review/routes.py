"""HTTP routes of reviews, which are answered at once or run in the background."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Path, Query, Request
from starlette.concurrency import run_in_threadpool

from bearoff.app.reviews import review_judge, review_rollouts
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.review.judging import Known, review_all, review_out
from bearoff.app.serve.review.kept import ReviewJob, ReviewJobs
from bearoff.app.serve.review.models import GoingOut, ReviewIn, ReviewOut
from bearoff.app.serve.state import State, state_of
from bearoff.app.serve.work import current

router = new_router()


@router.post("/review")
async def review(asked: ReviewIn, request: Request) -> ReviewOut:
    """Judge matches, or a list of positions, decision by decision."""
    state = state_of(request)

    def work() -> ReviewOut:
        task = current.get()
        return review_out(_reviewed(state, asked, lambda *_: task.check()))

    return await state.rollouts.run(work)


@router.post("/reviews")
async def begin(asked: ReviewIn, request: Request) -> GoingOut:
    """Start a review in the background; results can be requested by its id."""
    state = state_of(request)

    def work(going: ReviewJob) -> Known:
        return _reviewed(state, asked, going.step, going.watch)

    seconds = state.settings.rollout_seconds
    going = _kept(request).start(state.rollouts, seconds, work)
    return _told(going, 0)


@router.get("/reviews/{id}")
async def look(
    request: Request,
    id: Annotated[str, Path(max_length=40)],
    news: Annotated[
        int,
        Query(description="Version of the last response; only newer results are returned."),
    ] = -1,
) -> GoingOut:
    """Return a review's progress and results; without requests, the review is stopped."""
    going = _kept(request).find(id)
    return await run_in_threadpool(_told, going, news)


@router.delete("/reviews/{id}")
async def stop(request: Request, id: Annotated[str, Path(max_length=40)]) -> GoingOut:
    """Stop a review; its results so far remain available."""
    going = _kept(request).find(id)
    going.task.stop()
    return _told(going)


def _told(going: ReviewJob, since: int | None = None) -> GoingOut:
    """Return a review's progress, and its results since the version `since`, if given."""
    # Reading the status before the results ensures that the results of a finished review
    # are final.
    status = going.status
    news = going.look()
    found = None
    if since is not None and news.known is not None and news.number != since:
        found = review_out(news.known, news.newer(since))
    return GoingOut(
        id=going.id,
        status=status,
        error=going.error,
        done=going.done,
        decisions=going.decisions,
        news=news.number,
        known=0 if news.known is None else len(news.known.judged),
        found=found,
    )


def _kept(request: Request) -> ReviewJobs:
    kept: ReviewJobs = request.app.state.reviews
    return kept


def _reviewed(
    state: State,
    asked: ReviewIn,
    on_done: Callable[[int, int], object],
    on_known: Callable[[Callable[[], Known]], object] = lambda known: None,
) -> Known:
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
        deep=asked.deep,
    )
