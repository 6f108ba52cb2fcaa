"""Requests beyond the limits are refused, and every response has the right headers."""

import asyncio
import threading
import time

import pytest

from bearoff.app.serve.application import create_app
from bearoff.app.serve.guard import HEADERS
from bearoff.app.serve.problems import Refusal
from bearoff.app.serve.work import Workers, current
from tests.app.serve.asking import HANGS, SHORT, Client, client_of, refused, run

JSON = {"content-type": "application/json"}
PLAIN = {"content-type": "text/plain"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
OWN = {"origin": "http://127.0.0.1:8642"}
NAVIGATES = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (JSON, 200),
        ({"host": "localhost:1"}, 200),
        ({"host": "[::1]:8642"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"host": "127.0.0.1", "origin": "http://127.0.0.1"} | JSON, 200),
        ({"host": "127.0.0.1:8642", "origin": "http://127.0.0.1:8643"}, 403),
        ({"host": "127.0.0.1", "origin": "null"}, 403),
        ({"host": "127.0.0.1", "origin": "http://evil.example"}, 403),
        ({"sec-fetch-site": "same-origin"} | JSON, 200),
        (NAVIGATES, 403),
        # Programs may omit the content type JSON, but web pages must send it, because old
        # browsers let other sites send texts or forms without permission.
        ({}, 200),
        (FORM, 200),
        ({"content-type": "application/json; charset=utf-8"}, 200),
        (PLAIN, 400),
        (OWN, 400),
        ({"referer": "http://evil.example"}, 400),
        (OWN | JSON, 200),
    ],
)
def test_only_its_own_pages_and_programs_ask(client, headers, status):
    content = b'{"position": "LwAAwC0AAAAAAA"}'
    found = client.post("/api/v1/race", content=content, headers=headers)
    if status == 200:
        assert found.status_code == 200
    else:
        refused(found, "application/json" if status == 400 else "", status)


def test_a_link_elsewhere_may_lead_to_the_page(client):
    found = client.get("/", headers=NAVIGATES)
    assert found.status_code == 200
    assert {name: found.headers[name] for name in HEADERS} == HEADERS
    assert found.headers["cache-control"] == "no-cache"


def test_what_cannot_be_answered(client):
    for body, named in (
        (b"", ""),
        (b'{"patience": -1}', "patience "),
        (b'{"patience": "soon"}', "'soon'"),
        (b"{", "JSON"),
        (b"\xff\xfe", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'{"roller": NaN}', "JSON"),
        (b"{}", "position"),
        (b'{"roller": 17, "opponent": "1"}', "roller"),
        (b'{"roller": [1e400], "opponent": "1"}', ""),
        (b'{"roller": "1,1", "opponent": "1", "played": "6/off"}', "dice"),
        (b'{"position": "XGID=-\\u0000"}', ""),
    ):
        refused(client.post("/api/v1/race", content=body, headers=JSON), named)


def test_other_paths_and_methods_are_named(client):
    refused(client.get("/api/v1/{nothing"), "/api/v1/{nothing", 404)
    for detail in ("{0.__class__}", "}", "{path}"):
        found = client.get("/", headers={"origin": f"http://{detail}"})
        refused(found, detail, 403)
        refused(client.post("/api/v1/race", json={"position": detail}))
    assert client.post("/api/v1/race", content=b"roller=1").status_code == 400
    refused(client.post("/api/v1/races", json={}), "races ")
    refused(client.get("/api/v1/chart?by=miles"), "'miles'")
    for query in ("", "?error=0", "?x=1", "?games=ten"):
        refused(client.get(f"/api/v1/rollout{query}"))
    for path in ("/../pyproject.toml", "/%2e%2e/%2e%2e/application.py", "/.git/config"):
        assert client.get(path).status_code == 404


def test_a_wrong_method_learns_the_right_ones(client):
    for method, path, allowed in (
        ("GET", "/api/v1/race", "POST"),
        ("POST", "/api/v1/reviews/one", "DELETE, GET"),
        ("DELETE", "/health", "GET"),
    ):
        found = client.ask(method, path)
        refused(found, path, 405)
        refused(found, allowed, 405)
        assert found.headers["allow"] == allowed


def test_a_name_that_is_not_known_is_refused_with_the_nearest(client):
    for method, path, asked, wrong, meant in (
        ("POST", "/race", {"json": {"rollr": "1", "opponent": "1"}}, "rollr", "roller"),
        ("POST", "/review", {"json": {"files": [{"nmae": ""}]}}, "files.0.nmae", "name"),
        ("GET", "/library/decisions", {"params": {"playr": "Ann"}}, "playr", "player"),
        ("GET", "/rollout", {"params": {"roler": "0,0,1"}}, "roler", "roller"),
    ):
        found = client.ask(method, f"/api/v1{path}", **asked)
        refused(found, repr(wrong))
        refused(found, f"did you mean {meant!r}?")


