"""HTTP requests to the web application in this process, without a network connection."""

import asyncio
import io
import re
import sqlite3
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx

from bearoff.app.serve.application import create_app
from bearoff.app.serve.guard import HEADERS
from bearoff.app.serve.settings import Settings
from tests.app.serve import described

HANGS = 300.0
"""Time limit in seconds, after which a waiting test fails.

A server with empty caches compiles for 60 to 90 seconds on two busy cores, and for more
than 150 where ten processes wait for each core."""


HERE = "http://127.0.0.1:8642"


def run(coroutine):
    """Run a coroutine in another thread, which has no event loop yet."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


class Client:
    """Client of one application, which checks each answer against the OpenAPI document."""

    def __init__(self, app, host=HERE):
        self._app, self._host = app, host

    def get(self, path, **more):
        return self._ask("GET", path, **more)

    def post(self, path, **more):
        return self._ask("POST", path, **more)

    def delete(self, path, **more):
        return self._ask("DELETE", path, **more)

    def _ask(self, method, path, **more):
        async def ask():
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(
                transport=transport, base_url=self._host, timeout=HANGS
            ) as client:
                return await client.request(method, path, **more)

        response = run(ask())
        described.check(response)
        return response


def client_of(judges=None, host=HERE, *, library=None, trainer=None, **settings):
    """Return a client of a new application with these settings."""
    asked = Settings(**{"seconds": HANGS} | settings)
    return Client(create_app(asked, judges, library=library, trainer=trainer), host)


def refused(found, named="", status=400):
    """Check that a request is refused in one sentence with these words."""
    assert found.status_code == status
    (said,) = found.json().values()
    assert re.match(r"[^\n]{10,400}$", said)
    assert named in said
    assert found.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


class Player:
    """Client that plays a game over HTTP. `game` is the state that the server sent last."""

    def __init__(self, app, place, **rules):
        self.client, self.place, self.rules = Client(app), place, rules
        self.game = {}

    def told(self, response):
        assert response.status_code == 200, response.text
        return response.json()

    def begin(self, **rules):
        self.game = self.told(self.client.post(self.place, json=self.rules | rules))
        return self.game

    def seen(self):
        """Return the game's state as the server has stored it."""
        return self.told(self.client.get(f"{self.place}/{self.game['key']}"))

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
