"""Solver of two-sided tables: all pairs of positions in ascending order of pip counts.

The equations are in `bearoff.two_sided.planes`. Pairs of positions are solved in ascending
order of pip levels, each of which has two pip counts. A play lowers the roller's pip count
by at most 24, so only the values of the 12 pip levels below are in memory, as 24-bit
integers. All solved values are also written to the disk. Each pip level is solved in two
steps:

1. Rollers in the pip level are solved against all opponents in lower pip levels.
2. Rollers in this or a lower pip level are solved against opponents in the pip level.

Each value comes from the sum, over the 36 throws, of the opponent's smallest value after
the plays. The sums are computed for a group of opponents at once; see
`bearoff.two_sided.solving.kernels`. Some plays are skipped; see
`bearoff.two_sided.solving.rivals`. Values that gammons change are solved by
`bearoff.two_sided.solving.followers`.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors
from bearoff.runtime import in_threads
from bearoff.two_sided.pair_order import LANES, REACH, PairOrder
from bearoff.two_sided.planes import SolvedPlane
from bearoff.two_sided.solving import kernels
from bearoff.two_sided.solving.followers import Follower
from bearoff.two_sided.solving.rivals import Rivals, compare, sweep
from bearoff.two_sided.solving.workspace import Workspace, aligned

Int32Array = NDArray[np.int32]


class Finish(Protocol):
    """Function that converts sums over the 36 throws to values and stores the values."""

    planes: tuple[SolvedPlane, ...]

    def __call__(self, sums: list[Int32Array], block: int, row: int) -> None:
        """Convert sums over the 36 throws to values in place, and store the values.

        ``sums[p][k, j]`` has the sums of the kind of value ``p`` for the 16 rollers of
        block ``block + k`` against the opponent with index ``row + j``. Sums of finished
        games have no meaning and must be ignored.
        """


class TwoSidedSolver:
    """Solver of all pairs of positions, for several kinds of value at once.

    `finish` converts sums over the 36 throws to values and stores the values. `workspace`
    is overwritten. Its memory must suffice at least for the sums (see
    `bearoff.two_sided.estimate.needs_of`).
    """

    def __init__(
        self,
        places: PairOrder,
        successors: Successors,
        rivals: Rivals,
        finish: Finish,
        workspace: Workspace,
        workers: int,
    ) -> None:
        self._places = places
        self._successors = successors
        self._finish = finish
        self._workers = workers
        self._local = threading.local()
        self._bands = places.layout.bands
        names = [plane.name for plane in finish.planes]
        workspace.reset()
        self._lower = [workspace.values(places.sums_of_a_level) for _ in names]
        self._upper = [workspace.values(places.sums_of_a_part) for _ in names]
        # For each kind of value that is solved rather than copied: its index, and the index
        # of the opponent's kind of value after a play.
        self._swept = [
            (k, names.index(plane.source))
            for k, plane in enumerate(finish.planes)
            if plane.base is None
        ]
        self._windows = {
            k: workspace.window(places.blocks, places.window_slots) for k, _ in self._swept
        }
        self._rivals = rivals
        # Bit masks of rivals: a rival's bit is set if the rival is at least as good as the
        # position against each of eight opponents. `_beaten` is for opponents in lower pip
        # levels, `_beaten_in_level` for opponents in the current one.
        self._beaten, self._beaten_in_level = (
            {
                k: np.zeros((-(-slots // kernels.WIDTH), places.size), dtype=np.uint8)
                for k, _ in self._swept
            }
            for slots in (places.size, int(np.diff(places.levels).max()))
        )
        self._followers = [
            Follower(places, successors, finish.planes, plane, workspace, self.rows)
            for plane in finish.planes
            if plane.base is not None and plane.chooser is None
        ]

    def solve(self, on_level: Callable[[int], Any] = lambda level: None) -> None:
        """Solve all pairs of positions; call `on_level` after each level of pip counts."""
        self._start()
        for level in range(1, len(self._places.levels) - 1):
            self._solve_level(level)
            on_level(level)

    def _start(self) -> None:
        """Store the values of pairs in which the game is over."""
        width = int(self._places.levels[1])
        sums = [part[: width * width].reshape(-1, width, LANES) for part in self._upper]
        self._finish_upper(0, 0, sums, 0, len(sums[0]))

    def _solve_level(self, level: int) -> None:
        start, end = self._slots_of(level)
        width = end - start
        lower = [part[: start * width].reshape(-1, start, LANES) for part in self._lower]
        group = kernels.GROUP
        self._do(self._sweep_lower, _chunks(0, start // LANES, group), level, lower)
        if self._followers:
            self._do(self._follow_lower, self._groups(0, level), level, lower)
        self._do(self._finish_lower, self._bands_of(level, level + 1), level, lower)
        for part in self._parts_of(level):
            first, last = (int(self._places.levels[k]) for k in part)
            upper = [
                room[: (last - first) * width].reshape(-1, width, LANES)
                for room in self._upper
            ]
            blocks = _chunks(0, width // LANES, group)
            self._do(self._sweep_upper, blocks, level, part, lower, upper)
            if self._followers:
                groups = self._groups(level, level + 1)
                self._do(self._follow_upper, groups, level, part, lower, upper)
            bands = self._bands_of(*part)
            self._do(self._finish_upper, bands, level, first // LANES, upper)

    def _parts_of(self, level: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of pip levels whose sums fit into the work array `upper`."""
        levels = self._places.levels
        start, end = self._slots_of(level)
        room = len(self._upper[0]) // (end - start)
        first = 0
        for last in range(1, level + 1):
            if levels[last + 1] - levels[first] > room:
                yield first, last
                first = last
        yield first, level + 1

    def _sweep_lower(
        self, level: int, lower: list[Int32Array], first: int, last: int
    ) -> None:
        """Sum values over the throws, against opponents in lower pip levels."""
        window = int(self._places.levels[max(0, level - REACH)])
        start, end = self._slots_of(level)
        rows, _, tile, _ = self.rows()
        columns = slice(first * LANES, last * LANES)
        for plane, source in self._swept:
            self._windows[source].unpack(first, last, window, start, rows)
            out = lower[plane][:, columns]
            beaten = self._beaten[plane][first // kernels.GROUP]
            # If all opponents of the group are below the previous pip level, only the
            # positions of the previous pip level have new values.
            new = int(self._places.levels[level - 1])
            if (first + kernels.GROUP) * LANES > new:
                new = window
            compare(rows, window, self._rivals.slots, new, start, beaten)
            found = beaten, self._rivals.present
            sweep(rows, window, self._successors, *found, start, end, tile, out)

    def _follow_lower(
        self, level: int, lower: list[Int32Array], first: int, last: int
    ) -> None:
        """Sum values with gammons, against opponents in lower pip levels."""
        for follower in self._followers:
            base = self._windows[follower.base]
            follower.sweep_lower(level, base, lower, first, last)

    def _finish_lower(
        self, level: int, lower: list[Int32Array], first: int, last: int
    ) -> None:
        """Convert sums over the throws to values, against opponents in lower pip levels."""
        block = int(self._places.levels[level]) // LANES
        band = slice(first - block, last - block)
        for below in range(level):
            row, end = self._slots_of(below)
            self._finish([plane[band, row:end] for plane in lower], first, row)
        window = int(self._places.levels[max(0, level - REACH + 1)])
        for k, ring in self._windows.items():
            ring.pack(first, lower[k][band, window:], window)
        for follower in self._followers:
            follower.keep_lower(level, lower, first, last)

    def _sweep_upper(
        self,
        level: int,
        part: tuple[int, int],
        lower: list[Int32Array],
        upper: list[Int32Array],
        first: int,
        last: int,
    ) -> None:
        """Sum values over the throws, against opponents in this or a higher pip level."""
        levels = self._places.levels
        window = int(levels[max(0, part[0] - REACH)])
        start, end = (int(levels[k]) for k in part)
        rows, _, tile, _ = self.rows()
        columns = slice(first * LANES, last * LANES)
        skipped = LANES if start == 0 else 0  # Without checkers, the roller has won.
        for plane, source in self._swept:
            kernels.gather(lower[source][first:last, window:end], rows)
            out = upper[plane][skipped // LANES :, columns]
            beaten = self._beaten_in_level[plane][first // kernels.GROUP]
            compare(rows, window, self._rivals.slots, start, end, beaten)
            found = beaten, self._rivals.present
            own = start + skipped, end
            sweep(rows, window, self._successors, *found, *own, tile, out)

    def _follow_upper(
        self,
        level: int,
        part: tuple[int, int],
        lower: list[Int32Array],
        upper: list[Int32Array],
        first: int,
        last: int,
    ) -> None:
        """Sum values that include gammons, for opponents at this or a higher pip level."""
        block = int(self._places.levels[level]) // LANES
        for follower in self._followers:
            follower.sweep_upper(level, part, lower, upper, first - block, last - block)

    def _finish_upper(
        self, level: int, block: int, upper: list[Int32Array], first: int, last: int
    ) -> None:
        """Convert sums to values, against opponents in this or a higher pip level."""
        start, _ = self._slots_of(level)
        values = [plane[first - block : last - block] for plane in upper]
        self._finish(values, first, start)
        for k, ring in self._windows.items():
            ring.pack(first, values[k], start)
        for follower in self._followers:
            follower.keep_upper(level, values, first, last)

    def _groups(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield groups of opponent positions, in which all or none have a checker off."""
        for level in range(first, last):
            start, end = self._slots_of(level)
            middle = int(self._places.full_starts[level])
            for low, high in ((start, middle), (middle, end)):
                yield from _chunks(low // LANES, high // LANES, kernels.GROUP)

    def _bands_of(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of blocks of 16 roller positions, each within one pip level."""
        low, high = self._places.levels[[first, last]] // LANES
        return pairwise(self._bands[(low <= self._bands) & (self._bands <= high)].tolist())

    def _slots_of(self, level: int) -> tuple[int, int]:
        return int(self._places.levels[level]), int(self._places.levels[level + 1])

    def _do(
        self, work: Callable[..., None], parts: Iterable[tuple[int, int]], *arguments: Any
    ) -> None:
        in_threads(self._workers, lambda part: work(*arguments, *part), parts)

    def rows(self) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
        """Return this thread's four work arrays, which are allocated on the first call."""
        if not hasattr(self._local, "rows"):
            found: list[Int32Array] = []
            for _ in range(2 if self._followers else 1):
                size = (self._places.size + LANES) * kernels.WIDTH
                room = aligned(size, np.dtype(np.int32)).reshape(-1, kernels.WIDTH)
                found += [room[:-LANES], room[-LANES:]]
            first, first_tile, second, second_tile = (found * 2)[:4]
            self._local.rows = first, second, first_tile, second_tile
        rows: tuple[Int32Array, Int32Array, Int32Array, Int32Array] = self._local.rows
        return rows


def _chunks(first: int, last: int, size: int) -> Iterator[tuple[int, int]]:
    return ((k, min(k + size, last)) for k in range(first, last, size))
