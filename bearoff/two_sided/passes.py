"""The passes that build the two-sided tables: what each solves, reads and writes."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.pair_planes import PlaneWriter, StoredPlane, open_plane
from bearoff.rolls import THROWS
from bearoff.two_sided.pair_order import LANES, PairOrder
from bearoff.two_sided.planes import (
    CENTRED,
    CUBELESS,
    GAMMONS_LOST,
    GAMMONS_WON,
    JACOBY,
    OPPONENT,
    OWNED,
    POINTS,
    SolvedPlane,
)
from bearoff.two_sided.storage import plane_path

Values = NDArray[np.int32]
Array = NDArray[Any]

RESIDUALS = "opponent-residuals"
"""What the coding of the plane opponent leaves over, for the centred pass to be exact."""


@dataclass(frozen=True)
class Pass:
    """One pass over all pairs.

    Attributes
    ----------
    solves : tuple of SolvedPlane
        Planes that are solved at once.
    reads, writes : tuple of str
        Planes that are read and written, in the order of the kernel's arguments.
    kernel : str
        Of `bearoff.two_sided.solving.finishes`, for flat arrays: sums, those that are
        read, those that are written.
    """

    solves: tuple[SolvedPlane, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    kernel: str

    @property
    def planes(self) -> tuple[str, ...]:
        """Planes of the table that it writes."""
        return tuple(name for name in self.writes if name != RESIDUALS)


_CHANCES = Pass((CUBELESS,), (), ("cubeless",), "finish_cubeless")
_CHANCES_AND_GAMMONS = Pass(
    (CUBELESS, POINTS, GAMMONS_WON, GAMMONS_LOST),
    (),
    ("cubeless", "points", "gammons_won", "gammons_lost"),
    "finish_chances",
)
_HELD = Pass((OPPONENT, OWNED), (), ("opponent", RESIDUALS, "owned"), "finish_held")
_CENTRED = Pass((CENTRED,), ("opponent", RESIDUALS), ("centred",), "finish_centred")
_CENTRED_AND_JACOBY = Pass(
    (CENTRED, JACOBY),
    ("opponent", RESIDUALS),
    ("centred", "jacoby"),
    "finish_both_centred",
)


def passes_of(places: PairOrder, *, cube: bool) -> tuple[Pass, ...]:
    """Return the passes of a table in order; a later one reads what earlier ones wrote."""
    if not cube:
        return (_CHANCES,)
    if places.has_full:
        return _CHANCES_AND_GAMMONS, _HELD, _CENTRED_AND_JACOBY
    return _CHANCES, _HELD, _CENTRED


class PassWriter:
    """Turns the sums of a pass into values and stores them; what `Solver` calls.

    Parameters
    ----------
    plan : Pass
        The pass.
    folder : Path
        Where the planes are.
    places : PairOrder
        Slots of the table.
    stored : dict of str to StoredPlane
        The planes that it may read.
    wanted : set of str
        The planes to write; others that the pass solves too are left as they are.
    """

    def __init__(
        self,
        plan: Pass,
        folder: Path,
        places: PairOrder,
        stored: dict[str, StoredPlane],
        wanted: set[str],
    ) -> None:
        from bearoff.two_sided.solving import finishes

        self.planes = plan.solves
        self._kernel = getattr(finishes, plan.kernel)
        self._plan, self._places = plan, places
        layout = places.layout
        self._in = [
            open_plane(plane_path(folder, name), stored[name], layout)
            for name in plan.reads
        ]
        self._out = {
            name: PlaneWriter(plane_path(folder, name), layout)
            for name in plan.writes
            if name in wanted
        }

    def __call__(self, sums: list[Values], block: int, row: int) -> None:
        """Turn sums into values in place, and store codes; see `bearoff.two_sided.solving`.

        ``sums[p][k, j]`` holds plane ``p`` for block ``block + k`` of rollers against
        opponent ``row + j``.
        """
        self._end_games(sums, block, row)
        blocks, rows, _ = sums[0].shape
        area = slice(block, block + blocks), slice(row, row + rows)
        known = [plane.read(*area) for plane in self._in]
        codes = [np.empty(sums[0].shape, dtype=np.int32) for _ in self._plan.writes]
        for k in range(blocks):
            arrays = [*sums, *known, *codes]
            self._kernel(*(array[k].reshape(-1) for array in arrays))
        for name, part in zip(self._plan.writes, codes, strict=True):
            if name in self._out:
                self._out[name].write(part, block, row)

    def _end_games(self, sums: list[Values], block: int, row: int) -> None:
        """Set the sums of the pairs in which a side is off."""
        blocks, rows, _ = sums[0].shape
        full = self._full
        for plane, values in zip(self.planes, sums, strict=True):
            total, ends = plane.sign * THROWS, plane.ends
            if row == 0:  # The opponents of block 0 are off.
                lost = np.where(full[block : block + blocks], ends.lost_gammon, ends.lost)
                values[:, :LANES] = total * lost[:, None, None]
            if block == 0:
                theirs = np.repeat(full[row // LANES : (row + rows) // LANES], LANES)
                won = np.where(theirs, ends.won_gammon, ends.won)
                values[0] = total * won[:, None]

    @cached_property
    def _full(self) -> NDArray[np.bool_]:
        """Whether the positions of each block have all checkers on the board."""
        return self._places.full_blocks

    def finish(self) -> dict[str, StoredPlane]:
        """See that what was written is on the disk; return the planes' entries."""
        return {name: file.finish() for name, file in self._out.items()}

    def close(self) -> None:
        """Close the files."""
        for file in self._out.values():
            file.close()
