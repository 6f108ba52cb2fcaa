"""Pool of threads that are started once and then reused.

If memory is short when a thread is started, Python waits for the thread forever. A program
that needs much memory therefore starts its threads first.
"""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import Any, TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


_here = threading.local()


def _mark() -> None:
    _here.is_one_of_them = True


@cache
def start_threads(count: int) -> ThreadPoolExecutor:
    """Return a pool of threads that have all been started, for `in_threads`."""
    pool = ThreadPoolExecutor(count, initializer=_mark)
    met = threading.Barrier(count)
    try:
        for thread in [pool.submit(met.wait) for _ in range(count)]:
            thread.result()
    except BaseException:
        met.abort()  # Started threads would wait for one that failed to start.
        pool.shutdown()
        raise
    return pool


if hasattr(os, "register_at_fork"):  # A forked process has no threads of its parent.
    os.register_at_fork(after_in_child=start_threads.cache_clear)


def in_threads(
    count: int,
    work: Callable[[Part], Result],
    parts: Iterable[Part],
    on_part: Callable[[int], Any] = lambda done: None,
) -> list[Result]:
    """Process the parts of a task in several threads, and return the results.

    Parameters
    ----------
    count : int
        Number of threads. With 1, or if a thread of the pool makes the call, the calling
        thread does all the work.
    work : callable
        Function that processes one part of the task.
    parts : iterable
        Parts of the task.
    on_part : callable
        Function that is called in the calling thread after each part, with the number of
        parts that are complete.

    Returns
    -------
    list
        Result of `work` for each part. If a part raises an exception, the exception is
        raised again after all started parts have ended.
    """
    found: list[Result] = []
    if count == 1 or hasattr(_here, "is_one_of_them"):
        for part in parts:
            found.append(work(part))
            on_part(len(found))
        return found
    pool = start_threads(count)
    doing = [pool.submit(work, part) for part in parts]
    try:
        for one in doing:
            found.append(one.result())
            on_part(len(found))
    finally:
        for one in doing:
            one.cancel()
        wait(doing)
    return found
