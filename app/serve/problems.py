"""Refusals: every error is one sentence in JSON."""

import sys
from pathlib import Path
from traceback import extract_tb

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bearoff import BearoffError
from bearoff.app.race_answers.wrong import what_is_wrong


class Error(BaseModel):
    """Why there is no answer."""

    error: str = Field(examples=["the opponent has 0 checkers on the board"])


class Refusal(HTTPException):
    """A request that is not answered.

    Parameters
    ----------
    status : int
        Of HTTP.
    sentence : str
        What is wrong, and what to do.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(status, sentence)


def refusal(status: int, sentence: str) -> Response:
    """Return the response that says why a request is not answered."""
    # Whoever was turned away because too many came may ask again soon.
    headers = {"Retry-After": "1"} if status in (429, 503) else None
    return Response(to_json({"error": sentence}), status, headers, "application/json")


def in_one_line(error: Exception) -> str:
    """Return the message of an error; of a group of errors, their messages in order."""
    return " ".join(str(error).split())


def add_handlers(app: FastAPI) -> None:
    """Let every error of a route be answered with its sentence."""

    @app.exception_handler(BearoffError)
    async def of_input(request: Request, error: Exception) -> Response:
        return refusal(400, in_one_line(error))

    @app.exception_handler(RequestValidationError)
    async def of_shape(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return refusal(400, what_is_wrong(error.errors()))

    @app.exception_handler(HTTPException)
    async def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        sentence = error.detail
        if sentence in _PLAIN:
            sentence = _PLAIN[sentence].format(path=request.url.path[:100])
        return refusal(error.status_code, sentence)

    @app.exception_handler(Exception)
    async def of_ours(request: Request, error: Exception) -> Response:
        # What failed, and where, is for who runs the server.
        last = extract_tb(error.__traceback__)[-1]
        sys.stderr.write(
            f"bearoff: {request.method} {request.url.path[:100]} failed in "
            f"{Path(last.filename).name}, line {last.lineno}: "
            f"{type(error).__name__}: {in_one_line(error)[:500]}\n"
        )
        return refusal(500, "the server failed at this request; it goes on")


_PLAIN = {
    "Not Found": "there is nothing at {path}",
    "Method Not Allowed": "{path} is asked in another way; see /api/v1/openapi.json",
}
