"""Hostile requests to the page's server, and checks of the responses."""

import copy
import json
import random
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from benchmarks.served import Connection, post
from verify.common.tallies import WRONG, Tally

RACE = {"roller": "0,2,2,1,1,1", "opponent": "0,1,2,2,1,1"}
LONG = "roller=0,0,2,3,3,4,2,1&opponent=0,1,2,2,3,4,1,1,1&error=0.0001&games=10000000"

PATIENCE = 90.0
"""Seconds without a response after which the server counts as hanging."""

VERDICTS = ("answered", "refused", "closed", WRONG)

QUICK = 5.0
"""Maximum response time of /health in seconds."""


def verdict_of(reply: bytes) -> tuple[str, str]:
    """Return whether a response is an answer, a refusal or wrong, and its error message."""
    if not reply:
        return "closed", ""
    head, _, body = reply.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    if 200 <= status < 400:
        return "answered", ""
    if 400 <= status < 500 or status in (503, 504):
        try:
            (name, sentence), *more = json.loads(body).items()
        except ValueError:
            return ("refused", "") if status == 503 else (WRONG, f"{reply[:200]!r}")
        if name == "error" and not more and "\n" not in sentence:
            return "refused", sentence
    return WRONG, f"{reply[:200]!r}"


def exchange(port: int, message: bytes, patience: float = PATIENCE) -> bytes:
    """Send bytes over a new connection; return all bytes received."""
    found = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=patience) as connection:
            connection.sendall(message)
            while part := connection.recv(1 << 16):
                found += part
    except ConnectionError:
        pass  # The server may close the connection before everything is sent.
    except TimeoutError:
        if patience == PATIENCE:
            raise
    return found


def get(port: int, path: str, headers: str = "Host: 127.0.0.1\r\n") -> bytes:
    """Send one request on a connection that is closed afterwards."""
    head = f"GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"
    return exchange(port, head.encode())


def is_well(port: int) -> str:
    """Return what is wrong with a server, which must respond fast; empty if it is well."""
    started = time.monotonic()
    try:
        good = b'"status":"ok"' in get(port, "/health")
    except TimeoutError:
        good = False
    took = time.monotonic() - started
    return "" if good and took < QUICK else f"/health took {took:.1f} s, good: {good}"


HELD = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
)
"""Names of the checks that schemathesis applies to every response.

The check of response schemas is not used, because schemathesis cannot handle `prefixItems`.
For requests it converts described tuples to an older notation, which it then takes for the
schemas of responses."""


def described(port: int, cases: int, seed: int) -> Tally:
    """Send requests that satisfy or violate the server's OpenAPI schema."""
    import schemathesis
    from hypothesis.errors import Unsatisfiable
    from schemathesis import GenerationMode
    from schemathesis.core.result import Err

    tally = Tally()
    document = json.loads(get(port, "/api/v1/openapi.json").partition(b"\r\n\r\n")[2])
    schema = schemathesis.openapi.from_dict(copy.deepcopy(document))
    schema.config.update(base_url=f"http://127.0.0.1:{port}")
    for found in schema.get_all_operations():
        if isinstance(found, Err):
            raise found.err()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            # A route without parameters has no invalid requests.
            with suppress(Unsatisfiable):
                _ask_operation(document, found.ok(), mode, cases, seed, tally)
    return tally


def _answer_schemas(document: Any, operation: Any) -> dict[str, Any]:
    """Return validators of the JSON responses of an operation, by HTTP status."""
    import jsonschema_rs

    answers = document["paths"][operation.path][operation.method]["responses"]
    components = {"components": document["components"]}
    return {
        status: jsonschema_rs.validator_for(described["schema"] | components)
        for status, answer in answers.items()
        if (described := answer.get("content", {}).get("application/json"))
    }


def _ask_operation(
    document: Any, operation: Any, mode: Any, cases: int, seed: int, tally: Tally
) -> None:
    from hypothesis import HealthCheck, Phase, given, seed as seeded, settings
    from schemathesis import checks

    checks.load_all_checks()
    held = checks.CHECKS.get_by_names(list(HELD))
    schemas = _answer_schemas(document, operation)

    def ask(case: Any) -> None:
        try:
            response = case.call(timeout=PATIENCE)
            case.validate_response(response, checks=held)
            status = response.status_code
            for described in {str(status), f"{status // 100}XX"} & set(schemas):
                schemas[described].validate(response.json())
            tally.add("answered" if response.status_code < 400 else "refused")
        except (Exception, BaseExceptionGroup) as error:
            tally.add(WRONG, f"{operation.label}: {error}")

    bounded = settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    given(case=operation.as_strategy(generation_mode=mode))(bounded(seeded(seed)(ask)))()


