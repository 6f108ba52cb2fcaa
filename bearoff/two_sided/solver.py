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
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors
from bearoff.rolls import THROWS
from bearoff.two_sided import kernels
from bearoff.two_sided.pair_order import LANES, REACH, PairOrder
from bearoff.two_sided.workspace import Workspace, aligned

Values = NDArray[np.int32]


class Finish(Protocol):
    """What a pass makes of the sums of its planes: see `bearoff.two_sided.passes`."""

    planes: int

    def __call__(self, sums: list[Values], block: int, row: int) -> None:
        """Turn sums into equities in place, and store them.

        ``sums[p][k, j]`` holds plane ``p`` for block ``block + k`` of rollers against
        opponent ``row + j``.
        """


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
        With memory for the sums at least, see `needs_of` in `bearoff.two_sided.build`; its
        content is lost.
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
        workspace.reset()
        planes = range(finish.planes)
        self._lower = [workspace.values(places.sums_of_a_level) for _ in planes]
        self._upper = [workspace.values(places.sums_of_a_part) for _ in planes]
        self._windows = [
            workspace.window(places.blocks, places.window_slots) for _ in planes
        ]

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
        self._finish_upper(0, 0, sums, 0, len(sums[0]))

    def _solve_level(self, level: int) -> None:
        start, end = self._slots_of(level)
        width = end - start
        lower = [part[: start * width].reshape(-1, start, LANES) for part in self._lower]
        blocks, below, group = width // LANES, start // LANES, kernels.GROUP
        self._in_chunks(below, group, partial(self._sweep_lower, level, lower))
        self._in_chunks(blocks, 1, partial(self._finish_lower, level, lower))
        for part in self._parts_of(level):
            first, last = (int(self._places.levels[k]) for k in part)
            blocks_of_part = (last - first) // LANES
            upper = [
                room[: (last - first) * width].reshape(-1, width, LANES)
                for room in self._upper
            ]
            sweep = partial(self._sweep_upper, level, part, lower, upper)
            self._in_chunks(blocks, group, sweep)
            finish = partial(self._finish_upper, level, first // LANES, upper)
            self._in_chunks(blocks_of_part, 64, finish)

    def _parts_of(self, level: int) -> Iterator[tuple[int, int]]:
        """Cut the levels up to one into parts whose rollers `upper` has room for."""
        levels = self._places.levels
        start, end = self._slots_of(level)
        room = len(self._upper[0]) // (end - start)
        first = 0
        for last in range(1, level + 1):
            if levels[last + 1] - levels[first] > room:
                yield first, last
                first = last
        yield first, level + 1

    def _sweep_lower(self, level: int, lower: list[Values], first: int, last: int) -> None:
        """Step 1, for a group of blocks of waiting opponents below the level."""
        window = int(self._places.levels[max(0, level - REACH)])
        start, end = self._slots_of(level)
        rows, tile = self._scratch()
        columns = slice(first * LANES, last * LANES)
        for ring, out in zip(self._windows, lower, strict=True):
            ring.unpack(first, last, window, start, rows)
            kernels.sweep(rows, window, self._successors, start, end, tile, out[:, columns])

    def _finish_lower(self, level: int, lower: list[Values], first: int, last: int) -> None:
        """Finish step 1 for some blocks of rollers of the level."""
        start, _ = self._slots_of(level)
        block = start // LANES
        self._finish([plane[first:last] for plane in lower], block + first, 0)
        window = int(self._places.levels[max(0, level - REACH + 1)])
        for ring, plane in zip(self._windows, lower, strict=True):
            ring.pack(block + first, plane[first:last, window:], window)

    def _sweep_upper(
        self,
        level: int,
        part: tuple[int, int],
        lower: list[Values],
        upper: list[Values],
        first: int,
        last: int,
    ) -> None:
        """Step 2 of a part, for a group of blocks of waiting opponents of the level."""
        levels = self._places.levels
        window = int(levels[max(0, part[0] - REACH)])
        start, end = (int(levels[k]) for k in part)
        rows, tile = self._scratch()
        columns = slice(first * LANES, last * LANES)
        for values, out in zip(lower, upper, strict=True):
            if start == 0:
                out[0, columns] = -THROWS * kernels.ONE  # The roller of slot 0 has won.
            kernels.gather(values[first:last, window:end], rows)
            skipped = LANES if start == 0 else 0
            kernels.sweep(
                rows,
                window,
                self._successors,
                start + skipped,
                end,
                tile,
                out[skipped // LANES :, columns],
            )

    def _finish_upper(
        self, level: int, block: int, upper: list[Values], first: int, last: int
    ) -> None:
        """Finish step 2 for some blocks of rollers, those of the part from `block` on."""
        start, _ = self._slots_of(level)
        self._finish([plane[first:last] for plane in upper], block + first, start)
        for ring, plane in zip(self._windows, upper, strict=True):
            ring.pack(block + first, plane[first:last], start)

    def _slots_of(self, level: int) -> tuple[int, int]:
        return int(self._places.levels[level]), int(self._places.levels[level + 1])

    def _in_chunks(self, total: int, chunk: int, work: Callable[[int, int], None]) -> None:
        """Have the threads do ``range(total)`` in chunks, and raise what one raises."""
        starts = range(0, total, chunk)
        list(self._pool.map(lambda first: work(first, min(first + chunk, total)), starts))

    def _scratch(self) -> tuple[Values, Values]:
        """Return this thread's room for the rows of a group and for a tile."""
        if not hasattr(self._local, "rows"):
            room = aligned((self._places.size + LANES) * kernels.WIDTH, np.dtype(np.int32))
            rows = room.reshape(-1, kernels.WIDTH)
            self._local.rows, self._local.tile = rows[:-LANES], rows[-LANES:]
        return self._local.rows, self._local.tile
