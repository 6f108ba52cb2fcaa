"""Local S3-compatible server that runs in its own process."""

import os
import socket
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from verify.common.processes import Child, wait_for

BUCKET = "races"

KEYS = {
    "AWS_ACCESS_KEY_ID": "trial",
    "AWS_SECRET_ACCESS_KEY": "trial",
    "AWS_EC2_METADATA_DISABLED": "true",
}
"""Environment variables with a client's access key; the server accepts any key until
`know_keys` is called."""


class Store:
    """Running S3 server with one bucket, as created by `store`."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._log = folder / "server.log"
        self.start()

    @property
    def address(self) -> str:
        """URL of the server."""
        return f"http://127.0.0.1:{self._port}"

    def uri(self, bucket: str = BUCKET, address: str | None = None) -> str:
        """Return the URI of a folder in a bucket, at this server or at `address`."""
        where = (address or self.address).replace(":", "%3A").replace("/", "%2F")
        return f"s3://{bucket}/runs?endpoint_override={where}&region=us-east-1"

    def start(self) -> None:
        """Start the server with one empty bucket."""
        self._process = Child(
            [sys.executable, "-m", "moto.server", "-p", str(self._port)],
            stdout=self._log,
            stderr=self._log,
            env={"PATH": os.environ["PATH"]},
        )
        wait_for(self._has_a_bucket, "the store answers")

    def _has_a_bucket(self) -> bool:
        with suppress(OSError):
            self._ask("PUT", f"/{BUCKET}")
            return True
        return False

    def signal(self, number: int) -> None:
        """Send a signal to the server process, for example to stop or continue it."""
        self._process.signal(number)

    def end(self) -> None:
        self._process.end()

    def know_keys(self, known: bool) -> None:
        """Make the server reject unknown access keys, or accept any key."""
        self._ask("POST", "/moto-api/reset-auth", b"0" if known else b"1000000000")

    def requests(self) -> int:
        """Return the number of requests that the server has answered."""
        return self._log.read_text(errors="replace").count(" HTTP/1.1")

    def uploads_under_way(self) -> int:
        """Return the number of uploads that are neither completed nor aborted."""
        return self._ask("GET", f"/{BUCKET}?uploads").count(b"<UploadId>")

    def _ask(self, method: str, path: str, data: bytes | None = None) -> bytes:
        plain = {"Content-Type": "text/plain"}
        request = urllib.request.Request(self.address + path, data, plain, method=method)
        # Connections within this machine must not use a proxy.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=10) as answer:
            content: bytes = answer.read()
            return content


@contextmanager
def store(folder: Path) -> Iterator[Store]:
    """Start a server with its log in `folder`, and stop it after the with block."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Store(folder)
    try:
        yield made
    finally:
        made.end()
