"""Queue of write operations that threads execute while games are simulated.

Building a table and writing Parquet takes 1-2 µs per pair, and writing a block to an object
store takes some 10 ms. Many workers simulate faster than the threads can write, and the
waiting results would fill the memory. The thread that generates tasks therefore waits until
the queue has room. It waits only for the writing threads, which do not wait for other
threads. If it waited for the thread that collects results, the program would deadlock,
because joblib holds a lock while it takes a task and needs the same lock to collect
results.

The queue is a separate deque rather than the thread pool's own queue, because a signal may
interrupt the main thread anywhere in `submit`. Calls in the deque are made in any case.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

_Result = TypeVar("_Result")

WORKERS_PER_THREAD = 8
"""Number of workers that simulate games for each thread that writes files."""


class WriteQueue:
    """Queue of function calls that threads execute, used as a context manager.

    On exit, it waits for all calls, and raises the error of the first failed call unless
    another exception is propagating. After an error, no further calls are started, because
    each of them might wait for an object store that does not respond.

    Parameters
    ----------
    threads : int
        Number of writing threads; with 0, each call is executed immediately.

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
                # If Ctrl-C interrupts the first call, this second call waits for the
                # writing threads, so that no other process locks the folder while they
                # write.
                self._drain(self._pool)
                self._pool.shutdown()
        if error is None:
            self.check()

    def submit(self, call: Callable[[], None]) -> None:
        """Add a call to the queue; raise the error of an earlier call that failed."""
        self.check()
        if self._pool is None:
            call()
            return
        # Signals interrupt only the main thread, so writing threads can safely count
        # finished calls.
        self._calls.append(call)
        self._pool.submit(self._make_next)

    def make(self, call: Callable[[], _Result]) -> _Result:
        """Execute a call immediately, and return its result.

        After an error, queued calls are not started. An interruption is not an error:
        queued calls are still made.
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
        """Wait until fewer than two calls per thread are queued."""
        with self._changed:
            self._changed.wait_for(lambda: self._left() < max(self._most, 1))

    def _left(self) -> int:
        return len(self._calls) + self._busy

    def _drain(self, pool: ThreadPoolExecutor) -> None:
        for _ in range(len(self._calls)):
            # An interrupted `submit` may have lost its task, so a task is submitted again
            # for each queued call.
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
