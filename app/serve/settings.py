"""Address and limits of a server."""

from dataclasses import dataclass
from ipaddress import ip_address

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Host names of this machine."""


@dataclass(frozen=True)
class Settings:
    """Address and limits of a server.

    Attributes
    ----------
    host, port : str, int
        Address to listen on.
    names : tuple of str
        Host names of the server, in addition to those of this machine.
    body : int
        Maximum size of a request's body, in bytes.
    bodies : int
        Maximum total size of the bodies of all current requests, in bytes.
    races : int
        Maximum number of races in a request.
    seconds : float
        Time limit for answering a request, and for receiving its body, in seconds.
    threads, waiting : int
        Maximum numbers of requests that are answered at the same time, and of requests in
        the queue.
    rollouts : int
        Maximum number of concurrent rollouts.
    rollout_seconds : float
        Time limit of a rollout, in seconds.
    connections : int
        Maximum number of concurrent connections.
    """

    host: str = "127.0.0.1"
    port: int = 8642
    names: tuple[str, ...] = ()
    body: int = 4_000_000
    bodies: int = 100_000_000
    races: int = 10_000
    seconds: float = 30.0
    threads: int = 2
    waiting: int = 64
    rollouts: int = 2
    rollout_seconds: float = 600.0
    connections: int = 512

    @property
    def private(self) -> bool:
        """Whether only this machine can reach the server, so that it may show user data."""
        return not self.names and is_loopback(self.host)

    @property
    def allowed_names(self) -> frozenset[str]:
        """Host names allowed in requests, in lower case."""
        return frozenset(name.lower() for name in (*LOOPBACK, self.host, *self.names))


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached only from this machine.

    Examples
    --------
    >>> is_loopback("127.0.0.2"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
