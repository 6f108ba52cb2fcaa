"""Web application: routes, static files and request checks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from bearoff.app.library.fetching import NothingThere
from bearoff.app.library.library import Library, open_library
from bearoff.app.serve.answering import size_of
from bearoff.app.serve.drills.own import Own
from bearoff.app.serve.guard import Guard
from bearoff.app.serve.judges import Judges
from bearoff.app.serve.library import routes as library_routes
from bearoff.app.serve.models import HealthOut
from bearoff.app.serve.no_chance import routes as no_chance
from bearoff.app.serve.no_chance.games import Game
from bearoff.app.serve.play import routes as play
from bearoff.app.serve.play.files import GameFiles
from bearoff.app.serve.play.room import Room
from bearoff.app.serve.play.store import Matches
from bearoff.app.serve.problems import add_handlers
from bearoff.app.serve.review import routes as review
from bearoff.app.serve.review.kept import ReviewJobs
from bearoff.app.serve.routes import (
    charts,
    distribution,
    formulas,
    glossary,
    races,
    rollouts,
)
from bearoff.app.serve.settings import Settings
from bearoff.app.serve.state import State, pools_of, state_of
from bearoff.app.serve.training import routes as training
from bearoff.app.serve.training.session import NothingLeft, Trainer
from bearoff.app.serve.training.store import AnsweredAlready, Store, store_path
from bearoff.app.serve.work import Workers

WEB = Path(__file__).with_name("web")
"""Folder of the web page's static files."""

PREFIX = "/api/v1"

_STATUSES = {NothingThere: 404, NothingLeft: 404, AnsweredAlready: 409}


def create_app(
    settings: Settings | None = None,
    judges: Judges | None = None,
    trainer: Trainer | None = None,
    library: Library | None = None,
    matches: Matches | None = None,
) -> FastAPI:
    settings = settings or Settings()
    if library is None and settings.private:
        library = open_library()
    shared = State(
        settings,
        judges or Judges(),
        Workers(settings.threads, settings.waiting, settings.seconds),
        Workers(settings.threads, settings.waiting, settings.seconds),
        Workers(settings.threads, settings.waiting, settings.seconds),
        Workers(settings.rollouts, 0, settings.rollout_seconds),
        library,
    )
    thinkers = Workers(settings.threads, settings.waiting, settings.seconds)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        for workers in (*pools_of(shared), thinkers):
            workers.close()

    app = FastAPI(
        title="bearoff",
        version=version("bearoff"),
        summary="HTTP API of the race laboratory of backgammon.",
        openapi_url=f"{PREFIX}/openapi.json",
        # FastAPI's documentation pages load scripts from other hosts, so they are turned
        # off.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.shared = shared
    if trainer is None and settings.private:
        trainer = Trainer(Store(store_path()))
    if trainer is not None and library is not None:
        own = Own(library, shared.judges)
        trainer = replace(trainer, drills=trainer.drills.plus(own))
    app.state.trainer = trainer
    if matches is None and settings.private:
        matches = Matches(store_path().with_name("matches"))
    app.state.play = app.state.no_chance = None
    if matches is not None:
        app.state.play = Room(matches, shared.judges, thinkers)
        games = GameFiles(matches.folder / "no-chance", Game.of_json)
        app.state.no_chance = no_chance.NoChanceRoom(games, thinkers)
    app.state.reviews = ReviewJobs()
    rooms = races, distribution, formulas, rollouts, charts, review, training, glossary
    routers = [room.router for room in (*rooms, library_routes, play, no_chance)]
    for router in routers:
        app.include_router(router, prefix=PREFIX)
    add_handlers(app, PREFIX, routers, _STATUSES)
    app.add_api_route("/health", _health)
    app.router.routes.append(_Page("/", StaticFiles(directory=WEB, html=True)))
    app.add_middleware(Guard, settings=settings)
    return app


class _Page(Mount):
    """Route to the web page's static files, for all addresses outside the API."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match only addresses outside the API, whose routes have their own errors."""
        if scope["path"].startswith(PREFIX):
            return Match.NONE, {}
        return super().matches(scope)


async def _health(request: Request) -> HealthOut:
    """Return the tables, and the numbers of active and of waiting requests."""
    state = state_of(request)
    pools = pools_of(state)
    return HealthOut(
        status="ok",
        version=version("bearoff"),
        tables=[size_of(table) for table in state.judges.tables],
        busy=sum(pool.busy for pool in pools),
        waiting=sum(pool.waiting for pool in pools),
    )
