"""Stop a command from outside, by Ctrl-C or by SIGTERM, which does the same."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

CTRL_C = 128 + signal.SIGINT
"""Exit code after Ctrl-C."""

TERMINATED = 128 + signal.SIGTERM
"""Exit code after SIGTERM, as batch systems and containers send it."""


class Interrupted(Exception):
    """The user stopped the command; the message says what is stored and how to continue."""


class Stops:
    """What has stopped the command.

    Attributes
    ----------
    terminated : bool
        Whether SIGTERM has come.
    """

    def __init__(self) -> None:
        self.terminated = False

    @property
    def code(self) -> int:
        """Exit code of a command that was interrupted."""
        return TERMINATED if self.terminated else CTRL_C


@contextmanager
def stopped_by_termination() -> Iterator[Stops]:
    """Let SIGTERM interrupt as Ctrl-C does, so that what is under way is cleared away."""
    stops = Stops()
    # Signals are the main thread's; a command in another is not stopped by them.
    if threading.current_thread() is not threading.main_thread():
        yield stops
        return

    def stop(*_: object) -> None:
        stops.terminated = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield stops
    finally:
        signal.signal(signal.SIGTERM, before)
