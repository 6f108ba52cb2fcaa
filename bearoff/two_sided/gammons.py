r"""The two-sided table with gammons: cubeless equities in which a gammon counts double.

In the notation of `bearoff.two_sided.solver`, the equity with gammons obeys the cubeless
equation

.. math:: G(x, y) = \overline{\max(-G')}

and differs in how the game ends: a side that is off has won 2 if the other has all its
checkers on the board, and 1 otherwise. Both sides play for that equity: the side behind
may give up some of its chance to win in order to save the gammon, and the other side some
of its chance to win a gammon. Where neither side has all checkers on the board it is the
cubeless equity.

The same solver solves it. What is stored is the excess over the stored cubeless equity,
-1 to 1 in steps of 1/32000.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff.errors import TableError
from bearoff.one_sided import gammons as one_sided_gammons
from bearoff.positions import CHECKERS, POINTS
from bearoff.storage import check_disk, checked_array, manifest as manifests
from bearoff.two_sided.opening import two_sided_table
from bearoff.two_sided.pair_order import LANES, PairOrder, pair_order_of, slot_successors
from bearoff.two_sided.passes import PlaneFile
from bearoff.two_sided.storage import (
    Manifest,
    StoredPlane,
    claimed,
    describe_blocks,
    open_plane,
    plane_entry,
    read_manifest,
    table_folder,
)
from bearoff.two_sided.table import TwoSidedTable

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

PLANE = "gammon"
"""Name of the plane in its folder."""

STEP = 1 / 32000
"""Excess of one code over the next lower.

