"""Threads that are started once and stay.

A thread that finds no memory as it begins is waited for always: the one that starts it
waits for a word that never comes. So a program that will need much memory starts its
threads first, and who works in threads takes those that there are.
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
    """Return so many threads, all running; see `in_threads`."""
    pool = ThreadPoolExecutor(count, initializer=_mark)
    met = threading.Barrier(count)
    try:
        for thread in [pool.submit(met.wait) for _ in range(count)]:
            thread.result()
    except BaseException:
        met.abort()  # Those that began would wait for one that did not.
        pool.shutdown()
        raise
    return pool


if hasattr(os, "register_at_fork"):  # A child has none of its parent's threads.
    os.register_at_fork(after_in_child=start_threads.cache_clear)


def in_threads(
    count: int,
    work: Callable[[Part], Result],
    parts: Iterable[Part],
    on_part: Callable[[int], Any] = lambda done: None,
) -> list[Result]:
    """Do some parts of a work in threads.

    Parameters
    ----------
    count : int
        Threads at once. With one the calling thread does the work, and so does one of
        them that calls: the others may all be waiting for such a call.
    work : callable
        Does a part.
    parts : iterable
        The parts.
    on_part : callable
        Called by the calling thread with the parts that are done, in their order.

    Returns
    -------
    list
        What `work` returned for each part.

    What one raises is raised once all that were begun have ended.
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
