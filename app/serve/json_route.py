"""JSON as pydantic's core reads and writes it: fast, and safe from deep nesting."""

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from starlette.responses import Response

from app.serve.problems import Error, Refusal


def new_router() -> APIRouter:
    """Return a router whose routes read JSON so, and tell of errors."""
    return APIRouter(
        route_class=_Route, responses={"4XX": {"model": Error}, "5XX": {"model": Error}}
    )


def as_response(found: object) -> Response:
    """Return a response of JSON; what is not a number becomes null."""
    return Response(orjson.dumps(found), media_type=JSON)


class _Request(Request):
    async def json(self) -> Any:
        body = await self.body()
        try:
            return from_json(body, allow_inf_nan=False)
        except ValueError as error:
            raise Refusal(400, f"the body is no JSON: {error}") from None


class _Route(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        asked = _only_body(self)

        async def read(request: Request) -> Response:
            request = _Request(request.scope, request.receive)
            if asked is None or request.headers.get("content-type") != JSON:
                return await handle(request)
            name, model = asked
            if not await request.body():
                return await handle(request)
            try:
                found = model.__pydantic_validator__.validate_python(await request.json())
            except ValidationError:  # What is wrong is said there.
                return await handle(request)
            answer: Response = await self.endpoint(**{name: found, "request": request})
            return answer

        return read


JSON = "application/json"


def _only_body(route: APIRoute) -> tuple[str, type[BaseModel]] | None:
    """Return name and model of the body of a route that takes nothing else.

    Its endpoint is then called without what FastAPI does for dependencies, which takes
    longer than an answer.
    """
    needs = route.dependant
    others = [needs.path_params, needs.query_params, needs.header_params]
    others += [needs.cookie_params, needs.body_params[1:]]
    if any(others) or needs.dependencies or needs.request_param_name != "request":
        return None
    for body in needs.body_params:
        model = body.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            return body.name, model
    return None
