"""Work in threads: so much at a time, a queue of bounded length, and an end to each."""

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
"""Seconds between looks whether who asked is still there."""


class Stopped(BaseException):
    """Nobody waits any more for what a thread works out.

    No `Exception`, so that what is under way does not take it for an error of its own.
    """


class Task:
    """Whether somebody still waits for an answer, asked by who works it out.

    Attributes
    ----------
    until : float
        By `time.monotonic`, when to stop.
    """

    def __init__(self, seconds: float) -> None:
        self.until = monotonic() + seconds
        self._stopped = threading.Event()

    @property
    def left(self) -> float:
        """Seconds until the answer has to be there."""
        return self.until - monotonic()

    def stop(self) -> None:
        """Ask for an end."""
        self._stopped.set()

    def check(self, *_: object) -> None:
        """Raise `Stopped` if it is time to end; takes any arguments, as a callback."""
        if self._stopped.is_set() or monotonic() > self.until:
            raise Stopped


async def _stop_if(left: Callable[[], Awaitable[bool]], task: Task) -> None:
    while not await left():
        await asyncio.sleep(LOOKING)
    task.stop()


_NO_END = Task(1e9)

current: ContextVar[Task] = ContextVar("current", default=_NO_END)
"""The task that a thread works on."""


class Workers:
    """Threads that work answers out.

    Parameters
    ----------
    threads : int
        Answers at a time.
    waiting : int
        Most requests that wait for a thread; others are refused.
    seconds : float
        That an answer may take, its waiting included.
    """

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="answers")
        self._threads, self._most = threads, threads + waiting
        self._seconds = seconds
        self._tasks: set[Task] = set()

    @property
    def busy(self) -> int:
        """Answers under way."""
        return min(len(self._tasks), self._threads)

    @property
    def waiting(self) -> int:
        """Requests whose turn has not come."""
        return len(self._tasks) - self.busy

    def start(self, work: Callable[[], T], task: Task | None = None) -> "asyncio.Future[T]":
        """Queue work; see `run`, which most should use.

        Raises
        ------
        Refusal
            If too many wait already.
        """
        if len(self._tasks) >= self._most:
            raise Refusal(429, "too many requests wait for an answer; try again soon")
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
        """Work something out in a thread.

        Parameters
        ----------
        work : callable
            Called in the thread; returns the answer.
        left : callable, optional
            Says whether who asked has left; then the work ends.

        Raises
        ------
        Refusal
            If too many wait already, or it takes too long.
        """
        task = Task(self._seconds)
        future = self.start(work, task)
        watch = asyncio.create_task(_stop_if(left, task)) if left else None
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.shield(future)
        except (TimeoutError, Stopped):
            raise Refusal(
                504, f"the answer takes more than {self._seconds:g} seconds"
            ) from None
        finally:
            task.stop()
            if watch is not None:
                watch.cancel()
            # What it comes to, nobody asks any more.
            future.add_done_callback(lambda done: done.cancelled() or done.exception())

    def close(self) -> None:
        """Stop what is under way, and start nothing more."""
        for task in tuple(self._tasks):
            task.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)
