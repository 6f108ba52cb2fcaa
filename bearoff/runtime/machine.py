"""Processors and memory of this machine, and sizes in words."""

import ctypes
import gc
import math
import os
import platform
import re
import sys
from functools import lru_cache
from math import inf, nan
from pathlib import Path

from bearoff.errors import BearoffError, TableError


def cores() -> int:
    """Return the processors that this process may use.

    Its affinity, its control group and ``LOKY_MAX_CPU_COUNT`` are respected.

    Raises
    ------
    BearoffError
        If ``LOKY_MAX_CPU_COUNT`` is no number.
    """
    counts = [os.cpu_count() or 1, *_shares_of_control_groups()]
    if sys.platform == "win32":
        counts.append(61)  # Processes that one call there can wait for.
    if hasattr(os, "sched_getaffinity"):
        counts.append(len(os.sched_getaffinity(0)))
    if (most := os.environ.get("LOKY_MAX_CPU_COUNT")) is not None:
        try:
            counts.append(int(most))
        except ValueError as error:
            raise BearoffError(
                f"LOKY_MAX_CPU_COUNT must be a whole number of processors: {error}"
            ) from None
    return max(1, min(counts))


def _shares_of_control_groups() -> list[int]:
    """Return the processors that a control group of Linux, of either version, leaves."""
    for files in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            words = " ".join((_CONTROL_GROUPS / file).read_text() for file in files).split()
            quota, period = map(int, words)
        except (OSError, ValueError):  # There is none, or no limit: "max".
            continue
        if quota > 0 and period > 0:
            return [math.ceil(quota / period)]
    return []


_CONTROL_GROUPS = Path("/sys/fs/cgroup")


@lru_cache(maxsize=1)
def processor() -> str:
    """Return the name of the processor, as far as the system tells.

    With its family, model and stepping: virtual machines call all of a maker's one name.
    """
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    first = text.strip().split("\n\n")[0]
    told = {
        key.strip(): value.strip()
        for key, _, value in (line.partition(":") for line in first.splitlines())
    }
    kind = [
        f"{word} {told[key]}"
        for word, key in (
            ("family", "cpu family"),
            ("model", "model"),
            ("stepping", "stepping"),
        )
        if key in told
    ]
    name = told.get("model name") or platform.machine()
    return f"{name} ({', '.join(kind)})" if kind else name


def memory_available() -> int:
    """Return the bytes of memory that this process may still take; see `limit_memory`."""
    import psutil

    free = int(psutil.virtual_memory().available)
    return free if _most is None else max(0, min(free, _most - memory_taken()))


def memory_taken() -> int:
    """Return the bytes of memory that this process has for itself.

    Pages of files, such as tables that are mapped, count only where the system does not
    tell them apart.
    """
    import psutil

    taken = psutil.Process().memory_info()
    return int(taken.rss - getattr(taken, "shared", 0))


_most: int | None = None


def limit_memory(most: int | None) -> None:
    """Let this process take no more memory than `most` bytes from now on; None for all.

    What needs more than `memory_available` then tells is refused, or done another way.
    """
    global _most
    _most = most


def check_memory(name: str, size: int, remedy: str) -> None:
    """Refuse what needs more memory than programs may still take.

    Raises
    ------
    TableError
        Naming what is needed, what there is, and the remedy.
    """
    free = memory_available()
    if size > free:
        raise TableError(
            f"{name} needs {format_bytes(size)} of memory and {format_bytes(free)} is "
            f"free; {remedy}"
        )


def give_back_memory() -> None:
    """Return to the system what is free, where there is a way to say so."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)


def return_freed_memory() -> None:
    """Have freed arrays of four megabytes and more go back to the system from now on.

    For processes that live long. The C library of Linux keeps blocks of up to 32 MB once
    it has seen one so large freed, and hands the memory back only at the end of its heap.
    """
    if sys.platform == "linux":
        # Other libraries have no such setting, and nothing to set.
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
        if set_option is not None:
            set_option(_M_MMAP_THRESHOLD, 4 << 20)


_M_MMAP_THRESHOLD = -3
"""Of malloc.h."""


def format_bytes(size: float) -> str:
    """Write a number of bytes with the unit that suits it.

    Examples
    --------
    >>> [format_bytes(size) for size in (0, 999, 15_400, 16_600_000, 26.9e9)]
    ['0 bytes', '999 bytes', '15.4 kB', '16.6 MB', '26.9 GB']
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:,.1f} {unit}"
    return f"{size:,.0f} bytes"


def parse_bytes(text: str) -> int:
    """Read a number of bytes as it is written: ``6GB``, ``500 MB``, ``4e9``.

    Raises
    ------
    BearoffError
        If it is none, or less than 1.

    Examples
    --------
    >>> parse_bytes("6GB"), parse_bytes("1.5 mb"), parse_bytes("4e9")
    (6000000000, 1500000, 4000000000)
    """
    match = re.fullmatch(r"\s*([0-9.e+]+)\s*([kmg]?)b?\s*", text.lower())
    try:
        size = float(match[1]) * _UNITS[match[2]] if match else nan
    except ValueError:
        size = nan
    if not 1 <= size < inf:
        raise BearoffError(
            f"a size is a number of bytes such as 6GB, 500MB or 4e9, got {text!r}"
        )
    return int(size)


_UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}
