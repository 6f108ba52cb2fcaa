"""Base class of all API routes, which parses JSON and rejects unknown parameters."""

import json
import re
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.responses import Response
from starlette.types import Scope

from bearoff import BearoffError
from bearoff.app.race_answers.wrong import what_is_wrong
from bearoff.app.serve.problems import Error, Refusal
from bearoff.checks import did_you_mean, unique_keys


def new_router() -> APIRouter:
    """Return a router whose error responses are described in OpenAPI."""
    return APIRouter(
        route_class=_Route, responses={"4XX": {"model": Error}, "5XX": {"model": Error}}
    )


class _Request(Request):
    async def json(self) -> Any:
        """Parse the JSON body of a request; reject invalid JSON and repeated keys."""
        body = await self.body()
        try:
            value = from_json(body, allow_inf_nan=False)
        except ValueError as error:
            raise Refusal(400, f"the request body must be JSON: {error}") from None
        try:
            if _may_repeat(body, value):
                json.loads(body, object_pairs_hook=unique_keys)
        except BearoffError as error:
            raise Refusal(400, str(error)) from None
        return value


def _may_repeat(body: bytes, value: object) -> bool:
    """Return whether an object in the JSON text `body` may contain the same key twice.

    The parsed `value` keeps only one of two equal keys. In the text, each key ends with a
    quote and a colon. If these two characters occur as often as `value` has keys, no key
    was repeated. Counting is much faster than parsing the text again.
    """
    return body.count(b'":') != _keys(value) or _SPACED.search(body) is not None


_SPACED = re.compile(rb'"\s+:')


def _keys(value: object) -> int:
    """Count the keys in a JSON value, including those of nested objects."""
    if isinstance(value, dict):
        return len(value) + sum(map(_keys, value.values()))
    return sum(map(_keys, value)) if isinstance(value, list) else 0


class _Route(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the function that checks the parameters of a request and answers it."""
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
    """Yield the names of the query parameters of a route."""
    for one in needs.query_params:
        # If the type of a parameter is a pydantic model, each field of the model is a query
        # parameter.
        fields = getattr(one.field_info.annotation, "model_fields", None)
        yield from [one.alias] if fields is None else fields
    for dependency in needs.dependencies:
        yield from _in_address(dependency)


JSON = "application/json"

_JSON = (b"content-type", JSON.encode())

_UNTYPED = (b"", b"application/x-www-form-urlencoded")
"""Content types that HTTP clients send by default."""

_BROWSER = frozenset((b"origin", b"referer", b"sec-fetch-site"))
"""Headers that only browsers add to a request. A request from a browser may come from a
script of another site."""


def _with_type(scope: Scope) -> Scope:
    """Declare a body without a content type as JSON, unless the sender is a browser."""
    if scope["method"] != "POST" or _JSON in scope["headers"]:
        return scope
    headers = dict(scope["headers"])
    if headers.get(b"content-type", b"") not in _UNTYPED or _BROWSER & headers.keys():
        return scope
    others = [one for one in scope["headers"] if one[0] != b"content-type"]
    return {**scope, "headers": [*others, _JSON]}
