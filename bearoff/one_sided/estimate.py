"""Estimates of the memory, disk space and time that building a one-sided table needs."""

from dataclasses import dataclass

from bearoff.errors import TableError
from bearoff.plays import number_type, pip_levels
from bearoff.positions import position_count
from bearoff.rolls import DICE
from bearoff.runtime import check_memory, cores
from bearoff.storage import check_disk

SMALL = 2**17
"""Maximum number of positions of a table that is stored without compression, for example of
6 points with 15 checkers."""

LARGEST = 2**32
"""Maximum number of positions of a table, because position numbers have 32 bits."""

_CODED_BYTES = 40
"""Upper bound on the disk space of a compressed table with up to 12 points, in bytes per
position."""

_SECONDS = 4.5e-7
"""Time to build a compressed table, in core seconds per position and point; measured with
10 and 12 points."""

_BYTES_BESIDES = 300_000_000
"""Assumed memory in bytes for everything except the table: the program, its libraries and
its threads."""


@dataclass(frozen=True)
class OneSidedEstimate:
    """Disk space, memory and time that building a one-sided table needs.

    Attributes
    ----------
    memory_bytes : int
        Largest resident memory during the build, in bytes.
    seconds : float
        Approximate duration of the build in seconds, with `workers` threads.
    """

    positions: int
    disk_bytes: int
    memory_bytes: int
    seconds: float
    workers: int


def is_small(points: int, checkers: int) -> bool:
    """Return whether a table of a given size is stored without compression."""
    return position_count(points, checkers) <= SMALL


def estimate_one_sided_build(
    points: int, checkers: int, workers: int | None = None
) -> OneSidedEstimate:
    """Estimate the disk space, memory and time that building a table needs.

    Raises
    ------
    PositionError, TableError
        If the size is impossible or larger than `LARGEST`, or `workers` is not positive.

    Examples
    --------
    >>> estimate = estimate_one_sided_build(12, 15, workers=2)
    >>> estimate.positions, round(estimate.memory_bytes / 1e9, 1)
    (17383860, 6.0)
    """
    size = position_count(points, checkers)
    if size > LARGEST:
        raise TableError(
            f"a one-sided table for {points} points and {checkers} checkers would have "
            f"{size:,} positions, but at most {LARGEST:,} are supported; use fewer points "
            "or checkers"
        )
    if workers is not None and workers < 1:
        raise TableError(f"the number of workers must be at least 1, got {workers}")
    workers = workers or cores()
    sizes = pip_levels.level_sizes(points, checkers)
    row_bytes = 8 * (pip_levels.most_rolls(points * checkers, checkers) + 1)
    if is_small(points, checkers):
        disk = memory = size * (16 + number_type(size)().itemsize * len(DICE) + row_bytes)
    else:
        disk = _CODED_BYTES * size
        memory = disk + row_bytes * pip_levels.widest(sizes, pip_levels.ROLL_PIPS)
    memory += 24 * size + 216 * pip_levels.widest(sizes, pip_levels.PLAY_PIPS)
    return OneSidedEstimate(
        positions=size,
        disk_bytes=disk,
        memory_bytes=memory + _BYTES_BESIDES,
        seconds=_SECONDS * points * size / workers + 0.2,
        workers=workers,
    )


def check_room(points: int, checkers: int) -> None:
    """Raise an error if a table of a given size exceeds the memory or the disk space.

    Raises
    ------
    PositionError, TableError
        If the size is impossible, or the build needs more memory or disk space than is
        available.
    """
    if is_small(points, checkers):
        return
    estimate = estimate_one_sided_build(points, checkers)
    name = f"a one-sided table of {points} points and {checkers} checkers"
    check_memory(f"building {name}", estimate.memory_bytes, "use fewer points or checkers")
    check_disk(name, estimate.disk_bytes)