More than a step of the stored cubeless equity, so that rounding never makes an excess.
"""

NONE = 32768
"""Code of no excess, which is therefore stored exactly."""

ERROR = 2.0e-5
"""Largest error of an equity with gammons: half a step, and what the solver rounds."""


@dataclass(frozen=True, eq=False)
class GammonPlane:
    """Cubeless equities with gammons, on top of a two-sided table.

    Attributes
    ----------
    table : TwoSidedTable
        The table whose cubeless plane it adds to.
    codes : CheckedArray
        Of uint16, shape (slots**2,): by how much gammons raise the equity, see
        `excess_of`; in the order of `bearoff.two_sided.pair_order`.
    """

    table: TwoSidedTable
    codes: checked_array.CheckedArray = field(repr=False)

    def equity(self, rollers: ArrayLike, opponents: ArrayLike) -> Float64Array:
        """Equity with gammons, both sides playing optimally for it, without a cube.

        Parameters
        ----------
        rollers, opponents : array_like of int, broadcast against each other
            Position numbers.

        Returns
        -------
        ndarray of float64
            In points, -2 to 2, within `ERROR` of the exact value.

        Raises
        ------
        PositionError
            If a number is not in the table.
        TableError
            If a plane is damaged where it is read.
        """
        chance = self.table.win_probability(rollers, opponents)
        places = self.table.places
        slots = places.slots.astype(np.int64)
        x, y = np.broadcast_arrays(slots[np.asarray(rollers)], slots[np.asarray(opponents)])
        at = ((x // LANES) * places.size + y) * LANES + x % LANES
        excess = excess_of(self.codes.take(at))
        return np.asarray(2.0 * chance - 1.0 + excess, dtype=np.float64)


def has_gammon_plane(checkers: int = CHECKERS) -> bool:
    """Whether `gammon_plane` would find one; every byte of it is read."""
    try:
        gammon_plane(checkers).codes.read_all()
    except TableError:
        return False
    return True


def gammon_plane(checkers: int = CHECKERS) -> GammonPlane:
    """Open what `build_gammon_plane` built.

    Raises
    ------
    TableError
        If it or the two-sided table is not built or damaged, or the table has been
        built anew since.
    """
    table = two_sided_table(checkers)
    folder = _folder(checkers)
    manifest = read_manifest(folder)
    cubeless = _digest_of_cubeless(checkers)
    if (manifest.checkers, manifest.cubeless) != (checkers, cubeless):
        raise TableError(f"{folder} belongs to another two-sided table; build it again")
    return GammonPlane(table, open_plane(folder, PLANE, manifest))


def build_gammon_plane(
    checkers: int = CHECKERS,
    *,
    workers: int = 1,
    progress: Callable[[str, float], None] = lambda name, done: None,
) -> Path:
    """Solve the equities with gammons and keep them beside the two-sided table.

    Parameters
    ----------
    checkers : int
        Size of the table, whose cubeless plane must be built; a side with so many on
        the board can lose a gammon. In backgammon that is 15, smaller ones serve to
        study and to test.
    workers : int
        Threads.
    progress : callable
        Called with the plane's name and how much of it is done, 0 to 1.

    Returns
    -------
    Path
        Its folder.

    Raises
    ------
    TableError
        If the cubeless plane is missing, the disk has no room, or another process
        builds it.
    """
    cubeless = _digest_of_cubeless(checkers)
    folder, places = _folder(checkers), pair_order_of(POINTS, checkers)
    with claimed(table_folder(POINTS, checkers)):
        folder.mkdir(exist_ok=True)
        check_disk("the plane of gammons", places.plane_bytes)
        manifest = read_manifest(table_folder(POINTS, checkers))
        open_plane(table_folder(POINTS, checkers), "cubeless", manifest).read_all()
        try:
            path = _solve(folder, places, workers, progress)
            blocks = describe_blocks(path, places)
        except OSError as error:
            raise TableError(f"building {folder} stopped: {error}; build again") from error
        plane = StoredPlane(**asdict(blocks), error=ERROR, step=STEP, zero=NONE)
        manifests.write_manifest(
            folder,
            Manifest(POINTS, checkers, planes={PLANE: plane}, cubeless=cubeless),
        )
    return folder


def _folder(checkers: int) -> Path:
    """Return the plane's folder, within the table's so that it goes when that goes."""
    return table_folder(POINTS, checkers) / PLANE


def _digest_of_cubeless(checkers: int) -> str:
    folder = table_folder(POINTS, checkers)
    return plane_entry(folder, "cubeless", read_manifest(folder)).digest


def excess_of(codes: NDArray[np.uint16]) -> Float64Array:
    """Return what the codes of the plane stand for, in points."""
    return np.asarray((codes.astype(np.int32) - NONE) * STEP, dtype=np.float64)


def _solve(
    folder: Path, places: PairOrder, workers: int, progress: Callable[[str, float], None]
) -> Path:
    from bearoff.two_sided.build import needs_of
    from bearoff.two_sided.solver import Solver
    from bearoff.two_sided.workspace import Workspace

    path = folder / f"{PLANE}.u16"
    writer = _Writer(path, table_folder(POINTS, places.checkers) / "cubeless.u16", places)

    def report(level: int) -> None:
        progress(PLANE, float(places.levels[level + 1] / places.size) ** 2)

    needs = needs_of(places, writer.planes)
    workspace = Workspace(needs.sums + needs.windows, folder)
    try:
        Solver(places, slot_successors(places), writer, workspace, workers).solve(report)
    finally:
        writer.close()
    return path


class _Writer:
    """Turns sums into equities with gammons and stores them; what `Solver` calls."""

    planes = 1

    def __init__(self, path: Path, cubeless: Path, places: PairOrder) -> None:
        from bearoff.two_sided.kernels import ONE

        # The solver keeps 24 bits, in which ONE is the most: here it stands for two.
        self._one = ONE // 2
        self._gammon = 2 * self._one
        self._full = np.zeros(places.size, dtype=bool)
        self._full[places.slots[one_sided_gammons.full_positions(places.checkers)]] = True
        self._out = PlaneFile(path, places, write=True)
        self._cubeless = PlaneFile(cubeless, places)

    def __call__(self, sums: list[NDArray[np.int32]], block: int, row: int) -> None:
        """Turn sums into equities in place, and store them; see `two_sided_solver`."""
        values = sums[0]
        blocks, rows, _ = values.shape
        np.rint(values / -36, out=values, casting="unsafe")
        if block == 0:  # The roller of slot 0 has won.
            values[0] = np.where(self._full[row : row + rows], self._gammon, self._one)[
                :, None
            ]
        if row == 0:  # The opponent of slot 0 has won.
            rollers = self._full[block * LANES : (block + blocks) * LANES]
            values[:, 0][rollers.reshape(-1, LANES)] = -self._gammon
        known = np.empty(values.shape, dtype=np.uint16)
        self._cubeless.read(known, block, row)
        excess = values / self._one - (known * (2 / 65535) - 1)
        codes = np.clip(np.rint(excess / STEP), -32767, 32767) + NONE
        self._out.write(codes.astype(np.uint16), block, row)

    def close(self) -> None:
        """Close the files, what was written on the disk."""
        self._out.sync()
        self._out.close()
        self._cubeless.close()
