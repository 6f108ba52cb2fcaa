"""Queue of functions that write files, executed by threads while games are simulated.

Writing a result file takes 1-2 µs per pair, and writing a block to an object store some 10
ms. Many workers simulate faster than the threads can write, and the waiting results would
fill the memory. The thread that generates tasks therefore waits until the queue has room.
It waits only for writing threads, which do not wait for other threads. Waiting for the
thread that collects results would cause a deadlock: joblib takes tasks and collects results
under the same lock.

Functions wait in a deque rather than in the thread pool's own queue. A signal may interrupt
the main thread anywhere within `submit` of the pool, but every function in the deque is
still called.
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
    """Queue of functions that threads call, used as a context manager.

    At the end of the ``with`` block, the queue waits until all functions have been called.
    The first exception of a function is then raised, unless the block itself has raised
    one. After an exception, no further function is called, because each might wait for an
    object store that does not respond.

    Parameters
    ----------
    threads : int
        Number of threads that call the functions; with 0, `submit` calls each function
        immediately.

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
                # If Ctrl-C interrupts the first `_drain`, the second waits for the writing
                # threads. The folder thus stays locked while they write.
                self._drain(self._pool)
                self._pool.shutdown()
        if error is None:
            self.check()

    def submit(self, call: Callable[[], None]) -> None:
        """Add a function to the queue; raise the exception of an earlier function."""
        self.check()
        if self._pool is None:
            call()
            return
        # The writing threads count finished functions safely, because a signal interrupts
        # only the main thread.
        self._calls.append(call)
        self._pool.submit(self._make_next)

    def make(self, call: Callable[[], _Result]) -> _Result:
        """Call a function immediately, and return its result.

        An exception stops the queue: no further function is called. Ctrl-C does not stop
        the queue.
        """
        self.check()
        try:
            return call()
        except Exception as error:
            with self._changed:
                self._failure = self._failure or error
            raise

    def check(self) -> None:
        """Raise the first exception of a function from the queue, if any."""
        if self._failure is not None:
            raise self._failure

    def wait_for_room(self) -> None:
        """Wait until fewer than two functions per thread are queued or running."""
        with self._changed:
            self._changed.wait_for(lambda: self._left() < max(self._most, 1))

    def _left(self) -> int:
        return len(self._calls) + self._busy

    def _drain(self, pool: ThreadPoolExecutor) -> None:
        for _ in range(len(self._calls)):
            # If a signal interrupted `submit`, the pool may lack a task for a queued
            # function. Additional tasks do no harm.
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
