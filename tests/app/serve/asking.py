"""Requests to an application in this process, without a socket."""

import asyncio
import io
import sqlite3
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx

from tests.app.serve import described

HANGS = 300.0
"""Seconds after which a wait fails.

A server with empty caches compiles for 60 to 90 seconds on two busy cores, and for more
than 150 where ten processes wait for each core.
"""


def run(coroutine):
    """Return the result of a coroutine; a browser already uses this thread's event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


class Client:
    """Client of one application, which checks each answer against the OpenAPI document."""

    def __init__(self, app, host="http://127.0.0.1:8642"):
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


def cards_of(response):
    """Return the fields of each note of an Anki package."""
    assert response.status_code == 200
    with zipfile.ZipFile(io.BytesIO(response.content)) as package:
        content = package.read("collection.anki2")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(content)
        rows = connection.execute("SELECT flds FROM notes").fetchall()
    return [row[0].split("\x1f") for row in rows]
