"""A bounded queue of writes: parts and blocks are stored by threads beside the play.

Building a table and writing Parquet takes a microsecond or two a pair, and a block takes
an object store some hundredths of a second. Many workers would play faster than the
threads store, and what waits would pile up in memory; so the thread that hands out tasks
waits for room. It waits for the writing threads alone, which wait for nothing: joblib
holds a lock while it draws a task, and its results cannot be taken without that lock, so
waiting for the thread that takes results would be a deadlock.

The queue is a deque beside the pool, not the pool's own: a signal may interrupt the main
thread between any two steps of `submit`, and what the deque holds is still written.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

_Result = TypeVar("_Result")

WORKERS_PER_THREAD = 8
"""Workers for each writing thread, which keeps up at a hundred games a pair."""


class WriteQueue:
    """Calls made by some threads, to be used as a context.

    Leaving it waits for all calls, and raises the error of the first that failed unless
    another exception is propagating. Once a call has failed no other is begun: each might
    wait as long for a store that does not answer.

    Parameters
    ----------
    threads : int
        Threads; with 0, calls are made at once by the calling thread.

    Examples
    --------
    >>> stored = []
    >>> with WriteQueue(1) as queue:
    ...     queue.submit(lambda: stored.append(3))
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
                # Once more, if that was interrupted: another process might claim the
                # folder while a thread still writes to it.
                self._drain(self._pool)
                self._pool.shutdown()
        if error is None:
            self.check()

    def submit(self, call: Callable[[], None]) -> None:
        """Queue a call; raise the error of an earlier one."""
        self.check()
        if self._pool is None:
            call()
            return
        # Only the threads count, which no signal interrupts.
        self._calls.append(call)
        self._pool.submit(self._make_next)

    def make(self, call: Callable[[], _Result]) -> _Result:
        """Make a call at once and return its result; raise the error of an earlier one.

        If it fails, no submitted call is begun any more. An interruption is no failure:
        what waits is still stored.
        """
        self.check()
        try:
            return call()
        except Exception as error:
            with self._changed:
                self._failure = self._failure or error
            raise

    def check(self) -> None:
        """Raise the error of the first call that failed."""
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
            # Its submission may have been interrupted before the pool had it.
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
