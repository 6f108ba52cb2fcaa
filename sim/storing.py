"""Parts and blocks stored beside the play, in threads of their own, never many at a time.

Building a table and writing Parquet takes a microsecond or two a pair, and a block takes
an object store some hundredths of a second. Where many workers play, they would be done
faster than the threads store, and all that waits would pile up in memory; so whoever
hands out what is to be played waits for room. He waits for these threads alone, which
wait for nobody: joblib holds a lock while it draws a task, without which its results
cannot be taken, so to wait for whoever takes results would be to wait for ever.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
        self._calls: deque[Callable[[], None]] = deque()
        self._busy = 0
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
            try:
                self._drain(self._pool)
            finally:
                # Once more, if that was interrupted: who leaves earlier lets another
                # process have the folder while a thread still writes to it.
                self._drain(self._pool)
                self._pool.shutdown()
        if error is None:
            self.check()

    def submit(self, call: Callable[[], None]) -> None:
        """Have a call made; raise what an earlier one has raised."""
        self.check()
        if self._pool is None:
            call()
            return
        # Only the threads count, which no signal interrupts.
        self._calls.append(call)
        self._pool.submit(self._make_next)

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
            self._changed.wait_for(lambda: self._left() < max(self._most, 1))

    def _left(self) -> int:
        return len(self._calls) + self._busy

    def _drain(self, pool: ThreadPoolExecutor) -> None:
        """Wait until every call was made."""
        for _ in range(len(self._calls)):
            # Whoever submitted it may have been interrupted before the pool knew.
            pool.submit(self._make_next)
        with self._changed:
            self._changed.wait_for(lambda: not self._left())

    def _make_next(self) -> None:
        with self._changed:
            if not self._calls:
                return
            call = self._calls.popleft()
            self._busy += 1
        try:
            self.make(call)
        except BaseException as error:
            with self._changed:
                self._failure = self._failure or error
        finally:
            with self._changed:
                self._busy -= 1
                self._changed.notify_all()
