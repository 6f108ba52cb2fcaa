"""HTTP connections with limits for slow clients and for large request headers."""

import asyncio

from pydantic_core import to_json
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 64 << 10
"""Maximum size of a request's URL and headers, in bytes."""

UNREADABLE = (
    "the request is not valid HTTP, or its URL and headers exceed 64 KiB; send longer "
    "questions by POST"
)

HEAD_SECONDS = 10.0
"""Time limit for receiving the headers of a request, in seconds."""


TAKING_SECONDS = 30.0
"""Time limit for a client to accept pending response data, in seconds."""


class Connection(HttpToolsProtocol):
    """HTTP connection that is closed if the client is too slow.

    By default, uvicorn waits forever for the headers of a request, and for a client to
    accept a response.
    """

    _timer: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    _came = 0
    _head_bytes = 0
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit for the headers of the first request."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers of the connection."""
        self._stop_timer()
        self._stop_taking()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the time limit for the client to accept data."""
        super().pause_writing()
        self._taking = self.loop.call_later(TAKING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the time limit for the client to accept data."""
        self._stop_taking()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Parse received data; close the connection if the URL and headers are too long."""
        if self._in_head:
            self._came += len(data)
        super().data_received(data)
        if self._in_head and self._came > HEAD_BYTES:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Reject an unreadable request in the format of all error responses."""
        body = to_json({"error": UNREADABLE})
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def on_message_begin(self) -> None:
        """Start the time limit for the headers of a request."""
        super().on_message_begin()
        self._in_head = True
        if self._timer is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        """Stop the time limit for the headers of a request."""
        self._stop_timer()
        self._in_head, self._came, self._head_bytes = False, 0, 0
        super().on_headers_complete()

    def on_url(self, url: bytes) -> None:
        self._count(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(name, value)
        super().on_header(name, value)

    def _count(self, *parts: bytes) -> None:
        """Add to the total size of URL and headers; raise ValueError if it is too large."""
        self._head_bytes += sum(map(len, parts))
        if self._head_bytes > HEAD_BYTES:
            raise ValueError(f"the head of a request may have at most {HEAD_BYTES} bytes")

    def _await_head(self) -> None:
        self._timer = self.loop.call_later(HEAD_SECONDS, self._too_late)

    def _too_late(self) -> None:
        self._timer = None
        self.transport.close()

    def _stop_taking(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
