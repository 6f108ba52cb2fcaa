"""Estimates of the disk space, memory and time that building a two-sided table needs."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bearoff.errors import TableError
from bearoff.positions import CHECKERS, POINTS
from bearoff.runtime import cores, format_bytes, memory_available
from bearoff.storage import seconds_of
from bearoff.two_sided.pair_order import (
    BYTES_IN_WINDOW,
    LANES,
    PairOrder,
    pair_order_of,
    slot_successors,
)
from bearoff.two_sided.planes import RESIDUALS, Pass, money_passes, windows_of

_BYTES_BESIDES = 250_000_000
"""Memory in bytes that the program and its libraries need without the table."""

_BLOCKS_AT_ONCE = 8
"""Maximum number of blocks that a thread solves at once; a block is 16 opposing
positions."""

_WAITING = 24
"""Assumed maximum number of compressed blocks per thread that wait to be written."""

_USABLE = 0.9
"""Fraction of the free memory that a build uses by default."""

_BYTES_A_PAIR = {
    "cubeless": 0.475,
    "opponent": 0.76,
    RESIDUALS: 0.56,
    "owned": 0.64,
    "centred": 0.76,
    "points": 0.06,
    "gammons_won": 0.033,
    "gammons_lost": 0.018,
    "jacoby": 0.05,
}
"""Disk space in bytes per pair of positions, for each kind of value; measured with 15
checkers. The disk space is multiplied by a correction for the size of the table (see
`_SMALLER`)."""

_BYTES_AT_SCORE = 0.76
"""Disk space in bytes per pair of positions at a match score, for one state of the cube and
one player on roll."""

_SMALLER = 36
"""Correction for small tables, which compress less well: disk space is multiplied by 1 +
`_SMALLER` / sqrt(number of positions)."""

_FOLLOWING = 0.5
"""Time to compute values with gammons, divided by the time for values without gammons. The
ratio is below 1 because most values are copied."""

_A_PAIR = 15e-9
"""Core seconds on the reference machine to solve one value of one pair of positions;
measured with 10 to 15 checkers."""

_A_SUM = 2.73e-9
"""Core seconds per pair of positions that `_seconds_of_a_pair` measured on the reference
machine."""

_A_BYTE = 1e-8
"""Core seconds that a whole build spends per byte of the temporary file."""

_TOGETHER = 0.82
"""Mean fraction of the time in which a thread works rather than waits for other threads."""


@dataclass(frozen=True)
class BuildEstimate:
    """Disk space, memory and time needed for a build of a table.

    Attributes
    ----------
    disk_bytes : int
        Largest disk space during the build in bytes, including the temporary file.
    filed_bytes : int
        Size in bytes of the temporary file, which has the data that do not fit into memory.
    memory_bytes : int
        Largest resident memory of the process in bytes, without the file cache.
    window_bytes : int
        Memory in bytes for the sums over the 36 throws and for the solved values that
        positions with higher pip counts need.
    work : float
        Core seconds for solving on the reference machine.
    filing : float
        Core seconds to read and write the temporary file, on any machine.
    """

    pairs: int
    disk_bytes: int
    filed_bytes: int
    memory_bytes: int
    window_bytes: int
    work: float
    filing: float
    workers: int

    @property
    def seconds(self) -> float:
        """Estimated build time in seconds; the first access measures the machine."""
        slower = _seconds_of_a_pair(min(self.workers, cores())) / _A_SUM
        busy = self.workers * (_TOGETHER if self.workers > 1 else 1.0)
        return 1 + (slower * self.work + self.filing) / busy


def estimate_build(
    checkers: int,
    workers: int | None = None,
    *,
    points: int = POINTS,
    cube: bool = True,
    start: int = CHECKERS,
    memory: int | None = None,
) -> BuildEstimate:
    """Estimate the disk space, memory and time to build a two-sided table.

    The parameters are those of `build_two_sided_table`.

    Raises
    ------
    TableError
        If `memory` is too small for the build.

    Examples
    --------
    >>> estimate = estimate_build(15, workers=2, memory=20_000_000_000)
    >>> estimate.pairs, round(estimate.disk_bytes / 1e9, 1)
    (2944581696, 11.7)
    """
    places = pair_order_of(points, checkers, start)
    return estimate_passes(places, money_passes(places, cube=cube), workers, memory)


def estimate_passes(
    places: PairOrder,
    passes: tuple[Pass, ...],
    workers: int | None = None,
    memory: int | None = None,
) -> BuildEstimate:
    """Estimate the disk space, memory and time of the given solver runs."""
    if workers is not None and workers < 1:
        raise TableError(f"the number of workers must be at least 1, got {workers}")
    workers = workers or cores()
    all_needs = [needs_of(places, plan) for plan in passes]
    sums = max(needs.sums for needs in all_needs)
    windows = max(needs.sums + needs.windows for needs in all_needs) - sums
    marks = max(needs.marks for needs in all_needs)
    besides = _BYTES_BESIDES + marks + workers * max(needs.rows for needs in all_needs)
    least, most = besides + sums, besides + sums + windows
    if memory is not None and memory < least:
        raise TableError(
            f"building the two-sided table needs at least {format_bytes(least)} of memory, "
            f"got {format_bytes(memory)}; allow more memory, or use fewer checkers"
        )
    usable = memory or int(_USABLE * memory_available())
    memory = min(max(usable, least), most)
    solved = [plane for plan in passes for plane in plan.solves]
    planes = sum(_FOLLOWING if plane.base else 1.0 for plane in solved)
    stored = {name for plan in passes for name in plan.writes}
    pairs = places.size**2
    written = pairs * sum(_BYTES_A_PAIR.get(name, _BYTES_AT_SCORE) for name in stored)
    written *= 1 + _SMALLER / places.size**0.5
    filed = most - memory
    return BuildEstimate(
        pairs=len(places.numbers) ** 2,
        disk_bytes=int(written) + filed,
        filed_bytes=filed,
        memory_bytes=memory,
        window_bytes=memory - besides,
        work=planes * pairs * _A_PAIR,
        filing=filed * _A_BYTE,
        workers=workers,
    )


def _seconds_of_a_pair(workers: int) -> float:
    """Measure the core seconds that the sum over the throws takes for one pair.

    The speed is measured once per machine, with a table of seven checkers. The measurement
    uses as many cores as the build, because cores that share resources slow each other
    down.
    """
    from bearoff.two_sided.solving import kernels

    places = pair_order_of(POINTS, 7, CHECKERS)
    successors = slot_successors(places)
    numbers = np.arange(places.size * kernels.WIDTH, dtype=np.int32) * np.int32(48271)
    rows = numbers.reshape(places.size, kernels.WIDTH) >> 8
    tiles = np.empty((workers, LANES, kernels.WIDTH), dtype=np.int32)
    sums = np.empty((workers, places.blocks, kernels.WIDTH, LANES), dtype=np.int32)

    def sweep(worker: int) -> None:
        kernels.sweep(rows, 0, successors, 0, places.size, tiles[worker], sums[worker])

    def solve() -> None:
        with ThreadPoolExecutor(workers) as others:
            waiting = [others.submit(sweep, worker) for worker in range(1, workers)]
            sweep(0)
            for other in waiting:
                other.result()

    seconds = seconds_of(f"rows of pairs, {workers} at once", 1, solve)
    return seconds / (places.size * kernels.WIDTH)


class PassMemory(NamedTuple):
    """Memory in bytes that one run of the solver needs.

    Attributes
    ----------
    sums : int
        Bytes of the array of sums over the 36 throws. The whole array is always in memory.
    windows : int
        Size of the solved values that positions with higher pip counts need. They are in
        memory or in the temporary file.
    marks : int
        Size of the flags that mark dominated plays, which the solver skips.
    rows : int
        Size of the work arrays of each thread, with the values being solved and their
        codes.
    """

    sums: int
    windows: int
    marks: int
    rows: int


def needs_of(places: PairOrder, plan: Pass) -> PassMemory:
    sizes = windows_of(places, plan.solves)
    values = sum(blocks * LANES * slots for blocks, slots in sizes)
    sums = 4 * (places.sums_of_a_level + places.sums_of_a_part)
    widest = int(np.diff(places.levels).max())
    swept = sum(plane.base is None for plane in plan.solves)
    marks = swept * places.size * (places.size + widest) // (_BLOCKS_AT_ONCE * LANES)
    rows = 4 * LANES * _BLOCKS_AT_ONCE * (places.size + LANES)
    followed = any(plane.base for plane in plan.solves)
    band = int(np.diff(places.layout.bands).max())
    codes = 4 * LANES * band * widest
    # Blocks are written in order, so compressed blocks wait in memory if the machine is
    # busy.
    held = len(plan.reads) + len(plan.writes) + _WAITING
    return PassMemory(
        len(plan.solves) * sums,
        BYTES_IN_WINDOW * values,
        marks,
        rows * (2 if followed else 1) + codes * held,
    )
