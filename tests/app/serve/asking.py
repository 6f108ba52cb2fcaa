"""HTTP requests to the web application in this process, without a network connection."""

import asyncio
import io
import re
import sqlite3
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partialmethod

import httpx

from bearoff.app.serve.application import create_app
from bearoff.app.serve.guard import HEADERS
from bearoff.app.serve.play.store import Matches
from bearoff.app.serve.settings import Settings
from tests.app.serve import described

HANGS = 300.0
"""Time limit in seconds, after which a waiting test fails.

A server with empty caches compiles for 60 to 90 seconds on two busy cores, and for more
than 150 where ten processes wait for each core."""

HERE = "http://127.0.0.1:8642"

LOW = "LwAAwC0AAAAAAA"
"""Position ID of a race of 10 pips against 6 pips."""

SHORT = {"roller": "0,1,1,0,0,1", "opponent": "0,1,0,0,1,0"}
BEYOND = {"roller": "[5,5,6,6,6,7,8,8,9]", "opponent": "[4,4,5,6,6,6,7,8,10]"}


def run(coroutine):
    """Run a coroutine in another thread, which has no event loop yet."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def until(is_so, wait=0.05):
    """Wait until a function returns a true value, and call it again after each wait."""
    ends = time.monotonic() + HANGS
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(wait)


class Client:
    """Client of one application, which checks each answer against the OpenAPI document."""

    def __init__(self, app, host=HERE):
        self._app, self._host = app, host

    def ask(self, method, path, **more):
        async def answer():
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(
                transport=transport, base_url=self._host, timeout=HANGS
            ) as client:
                return await client.request(method, path, **more)

        response = run(answer())
        described.check(response)
        return response

    get = partialmethod(ask, "GET")
    post = partialmethod(ask, "POST")
    delete = partialmethod(ask, "DELETE")


def client_of(judges=None, host=HERE, *, library=None, trainer=None, **settings):
    """Return a client of a new application with these settings."""
    asked = Settings(**{"seconds": HANGS} | settings)
    return Client(create_app(asked, judges, library=library, trainer=trainer), host)


def refused(found, named="", status=400):
    """Check that a request is refused in one sentence with these words."""
    asked = f"{found.request.method} {found.request.url} {found.request.content[:300]!r}"
    assert found.status_code == status, asked
    (said,) = found.json().values()
    assert re.match(r"[^\n]{10,400}$", said), asked
    assert named in said, asked
    assert found.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


class Player:
    """Client that plays a game over HTTP. `game` is the state that the server sent last.

    Subclasses define the URL path of games as `place`, and the usual rules of a game.
    """

    def __init__(self, folder, game=None, library=None):
        settings = Settings(seconds=HANGS)
        self.client = Client(create_app(settings, matches=Matches(folder), library=library))
        self.game = game or {}

    def told(self, response):
        assert response.status_code == 200, response.text
        return response.json()

    def begin(self, **rules):
        self.game = self.told(self.client.post(self.place, json=self.rules | rules))
        return self.game

    def seen(self):
        """Return the game's state as the server has stored it."""
        return self.told(self.client.get(f"{self.place}/{self.game['key']}"))

    def listed(self):
        """Return the server's list of games."""
        return self.client.get(self.place.rpartition("/")[0]).json()

    def is_damaged(self, name):
        """Check that the server names the file of the game as damaged."""
        found = self.client.get(f"{self.place}/{self.game['key']}")
        refused(found, name, 409)
        assert self.listed()["damaged"] == [found.json()["error"]]

    def path(self, what):
        return f"{self.place}/{self.game['key']}/{what}"

    def post(self, what, **body):
        return self.client.post(self.path(what), json=body)

    def do(self, do, **body):
        self.game = self.told(self.post("actions", do=do, **body))
        return self.game

    def decide(self):
        """Let the opponent make a decision; return the new state of the game."""
        self.game = self.told(self.post("decide"))
        return self.game

    def refused(self, what, named="", status=400, **body):
        """Send a request, which the server must refuse with this status and these words."""
        refused(self.post(what, **body), named, status)

    def refused_and_unchanged(self, named, **body):
        """Send an invalid action, and one of an outdated tab: the game stays as it is."""
        before = self.seen()
        self.refused("actions", named, **body)
        self.refused("actions", status=409, do="undo", version=99)
        assert self.seen() == before


def cards_of(response):
    """Return the texts of all flashcards in a file for Anki."""
    assert response.status_code == 200
    with zipfile.ZipFile(io.BytesIO(response.content)) as package:
        content = package.read("collection.anki2")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(content)
        rows = connection.execute("SELECT flds FROM notes").fetchall()
    return [row[0].split("\x1f") for row in rows]
