"""The web server as a process, and connections that do not follow the protocol."""

import json
import re
import signal
import socket
import sys
import time
import tomllib

import httpx
import psutil
import pytest

from bearoff.app.serve import connections
from bearoff.app.serve.application import create_app
from bearoff.app.serve.routes import rollouts
from bearoff.app.serve.settings import Settings, is_loopback
from bearoff.app.serve.work import current
from bearoff.runtime.compiled import COMPILING
from bearoff.sim.rollouts import Goal
from tests.app.conftest import ROOT, only_sentence, started
from tests.app.serve.asking import BEYOND, HANGS, until
from tests.app.serve.browser import running


def serving(judges, **settings):
    settings = {"names": ("here",), "seconds": HANGS} | settings
    return running(create_app(Settings(**settings), judges))


@pytest.fixture(scope="module")
def port(judges):
    with serving(judges) as port:
        yield port


def connected(port, wait=HANGS):
    return socket.create_connection(("127.0.0.1", port), timeout=wait)


HOST = "Host: 127.0.0.1"


def head(path, *lines):
    return "\r\n".join([f"GET {path} HTTP/1.1", *(lines or (HOST,)), "", ""]).encode()


def seconds(process):
    """Return the processor time that a process has used, in seconds."""
    return sum(psutil.Process(process.pid).cpu_times()[:2])


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_command_serves_and_stops(bearoff, number, code):
    with started("serve", "--no-browser", "--port", "0") as process:
        said = (re.search(r"http://.*:(\d+)/", line) for line in process.stderr)
        port = next(filter(None, said))[1]
        address = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{address}/health").json()["status"] == "ok"
        before = seconds(process)
        found = httpx.post(f"{address}/api/v1/race", json=BEYOND, timeout=HANGS)
        assert found.json()["kind"] == "model"
        assert seconds(process) - before < 2  # the request compiles no code
        again = bearoff("serve", "--port", port)
        assert (again.code, f"127.0.0.1, port {port}" in again.err) == (2, True)
        # The server shuts down at once, although a connection is open.
        with connected(int(port)):
            process.send_signal(number)
            _, said = process.communicate(timeout=HANGS)
        # If kernels are not compiled yet, the server also reports that it compiles them.
        said = said.replace(f"bearoff: {COMPILING}\n", "")
        assert (process.returncode, said) == (code, "bearoff: interrupted\n")


def test_addresses_that_cannot_be_had_are_refused(bearoff):
    for host in ("192.0.2.1", "no such host"):
        found = bearoff("serve", "--no-browser", "--host", host)
        assert (found.code, found.out) == (2, "")
        # A notice about the wait may precede this line.
        assert host in found.err.splitlines()[-1]


def test_without_the_extra_it_is_named(bearoff, monkeypatch):
    monkeypatch.delitem(sys.modules, "bearoff.app.serve.server")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    web = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = " ".join(f'"{n}"' for n in web["project"]["optional-dependencies"]["web"])
    # The hint names the dependencies to install, because bearoff is not in a package index.
    only_sentence(bearoff("serve"), "uvicorn", f"pip install {needed}\n")


