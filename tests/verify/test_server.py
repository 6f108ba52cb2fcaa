"""The short form of `server`, and that its judge sees what is wrong."""

import json

import pytest

from app.serve.judges import Judges
from tests.app.serve.test_server import serving
from tests.two_sided_tables import built
from verify.server import KINDS, run, verdict_of

SHORT = {"random": 0.004, "too large": 0.01, "leaves": 0.05, "hundred": 0.01}
"""Kinds, and how much of each."""


def reply(status: str, body: bytes, kind: str = "application/json") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + body


@pytest.mark.parametrize(
    ("bytes_", "verdict"),
    [
        (b"", "closed"),
        (reply("200 OK", b"{}"), "answered"),
        (reply("400 Bad Request", b'{"error": "no"}'), "refused"),
        (reply("400 Bad Request", b'{"error": "two\\nlines"}'), "WRONG"),
        (reply("400 Bad Request", b'{"detail": "no"}'), "WRONG"),
        (reply("500 Internal Server Error", json.dumps({"error": "no"}).encode()), "WRONG"),
        (reply("400 Bad Request", b"Invalid HTTP request", "text/plain"), "refused"),
        (b"Traceback", "WRONG"),
    ],
)
def test_replies_are_judged(bytes_: bytes, verdict: str) -> None:
    assert verdict_of(bytes_)[0] == verdict


@pytest.mark.slow
def test_the_server_takes_what_comes() -> None:
    judges = Judges([built(5)])
    with serving(judges, rollouts=2) as port:
        for kind, scale in SHORT.items():
            ((_, tally),) = run(port, scale, seed=2, chosen=kind)
            assert tally.wrong == [], kind
            assert tally.counts.total() >= scale * next(
                cases for name, (_, cases) in KINDS.items() if kind in name
            )
        ((_, tally),) = run(port, 0.005, seed=2, chosen="described")
        assert tally.wrong == []
        assert tally.counts["answered"]