def test_bodies_are_bounded_alone_and_together_whatever_their_length_says(judges):
    client = client_of(judges, body=10_000, races=3, names=("x",))
    assert client.post("/api/v1/races", json={"races": 3 * [SHORT]}).status_code == 200
    refused(client.post("/api/v1/races", json={"races": 4 * [SHORT]}), "4", 413)
    long = SHORT | {"played": 20_000 * "x"}
    refused(client.post("/api/v1/race", json=long), "0.01 MB", 413)

    async def endless():
        while True:
            yield 1000 * b" "

    found = client.post("/api/v1/race", content=endless(), headers=JSON)
    assert found.status_code == 413
    # All bodies under way are bounded together.
    client = client_of(judges, bodies=10_000, names=("x",))
    for _ in range(20):  # completed requests do not count towards the limit
        assert client.post("/api/v1/race", json=SHORT | {"played": ""}).status_code < 500
    found = client.post("/api/v1/race", json=long)
    assert (found.status_code, found.headers["retry-after"]) == (503, "1")


def test_a_body_that_does_not_come_is_not_waited_for(judges):
    client = client_of(judges, seconds=0.2, names=("x",))

    async def slow():
        yield b"{"
        await asyncio.sleep(2 * HANGS)
        yield b"}"

    started = time.monotonic()
    found = client.post("/api/v1/race", content=slow(), headers=JSON)
    assert (found.status_code, time.monotonic() - started < HANGS) == (408, True)


def test_too_much_work_is_refused_and_too_long_work_ends():
    workers = Workers(threads=1, waiting=1, seconds=0.3)
    begun, ended = threading.Event(), threading.Event()

    def endless():
        begun.set()
        try:
            while True:
                current.get().check()
                time.sleep(0.01)
        finally:
            ended.set()

    async def ask():
        first = asyncio.ensure_future(workers.run(endless))
        await asyncio.sleep(0.05)
        second = asyncio.ensure_future(workers.run(lambda: 2))
        await asyncio.sleep(0.05)
        assert (workers.busy, workers.waiting) == (1, 1)
        third = asyncio.ensure_future(workers.run(lambda: 3))
        return await asyncio.gather(first, second, third, return_exceptions=True)

    found = run(ask())
    codes = [one.status_code for one in found if isinstance(one, Refusal)]
    assert (codes[0], codes[-1]) == (504, 429)
    assert begun.is_set()
    assert ended.wait(5)
    assert run(workers.run(lambda: 4)) == 4
    assert (workers.busy, workers.waiting) == (0, 0)


def test_a_field_is_named_as_it_was_sent(client):
    for body, place, got in (
        ({"roller": [1, "a"]}, "roller.1 ", "'a'"),
        ({"score": [1, 2, 3]}, "score ", "3"),
        ({"cube": "x" * 500}, "cube ", "500"),
        ({"cube_value": 2.5}, "cube_value ", "2.5"),
        ({"a-b": 1}, "", "'a-b'"),
    ):
        many = client.post("/api/v1/races", json={"races": [body]}).json()["answers"][0]
        one = client.post("/api/v1/position", json=body).json()
        for said in (one["error"], many["problem"]):
            assert said.startswith(place), body
            assert got in said, body


def test_a_server_for_others_has_nothing_of_one_players():
    client = client_of(host="http://races.example", names=("races.example",))
    for path in ("play", "play/no-chance", "library", "training/drills"):
        refused(client.get(f"/api/v1/{path}"), status=403)


def test_everything_is_described(client):
    for path, methods in client.get("/api/v1/openapi.json").json()["paths"].items():
        for method, route in methods.items():
            assert route["summary"], (path, method)
            assert {"200", "4XX"} <= route["responses"].keys() or path == "/health"


def test_a_failure_of_ours(judges, capsys):
    app = create_app(judges=judges)

    @app.get("/api/v1/broken")
    async def broken() -> None:
        raise KeyError("a part\nthat is missing")

    # The new route must precede the static files.
    app.router.routes.insert(0, app.router.routes.pop())
    with pytest.raises(KeyError):  # the error is reported and then raised again
        Client(app).get("/api/v1/broken")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("bearoff: GET /api/v1/broken failed in test_guard.py, line ")
    assert "KeyError: " in line
    assert "that is missing" in line
