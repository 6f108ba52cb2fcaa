"""Speed of this machine: durations of short tasks, measured once and then cached.

``speeds.json`` contains the seconds of each task for each type of processor. The values are
used only for estimates, so the file has no checksum. Values that cannot be read are
measured again, and values that cannot be written are used only by this process.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from time import thread_time

from bearoff.errors import LockedError
from bearoff.runtime import locked, processor
from bearoff.storage.cache import cache_folder
from bearoff.storage.files import remove_unfinished, write_atomic

_SPEEDS = "speeds.json"

_ROUNDS = 3
"""Number of times that a task is measured. The shortest time counts, because the others may
include interruptions."""

_measured: dict[tuple[str, str], float] = {}
"""CPU seconds by cache file and task, kept so that a process measures each task only
once."""


def seconds_of(task: str, version: int, work: Callable[[], object]) -> float:
    """Return the CPU time in seconds that a task takes on this machine.

    The task is measured on the first call on each type of processor. The result is the CPU
    time of the calling thread, which other threads do not affect, and is stored in
    `cache_folder`.

    Parameters
    ----------
    task : str
        Name of the task.
    version : int
        Version of the task. A task with a new version is measured again.
    work : callable
        Function whose time is measured in the calling thread; a call should take some
        milliseconds. The function is called once before the measurement, so that all code
        is compiled and loaded.

    Returns
    -------
    float
        CPU time in seconds, greater than 0.
    """
    seconds = known_seconds(task, version)
    if seconds is None:
        seconds = _least(work)
        keep_seconds(task, version, seconds)
    return seconds


def known_seconds(task: str, version: int) -> float | None:
    """Return the stored CPU seconds of a task; None if it has not been measured."""
    key = f"{task} {version}"
    place = str(cache_folder() / _SPEEDS), key
    if place not in _measured:
        seconds = _read().get(processor(), {}).get(key)
        if seconds is None:
            return None
        _measured[place] = seconds
    return _measured[place]


def keep_seconds(task: str, version: int, seconds: float) -> None:
    """Store the CPU seconds of a task for this type of processor."""
    path = cache_folder() / _SPEEDS
    key = f"{task} {version}"
    _measured[str(path), key] = seconds
    with suppress(OSError, LockedError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_suffix(".lock"), timeout=1.0):
            remove_unfinished(path.parent, path.name)
            known = _read()
            known.setdefault(processor(), {})[key] = seconds
            write_atomic(path, json.dumps(known, indent=1).encode())


def _least(work: Callable[[], object]) -> float:
    work()
    taken = []
    for _ in range(_ROUNDS):
        start = thread_time()
        work()
        taken.append(thread_time() - start)
    return max(min(taken), 1e-6)  # A coarse clock may measure 0 s.


def _read() -> dict[str, dict[str, float]]:
    """Read the valid measurements in CPU seconds, by processor and task."""
    path = cache_folder() / _SPEEDS
    found: dict[str, dict[str, float]] = {}
    with suppress(OSError, ValueError, RecursionError):
        if path.is_file():  # Opening a pipe would wait for a writer.
            known = json.loads(path.read_text(encoding="utf-8"))
            for machine, tasks in known.items() if isinstance(known, dict) else ():
                if isinstance(tasks, dict):
                    found[machine] = {
                        task: seconds
                        for task, seconds in tasks.items()
                        if isinstance(seconds, float) and isfinite(seconds) and seconds > 0
                    }
    return found
