"""Valid requests to the page's server, in the same proportions as in half a day of use."""

import json
import random
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from benchmarks.served import Connection, post
from verify.common.tallies import WRONG, Tally
from verify.hostile.requests import RACE

Ask = Callable[[bytes], bytes]
"""Function that sends a valid request and returns the body of the response; it raises an
error if the response is not good."""

PEOPLE = 4
"""Number of persistent connections; each waits for a response before the next request."""

AGAIN = 200
"""Number of races that are requested repeatedly, with identical responses."""

SCORES = "2-4", "3-3", "5-4", "4-7", "7-7", "2-6"
"""Match scores of most races in the requests."""

REVIEWED = {"positions": "position,decided\nLwAAwC0AAAAAAA,take", "keep": False}
"""Request body that asks for a review of one position that is not stored in the library."""

LOOKED_AT = (
    *("/", "/app.js", "/style.css", "/health", "/api/v1/chart?by=pips", "/api/v1/formulas"),
    *("/api/v1/training/question", "/api/v1/training/drills", "/api/v1/play"),
)
"""Paths that are requested with GET, without a body."""


def half_a_day(port: int, cases: int, seed: int) -> Tally:
    """Send valid requests as in half a day of use; every response must be correct."""
    tally, lock = Tally(), threading.Lock()
    right: dict[bytes, bytes] = {}
    known = {_race_of(random.Random(number)) for number in range(AGAIN)}

    def person(number: int) -> None:
        rng = random.Random(f"{seed} {number}")
        connection = Connection(port)

        def ask(message: bytes) -> bytes:
            found = connection.ask(message)
            if message in known and right.setdefault(message, found) != found:
                raise RuntimeError(f"different answers to {message[-200:]!r}")
            return found

        for _ in range(number, cases, PEOPLE):
            (kind,) = rng.choices(list(KINDS), KINDS.values())
            verdict, why = "answered", ""
            try:
                kind(ask, rng)
            except (RuntimeError, OSError) as refused:
                # The server refuses a review while its few threads for reviews are busy.
                busy = re.match(r"b'HTTP/1.1 (429|503)", str(refused))
                verdict, why = ("refused", "") if busy else (WRONG, str(refused))
                connection.close()
                connection = Connection(port)
            with lock:
                tally.add(verdict, why)
        connection.close()

    with ThreadPoolExecutor(PEOPLE) as pool:
        for _ in pool.map(person, range(PEOPLE)):
            pass
    return tally


def other_half(port: int, cases: int, seed: int) -> Tally:
    """Send valid requests as in another half a day of use, after the hostile requests."""
    return half_a_day(port, cases, ~seed)


def _get(path: str, method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def _side(rng: random.Random) -> str:
    """Draw a random side, with or without checkers outside home."""
    points = [0] * rng.choice((6, 6, 10))
    for _ in range(rng.randint(2, 15)):
        points[rng.randrange(len(points))] += 1
    return ",".join(map(str, points))


def _question(rng: random.Random) -> dict[str, object]:
    asked: dict[str, object] = {"roller": _side(rng), "opponent": _side(rng)}
    if rng.random() < 0.2:
        asked["score"] = rng.choice(SCORES) if rng.random() < 0.99 else _score(rng)
    return asked


def _score(rng: random.Random) -> str:
    return f"{rng.randint(2, 15)}-{rng.randint(2, 15)}"


def _race_of(rng: random.Random) -> bytes:
    return post("/api/v1/race", _question(rng) | {"patience": 0})


def _race(ask: Ask, rng: random.Random) -> None:
    ask(_race_of(rng))


def _race_again(ask: Ask, rng: random.Random) -> None:
    ask(_race_of(random.Random(rng.randrange(AGAIN))))


def _races(ask: Ask, rng: random.Random) -> None:
    races = [_question(rng) for _ in range(50)]
    ask(post("/api/v1/races", {"races": races, "patience": 0}))


def _solved(ask: Ask, rng: random.Random) -> None:
    ask(post("/api/v1/race", RACE | {"score": _score(rng)}))


def _looked_at(ask: Ask, rng: random.Random) -> None:
    ask(_get(rng.choice(LOOKED_AT)))


def _distribution(ask: Ask, rng: random.Random) -> None:
    ask(post("/api/v1/distribution", _question(rng)))


def _review(ask: Ask, _: random.Random) -> None:
    ask(post("/api/v1/review", REVIEWED))


def _match(ask: Ask, rng: random.Random) -> None:
    """Start a match against the program, read its state, and remove it."""
    begun = ask(post("/api/v1/play/matches", {"length": rng.randint(0, 9)}))
    at = f"/api/v1/play/matches/{json.loads(begun)['key']}"
    ask(_get(at))
    ask(_get(at, "DELETE"))


KINDS: dict[Callable[[Ask, random.Random], None], float] = {
    **{_race: 75, _race_again: 25, _looked_at: 5, _distribution: 2, _races: 1},
    **{_solved: 0.5, _review: 0.1, _match: 0.1},
}
"""Types of valid requests with their relative frequencies."""
