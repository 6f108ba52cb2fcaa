"""Work in a thread whose progress is sent to the client as server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from pydantic_core import to_json
from starlette.responses import StreamingResponse

from bearoff import BearoffError
from bearoff.app.serve.problems import in_one_line
from bearoff.app.serve.state import State
from bearoff.app.serve.work import Stopped, Task

EVERY = 0.1
"""Minimum interval between two progress events, in seconds."""

QUIET = 10.0
"""Time in seconds without an event after which a comment line keeps the stream open."""

DESCRIPTION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "event": {"enum": ["progress", "result", "failed"]},
        "data": {"type": "string", "description": "JSON"},
    },
}
"""OpenAPI schema of the stream of server-sent events."""


class Events:
    """Stream of progress events, followed by a result or an error.

    Parameters
    ----------
    state : State
        Shared state of the server, whose threads for rollouts do the work.
    work : callable
        Function that does the work in a thread; it receives this object and returns the
        result.
    name : str
        Word for the work in error messages, such as "rollout".
    remedy : str
        Advice to the user if the work takes too long.

    Raises
    ------
    Refusal
        If the server is already doing as much such work as it accepts.
    """

    def __init__(
        self,
        state: State,
        work: Callable[["Events"], dict[str, Any]],
        name: str,
        remedy: str,
    ) -> None:
        self._seconds = state.settings.rollout_seconds
        self._name, self._remedy = name, remedy
        self._loop = asyncio.get_running_loop()
        self._news: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        self._told = 0.0
        self.task = Task(self._seconds)
        self._future = state.rollouts.start(lambda: self._run(work), self.task)

    def progress(
        self, found: Callable[[], dict[str, Any]], *, always: bool = False
    ) -> None:
        """Send a progress event, unless one was sent recently."""
        self.task.check()
        if always or monotonic() - self._told >= EVERY:
            self._told = monotonic()
            self._say("progress", found())

    def response(self) -> StreamingResponse:
        """Return the streaming response; the work stops when the client disconnects."""
        return StreamingResponse(
            self._written(),
            media_type="text/event-stream",
            # The header "X-Accel-Buffering: no" tells proxies to pass on each event at
            # once.
            headers={"X-Accel-Buffering": "no"},
        )

    async def _written(self) -> AsyncIterator[bytes]:
        try:
            while True:
                try:
                    kind, found = await asyncio.wait_for(self._news.get(), QUIET)
                except TimeoutError:
                    yield b": still at it\n\n"
                    continue
                data = to_json(found, inf_nan_mode="null").decode()
                yield f"event: {kind}\ndata: {data}\n\n".encode()
                if kind != "progress":
                    return
        finally:
            self.task.stop()
            self._future.add_done_callback(lambda f: f.cancelled() or f.exception())

    def _run(self, work: Callable[["Events"], dict[str, Any]]) -> None:
        try:
            self._say("result", work(self))
        except BearoffError as error:
            self._say("failed", {"error": in_one_line(error)})
        except Stopped:
            most = f"the {self._name} takes more than {self._seconds:g} seconds"
            why = f"{most}; {self._remedy}"
            self._say("failed", {"error": why})
        except Exception:
            why = f"the server failed at this {self._name}; other requests still work"
            self._say("failed", {"error": why})
            raise

    def _say(self, kind: str, found: dict[str, Any]) -> None:
        # The event loop may already be closed if the server is shutting down.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._news.put_nowait, (kind, found))
