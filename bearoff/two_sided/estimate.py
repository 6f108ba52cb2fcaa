"""What building two-sided tables takes: disk, memory and time, said before."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bearoff.errors import TableError
from bearoff.positions import CHECKERS, POINTS
from bearoff.runtime import cores, format_bytes, memory_available
from bearoff.two_sided.pair_order import BYTES_IN_WINDOW, LANES, PairOrder, pair_order_of
from bearoff.two_sided.planes import RESIDUALS, Pass, money_passes, windows_of

_BYTES_BESIDES = 500_000_000
"""Of the program and its libraries, and successors; ample."""

_BLOCKS_AT_ONCE = 8
"""Most blocks of opponents that a thread has rows of; see `bearoff.two_sided.kernels`."""

_USABLE = 0.9
"""Of the memory that programs may still take, what a build does if it is not told."""

_BYTES_A_PAIR = {
    "cubeless": 0.51,
    "opponent": 0.90,
    RESIDUALS: 0.63,
    "owned": 0.87,
    "centred": 0.95,
    "points": 0.1,
    "gammons_won": 0.1,
    "gammons_lost": 0.1,
    "jacoby": 0.1,
}
"""What a plane of 15 checkers takes on the disk, measured."""

_BYTES_AT_SCORE = 0.9
"""As much of a plane at a score."""

_LOOKUPS_PER_SECOND = 6.5e8
"""Rows of 16 values that a core compares in a second, all else that a pass does
included; measured with 12 and 15 checkers, for estimates only."""

_FILED_PER_SECOND = 8e7
"""Bytes of windows whose keeping in a file takes a core a second, over a whole build."""


@dataclass(frozen=True)
class BuildEstimate:
    """What building takes.

    Attributes
    ----------
    pairs : int
        Pairs of positions.
    disk_bytes : int
        Of the planes, and what is needed while building.
    memory_bytes : int
        Resident at the peak, of the process itself: pages of files that the system keeps
        while nobody else needs the room are not counted.
    window_bytes : int
        Of memory, what sums and windows take.
    seconds : float
        On `workers` cores; rough.
    workers : int
        Threads.
    """

    pairs: int
    disk_bytes: int
    memory_bytes: int
    window_bytes: int
    seconds: float
    workers: int


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
    (2944581696, 13.3)
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
    # Successors of a position: 39 of the 84 of 3 checkers, 170 of the 54,264 of 15.
    lookups = 26 * len(places.slots) ** 0.17 * places.size * places.blocks
    # Where a plane follows another one, half of the pairs are solved.
    planes = sum(0.5 if plane.base else 1.0 for plan in passes for plane in plan.solves)
    stored = {name for plan in passes for name in plan.writes}
    # Small planes compress less well.
    share = 1 + 2000 / (places.size + 500)
    bytes_a_pair = sum(_BYTES_A_PAIR.get(name, _BYTES_AT_SCORE) for name in stored)
    written = share * places.size**2 * bytes_a_pair
    return BuildEstimate(
        pairs=len(places.slots) ** 2,
        disk_bytes=int(written) + (most - memory),
        memory_bytes=memory,
        window_bytes=memory - besides,
        seconds=2
        + planes * lookups / _LOOKUPS_PER_SECOND / workers
        + (most - memory) / _FILED_PER_SECOND / workers,
        workers=workers,
    )


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
    held = len(plan.reads) + len(plan.writes) + 2  # And what is packed, twice.
    return Needs(
        len(plan.solves) * sums,
        BYTES_IN_WINDOW * values,
        marks,
        rows * (2 if followed else 1) + codes * held,
    )
