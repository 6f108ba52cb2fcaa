"""Routes that share one parser of JSON bodies, and reject unknown parameters."""

from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.responses import Response
from starlette.types import Scope

from bearoff.app.race_answers.wrong import what_is_wrong
from bearoff.app.serve.problems import Error, Refusal
from bearoff.checks import did_you_mean


def new_router() -> APIRouter:
    """Return a router whose error responses are described in OpenAPI."""
    return APIRouter(
        route_class=_Route, responses={"4XX": {"model": Error}, "5XX": {"model": Error}}
    )


class _Request(Request):
    async def json(self) -> Any:
        """Parse the JSON body of a request; reject invalid JSON."""
        try:
            return from_json(await self.body(), allow_inf_nan=False)
        except ValueError as error:
            raise Refusal(400, f"the request body must be JSON: {error}") from None


class _Route(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the function that reads a request and answers it."""
        handle = super().get_route_handler()
        known = sorted(_in_address(self.dependant))
        bodies: list[Any] = [
            one.field_info.annotation for one in self.dependant.body_params
        ]

        async def read(request: Request) -> Response:
            for name in request.query_params:
                if name not in known:
                    there = f"there are {', '.join(known)}" if known else "there is none"
                    raise Refusal(
                        400,
                        f"{request.url.path[:100]} has no parameter "
                        f"{name[:60]!r}{did_you_mean(name, known)}; {there}",
                    )
            try:
                return await handle(_Request(_with_type(request.scope), request.receive))
            except RequestValidationError as error:
                raise Refusal(400, what_is_wrong(error.errors(), *bodies)) from None

        return read


def _in_address(needs: Dependant) -> Iterator[str]:
    """Yield the names of a route's query parameters."""
    for one in needs.query_params:
        # A parameter whose type is a model represents one query parameter for each field.
        fields = getattr(one.field_info.annotation, "model_fields", None)
        yield from [one.alias] if fields is None else fields
    for dependency in needs.dependencies:
        yield from _in_address(dependency)


JSON = "application/json"

_JSON = (b"content-type", JSON.encode())

_UNTYPED = (b"", b"application/x-www-form-urlencoded")
"""Content types of bodies without a declared type."""

_BROWSER = frozenset((b"origin", b"referer", b"sec-fetch-site"))
"""Headers that browsers add to a request, which scripts of other sites can trigger."""


def _with_type(scope: Scope) -> Scope:
    """Treat a body without a content type as JSON, unless a browser sent it."""
    if scope["method"] != "POST" or _JSON in scope["headers"]:
        return scope
    headers = dict(scope["headers"])
    if headers.get(b"content-type", b"") not in _UNTYPED or _BROWSER & headers.keys():
        return scope
    others = [one for one in scope["headers"] if one[0] != b"content-type"]
    return {**scope, "headers": [*others, _JSON]}
