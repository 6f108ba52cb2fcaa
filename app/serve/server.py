"""Server process: socket, warm-up, browser and shutdown."""

import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace

import uvicorn
from fastapi import FastAPI

from bearoff import BearoffError
from bearoff.app.answer_cache import AnswerCache
from bearoff.app.serve.answering import answer_one, answer_rows
from bearoff.app.serve.application import create_app
from bearoff.app.serve.asking import question_of
from bearoff.app.serve.connections import Connection
from bearoff.app.serve.judges import SOON, Judges
from bearoff.app.serve.models import AskedIn
from bearoff.app.serve.no_chance import routes as no_chance
from bearoff.app.serve.play.room import Room
from bearoff.app.serve.settings import Settings
from bearoff.runtime import (
    format_bytes,
    limit_memory,
    memory_available,
    memory_taken,
    return_freed_memory,
)

ENDING = 2
"""Time in seconds that requests in progress have to end when the server is stopped."""

_WARMING = (
    {"roller": "0,0,1", "opponent": "0,1,1", "dice": "2-1"},
    {"roller": "0,2,2,4,1,6", "opponent": "1,1,2,4,1,6", "dice": "6-4"},
    {"roller": "[5,5,6,7,8]", "opponent": "[4,4,5,7,9]", "dice": "6-4"},
    {"roller": "0,0,1", "opponent": "0,1,1", "score": "2-2"},
)
"""Races of different kinds, evaluated when the server starts, so that the code for them is
compiled before the first request."""

_PLAIN = {"roller": "0,2,2,4,1,6", "opponent": "1,1,2,4,1,6"}
"""Race, with each side as a text, by which the code for many races is compiled."""

_EVERYTHING = {"market": True, "rolls": True, "patience": 0}


def serve(settings: Settings, *, browser: bool, say: Callable[[str], None]) -> None:
    """Run the server until it is interrupted."""
    return_freed_memory()
    with _listening(settings) as listening:
        memory = memory_available() // 2
        limit_memory(memory_taken() + memory)
        port = listening.getsockname()[1]
        settings = replace(settings, port=port)
        judges = _judges()
        app = create_app(settings, judges)
        rooms = _rooms(app)
        for room in rooms:
            room.cold = True
        # The code for games is compiled in the background; meanwhile the page's calculator
        # can be used.
        threading.Thread(target=_warm, args=(rooms,), daemon=True).start()
        server = uvicorn.Server(configured(app))
        say(
            f"the page is at {_address(settings)}; Ctrl-C stops the server; memory for "
            f"answers: at most {format_bytes(memory)}, half of the free memory"
        )
        if browser:
            # The socket is already listening, so browsers may connect before the server
            # runs.
            threading.Thread(
                target=webbrowser.open, args=(_address(settings),), daemon=True
            ).start()
        server.run([listening])


def compile_all() -> None:
    """Compile all code that the page needs, without starting a server."""
    _warm(_rooms(create_app(Settings(), _judges())))


def _judges() -> Judges:
    """Return the object that computes answers, after compiling its code."""
    judges = Judges(cache=AnswerCache())
    for race in _WARMING:
        asked = AskedIn.model_validate(race | _EVERYTHING)
        question = question_of(asked)
        answer_one(judges, judges.look_up(question.race), question, asked)
    answer_rows(judges.judge(0.0), [_PLAIN])
    return judges


def _rooms(app: FastAPI) -> list[Room | no_chance.NoChanceRoom]:
    """Return the objects for games against the program."""
    return [room for room in (app.state.play, app.state.no_chance) if room is not None]


def _warm(rooms: list[Room | no_chance.NoChanceRoom]) -> None:
    """Compile the code for solving races and for games."""
    answer_rows(Judges([]).judge(SOON), [_WARMING[0]])
    for room in rooms:
        try:
            room.warm()
        finally:  # If compiling fails, the error appears again as soon as a game is played.
            room.cold = False


def configured(app: FastAPI) -> uvicorn.Config:
    """Return the uvicorn configuration of the application."""
    return uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=app.state.shared.settings.connections,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=ENDING,
    )


def _listening(settings: Settings) -> socket.socket:
    """Return a socket that listens at the configured address."""
    host, port = settings.host, settings.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise BearoffError(f"{host!r} is not an address of this machine: {error}") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(1024)
    except OSError as error:
        listening.close()
        raise BearoffError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}; choose "
            "another port with --port, or 0 for any free one"
        ) from None
    return listening


def _address(settings: Settings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}/"
