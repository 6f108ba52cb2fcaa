"""Processors and memory of this machine, and sizes in words."""

from bearoff.errors import BearoffError, TableError


def cores() -> int:
    """Return the processors that this process may use.

    Its affinity, its control group and ``LOKY_MAX_CPU_COUNT`` are respected.

    Raises
    ------
    BearoffError
        If ``LOKY_MAX_CPU_COUNT`` is no number.
    """
    import joblib  # Slow to import, and no query needs it.

    try:
        return int(joblib.cpu_count())
    except ValueError as error:
        raise BearoffError(
            f"LOKY_MAX_CPU_COUNT must be a whole number of processors: {error}"
        ) from None


def memory_available() -> int:
    """Return the bytes of memory that programs may still take."""
    import psutil

    return int(psutil.virtual_memory().available)


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
