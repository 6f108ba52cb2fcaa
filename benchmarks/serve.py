"""What `bearoff serve` answers in a second, and the memory it takes.

Run as ``python -m benchmarks.serve``; ``--write`` puts the table into
results/serve/README.md. Server and client share this machine; rates are given by the clock
and by the processor time of the server alone.
"""

import argparse
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

PAGE = Path(__file__).parents[1] / "results" / "serve" / "README.md"

BATCH = 10_000
"""Races of a request."""

CONNECTIONS = 8
"""That ask for one race each, at a time."""


@dataclass(frozen=True)
class Server:
    """A server that runs.

    Attributes
    ----------
    port : int
    process : psutil.Process
    ready : float
        Seconds from its start to the first answer of /health.
    """

    port: int
    process: psutil.Process
    ready: float

    @property
    def seconds(self) -> float:
        """Processor time it has taken."""
        times = self.process.cpu_times()
        return times.user + times.system

    @property
    def memory(self) -> int:
        """Bytes that are its own; files of tables, which are mapped, do not count."""
        return int(self.process.memory_full_info().uss)


@contextmanager
def running(*options: str) -> Iterator[Server]:
    """Start a server, and end it."""
    started = time.monotonic()
    command = [sys.executable, "-m", "app.main", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        [*command, *options], stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if found := re.search(r"http://[^ ]+:(\d+)/", line):
                    break
            else:
                raise RuntimeError("the server did not start")
            port = int(found[1])
            ask(port, "GET", "/health")
            ready = time.monotonic() - started
            yield Server(port, psutil.Process(process.pid), ready)
        finally:
            process.terminate()
            process.communicate()


def request(path: str, body: object) -> bytes:
    """Return the bytes of a POST."""
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


class Connection:
    """A connection that is kept, as a bot's would be; does no more than it must."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, message: bytes) -> bytes:
        """Send a request and return the body of the answer, which must be a good one."""
        self._socket.sendall(message)
        found = b""
        while b"\r\n\r\n" not in found:
            found += self._socket.recv(1 << 16)
        head, _, body = found.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{head.splitlines()[0]!r}: {body[:200]!r}")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        assert length is not None
        parts, missing = [body], int(length[1]) - len(body)
        while missing:
            parts.append(self._socket.recv(1 << 20))
            missing -= len(parts[-1])
        return b"".join(parts)

    def close(self) -> None:
        """Leave."""
        self._socket.close()


def ask(port: int, method: str, path: str) -> bytes:
    """Ask once, without a body."""
    connection = Connection(port)
    try:
        return connection.ask(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        )
    finally:
        connection.close()


def home_races(count: int, checkers: int, seed: int = 1) -> list[dict[str, str]]:
    """Random races at home, each side with so many checkers."""
    rng = np.random.default_rng(seed)
    sides = rng.multinomial(checkers, [1 / 6] * 6, size=(count, 2)).tolist()
    texts = [[",".join(map(str, side)) for side in pair] for pair in sides]
    return [{"roller": mine, "opponent": theirs} for mine, theirs in texts]


@dataclass(frozen=True)
class Rate:
    """How fast something was answered.

    Attributes
    ----------
    answers : int
    clock, processor : float
        Seconds by the clock, and of the server's processor time.
    """

    answers: int
    clock: float
    processor: float

    def row(self, name: str) -> str:
        """A line of the table."""
        by_clock, by_processor = self.answers / self.clock, self.answers / self.processor
        return f"| {name} | {self.answers:,} | {by_clock:,.0f} | {by_processor:,.0f} |"


def batches(server: Server, races: list[dict[str, str]], requests: int) -> Rate:
    """Ask for many races at a time."""
    message, connection = (
        request("/api/v1/races", {"races": races}),
        Connection(server.port),
    )
    first = json.loads(connection.ask(message))["answers"]
    assert len(first) == len(races)
    assert all("kind" in answer for answer in first)
    before, started = server.seconds, time.monotonic()
    for _ in range(requests):
        connection.ask(message)
    rate = Rate(requests * len(races), time.monotonic() - started, server.seconds - before)
    connection.close()
    return rate


def singles(server: Server, races: list[dict[str, str]], connections: int) -> Rate:
    """Ask for one race at a time over several connections."""
    messages = [request("/api/v1/race", race) for race in races]

    def some(first: int) -> int:
        connection = Connection(server.port)
        mine = messages[first::connections]
        for message in mine:
            connection.ask(message)
        connection.close()
        return len(mine)

    before, started = server.seconds, time.monotonic()
    with ThreadPoolExecutor(connections) as pool:
        count = sum(pool.map(some, range(connections)))
    return Rate(count, time.monotonic() - started, server.seconds - before)


def latencies(server: Server, race: dict[str, str], count: int = 300) -> list[float]:
    """Seconds that one answer takes after the other, sorted."""
    message, connection = request("/api/v1/race", race), Connection(server.port)
    found = []
    for _ in range(count):
        started = time.monotonic()
        connection.ask(message)
        found.append(time.monotonic() - started)
    connection.close()
    return sorted(found)


def memory_over(server: Server, races: list[dict[str, str]], answers: int) -> list[int]:
    """Bytes after every tenth of so many answers, the first tenth not counted."""
    message, connection = (
        request("/api/v1/races", {"races": races}),
        Connection(server.port),
    )
    found = []
    for done in range(0, answers, len(races)):
        connection.ask(message)
        if (done + len(races)) % (answers // 10) == 0:
            found.append(server.memory)
    connection.close()
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure and print, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the work")
    asked = parser.parse_args(arguments)
    with running() as server:
        text = _page(server, asked.scale)
    print(text)
    if asked.write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
    return 0


def _page(server: Server, scale: float) -> str:
    few, many = home_races(BATCH, 8), home_races(BATCH, 14)
    requests, count = max(1, round(20 * scale)), max(100, round(10_000 * scale))
    rows = [
        batches(server, few, requests).row("in batches of 10,000, by an exact table"),
        batches(server, many, requests).row("in batches of 10,000, by the fast model"),
        singles(server, few[:count], CONNECTIONS).row("one by one, by an exact table"),
        singles(server, many[:count], CONNECTIONS).row("one by one, by the fast model"),
    ]
    times = latencies(server, few[0])
    middle, most = (1e3 * times[len(times) * share // 100] for share in (50, 95))
    million = max(10 * BATCH, round(1_000_000 * scale))
    held = memory_over(server, few, million)
    return "\n".join(
        [
            "# What `bearoff serve` answers in a second",
            "",
            "Written by `python -m benchmarks.serve --write`: one server process, its",
            "client on the same machine. Races of random sides at home, before the roll.",
            "",
            "| races | answers | a second by the clock | a second of its processor time |",
            "|---|---:|---:|---:|",
            *rows,
            "",
            f"Over one connection an answer takes {middle:.1f} ms, 95 of 100 at most",
            f"{most:.1f} ms. From its start to the first answer the server took",
            f"{server.ready:.1f} s, warmed up.",
            "",
            f"Memory after each tenth of {million:,} answers, MiB: "
            + ", ".join(f"{bytes_ / 2**20:.0f}" for bytes_ in held)
            + ".",
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
