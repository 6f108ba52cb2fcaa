"""Processors and memory of this machine, and conversion of memory sizes to text."""

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
    """Return the number of processors that this process may use.

    The CPU affinity, the control group and ``LOKY_MAX_CPU_COUNT`` are respected.

    Raises
    ------
    BearoffError
        If ``LOKY_MAX_CPU_COUNT`` is not a number.
    """
    counts = [os.cpu_count() or 1, *_shares_of_control_groups()]
    if sys.platform == "win32":
        counts.append(61)  # A wait call on Windows handles at most 61 processes.
    if hasattr(os, "sched_getaffinity"):
        counts.append(len(os.sched_getaffinity(0)))
    if (most := os.environ.get("LOKY_MAX_CPU_COUNT")) is not None:
        try:
            counts.append(int(most))
        except ValueError as error:
            raise BearoffError(
                "the environment variable LOKY_MAX_CPU_COUNT must be a whole number of "
                f"processors: {error}"
            ) from None
    return max(1, min(counts))


def _shares_of_control_groups() -> list[int]:
    """Return the numbers of processors that Linux control groups (version 1 or 2) allow."""
    for files in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            words = " ".join((_CONTROL_GROUPS / file).read_text() for file in files).split()
            quota, period = map(int, words)
        except (OSError, ValueError):  # There is no control group, or no limit.
            continue
        if quota > 0 and period > 0:
            return [math.ceil(quota / period)]
    return []


_CONTROL_GROUPS = Path("/sys/fs/cgroup")


@lru_cache(maxsize=1)
def processor() -> str:
    """Return the name of the processor, if the system provides it.

    Family, model and stepping are included, because virtual machines use one name for all
    processors of a manufacturer.
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
    """Return the bytes of memory that this process may still use; see `limit_memory`."""
    import psutil

    free = int(psutil.virtual_memory().available)
    return free if _most is None else max(0, min(free, _most - memory_taken()))


def memory_taken() -> int:
    """Return the memory that only this process uses, in bytes.

    Pages of memory-mapped files count only if the operating system does not report them
    separately.
    """
    import psutil

    taken = psutil.Process().memory_info()
    return int(taken.rss - getattr(taken, "shared", 0))


_most: int | None = None


def limit_memory(most: int | None) -> None:
    """Limit the memory of this process to `most` bytes; None removes the limit.

    Work that needs more memory than `memory_available` then raises an error, or is done
    with less memory.
    """
    global _most
    _most = most


def check_memory(name: str, size: int, remedy: str) -> None:
    """Raise an error if work needs more memory than this process may still use.

    Raises
    ------
    TableError
        If memory is short. The message states the required memory, the available memory,
        and `remedy`.
    """
    free = memory_available()
    if size > free:
        raise TableError(
            f"{name} needs {format_bytes(size)} of memory, but only {format_bytes(free)} "
            f"is free; {remedy}"
        )


def give_back_memory() -> None:
    """Return freed memory to the operating system, if the C library supports this."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)


def return_freed_memory() -> None:
    """Make the C library return large freed arrays to the operating system from now on.

    Arrays of at least four megabytes are returned. Long-lived processes need this, because
    the Linux C library otherwise keeps freed blocks of up to 32 MB and returns memory only
    at the end of its heap.
    """
    if sys.platform == "linux":
        # Only glibc has the option M_MMAP_THRESHOLD. Other C libraries do not need it.
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
        if set_option is not None:
            set_option(_M_MMAP_THRESHOLD, 4 << 20)


_M_MMAP_THRESHOLD = -3
"""Option number for glibc's ``mallopt``. The option sets the minimum size of memory blocks
that are mapped separately."""


def format_bytes(size: float) -> str:
    """Format a number of bytes with a suitable unit.

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
    """Parse a number of bytes such as ``6GB``, ``500 MB`` or ``4e9``.

    Raises
    ------
    BearoffError
        If the text is not a number of bytes, or less than 1.

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
            f"a size must be a number of bytes such as 6GB, 500MB or 4e9, got {text!r}"
        )
    return int(size)


_UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}