def test_a_head_that_does_not_come(port, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    for begins in (b"", b"GET / HTTP/1.1\r\nHost:"):
        with connected(port) as connection:
            connection.sendall(begins)
            assert connection.recv(1000) == b""
    # A connection may be idle between two requests, but not in the middle of a request.
    with connected(port) as connection:
        connection.sendall(head("/health"))
        assert taken(connection)
        time.sleep(0.5)
        connection.sendall(head("/health").removesuffix(b"\r\n"))
        assert connection.recv(1000) == b""


def test_a_head_without_an_end_is_cut_off(port):
    with connected(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(1000):
                connection.sendall(b"X: " + 1000 * b"x" + b"\r\n")
                time.sleep(0.001)


@pytest.mark.parametrize("path", ["/api/v1/rollout?position=", "/"])
def test_addresses_above_64_kib_are_not_read(port, path):
    for length, unreadable in ((65_000, False), (66_000, True)):
        with connected(port) as connection:
            connection.sendall(head(path + length * "x"))
            told = json.loads(taken(connection))["error"]
        assert (told == connections.UNREADABLE) == unreadable


def received(connection):
    """Return the bytes that a connection receives; fail if the connection is closed."""
    part = connection.recv(20_000)
    assert part
    return part


def taken(connection, wait=0.0):
    """Read one JSON answer of the server slowly, and return it."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += received(connection)
    head, _, body = found.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    assert length is not None
    while len(body) < int(length[1]):
        time.sleep(wait)
        body += received(connection)
    return body


def test_an_answer_nobody_takes(port, monkeypatch):
    monkeypatch.setattr(connections, "TAKING_SECONDS", 0.5)
    asked = head("/api/v1/openapi.json")
    with connected(port, 20) as connection:
        connection.sendall(asked)
        whole = taken(connection)
        connection.sendall(asked)  # sends the request slowly but steadily
        assert taken(connection, 0.05) == whole
        connection.sendall(500 * asked)
        time.sleep(3)
        with pytest.raises((ConnectionError, AssertionError)):
            [taken(connection) for _ in range(500)]


def events(response):
    """Yield the kind and the JSON data of each server-sent event in a response."""
    kind = ""
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield kind, json.loads(value)


def rolled(port, asked):
    address = f"http://127.0.0.1:{port}/api/v1/rollout"
    return httpx.stream("GET", address, params=asked, timeout=HANGS)


def busy(port):
    return int(httpx.get(f"http://127.0.0.1:{port}/health", timeout=HANGS).json()["busy"])


def test_a_rollout_reports_and_ends(judges):
    asked = BEYOND | {"error": "0.0002", "games": "16000"}
    with serving(judges, rollouts=1) as port, rolled(port, asked) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        found = list(events(response))
        assert [kind for kind, _ in found[:-1]] == ["progress"] * (len(found) - 1)
        (kind, answer), (_, progress) = found[-1], found[0]
        assert (kind, answer["kind"], progress["goal"]) == ("result", "rollout", 0.0002)
        assert progress["games"] % 7776 == 0
        assert abs(progress["no_double"] - answer["no_double"]) < 0.01
        assert progress["no_double_error"] > 0
        assert (progress["action"], progress["part"]) == (answer["action"], "race")


def test_a_rollout_of_plays_leaves_the_numbers_of_the_race(judges, monkeypatch):
    # The patience is 0, so that even a fast machine rolls the race out and does not solve
    # it.
    monkeypatch.setattr(rollouts, "PATIENCE", 0.0)
    position = "XGID=--BBCBBA-----------cbbcba-:0:0:1:63:0:0:0:0:10"
    asked = {"position": position, "error": "0.01"}
    with serving(judges) as port, rolled(port, asked) as response:
        *found, (_, answer) = events(response)
    told = [progress for _, progress in found]
    assert {progress["part"] for progress in told} == {"race", "plays"}
    for progress in told:
        for name in ("no_double", "double_take", "win_probability"):
            # The values belong to the race before the play, not after the play.
            assert progress[name] == pytest.approx(answer[name], abs=0.05)


@pytest.fixture
def endless(monkeypatch):
    """Return the request of a rollout that takes very long."""
    monkeypatch.setattr(rollouts, "Goal", lambda error, games: Goal(0.0, games))
    return BEYOND | {"games": "10000000"}


def test_a_rollout_nobody_listens_to_ends(judges, endless):
    with serving(judges, rollouts=1) as port:
        with rolled(port, endless) as response:
            coming = events(response)  # this reference keeps the stream open
            next(coming)
            assert busy(port) == 1
            with rolled(port, endless) as refused:
                assert refused.status_code == 429
                assert refused.headers["retry-after"] == "1"
        until(lambda: not busy(port))


def test_solving_nobody_waits_for(judges, monkeypatch):
    def endless(*_):
        while True:
            current.get().check()
            time.sleep(0.01)

    monkeypatch.setattr(judges, "answer", endless)
    asked = BEYOND | {"score": "3-5"}
    with serving(judges) as port:
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"http://127.0.0.1:{port}/api/v1/race", json=asked, timeout=0.5)
        until(lambda: not busy(port))


def test_a_rollout_that_takes_too_long(judges, endless):
    with serving(judges, rollout_seconds=0.5) as port, rolled(port, endless) as response:
        kind, found = list(events(response))[-1]
    assert (kind, "0.5 seconds" in found["error"]) == ("failed", True)


def test_what_is_private():
    for host, private in (("127.0.0.1", True), ("::1", True), ("0.0.0.0", False)):
        assert is_loopback(host) == Settings(host).private == private
        assert not Settings(host, names=("races.example",)).private


def test_a_head_is_bounded_and_names_one_host(port):
    for lines, status in (
        ((HOST,), 200),
        ((HOST, HOST), 400),
        ((HOST, f"A: {60_000 * 'x'}"), 200),
        (("\0\xff no header",), 400),
        # The request is sent as a whole, so the server need not wait for the rest.
        ((HOST, f"A: {50_000 * 'x'}", f"B: {50_000 * 'x'}"), 400),
    ):
        with connected(port) as connection:
            connection.sendall(head("/", *lines))
            found = received(connection)
        assert found.startswith(f"HTTP/1.1 {status} ".encode()), [x[:20] for x in lines]
