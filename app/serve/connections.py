"""Connections: a request's head must be short and come soon, an answer be taken soon."""

import asyncio

from pydantic_core import to_json
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 64 << 10
"""Of a request's head, at most."""

UNREADABLE = (
    "this is no HTTP request that can be read, with a head of at most 64 KiB, address "
    "included; what is longer can be asked by POST"
)

HEAD_SECONDS = 10.0
"""In which it must have come, from its first byte or the connection's beginning."""


TAKING_SECONDS = 30.0
"""In which a client must take what waits to be sent to it."""


class Connection(HttpToolsProtocol):
    """A connection that is closed if its client is slow.

    uvicorn waits for the head of a request, and for an answer to be taken, as long as a
    client likes.
    """

    _timer: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    _came = 0
    _head_bytes = 0
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_timer()
        self._stop_taking()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the client to take what was sent."""
        super().pause_writing()
        self._taking = self.loop.call_later(TAKING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Wait no more."""
        self._stop_taking()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read on, unless the head is too long."""
        if self._in_head:
            self._came += len(data)
        super().data_received(data)
        if self._in_head and self._came > HEAD_BYTES:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what the protocol cannot read in the form of every other refusal."""
        body = to_json({"error": UNREADABLE})
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def on_message_begin(self) -> None:
        """Wait for the rest of the head."""
        super().on_message_begin()
        self._in_head = True
        if self._timer is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        """Wait no more."""
        self._stop_timer()
        self._in_head, self._came, self._head_bytes = False, 0, 0
        super().on_headers_complete()

    def on_url(self, url: bytes) -> None:
        """Count what the address adds to the head."""
        self._count(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count what a header adds to the head."""
        self._count(name, value)
        super().on_header(name, value)

    def _count(self, *parts: bytes) -> None:
        """Add to the bytes of this head, which may have come in one piece with its body.

        Raises
        ------
        ValueError
            If they are too many; `send_400_response` then answers.
        """
        self._head_bytes += sum(map(len, parts))
        if self._head_bytes > HEAD_BYTES:
            raise ValueError(f"a head has at most {HEAD_BYTES} bytes")

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
