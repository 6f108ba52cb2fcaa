"""Estimate what building a one-sided table takes, and refuse what does not fit."""

from dataclasses import dataclass

from bearoff.errors import TableError
from bearoff.plays import number_type, pip_levels
from bearoff.positions import position_count
from bearoff.rolls import DICE
from bearoff.runtime import check_memory, cores
from bearoff.storage import check_disk

SMALL = 2**17
"""Most positions of a table that is stored in full: up to 6 points of 15 checkers."""

LARGEST = 2**32
"""Most positions of a table; their numbers have 32 bits."""

_CODED_BYTES = 40
"""Of a position in a table that is stored coded; ample with 12 points."""

_SECONDS = 4.5e-7
"""Of a core for each position and point; measured with 10 and 12 points, for estimates."""

_BYTES_BESIDES = 300_000_000
"""Of the program, its libraries and room for each thread; ample."""


@dataclass(frozen=True)
class OneSidedEstimate:
    """What building a one-sided table takes.

    Attributes
    ----------
    positions : int
        Positions of the table.
    disk_bytes : int
        Of the stored table.
    memory_bytes : int
        Resident at the peak of the build.
    seconds : float
        On `workers` cores; rough.
    workers : int
        Threads.
    """

    positions: int
    disk_bytes: int
    memory_bytes: int
    seconds: float
    workers: int


def is_small(points: int, checkers: int) -> bool:
    """Whether the table of this size is stored in full."""
    return position_count(points, checkers) <= SMALL


def estimate_one_sided_build(
    points: int, checkers: int, workers: int | None = None
) -> OneSidedEstimate:
    """Say what building the table of this size takes.

    Raises
    ------
    PositionError, TableError
        If there is no such size, it has more than `LARGEST` positions, or no worker.

    Examples
    --------
    >>> estimate = estimate_one_sided_build(12, 15, workers=2)
    >>> estimate.positions, round(estimate.memory_bytes / 1e9, 1)
    (17383860, 6.0)
    """
    size = position_count(points, checkers)
    if size > LARGEST:
        raise TableError(
            f"a one-sided table of {points} points and {checkers} checkers has {size:,} "
            f"positions, more than {LARGEST:,}; use fewer points or checkers"
        )
    if workers is not None and workers < 1:
        raise TableError(f"a build needs 1 worker or more, got {workers}")
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
    """Refuse the build of a large table that cannot fit.

    Raises
    ------
    PositionError, TableError
        If there is no such size, or it needs more than there is.
    """
    if is_small(points, checkers):
        return
    estimate = estimate_one_sided_build(points, checkers)
    name = f"a one-sided table of {points} points and {checkers} checkers"
    check_memory(f"building {name}", estimate.memory_bytes, "use fewer points or checkers")
    check_disk(name, estimate.disk_bytes)
