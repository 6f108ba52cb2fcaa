"""Solver of values with gammons, which copies values where no gammon is possible.

If both players have borne off a checker, no gammon is possible. The values of such pairs
are copied from another kind of value, the *base* values. About half of the pairs remain. Of
these, pairs are solved unless all values after the plays equal the base values. Far from
the end of the race, the values are equal, because gammons change a value by less than one
of the solver's integer units. The solved values that positions with higher pip counts need
are in two small arrays: one for *full* rollers, who have not borne off a checker, and one
for all rollers against full opponents.

Gammon probabilities are solved together with the equity in points, which chooses the plays.
The roller can win a gammon only from a full opponent, and only a full roller can lose a
gammon. All other gammon probabilities are 0, so the probabilities of winning a gammon need
only one of the two arrays, and those of losing a gammon only the other.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bearoff.plays import Successors
from bearoff.two_sided.pair_order import LANES, REACH, PairOrder
from bearoff.two_sided.planes import SolvedPlane, follower_windows
from bearoff.two_sided.solving import chosen_kernels, kernels
from bearoff.two_sided.solving.workspace import Window, Workspace

Int32Array = NDArray[np.int32]


class Follower:
    """Solver of values with gammons, and of gammon probabilities."""

    def __init__(
        self,
        places: PairOrder,
        successors: Successors,
        planes: tuple[SolvedPlane, ...],
        plane: SolvedPlane,
        workspace: Workspace,
        rows: Callable[[], tuple[Int32Array, Int32Array, Int32Array, Int32Array]],
    ) -> None:
        names = [one.name for one in planes]
        self._places, self._successors, self._rows = places, successors, rows
        self.base = names.index(str(plane.base))
        self._main = names.index(plane.name)
        chosen = [k for k, one in enumerate(planes) if one.chooser == plane.name]
        # A player's chance of winning a gammon is the mean, over all rolls, of the
        # opponent's chance of losing a gammon after the play.
        self._won: int | None = chosen[0] if chosen else None
        self._lost: int | None = chosen[1] if chosen else None
        self._full = places.full_blocks
        self._full_before = np.concatenate([[0], self._full.cumsum()])
        self._columns_before = places.full_before
        # Element (i, j) is true if gammons change the value of any roller in block i
        # against any opponent in pip level j.
        self._differs = np.zeros((places.blocks, len(places.levels) - 1), dtype=bool)
        of_full, against_full = follower_windows(places)
        self._of_full = {
            k: workspace.window(*of_full) for k in (self._main, self._lost) if k is not None
        }
        self._against_full = {
            k: workspace.window(*against_full)
            for k in (self._main, self._won)
            if k is not None
        }

    def sweep_lower(
        self, level: int, base: Window, sums: list[Int32Array], first: int, last: int
    ) -> None:
        """Sum values over the throws, against opponents in lower pip levels."""
        start, middle, end = self._parts(level)
        columns, lowest = slice(first * LANES, last * LANES), max(0, level - REACH)
        self._copy_base(sums, columns)
        is_full = self._full[first]
        if not self._differs[first:last, lowest:level].any() or (
            middle == end and not is_full
        ):
            return
        window = int(self._places.levels[lowest])
        rows, chances, *_ = self._rows()
        if is_full:
            low, high = (int(self._full_before[block]) for block in (first, last))
            self._of_full[self._main].unpack(low, high, window, start, rows)
            if self._lost is not None:
                self._of_full[self._lost].unpack(low, high, window, start, chances)
            every = start, end
            self._sweep(rows, chances, window, every, sums, columns, self._won, start)
        else:
            base.unpack(first, last, window, start, rows)
            self._overlay(self._main, first, last, level, rows)
        if self._won is not None:
            chances[: start - window] = 0
            self._overlay(self._won, first, last, level, chances)
        if not is_full or self._lost is not None:
            full = middle, end
            self._sweep(rows, chances, window, full, sums, columns, self._lost, start)

    def sweep_upper(
        self,
        level: int,
        part: tuple[int, int],
        lower: list[Int32Array],
        sums: list[Int32Array],
        first: int,
        last: int,
    ) -> None:
        """Sum values over the throws, against opponents in this or a higher pip level."""
        columns = slice(first * LANES, last * LANES)
        self._copy_base(sums, columns)
        block = self._parts(level)[0] // LANES
        differs = np.any(self._differs[block + first : block + last], axis=0).tolist()
        rollers = [
            self._parts(below)
            for below in range(max(part[0], 1), part[1])
            if any(differs[max(0, below - REACH) : below])
        ]
        if not rollers:
            return
        low, high = (int(self._places.levels[k]) for k in part)
        window = int(self._places.levels[max(0, part[0] - REACH)])
        theirs = slice(first, last), slice(window, high)
        is_full = self._full[block + first]
        rows, chances, *_ = self._rows()
        kernels.gather(lower[self._main][theirs], rows)
        if is_full:
            if self._lost is not None:
                kernels.gather(lower[self._lost][theirs], chances)
            for start, _, end in rollers:
                every = start, end
                self._sweep(rows, chances, window, every, sums, columns, self._won, low)
        if self._won is not None:
            kernels.gather(lower[self._won][theirs], chances)
        if not is_full or self._lost is not None:
            for _, middle, end in rollers:
                full = middle, end
                self._sweep(rows, chances, window, full, sums, columns, self._lost, low)

    def keep_lower(
        self, level: int, lower: list[Int32Array], first: int, last: int
    ) -> None:
        """Keep values against opponents in lower pip levels for later use."""
        start, *_ = self._parts(level)
        lowest = max(0, level - REACH + 1)
        window, block = int(self._places.levels[lowest]), start // LANES
        full = self._first_full(first, last)
        for below in range(level):
            low, _, high = self._parts(below)
            band = [plane[first - block : last - block, low:high] for plane in lower]
            self._mark(below, band, first, last)
        for k, ring in self._of_full.items():
            part = lower[k][full - block : last - block, window:]
            ring.pack(int(self._full_before[full]), part, window)
        for k, ring in self._against_full.items():
            for below in range(lowest, level):
                _, *columns = self._parts(below)
                part = lower[k][first - block : last - block, slice(*columns)]
                ring.pack(first, part, int(self._columns_before[below]))

    def keep_upper(
        self, level: int, values: list[Int32Array], first: int, last: int
    ) -> None:
        """Keep values against opponents in this or a higher pip level for later use."""
        start, middle, _ = self._parts(level)
        full = self._first_full(first, last)
        self._mark(level, values, first, last)
        for k, ring in self._of_full.items():
            ring.pack(int(self._full_before[full]), values[k][full - first :], start)
        for k, ring in self._against_full.items():
            part = values[k][:, middle - start :]
            ring.pack(first, part, int(self._columns_before[level]))

    def _copy_base(self, sums: list[Int32Array], columns: slice) -> None:
        """Copy the sums of the base values, against a range of opponent positions."""
        sums[self._main][:, columns] = sums[self.base][:, columns]
        for chance in (self._won, self._lost):
            if chance is not None:
                sums[chance][:, columns] = 0

    def _mark(self, level: int, values: list[Int32Array], first: int, last: int) -> None:
        """Record for each block of 16 roller positions whether gammons change any value."""
        differ = (values[self._main] != values[self.base]).any(axis=(1, 2))
        for chance in (self._won, self._lost):
            if chance is not None:
                differ |= values[chance].any(axis=(1, 2))
        self._differs[first:last, level] = differ

    def _first_full(self, first: int, last: int) -> int:
        """Return the first block of 16 roller positions that have no checker borne off."""
        return last - int(np.count_nonzero(self._full[first:last]))

    def _sweep(
        self,
        rows: Int32Array,
        chances: Int32Array,
        first_row: int,
        rollers: tuple[int, int],
        sums: list[Int32Array],
        columns: slice,
        chance: int | None,
        first_roller: int,
    ) -> None:
        """Sum values over the 36 throws, and gammon probabilities if `chance` is given."""
        *_, tile, second_tile = self._rows()
        part = slice(*((roller - first_roller) // LANES for roller in rollers))
        args = first_row, self._successors, *rollers
        out = sums[self._main][part, columns]
        if chance is None:
            kernels.sweep(rows, *args, tile, out)
        else:
            carried = sums[chance][part, columns]
            chosen_kernels.sweep(rows, chances, *args, tile, second_tile, out, carried)

    def _parts(self, level: int) -> tuple[int, int, int]:
        """Return three indices of a pip level: start, first with no checker off, end."""
        places = self._places
        bounds = places.levels[level], places.full_starts[level], places.levels[level + 1]
        return int(bounds[0]), int(bounds[1]), int(bounds[2])

    def _overlay(
        self, plane: int, first: int, last: int, level: int, rows: Int32Array
    ) -> None:
        """Overwrite the rows of positions with no checker off by values with gammons."""
        lowest = max(0, level - REACH)
        window = int(self._places.levels[lowest])
        ring = self._against_full[plane]
        for below in range(lowest, level):
            _, start, end = self._parts(below)
            if start < end:
                column = int(self._columns_before[below])
                ring.unpack(
                    first, last, column, column + end - start, rows[start - window :]
                )
