"""What a server listens to, and how much it takes on."""

from dataclasses import dataclass
from ipaddress import ip_address

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names under which this machine calls itself."""


@dataclass(frozen=True)
class Settings:
    """How to serve.

    Attributes
    ----------
    host, port : str, int
        Address that is listened to.
    names : tuple of str
        Names of the host, besides those of this machine, that requests may be for.
    body : int
        Bytes of a request, at most.
    bodies : int
        Bytes of the bodies of all requests under way, at most.
    races : int
        Races of a request, at most.
    seconds : float
        That an answer may take, and so may the body of a request.
    threads, waiting : int
        Answers that are worked out at a time, and requests that wait for their turn.
    rollouts : int
        Rollouts at a time.
    rollout_seconds : float
        That a rollout may take.
    connections : int
        At a time.
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
        """Whether only this machine is served: what one player keeps may be shown."""
        return not self.names and is_loopback(self.host)

    @property
    def allowed_names(self) -> frozenset[str]:
        """Names that a request's host may have, in lower case."""
        return frozenset(name.lower() for name in (*LOOPBACK, self.host, *self.names))


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone.

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
