"""JSON as pydantic's core reads and writes it: fast, and safe from deep nesting.

Routes that take a body of JSON and nothing else are answered before the framework: FastAPI
describes them and says what is wrong with a body, but finding a route and what it depends
on takes it longer than an answer takes.
"""

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, NamedTuple

import orjson
from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bearoff import BearoffError
from bearoff.app.serve.problems import Error, Refusal, in_one_line, refusal


def new_router() -> APIRouter:
    """Return a router whose routes read JSON so, and tell of errors."""
    return APIRouter(
        route_class=_Route, responses={"4XX": {"model": Error}, "5XX": {"model": Error}}
    )


def as_response(found: object) -> Response:
    """Return a response of JSON; what is not a number becomes null."""
    return Response(orjson.dumps(found), media_type=JSON)


def read_json(body: bytes) -> Any:
    """Read the body of a request.

    Raises
    ------
    Refusal
        If it is no JSON.
    """
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise Refusal(400, f"the body is no JSON: {error}") from None


class _Request(Request):
    async def json(self) -> Any:
        return read_json(await self.body())


class _Route(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def read(request: Request) -> Response:
            return await handle(_Request(request.scope, request.receive))

        return read


JSON = "application/json"

_JSON = (b"content-type", JSON.encode())


class _Taker(NamedTuple):
    """A route: its function, and name and model of the body."""

    endpoint: Callable[..., Awaitable[Response]]
    body: str
    model: type[BaseModel]


class Direct:
    """Answers such requests if their body is right; all others go on.

    Parameters
    ----------
    app : ASGI application
        What answers the others.
    prefix : str
        Of the paths of all routes.
    routers : iterable of APIRouter
        Of the POST routes among theirs.
    """

    def __init__(self, app: ASGIApp, prefix: str, routers: Iterable[APIRouter]) -> None:
        self._app = app
        self._takers = {
            f"{prefix}{route.path}": taker
            for router in routers
            for route in router.routes
            if isinstance(route, APIRoute) and (taker := _taker(route))
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with its body."""
        if scope["type"] == "http" and scope["method"] == "POST":
            scope = _with_type(scope)
        taker = self._takers.get(scope.get("path", ""))
        if taker is None or scope["method"] != "POST" or _JSON not in scope["headers"]:
            await self._app(scope, receive, send)
            return
        parts, more = [], True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
        body = b"".join(parts)
        try:
            asked = taker.model.__pydantic_validator__.validate_python(read_json(body))
        except (ValidationError, Refusal):  # What is wrong is said there.
            await self._app(scope, _again(body, receive), send)
            return
        request = Request(scope, receive)
        try:
            response = await taker.endpoint(**{taker.body: asked, "request": request})
        except BearoffError as error:
            response = refusal(400, in_one_line(error))
        except Refusal as error:
            response = refusal(error.status_code, error.detail)
        await response(scope, receive, send)


_UNTYPED = (b"", b"application/x-www-form-urlencoded")
"""What curl says of a body if it is not told."""

_BROWSER = frozenset((b"origin", b"referer", b"sec-fetch-site"))
"""What tells of a page: one elsewhere may have a browser send a text or a form unasked."""


def _with_type(scope: Scope) -> Scope:
    """Let a body whose type a program did not say be JSON; of browsers it must be said."""
    if _JSON in scope["headers"]:
        return scope
    headers = dict(scope["headers"])
    if headers.get(b"content-type", b"") not in _UNTYPED or _BROWSER & headers.keys():
        return scope
    others = [one for one in scope["headers"] if one[0] != b"content-type"]
    return {**scope, "headers": [*others, _JSON]}


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what receives a body that was read, and then what comes after it."""
    left = [body]

    async def received() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return received


def _taker(route: APIRoute) -> _Taker | None:
    """Return a route that a body of JSON is all that it takes; None of any other."""
    needs = route.dependant
    others = [needs.path_params, needs.query_params, needs.header_params]
    others += [needs.cookie_params, needs.body_params[1:]]
    if any(others) or needs.dependencies or needs.request_param_name != "request":
        return None
    for body in needs.body_params:
        model = body.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            return _Taker(route.endpoint, body.name, model)
    return None