def random_bytes(port: int, cases: int, seed: int) -> Tally:
    """Send random bytes, and valid requests in which some bytes are changed."""
    rng, tally = random.Random(seed), Tally()
    good = [
        post("/api/v1/race", RACE),
        post("/api/v1/races", {"races": [RACE, RACE]}),
        b"GET /api/v1/chart?by=pips HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ]

    def one(_: int) -> tuple[str, str]:
        if rng.random() < 0.3:
            message = rng.randbytes(rng.randrange(1, 2000))
        else:
            changed = bytearray(rng.choice(good))
            for _ in range(rng.randrange(4)):
                changed[rng.randrange(len(changed))] = rng.randrange(256)
            end = rng.randrange(1, len(changed)) if rng.random() < 0.3 else len(changed)
            message = bytes(changed[:end])
        # An exchange waits up to half a second for the server, so many exchanges run at the
        # same time.
        return verdict_of(exchange(port, message, patience=0.5))

    with ThreadPoolExecutor(32) as pool:
        for verdict, why in pool.map(one, range(cases)):
            tally.add(verdict, why)
    return tally


def bounds(port: int, cases: int, seed: int) -> Tally:
    """Send requests beyond the server's limits; the server must refuse them all."""
    rng, tally = random.Random(seed), Tally()

    def raw(body: bytes, extra: str = "", host: str = "127.0.0.1") -> bytes:
        head = f"POST /api/v1/race HTTP/1.1\r\nHost: {host}\r\n{extra}"
        return f"{head}Content-Type: application/json\r\nConnection: close\r\n".encode() + (
            f"Content-Length: {len(body)}\r\n\r\n".encode() + body
        )

    body = json.dumps(RACE).encode()
    kinds: dict[str, Callable[[], bytes]] = {
        "body": lambda: raw(b" " * rng.randrange(4_194_305, 6_000_000)),
        "length": lambda: raw(b"").replace(
            b"Length: 0", b"Length: 9" + b"9" * rng.randrange(7, 30)
        ),
        "deep": lambda: raw(rng.choice([b"[", b'{"a":']) * rng.randrange(1000, 500_000)),
        "no JSON": lambda: raw(rng.randbytes(rng.randrange(1, 1000))),
        "host": lambda: raw(body, host=f"{rng.randrange(10**6)}.example"),
        "origin": lambda: raw(body, f"Origin: http://{rng.randrange(10**6)}.example\r\n"),
        "site": lambda: raw(body, "Sec-Fetch-Site: cross-site\r\n"),
        "path": lambda: (
            f"GET /{'../' * rng.randrange(1, 9)}etc/passwd HTTP/1.1\r\n"
            "Host: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
        ),
        "races": lambda: post("/api/v1/races", {"races": 10_001 * [1]}).replace(
            b"Content-Type", b"Connection: close\r\nContent-Type"
        ),
    }
    for number in range(cases):
        name = list(kinds)[number % len(kinds)]
        try:
            verdict, why = verdict_of(exchange(port, kinds[name]()))
        except TimeoutError:
            verdict, why = WRONG, f"{name}: no answer"
        if verdict == "answered":
            verdict, why = WRONG, f"{name}: answered"
        tally.add(verdict, why)
    return tally


def slow_clients(port: int, cases: int, seed: int) -> Tally:
    """Open connections that send or read very slowly, while other clients send requests."""
    rng, tally = random.Random(seed), Tally()
    begins = (b"", b"GET / HT", b"POST /api/v1/race HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(cases)]
    waiting = set(held)
    for connection in held:
        connection.sendall(rng.choice(begins))
        connection.setblocking(False)
    until = time.monotonic() + 60
    while waiting and time.monotonic() < until:
        for connection in tuple(waiting):
            try:
                connection.send(b"X")
                if connection.recv(1000) == b"":
                    waiting.discard(connection)
            except BlockingIOError:
                pass
            except ConnectionError:
                waiting.discard(connection)
        if why := is_well(port):
            tally.add(WRONG, f"while slow clients were connected, {why}")
        time.sleep(0.5)
    for connection in held:
        connection.close()
        late = connection in waiting
        tally.add(
            WRONG if late else "closed",
            "the server waited for a request header without limit" if late else "",
        )
    return tally


def leavers(port: int, cases: int, seed: int) -> Tally:
    """Request rollouts and disconnect; the server must stop these rollouts."""
    tally = Tally()
    for _ in range(cases):
        message = f"GET /api/v1/rollout?{LONG} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(message)
            found = b""
            # If the server is still busy with earlier rollouts, it rejects the request with
            # a JSON response, which ends with `}`.
            while not found.endswith(b"}"):
                found += connection.recv(1 << 16)
                if b"event: progress" in found:
                    break
            tally.add(*verdict_of(found))
    until = time.monotonic() + 30
    while b'"busy":0' not in get(port, "/health"):
        if time.monotonic() > until:
            tally.add(WRONG, "games continued after the client had disconnected")
            break
        time.sleep(0.2)
    return tally


def crowd(port: int, cases: int, seed: int) -> Tally:
    """Send many requests of all kinds at the same time, including slow ones."""
    rng, tally = random.Random(seed), Tally()
    asked = [
        post("/api/v1/race", RACE),
        post("/api/v1/race", RACE | {"market": True}),
        post("/api/v1/race", RACE | {"rolls": True}),
        post("/api/v1/races", {"races": 1000 * [RACE]}),
        post("/api/v1/race", RACE | {"score": f"{rng.randrange(2, 9)}-3"}),
        post("/api/v1/distribution", RACE),
    ]
    right: dict[int, bytes] = {}

    def one(_: int) -> tuple[str, str]:
        place = rng.randrange(len(asked))
        connection = Connection(port)
        try:
            found = connection.ask(asked[place])
        except RuntimeError as refused:
            busy = "429" in str(refused) or "503" in str(refused)
            return ("refused", "") if busy else (WRONG, str(refused))
        except OSError as error:
            return WRONG, repr(error)
        finally:
            connection.close()
        if right.setdefault(place, found) != found:
            return WRONG, f"different answers to {asked[place][-80:]!r}"
        return "answered", ""

    with ThreadPoolExecutor(100) as pool:
        for verdict, why in pool.map(one, range(cases)):
            tally.add(verdict, why)
    return tally


KINDS: dict[str, tuple[Callable[[int, int, int], Tally], int]] = {
    "as described, and nearly so": (described, 200),
    "random and changed bytes": (random_bytes, 60_000),
    "too large, too deep, for other hosts": (bounds, 10_000),
    "slow clients": (slow_clients, 300),
    "who leaves a rollout": (leavers, 40),
    "a hundred at a time": (crowd, 25_000),
}
"""Kinds of hostile requests, with the number of requests of each kind."""
