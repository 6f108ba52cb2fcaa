"""What building two-sided tables takes: disk, memory and time, said before."""

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
"""Of the program and its libraries."""

_BLOCKS_AT_ONCE = 8
"""Most blocks of opponents whose rows a thread has; see `bearoff.two_sided.solving`."""

_WAITING = 24
"""Rectangles of codes that what waits to be written may take, for each thread; ample."""

_USABLE = 0.9
"""Of the memory that programs may still take, what a build does if it is not told."""

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
"""What a plane takes on the disk, measured with 15 checkers, less `_SMALLER`."""

_BYTES_AT_SCORE = 0.76
"""As much of a plane at a score."""

_SMALLER = 36
"""Over the root of the slots, the part by which planes are larger: small ones are less
smooth."""

_FOLLOWING = 0.5
"""Work of a plane that follows another, as a part of that of one that does not."""

_A_PAIR = 15e-9
"""Seconds that a core takes to solve, pack and write a pair of a plane, where a pair of
`_seconds_of_a_pair` takes `_A_SUM`; measured with 10 to 15 checkers."""

_A_SUM = 2.73e-9
"""See `_A_PAIR`."""

_A_BYTE = 1e-8
"""Seconds that a core takes to keep a byte of windows in a file, over a whole build."""

_TOGETHER = 0.82
"""Part of the clock that two threads and more work; the rest they wait for each other."""


@dataclass(frozen=True)
class BuildEstimate:
    """What building takes.

    Attributes
    ----------
    pairs : int
        Pairs of positions.
    disk_bytes : int
        Most that the folder takes, and the file of what the memory does not hold.
    filed_bytes : int
        Of them, the file, which goes with the build.
    memory_bytes : int
        Resident at the peak, of the process itself: pages of files that the system keeps
        while nobody else needs the room are not counted.
    window_bytes : int
        Of memory, what sums and windows take.
    work : float
        Seconds of a core of the machine on which `_A_PAIR` was measured.
    filing : float
        Seconds of a core for the file, which its speed at solving says nothing of.
    workers : int
        Threads.
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
        """What it takes on `workers` cores of this machine, measured when first asked."""
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
    """Say what building the tables of a size takes.

    Parameters are those of `build_two_sided_table`.

    Raises
    ------
    TableError
        If it cannot be built within `memory`.

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
    """Say what some passes take; see `estimate_build`."""
    if workers is not None and workers < 1:
        raise TableError(f"a build needs 1 worker or more, got {workers}")
    workers = workers or cores()
    all_needs = [needs_of(places, plan) for plan in passes]
    sums = max(needs.sums for needs in all_needs)
    windows = max(needs.sums + needs.windows for needs in all_needs) - sums
    marks = max(needs.marks for needs in all_needs)
    besides = _BYTES_BESIDES + marks + workers * max(needs.rows for needs in all_needs)
    least, most = besides + sums, besides + sums + windows
    if memory is not None and memory < least:
        raise TableError(
            f"building the two-sided table needs {format_bytes(least)} of memory or more, "
            f"got {format_bytes(memory)}; allow it more, or use fewer checkers"
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
    """Return the seconds that a core sums up one pair, in a row of them.

    Measured once on a machine, with seven checkers and as many cores at it as a build has:
    two that share what they compute with take longer each.
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


class Needs(NamedTuple):
    """Bytes that a pass takes.

    Attributes
    ----------
    sums : int
        Of a workspace, in memory.
    windows : int
        Of a workspace, in memory or in its file.
    marks : int
        Of the rivals that beat each slot.
    rows : int
        Of each thread, with the codes of a rectangle.
    """

    sums: int
    windows: int
    marks: int
    rows: int


def needs_of(places: PairOrder, plan: Pass) -> Needs:
    """Return what a pass takes."""
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
    # What is packed waits for its turn to be written, the longer the busier a machine.
    held = len(plan.reads) + len(plan.writes) + _WAITING
    return Needs(
        len(plan.solves) * sums,
        BYTES_IN_WINDOW * values,
        marks,
        rows * (2 if followed else 1) + codes * held,
    )
