"""Processor time that this process and its child processes use for some work."""

import resource
import time
from collections.abc import Callable


def seconds_of(work: Callable[[], object], runs: int) -> list[float]:
    """Return the CPU seconds of each of several calls of a function, after a warm-up."""
    work()
    seconds = []
    for _ in range(runs):
        start = time.thread_time()
        work()
        seconds.append(time.thread_time() - start)
    return seconds


def seconds_of_children() -> float:
    """Return the processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
