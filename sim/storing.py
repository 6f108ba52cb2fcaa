"""Parts stored beside the play, in threads of their own, and never many at a time.

Building a table and writing Parquet takes a microsecond or two a pair. Where many workers
play few games of each pair, they would be done with parts faster than one thread stores
them, and all that waits would pile up in memory; so whoever opens new parts waits for
room.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

_Result = TypeVar("_Result")

WORKERS_PER_THREAD = 8
"""Workers that one thread stores for; with a hundred games a pair it keeps up."""


class Storing:
    """Calls made by so many threads, to be used as a context.

    Leaving it waits for all calls, and raises what the first that failed has raised
    unless something else is on its way. Once a call has failed no other is begun: each
    might wait as long for a store that does not answer.

    Parameters
    ----------
    threads : int
        Threads; with 0, calls are made at once by whoever asks.

    Examples
    --------
    >>> stored = []
    >>> with Storing(1) as storing:
    ...     storing.submit(lambda: stored.append(3))
    >>> stored
    [3]
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads) if threads else None
        self._most = 2 * threads
        self._waiting = 0
        self._changed = threading.Condition()
        self._failure: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown()
        if error is None:
            self.check()

    def submit(self, call: Callable[[], None]) -> None:
        """Have a call made; raise what an earlier one has raised."""
        self.check()
        if self._pool is None:
            call()
            return
        with self._changed:
            self._waiting += 1
        self._pool.submit(self.make, call).add_done_callback(self._done)

    def make(self, call: Callable[[], _Result]) -> _Result:
        """Make a call at once and return its result; raise what an earlier one has raised.

        If it fails, no call that was submitted is begun any more. An interruption is no
        failure: what waits is still stored.
        """
        self.check()
        try:
            return call()
        except Exception as error:
            with self._changed:
                self._failure = self._failure or error
            raise

    def check(self) -> None:
        """Raise what the first call that failed has raised."""
        if self._failure is not None:
            raise self._failure

    def wait_for_room(self) -> None:
        """Wait until fewer than two calls a thread are still to be made."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting or self._waiting < self._most)

    def _done(self, call: "Future[None]") -> None:
        with self._changed:
            self._waiting -= 1
            self._failure = self._failure or call.exception()
            self._changed.notify_all()
