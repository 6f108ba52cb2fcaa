"""Error responses to requests; each contains one sentence, in JSON."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from traceback import extract_tb

from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bearoff import BearoffError


class Error(BaseModel):
    """Error message in a response."""

    error: str = Field(examples=["the opponent has 0 checkers on the board"])


class Refusal(HTTPException):
    """Exception that rejects a request, with an HTTP status and a sentence.

    Parameters
    ----------
    status : int
        HTTP status.
    sentence : str
        Sentence on what is wrong and what to do.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(status, sentence)


def refusal(status: int, sentence: str, **headers: str) -> Response:
    """Return the error response with a given HTTP status and sentence."""
    # Status 429 or 503 means that the server is only busy, so a client may soon repeat its
    # request.
    if status in (429, 503):
        headers["Retry-After"] = "1"
    return Response(to_json({"error": sentence}), status, headers, "application/json")


def in_one_line(error: Exception) -> str:
    """Return the message of an error on one line."""
    return " ".join(str(error).split())


def add_handlers(
    app: FastAPI,
    prefix: str,
    routers: Sequence[APIRouter],
    statuses: Mapping[type[BearoffError], int],
) -> None:
    """Register handlers that answer every error in a route with its message."""
    for kind, status in ((BearoffError, 400), *statuses.items()):
        _answer_with(app, kind, status)

    @app.exception_handler(HTTPException)
    async def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        path = request.url.path
        if error.status_code == 405:
            methods = ", ".join(_methods(routers, prefix, path))
            told = f"{path[:100]} accepts {methods}, not {request.method[:20]}"
            told += f"; routes start with {prefix}, see {prefix}/openapi.json"
            return refusal(405, told, Allow=methods)
        if error.detail == "Not Found":
            return refusal(404, f"{path[:100]} does not exist")
        return refusal(error.status_code, error.detail)

    @app.exception_handler(Exception)
    async def of_ours(request: Request, error: Exception) -> Response:
        # The server's log shows the operator where an internal error happened.
        last = extract_tb(error.__traceback__)[-1]
        sys.stderr.write(
            f"bearoff: {request.method} {request.url.path[:100]} failed in "
            f"{Path(last.filename).name}, line {last.lineno}: "
            f"{type(error).__name__}: {in_one_line(error)[:500]}\n"
        )
        return refusal(
            500, "the server failed to answer this request, but it is still running"
        )


def _answer_with(app: FastAPI, kind: type[BearoffError], status: int) -> None:
    @app.exception_handler(kind)
    async def of_input(request: Request, error: Exception) -> Response:
        return refusal(status, in_one_line(error))


def _methods(routers: Sequence[APIRouter], prefix: str, path: str) -> list[str]:
    """Return the HTTP methods that a path allows; GET if it is not part of the API."""
    if not path.startswith(prefix):
        return ["GET"]
    path = path.removeprefix(prefix)
    found = {
        method
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute) and route.path_regex.match(path)
        for method in route.methods or ()
    }
    return sorted(found) or ["GET"]
