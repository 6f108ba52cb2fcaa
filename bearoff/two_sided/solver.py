r"""Solve every pair of positions, cubeless and with the cube, level by level.

With equities from the roller's side, the opponent to roll after the play, and primes at
the pair that the play leads to with the sides exchanged,

.. math::

    E &= \overline{\max(-E')} \\
    W &= \overline{\max(-O')}, \quad
    O = \max(\overline{\max(-W')}, \min(1, 2W)), \quad
    C = \max(\overline{\max(-C')}, \min(1, 2W))

where the bar is the mean over the 36 throws, and the maximum is over the plays: E
cubeless, W with the cube at the opponent, O at the roller, C centred.

A play lowers the roller's pip count by 1 to 24. So the planes are solved by levels of two
pip counts, and of what is solved only the values against the 12 levels below stay in
memory, at 24 bits; finished values go to the disk at 16. For each level

1. its rollers are solved against all opponents of lower levels, from the opponents'
   values against the 12 levels of successors;
2. all rollers up to the level are solved against its opponents, from step 1.

A value of step 1 or 2 is a sum of minima over rows of a group of opponents; see
`bearoff.two_sided.kernels`.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors
from bearoff.rolls import THROWS
from bearoff.two_sided import kernels
from bearoff.two_sided.pair_order import LANES, REACH, PairOrder

Values = NDArray[np.int32]


class Finish(Protocol):
    """What a pass makes of the sums of its planes: see `bearoff.two_sided.passes`."""

    planes: int

    def __call__(self, sums: list[Values], block: int, row: int) -> None:
        """Turn sums into equities in place, and store them.

        ``sums[p][k, j]`` holds plane ``p`` for block ``block + k`` of rollers against
        opponent ``row + j``.
        """


class _Window:
    """Values of all rollers against the slots within reach, in a ring for each block."""

    def __init__(self, blocks: int, slots: int) -> None:
        self.high = np.empty((blocks, slots, LANES), dtype=np.int16)
        self.low = np.empty((blocks, slots, LANES), dtype=np.uint8)


class Workspace:
    """The memory of a pass, to be used by one after the other: fresh pages are dear.

    Parameters
    ----------
    places : PairOrder
        Slots of the positions.
    planes : int
        Most planes that a pass solves at once.
    """

    def __init__(self, places: PairOrder, planes: int) -> None:
        # A level's own slots enter the rings once nothing of the lowest is read any more.
        self.window_slots = places.window_slots
        self.windows = [_Window(places.blocks, self.window_slots) for _ in range(planes)]
        self.lower = [_aligned(places.sums_of_a_level) for _ in range(planes)]
        self.upper = [_aligned(places.sums_of_a_level) for _ in range(planes)]


class Solver:
    """One pass over all pairs that solves one or two planes at once.

    Parameters
    ----------
    places : PairOrder
        Slots of the positions.
    successors : Successors
        Of the slots.
    finish : Finish
        Makes values of sums and stores them; see `bearoff.two_sided.passes`.
    workspace : Workspace
        Of these slots, for at least as many planes; its content is lost.
    workers : int
        Threads.
    """

    def __init__(
        self,
        places: PairOrder,
        successors: Successors,
        finish: Finish,
        workspace: Workspace,
        workers: int,
    ) -> None:
        self._places = places
        self._successors = successors
        self._finish = finish
        self._pool = ThreadPoolExecutor(workers)
        self._local = threading.local()
        self._window_slots = workspace.window_slots
        self._windows = workspace.windows[: finish.planes]
        self._lower = workspace.lower[: finish.planes]
        self._upper = workspace.upper[: finish.planes]

    def solve(self, on_level: Callable[[int], Any] = lambda level: None) -> None:
        """Solve every level, and call `on_level` after each."""
        self._start()
        with self._pool:
            for level in range(1, len(self._places.levels) - 1):
                self._solve_level(level)
                on_level(level)

    def _start(self) -> None:
        """Level 0: the game is over, and the roller of slot 0 has won it."""
        width = int(self._places.levels[1])
        sums = [part[: width * width].reshape(-1, width, LANES) for part in self._upper]
        for plane in sums:
            plane[:] = -THROWS * kernels.ONE
        self._finish_upper(0, sums, 0, len(sums[0]))

    def _solve_level(self, level: int) -> None:
        start, end = self._slots_of(level)
        width = end - start
        lower = [part[: start * width].reshape(-1, start, LANES) for part in self._lower]
        upper = [part[: end * width].reshape(-1, width, LANES) for part in self._upper]
        for plane in upper:
            plane[0] = -THROWS * kernels.ONE  # The roller of slot 0 has won.
        blocks, below, up_to = width // LANES, start // LANES, end // LANES
        group = kernels.GROUP
        self._in_chunks(below, group, partial(self._sweep_lower, level, lower))
        self._in_chunks(blocks, 1, partial(self._finish_lower, level, lower))
        self._in_chunks(
            blocks, kernels.GROUP, partial(self._sweep_upper, level, lower, upper)
        )
        self._in_chunks(up_to, 64, partial(self._finish_upper, level, upper))

    def _sweep_lower(self, level: int, lower: list[Values], first: int, last: int) -> None:
        """Step 1, for a group of blocks of waiting opponents below the level."""
        window = int(self._places.levels[max(0, level - REACH)])
        start, end = self._slots_of(level)
        rows, tile = self._scratch()
        columns = slice(first * LANES, last * LANES)
        for ring, out in zip(self._windows, lower, strict=True):
            kernels.unpack(ring.high[first:last], ring.low[first:last], window, start, rows)
            kernels.sweep(rows, window, self._successors, start, end, tile, out[:, columns])

    def _finish_lower(self, level: int, lower: list[Values], first: int, last: int) -> None:
        """Finish step 1 for some blocks of rollers of the level."""
        start, _ = self._slots_of(level)
        block = start // LANES
        self._finish([plane[first:last] for plane in lower], block + first, 0)
        window = int(self._places.levels[max(0, level - REACH + 1)])
        rollers = slice(block + first, block + last)
        for ring, plane in zip(self._windows, lower, strict=True):
            kernels.pack_blocks(
                plane[first:last, window:], window, ring.high[rollers], ring.low[rollers]
            )

    def _sweep_upper(
        self, level: int, lower: list[Values], upper: list[Values], first: int, last: int
    ) -> None:
        """Step 2, for a group of blocks of waiting opponents of the level."""
        _, end = self._slots_of(level)
        rows, tile = self._scratch()
        columns = slice(first * LANES, last * LANES)
        for values, out in zip(lower, upper, strict=True):
            kernels.gather(values[first:last], rows)
            kernels.sweep(rows, 0, self._successors, LANES, end, tile, out[1:, columns])

    def _finish_upper(self, level: int, upper: list[Values], first: int, last: int) -> None:
        """Finish step 2 for some blocks of rollers up to the level."""
        start, _ = self._slots_of(level)
        self._finish([plane[first:last] for plane in upper], first, start)
        for ring, plane in zip(self._windows, upper, strict=True):
            kernels.pack_blocks(
                plane[first:last], start, ring.high[first:last], ring.low[first:last]
            )

    def _slots_of(self, level: int) -> tuple[int, int]:
        return int(self._places.levels[level]), int(self._places.levels[level + 1])

    def _in_chunks(self, total: int, chunk: int, work: Callable[[int, int], None]) -> None:
        """Have the threads do ``range(total)`` in chunks, and raise what one raises."""
        starts = range(0, total, chunk)
        list(self._pool.map(lambda first: work(first, min(first + chunk, total)), starts))

    def _scratch(self) -> tuple[Values, Values]:
        """Return this thread's room for the rows of a group and for a tile."""
        if not hasattr(self._local, "rows"):
            room = _aligned((self._places.size + LANES) * kernels.WIDTH)
            rows = room.reshape(-1, kernels.WIDTH)
            self._local.rows, self._local.tile = rows[:-LANES], rows[-LANES:]
        return self._local.rows, self._local.tile


def _aligned(size: int) -> Values:
    """Return room for `size` int32 from the start of a cache line on."""
    raw = np.empty(4 * size + 64, dtype=np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + 4 * size].view(np.int32)
