"""Processor time of work done here and in other processes; rates, as they are printed."""

import os
import platform
import resource
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version


def seconds_of(work: Callable[[], object], runs: int) -> list[float]:
    """Do some work once to warm up, then so many times; return CPU seconds of each."""
    work()
    seconds = []
    for _ in range(runs):
        start = time.thread_time()
        work()
        seconds.append(time.thread_time() - start)
    return seconds


def report_rate(name: str, items: int, work: Callable[[], object], runs: int) -> float:
    """Time `work`, which does `items` of something, and print millions a second."""
    seconds = seconds_of(work, runs)
    rate = items / statistics.median(seconds) / 1e6
    low, high = items / max(seconds) / 1e6, items / min(seconds) / 1e6
    print(f"{name:62} {rate:9.3f} M/s  ({low:.3f} to {high:.3f})")
    return rate


def seconds_of_children() -> float:
    """Return the processor time of all processes that were started here and ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report_machine() -> None:
    """Print what it runs on."""
    parts = [f"{os.cpu_count()} processors", f"Python {platform.python_version()}"]
    for package in ("numpy", "numba", "bgsage"):
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"no {package}")
    print(f"{platform.machine()} {platform.system()}, {', '.join(parts)}")
