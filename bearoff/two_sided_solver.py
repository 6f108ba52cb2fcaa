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

A play lowers the roller's pip count by 1 to 24. So the planes are solved by levels of
pip count, and of what is solved only the values against the 24 levels below are kept in
memory, at 24 bits; finished values go to the disk at 16. For each level

1. its rollers are solved against all opponents of lower levels, from the opponents'
   values against the 24 levels of successors;
2. all rollers up to the level are solved against its opponents, from step 1.

A value of step 1 or 2 is a sum of minima over rows of 16 opponents; see
`two_sided_kernels`.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff import two_sided_kernels as kernels
from bearoff.policies import Successors
from bearoff.two_sided_layout import LANES, REACH, Layout

Values = NDArray[np.int32]


_CHUNK = 8
"""Blocks that a thread takes at a time."""


class Finish(Protocol):
    """What a pass makes of the sums of its planes: see `two_sided_passes`."""

    planes: int

    def __call__(self, sums: list[Values], block: int, row: int) -> None:
        """Turn sums into equities in place, and store them.

        ``sums[p][k, j]`` holds plane ``p`` for block ``block + k`` of rollers against
        opponent ``row + j``.
        """


class _Window:
    """Values of a level's opponents against all rollers, kept until out of reach."""

    def __init__(self, blocks: int, rows: int) -> None:
        self.high = np.empty((blocks, rows, LANES), dtype=np.int16)
        self.low = np.empty((blocks, rows, LANES), dtype=np.uint8)


class Solver:
    """One pass over all pairs that solves one or two planes at once.

    Parameters
    ----------
    places : Layout
        Slots of the positions.
    successors : Successors
        Of the slots.
    finish : Finish
        Makes values of sums and stores them; see `two_sided_passes`.
    workers : int
        Threads.
    """

    def __init__(
        self, places: Layout, successors: Successors, finish: Finish, workers: int
    ) -> None:
        self._places = places
        self._successors = successors
        self._finish = finish
        self._planes = range(finish.planes)
        self._windows: dict[int, list[_Window]] = {}
        self._pool = ThreadPoolExecutor(workers)
        self._local = threading.local()
        levels = places.levels
        widths = np.diff(levels)
        reach = [int(levels[k] - levels[max(0, k - REACH)]) for k in range(len(widths))]
        self._longest_window = max(reach)
        room = int((widths * levels[1:]).max())
        self._lower = [_aligned(room) for _ in self._planes]
        self._upper = [_aligned(room) for _ in self._planes]

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
        sums = [
            self._upper[p][: width * width].reshape(-1, width, LANES) for p in self._planes
        ]
        for plane in sums:
            plane[:] = -36 * kernels.ONE
        self._finish(sums, 0, 0)
        self._keep_upper(0, sums, 0)

    def _solve_level(self, level: int) -> None:
        levels = self._places.levels
        start, end = int(levels[level]), int(levels[level + 1])
        blocks = (end - start) // LANES
        lower = [
            self._lower[p][: blocks * start * LANES].reshape(blocks, start, LANES)
            for p in self._planes
        ]
        upper = [
            self._upper[p][: end * (end - start)].reshape(end // LANES, end - start, LANES)
            for p in self._planes
        ]
        self._windows.pop(level - REACH - 1, None)
        self._in_chunks(start // LANES, lambda a, b: self._sweep_lower(level, lower, a, b))
        self._in_chunks(blocks, lambda a, b: self._finish_lower(level, lower, a, b), 1)
        self._in_chunks(
            blocks, lambda a, b: self._sweep_upper(level, lower, upper, a, b), 1
        )
        for plane in upper:
            plane[0] = -36 * kernels.ONE
        self._allocate_window(level)
        self._in_chunks(
            end // LANES, lambda a, b: self._finish_upper(level, upper, a, b), 64
        )

    def _sweep_lower(self, level: int, lower: list[Values], first: int, last: int) -> None:
        """Step 1 for blocks of waiting opponents below the level."""
        levels = self._places.levels
        window_start = int(levels[max(0, level - REACH)])
        start, end = int(levels[level]), int(levels[level + 1])
        rows, tile = self._scratch()
        for block in range(first, last):
            for plane in self._planes:
                for below in range(max(0, level - REACH), level):
                    window = self._windows[below][plane]
                    at = int(levels[below]) - window_start
                    kernels.unpack(
                        window.high[block],
                        window.low[block],
                        rows[at : at + window.high.shape[1]],
                    )
                kernels.sweep(
                    rows,
                    window_start,
                    self._successors.numbers,
                    self._successors.offsets,
                    start,
                    end,
                    tile,
                    lower[plane],
                    block * LANES,
                )

    def _finish_lower(self, level: int, lower: list[Values], first: int, last: int) -> None:
        levels = self._places.levels
        block = int(levels[level]) // LANES
        self._finish([plane[first:last] for plane in lower], block + first, 0)
        for below in range(max(0, level - REACH + 1), level):
            rows = slice(int(levels[below]), int(levels[below + 1]))
            for plane in self._planes:
                window = self._windows[below][plane]
                for k in range(first, last):
                    kernels.pack(
                        lower[plane][k, rows], window.high[block + k], window.low[block + k]
                    )

    def _sweep_upper(
        self, level: int, lower: list[Values], upper: list[Values], first: int, last: int
    ) -> None:
        """Step 2 for blocks of waiting opponents of the level."""
        end = int(self._places.levels[level + 1])
        _, tile = self._scratch()
        for block in range(first, last):
            for plane in self._planes:
                kernels.sweep(
                    lower[plane][block],
                    0,
                    self._successors.numbers,
                    self._successors.offsets,
                    LANES,
                    end,
                    tile,
                    upper[plane][1:],
                    block * LANES,
                )

    def _finish_upper(self, level: int, upper: list[Values], first: int, last: int) -> None:
        row = int(self._places.levels[level])
        self._finish([plane[first:last] for plane in upper], first, row)
        self._keep_upper(level, [plane[first:last] for plane in upper], first)

    def _keep_upper(self, level: int, values: list[Values], first: int) -> None:
        if level not in self._windows:
            self._allocate_window(level)
        for plane in self._planes:
            window = self._windows[level][plane]
            part = slice(first, first + len(values[plane]))
            kernels.pack(
                values[plane].reshape(-1, LANES),
                window.high[part].reshape(-1, LANES),
                window.low[part].reshape(-1, LANES),
            )

    def _allocate_window(self, level: int) -> None:
        levels = self._places.levels
        last = min(level + REACH, len(levels) - 2)
        rows = int(levels[level + 1] - levels[level])
        self._windows[level] = [
            _Window(int(levels[last + 1]) // LANES, rows) for _ in self._planes
        ]

    def _in_chunks(
        self, total: int, work: Callable[[int, int], None], chunk: int = _CHUNK
    ) -> None:
        starts = range(0, total, chunk)
        done = self._pool.map(lambda a: work(a, min(a + chunk, total)), starts)
        for _ in done:
            pass  # Raises what a thread raised.

    def _scratch(self) -> tuple[Values, Values]:
        if not hasattr(self._local, "rows"):
            self._local.rows = _aligned(self._longest_window * LANES).reshape(-1, LANES)
            self._local.tile = _aligned(LANES * LANES).reshape(LANES, LANES)
        return self._local.rows, self._local.tile


def _aligned(size: int) -> Values:
    """Return room for `size` int32 from the start of a cache line on."""
    raw = np.empty(4 * size + 64, dtype=np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + 4 * size].view(np.int32)
