"""Checks of requests (host, origin, size, speed), and security headers of responses.

Another page in the same browser can send requests to this machine, and a foreign host name
can resolve to its address. The host of a request must therefore be a known name, and the
origin must be the same host.
"""

import asyncio
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bearoff.app.serve.policy import DIRECTIVES, written
from bearoff.app.serve.problems import Refusal, refusal
from bearoff.app.serve.settings import Settings

HEADERS = {
    "Content-Security-Policy": written(DIRECTIVES),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Security headers of every response."""

_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """ASGI middleware that rejects invalid requests.

    Parameters
    ----------
    app : ASGI application
        Application that answers valid requests.
    settings : Settings
        Allowed host names, and limits of sizes and times.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._names = settings.allowed_names
        self._held = _Held(settings.bodies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or reject it with a reason."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def guarded_send(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = [*message["headers"], *_HEADERS]
                if not any(name == b"cache-control" for name, _ in headers):
                    # "no-cache" lets browsers keep the page's modules, but they must ask
                    # whether the modules have changed.
                    api = scope["path"].startswith("/api/")
                    headers.append((b"cache-control", b"no-store" if api else b"no-cache"))
                message["headers"] = headers
            await send(message)

        body = _Body(receive, self._settings, self._held)
        try:
            self._check(scope)
            await self._app(scope, body.receive, guarded_send)
        except Refusal as refused:
            if not started:
                await refusal(refused.status_code, refused.detail)(
                    scope, receive, guarded_send
                )
        finally:
            body.let_go()

    def _check(self, scope: Scope) -> None:
        # If a header is repeated, its first value counts.
        headers = dict(reversed(scope["headers"]))
        if (hosts := sum(name == b"host" for name, _ in scope["headers"])) > 1:
            raise Refusal(400, f"a request must have exactly one Host header, got {hosts}")
        host = headers.get(b"host", b"").decode("latin-1")
        if _name(host) not in self._names:
            raise Refusal(
                403,
                f"this server does not accept the host name {host[:100]!r}; to allow it, "
                "start the server with --allow-host and the name",
            )
        if b"origin" in headers:
            origin = headers[b"origin"].decode("latin-1")
            if _netloc(origin) != host.lower():
                raise Refusal(403, f"pages from {origin[:100]!r} may not use this server")
        if headers.get(b"sec-fetch-site") == b"cross-site":
            navigates = headers.get(b"sec-fetch-mode") == b"navigate"
            if not navigates or scope["path"] != "/":
                raise Refusal(403, "pages from other sites may not use this server")
        length = headers.get(b"content-length", b"0")
        if len(length) > 12 or not length.isdigit() or int(length) > self._settings.body:
            raise Refusal(413, _too_large(self._settings))


@dataclass
class _Held:
    """Total size of the bodies of all current requests, with its limit."""

    most: int
    bytes: int = 0


class _Body:
    """Stream of a request's body that limits the size of the body and the time."""

    def __init__(self, receive: Receive, settings: Settings, held: _Held) -> None:
        self._receive, self._settings, self._held = receive, settings, held
        self._bytes = 0
        self._whole = False
        self._until = asyncio.get_running_loop().time() + settings.seconds

    async def receive(self) -> Message:
        """Receive the next part of the body or, after its end, the disconnection."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise Refusal(408, "the request took too long to arrive") from None
        size = len(message.get("body", b""))
        self._bytes += size
        self._held.bytes += size
        if self._held.bytes > self._held.most:
            raise Refusal(503, "too many requests are being received; try again soon")
        self._whole = not message.get("more_body", False)
        if self._bytes > self._settings.body:
            raise Refusal(413, _too_large(self._settings))
        return message

    def let_go(self) -> None:
        """Subtract the size of this request body from the total of all current bodies."""
        self._held.bytes -= self._bytes
        self._bytes = 0


def _too_large(settings: Settings) -> str:
    return f"a request has at most {settings.body / 1e6:g} MB; send several requests"


@lru_cache(maxsize=64)
def _name(host: str) -> str:
    """Return a host name without port in lower case; empty if it is invalid."""
    try:
        return (urlsplit(f"//{host}").hostname or "") if "@" not in host else ""
    except ValueError:
        return ""


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
