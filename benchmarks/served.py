"""Server process (`bearoff serve`), and a client with a persistent connection."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Server:
    """Running process of `bearoff serve`.

    Attributes
    ----------
    port : int
    process : psutil.Process
    ready : float
        Seconds from the start of the process to the first answer of /health.
    """

    port: int
    process: psutil.Process
    ready: float

    @property
    def seconds(self) -> float:
        """Processor time that the server has used so far, in seconds."""
        times = self.process.cpu_times()
        return times.user + times.system

    @property
    def memory(self) -> int:
        """Private memory of the server in bytes; mapped files of tables do not count."""
        held = self.process.memory_info()
        # The attribute `shared`, the size of the shared memory, exists only on Linux.
        return int(held.rss - getattr(held, "shared", 0))


@contextmanager
def running(*options: str, env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Start a server with extra environment variables; stop it after the with block."""
    started = time.monotonic()
    command = [sys.executable, "-m", "bearoff", "serve", "--no-browser", "--port", "0"]
    with (
        subprocess.Popen(
            [*command, *options],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
        ) as process,
        ThreadPoolExecutor(1) as pool,
    ):
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if found := re.search(r"http://[^ ]+:(\d+)/", line):
                    break
            else:
                raise RuntimeError("the server did not start")
            pool.submit(_tell_failures, process.stderr)
            port = int(found[1])
            ask(port, "GET", "/health")
            ready = time.monotonic() - started
            yield Server(port, psutil.Process(process.pid), ready)
        finally:
            process.terminate()


def _tell_failures(lines: Iterable[str]) -> None:
    """Print errors that occur in the server's output."""
    for line in lines:
        if " failed in " in line:
            sys.stderr.write(line)


def post(path: str, body: object) -> bytes:
    """Return a POST request as bytes."""
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


class Connection:
    """Persistent connection with minimal overhead, as a bot would use it."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, message: bytes) -> bytes:
        """Send a request, and return the body of the response; its status must be 200."""
        self._socket.sendall(message)
        found = b""
        while b"\r\n\r\n" not in found:
            found += self._more(1 << 16)
        head, _, body = found.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{head.splitlines()[0]!r}: {body[:200]!r}")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        assert length is not None
        parts, missing = [body], int(length[1]) - len(body)
        while missing:
            parts.append(self._more(1 << 20))
            missing -= len(parts[-1])
        return b"".join(parts)

    def _more(self, most: int) -> bytes:
        if not (part := self._socket.recv(most)):
            raise ConnectionError("the server closed the connection before it answered")
        return part

    def close(self) -> None:
        self._socket.close()


def ask(port: int, method: str, path: str) -> bytes:
    """Send a request without a body to a server, and return the body of the response."""
    connection = Connection(port)
    try:
        return connection.ask(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        )
    finally:
        connection.close()
