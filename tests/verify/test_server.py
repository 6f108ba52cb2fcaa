"""Quick version of the full-scale test of the web server, which must find errors."""

import json

import pytest

from bearoff.app.serve.judges import Judges
from benchmarks.served import running
from tests.app.serve.test_server import serving
from tests.two_sided_tables import built
from verify.common.tallies import Tally
from verify.hostile import good_requests
from verify.hostile.requests import verdict_of
from verify.server import HALF_A_DAY, KINDS, page, run

SHORT = {"random": 0.0007, "too large": 0.002, "leaves": 0.05, "hundred": 0.002}
"""Proportion of requests of each kind in the quick version of the test."""


def reply(status, body, kind="application/json"):
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
        (reply("400 Bad Request", b"Invalid HTTP request", "text/plain"), "WRONG"),
        (b"Traceback", "WRONG"),
    ],
)
def test_replies_are_judged(bytes_, verdict):
    assert verdict_of(bytes_)[0] == verdict


def test_the_page_has_verdicts_speed_and_memory(run_of):
    tally = Tally(
        counts={"answered": 3, "refused": 1000, "WRONG": 1},
        sums={"seconds": 2.0, "processor": 1.004},
        most={"before": 5 << 20, "after": 6 << 20},
    )
    text = page([run_of({"slow clients": tally})])
    assert "1,004 requests were sent." in text
    assert "| slow clients | 1,004 | 3 | 1,000 | 0 | 1 | 502 | 1.00 | 5 | 6 |" in text


def test_the_server_takes_what_comes():
    with serving(Judges([built(5)]), rollouts=2) as port:
        for kind, scale in SHORT.items():
            ((_, tally),) = run(port, scale, seed=2, chosen=kind)
            assert tally.wrong == [], kind
            cases = next(cases for name, (_, cases) in KINDS.items() if kind in name)
            assert tally.tried >= scale * cases
        ((_, tally),) = run(port, 0.005, seed=2, chosen="described")
        assert tally.wrong == []
        assert tally.counts["answered"]


def test_good_questions_are_answered_and_a_bad_one_is_seen(tmp_path, monkeypatch):
    with running(env={"BEAROFF_DATA": str(tmp_path)}) as server:
        ((_, tally),) = run(server.port, 0.0004, seed=2, chosen="half a day")
        assert tally.wrong == []
        assert tally.counts["answered"] >= 0.9 * 0.0004 * HALF_A_DAY
        # At 1-away, every game is Crawford or post-Crawford.
        monkeypatch.setattr(good_requests, "SCORES", ("1-3",))
        ((_, tally),) = run(server.port, 0.0001, seed=2, chosen="half a day")
        assert tally.wrong
        assert all("400" in why for why in tally.wrong)
