"""How fast this machine is: short measurements, taken once and kept in the cache.

``speeds.json`` holds, for each kind of processor, the seconds that each task took. What
it says is used for estimates alone, so it has no seal: what cannot be read is measured
again, and what cannot be written is kept by the process.
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
"""Measurements, of which the least counts: others were held up by something else."""

_measured: dict[tuple[str, str], float] = {}
"""By file and task, so that a process measures once even where nothing can be kept."""


def seconds_of(task: str, version: int, work: Callable[[], object]) -> float:
    """Return the processor seconds that a task takes on this machine.

    It is measured at the first call on a kind of processor, by the clock of the calling
    thread, which other programs and threads do not drive, and kept in `cache_folder`.

    Parameters
    ----------
    task : str
        Its name, the same for the same work.
    version : int
        Of the work and of the code that it runs; another is measured anew.
    work : callable
        What is measured, in the calling thread: some milliseconds, enough for the clock.
        It is called once before, which compiles and fetches what it needs.

    Returns
    -------
    float
        Above 0.
    """
    seconds = known_seconds(task, version)
    if seconds is None:
        seconds = _least(work)
        keep_seconds(task, version, seconds)
    return seconds


def known_seconds(task: str, version: int) -> float | None:
    """Return what `seconds_of` or `keep_seconds` has kept of a task; None if neither."""
    key = f"{task} {version}"
    place = str(cache_folder() / _SPEEDS), key
    if place not in _measured:
        seconds = _read().get(processor(), {}).get(key)
        if seconds is None:
            return None
        _measured[place] = seconds
    return _measured[place]


def keep_seconds(task: str, version: int, seconds: float) -> None:
    """Keep what a task has taken on this kind of processor, in place of what was known."""
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
    return max(min(taken), 1e-6)  # A clock of coarse ticks may tell none.


def _read() -> dict[str, dict[str, float]]:
    """Return the seconds of each machine and task that the file holds, the sound ones."""
    path = cache_folder() / _SPEEDS
    found: dict[str, dict[str, float]] = {}
    with suppress(OSError, ValueError, RecursionError):
        if path.is_file():  # Opening a pipe would wait for somebody to write to it.
            known = json.loads(path.read_text(encoding="utf-8"))
            for machine, tasks in known.items() if isinstance(known, dict) else ():
                if isinstance(tasks, dict):
                    found[machine] = {
                        task: seconds
                        for task, seconds in tasks.items()
                        if isinstance(seconds, float) and isfinite(seconds) and seconds > 0
                    }
    return found
