"""Thread pools with a bounded queue and a time limit for each task."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

from bearoff.app.serve.problems import Refusal

T = TypeVar("T")

LOOKING = 0.2
"""Interval in seconds at which the client's connection is checked."""


class Stopped(BaseException):
    """Exception raised in a thread whose result is no longer needed.

    The class is derived from `BaseException`, so that an `except Exception` in the work
    does not catch it.
    """


class Task:
    """Time limit and cancellation of a piece of work, checked by the working thread.

    Attributes
    ----------
    until : float
        End of the time limit according to `time.monotonic`.
    """

    def __init__(self, seconds: float) -> None:
        self.until = monotonic() + seconds
        self._stopped = threading.Event()

    @property
    def left(self) -> float:
        """Remaining time of the task, in seconds."""
        return self.until - monotonic()

    def stop(self) -> None:
        """Request the cancellation of the task."""
        self._stopped.set()

    def check(self, *_: object) -> None:
        """Raise `Stopped` if the work has been cancelled or its time limit has passed."""
        if self._stopped.is_set() or monotonic() > self.until:
            raise Stopped


async def _stop_if(left: Callable[[], Awaitable[bool]], task: Task) -> None:
    while not await left():
        await asyncio.sleep(LOOKING)
    task.stop()


_NO_END = Task(1e9)

current: ContextVar[Task] = ContextVar("current", default=_NO_END)
"""Task of the current thread."""


class Workers:
    """Pool of threads that answer requests.

    Parameters
    ----------
    threads : int
        Number of threads.
    waiting : int
        Maximum number of requests in the queue; further requests are rejected.
    seconds : float
        Time limit for answering a request in seconds, including its time in the queue.
    """

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="answers")
        self._threads, self._most = threads, threads + waiting
        self._seconds = seconds
        self._tasks: set[Task] = set()

    @property
    def busy(self) -> int:
        """Number of requests that threads are answering."""
        return min(len(self._tasks), self._threads)

    @property
    def waiting(self) -> int:
        """Number of requests in the queue."""
        return len(self._tasks) - self.busy

    def start(self, work: Callable[[], T], task: Task | None = None) -> "asyncio.Future[T]":
        """Queue work; return a future of its result."""
        if len(self._tasks) >= self._most:
            raise Refusal(
                429, "too many requests are waiting for an answer; try again soon"
            )
        task = task or Task(self._seconds)

        def call() -> T:
            current.set(task)
            task.check()
            return work()

        self._tasks.add(task)
        future = asyncio.get_running_loop().run_in_executor(self._pool, call)
        future.add_done_callback(lambda _: self._tasks.discard(task))
        return future

    async def run(
        self, work: Callable[[], T], left: Callable[[], Awaitable[bool]] | None = None
    ) -> T:
        """Run work in a thread and return its result."""
        task = Task(self._seconds)
        future = self.start(work, task)
        watch = asyncio.create_task(_stop_if(left, task)) if left else None
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.shield(future)
        except (TimeoutError, Stopped):
            raise Refusal(
                504, f"the answer takes longer than {self._seconds:g} seconds"
            ) from None
        finally:
            task.stop()
            if watch is not None:
                watch.cancel()
            # The result is no longer needed, but asyncio warns about an error that is never
            # read.
            future.add_done_callback(lambda done: done.cancelled() or done.exception())

    def close(self) -> None:
        """Cancel the work in progress, and accept no further work."""
        for task in tuple(self._tasks):
            task.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)
