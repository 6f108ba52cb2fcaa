"""Conversion of the solver's sums over the 36 throws to values, which are then stored."""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.pair_planes import PlaneWriter, StoredPlane, open_plane
from bearoff.rolls import THROWS
from bearoff.two_sided.pair_order import LANES, PairOrder
from bearoff.two_sided.planes import Pass, SolvedPlane
from bearoff.two_sided.storage import plane_path

Int32Array = NDArray[np.int32]
Area = tuple[slice, slice]
"""Pairs of positions: a range of the roller's positions in blocks of 16, and a range of the
opponent's positions."""

Step = tuple[Callable[..., None], list[Int32Array], tuple[Any, ...]]
"""One step that turns sums over the 36 throws into values: a function, its array arguments,
and its other arguments."""


class PassWriter:
    """Writer that converts the solver's sums over the 36 throws to values and stores them.

    Parameters
    ----------
    plan : Pass
        Run of the solver, which lists the kinds of value to compute.
    places : PairOrder
        Order in which the table stores positions and pairs.
    stored : dict of str to StoredPlane
        Manifest entries of the values from earlier solver runs, by name.
    wanted : set of str
        Names of the kinds of value that are written to files. Other kinds are solved but
        not written.
    plain : bool
        Whether to use only numpy, which is faster for few checkers. The results are the
        same.
    """

    def __init__(
        self,
        plan: Pass,
        folder: Path,
        places: PairOrder,
        stored: dict[str, StoredPlane],
        wanted: set[str],
        *,
        plain: bool = False,
    ) -> None:
        self.planes = plan.solves
        self._plain = plain
        self._plan, self._places = plan, places
        layout = places.layout
        self._in = {
            name: open_plane(plane_path(folder, name), stored[name], layout)
            for name in plan.reads
        }
        for plane in self._in.values():
            if not plain:
                # All threads verify the file's checksums together here, so that later reads
                # need not verify them.
                plane.read_all()
        self._out = {
            name: PlaneWriter(plane_path(folder, name), layout)
            for name in plan.writes
            if name in wanted
        }

    def __call__(self, sums: list[Int32Array], block: int, row: int) -> None:
        """Convert sums over the 36 throws to values in place, and store the values.

        ``sums[p][k, j]`` has the sums of the plan's kind of value ``p`` for the 16 rollers
        of block ``block + k`` against the opponent with index ``row + j``.
        """
        self._end_games(sums, block, row)
        blocks, rows, _ = sums[0].shape
        area = slice(block, block + blocks), slice(row, row + rows)
        values = dict(zip(self._plan.planes, sums, strict=True))
        out = {name: np.empty(sums[0].shape, dtype=np.int32) for name in self._plan.writes}
        for plane in self.planes:
            if plane.doubling and (taken := plane.doubling.taken).name not in values:
                values[taken.name] = self._read(taken, area)
        steps = [step for plane in self.planes for step in self._steps(plane, values, out)]
        for k in range(blocks):  # One block fits into a core's cache.
            for kernel, arrays, constants in steps:
                kernel(*[array[k] for array in arrays], *constants)
        for plane in self.planes:
            if plane.coding.base:
                out[plane.name] -= out[plane.coding.base]
        for name, file in self._out.items():
            file.write(out[name], block, row)

    def _steps(
        self, plane: SolvedPlane, values: dict[str, Int32Array], out: dict[str, Int32Array]
    ) -> Iterator[Step]:
        """Yield the steps that convert sums over the throws to values and stored codes."""
        from bearoff.two_sided import solving

        finishes: Any = solving.plain if self._plain else solving.finishes

        def flat(array: Int32Array) -> Int32Array:
            return array.reshape(len(array), -1)

        own, codes = flat(values[plane.name]), flat(out[plane.name])
        bits = np.int32(plane.coding.units.bit_length() - 1)
        if plane.doubling:
            taken = flat(values[plane.doubling.taken.name])
            yield finishes.finish_doubling, [own, taken, codes], (*plane.doubled, bits)
        elif plane.sign < 0:
            yield finishes.finish, [own, codes], (bits,)
        else:
            yield finishes.finish_chances, [own, codes], (bits,)
        if plane.residuals:
            residuals = flat(out[plane.residuals])
            yield finishes.leave_over, [own, codes, residuals], (bits,)

    def _read(self, plane: SolvedPlane, area: Area) -> Int32Array:
        """Read values that an earlier solver run stored."""
        stored = self._in[plane.name].read(*area)
        stored *= np.int32(plane.coding.units)
        if plane.residuals:
            stored += self._in[plane.residuals].read(*area)
        return stored

    def _end_games(self, sums: list[Int32Array], block: int, row: int) -> None:
        """Set the sums of finished games, in which a player has borne off all checkers."""
        blocks, rows, _ = sums[0].shape
        full = self._full
        for plane, values in zip(self.planes, sums, strict=True):
            total, ends = plane.sign * THROWS, plane.ends
            if row == 0:  # Indices below 16: no checkers left.
                lost = np.where(full[block : block + blocks], ends.lost_gammon, ends.lost)
                values[:, :LANES] = total * lost[:, None, None]
            if block == 0:
                theirs = np.repeat(full[row // LANES : (row + rows) // LANES], LANES)
                won = np.where(theirs, ends.won_gammon, ends.won)
                values[0] = total * won[:, None]

    @cached_property
    def _full(self) -> NDArray[np.bool_]:
        return self._places.full_blocks

    def finish(self) -> dict[str, StoredPlane]:
        """Write all data to the disk, and return the manifest entries of the files."""
        return {name: file.finish() for name, file in self._out.items()}

    def close(self) -> None:
        for file in self._out.values():
            file.close()
