"""Page on the answers per second of `bearoff serve`, and on its memory.

Server and client run on the same machine. Rates are per second of wall time, and per second
of the server's processor time.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from benchmarks.served import Connection, Server, post, running

PATH = Path("serve", "README.md")

BATCH = 10_000
"""Number of races in one request."""

AT_REST = 0.05
"""Processor seconds per second of wall time below which the server counts as idle."""

CONNECTIONS = 8
"""Number of concurrent connections. Each requests one race at a time."""


def home_races(count: int, checkers: int, seed: int = 1) -> list[dict[str, str]]:
    """Return random races at home, in which each side has a given number of checkers."""
    rng = np.random.default_rng(seed)
    sides = rng.multinomial(checkers, [1 / 6] * 6, size=(count, 2)).tolist()
    texts = [[",".join(map(str, side)) for side in pair] for pair in sides]
    return [{"roller": mine, "opponent": theirs} for mine, theirs in texts]


@dataclass(frozen=True)
class Rate:
    """Number of answers of the server, and the time that these answers took.

    Attributes
    ----------
    answers : int
    clock, processor : float
        Wall time, and the server's processor time, in seconds.
    """

    answers: int
    clock: float
    processor: float

    def row(self, name: str) -> str:
        """Return the speed as a row of the page's table."""
        by_clock, by_processor = self.answers / self.clock, self.answers / self.processor
        return f"| {name} | {self.answers:,} | {by_clock:,.0f} | {by_processor:,.0f} |"


def batches(server: Server, races: list[dict[str, str]], requests: int, kind: str) -> Rate:
    """Measure the speed of requests with many races each."""
    message, connection = (
        post("/api/v1/races", {"races": races}),
        Connection(server.port),
    )
    first = json.loads(connection.ask(message))["answers"]
    assert [answer["kind"] for answer in first] == len(races) * [kind]
    before, started = server.seconds, time.monotonic()
    for _ in range(requests):
        connection.ask(message)
    rate = Rate(requests * len(races), time.monotonic() - started, server.seconds - before)
    connection.close()
    return rate


def singles(server: Server, races: list[dict[str, str]], connections: int) -> Rate:
    """Measure the speed of requests with one race each, sent over several connections."""
    messages = [post("/api/v1/race", {**race, "patience": 0}) for race in races]

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
    """Return the response times of many requests in seconds, in ascending order."""
    message, connection = post("/api/v1/race", race), Connection(server.port)
    found = []
    for _ in range(count):
        started = time.monotonic()
        connection.ask(message)
        found.append(time.monotonic() - started)
    connection.close()
    return sorted(found)


def memory_over(server: Server, races: list[dict[str, str]], answers: int) -> list[int]:
    """Return the server's memory in bytes after 10%, 20%, ..., 100% of the answers."""
    message, connection = (
        post("/api/v1/races", {"races": races}),
        Connection(server.port),
    )
    found = []
    for done in range(0, answers, len(races)):
        connection.ask(message)
        if (done + len(races)) % (answers // 10) == 0:
            found.append(server.memory)
    connection.close()
    return found


def page(quick: bool = False) -> str:
    with tempfile.TemporaryDirectory() as cache:
        env = {"BEAROFF_CACHE": cache}
        build = "tables", "build", "--two-sided", "--checkers", "8"
        command = [sys.executable, "-m", "bearoff", *build]
        subprocess.run(command, env={**os.environ, **env}, check=True, capture_output=True)
        with running(env=env) as server:
            _let_warm(server)
            return _page(server, scale=0.01 if quick else 1.0)


def _let_warm(server: Server) -> None:
    """Wait until the server has compiled its code and is idle."""
    before = -1.0
    while server.seconds - before > AT_REST:
        before = server.seconds
        time.sleep(1.0)


def _page(server: Server, scale: float) -> str:
    few, many = home_races(BATCH, 8), home_races(BATCH, 14)
    requests, count = max(1, round(20 * scale)), max(100, round(10_000 * scale))
    rows = [
        batches(server, few, requests, "exact").row(
            "in requests of 10,000 races, by an exact table"
        ),
        batches(server, many, requests, "model").row(
            "in requests of 10,000 races, by the fast model"
        ),
        singles(server, few[:count], CONNECTIONS).row(
            "in requests of one race, by an exact table"
        ),
        singles(server, many[:count], CONNECTIONS).row(
            "in requests of one race, by the fast model"
        ),
    ]
    times = latencies(server, few[0])
    middle, most = (1e3 * times[len(times) * share // 100] for share in (50, 95))
    million = max(10 * BATCH, round(1_000_000 * scale))
    held = memory_over(server, few, million)
    return "\n".join(
        [
            "# Answers of `bearoff serve` per second",
            "",
            "`python -m benchmarks --page serve` measures one server process, with its",
            "client on the same machine. The queries are random races before the roll,",
            "with all checkers at home.",
            "",
            "| races | answers | answers per second of wall time | answers per second of "
            "the server's processor time |",
            "|---|---:|---:|---:|",
            *rows,
            "",
            f"Over one connection, the median time of an answer is {middle:.1f} ms, and",
            f"95% of the answers take at most {most:.1f} ms. The server gave its first",
            f"answer {server.ready:.1f} s after its start. The machine has "
            f"{psutil.cpu_count()} processors, and its",
            f"load average, which includes the server, the client and others, was "
            f"{psutil.getloadavg()[1]:.0f}.",
            "",
            "The server used this much memory in MiB after each tenth of "
            f"{million:,} answers: "
            + ", ".join(f"{bytes_ / 2**20:.0f}" for bytes_ in held)
            + ".",
            "",
        ]
    )
