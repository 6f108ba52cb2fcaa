"""The two-sided tables: what optimal play and a perfect cube make of any pair.

Both sides are known, so the race is solved outright: the only values here that are
called exact without a qualifier. See `two_sided_solver` for the equations and
docs/two-sided.md for the files.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff.checked import CheckedArray
from bearoff.errors import BearoffError, TableError
from bearoff.numbering import CHECKERS, check_numbers
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.two_sided_layout import LANES, layout
from bearoff.two_sided_store import (
    MANIFEST,
    Manifest,
    load_successors,
    open_plane,
    plane_entry,
    read_manifest,
    table_folder,
)

if TYPE_CHECKING:
    from bearoff.two_sided_verify import Verification

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Cube = Literal["owned", "centred", "opponent"]

CUBES: tuple[Cube, ...] = ("owned", "centred", "opponent")
"""Where the cube may be, from the roller's side."""

_PAIRS_AT_A_TIME = 1 << 14


@dataclass(frozen=True, eq=False)
class TwoSidedTable:
    """Exact values of every pair of positions of at most so many checkers a side.

    All methods take the paper's numbers as arrays, broadcast against each other; values
    are the roller's, at the start of his turn, at a cube of 1, gammons not counted.
    Number 0 has borne off: a roller of 0 has won, an opponent of 0 too.

    A block of a plane is checked against its checksum when it is first read: whatever
    rests on a damaged one raises `TableError`.

    Attributes
    ----------
    checkers : int
        Most checkers of each side.
    folder : Path
        Where the planes are.
    """

    checkers: int
    folder: Path
    _manifest: Manifest = field(repr=False)

    def __post_init__(self) -> None:
        if self._manifest["checkers"] != self.checkers:
            raise TableError(
                f"{self.folder} holds a table of {self._manifest['checkers']} checkers, "
                f"not of {self.checkers}; build the table again"
            )

    @property
    def planes(self) -> tuple[str, ...]:
        """Planes that are built."""
        return tuple(self._manifest["planes"])

    def error(self, plane: str) -> float:
        """Largest error of a value of the plane: a win probability, or an equity.

        Raises
        ------
        TableError
            If the plane is not built.
        """
        return float(plane_entry(self.folder, plane, self._manifest)["error"])

    def win_probability(self, rollers: ArrayLike, opponents: ArrayLike) -> Float64Array:
        """Chance that the roller wins, both sides playing optimally without a cube.

        Returns
        -------
        ndarray of float64
            Within ``error("cubeless")`` of the exact value.

        Raises
        ------
        PositionError
            If a number is not in the table.
        TableError
            If the plane is not built or is damaged.
        """
        at, shape = self._places(rollers, opponents)
        codes = self._plane("cubeless").take(at)
        return np.asarray(codes / 65535.0, dtype=np.float64).reshape(shape)

    def equity(
        self, rollers: ArrayLike, opponents: ArrayLike, cube: Cube = "centred"
    ) -> Float64Array:
        """Equity with perfect play of checkers and cube, in points at a cube of 1.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers.
        cube : {"centred", "owned", "opponent"}
            Where the cube is; the roller may double unless the opponent has it.

        Returns
        -------
        ndarray of float64
            Within ``error(cube)`` of the exact value, -1 to 1.

        Raises
        ------
        PositionError, TableError
            As for `win_probability`.
        BearoffError
            If `cube` is none of these.
        """
        _check_cube(cube)
        at, shape = self._places(rollers, opponents)
        return self._equity_at(at, cube).reshape(shape)

    def double_take(self, rollers: ArrayLike, opponents: ArrayLike) -> Float64Array:
        """Equity after a double that is taken: twice that with the cube at the opponent."""
        return np.asarray(2.0 * self.equity(rollers, opponents, "opponent"))

    def no_double(
        self, rollers: ArrayLike, opponents: ArrayLike, cube: Cube | None = "centred"
    ) -> Float64Array:
        """Equity if the roller does not double now, and plays perfectly from then on.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers, a checker on the board on both sides.
        cube : {"centred", "owned", "opponent"} or None
            Where the cube is, and stays this turn; None without a cube.

        Returns
        -------
        ndarray of float64
            The mean over the throws of the best play's value, within the error of the
            plane that the opponent then faces.

        Raises
        ------
        PositionError, TableError, BearoffError
            As for `equity`.
        """
        if cube is not None:
            _check_cube(cube)
        x, y = np.broadcast_arrays(
            *(check_numbers(n, len(self._slots)) for n in (rollers, opponents))
        )
        values = np.empty(x.size)
        for start in range(0, x.size, _PAIRS_AT_A_TIME):
            part = slice(start, start + _PAIRS_AT_A_TIME)
            values[part] = self._mean_of_best(x.ravel()[part], y.ravel()[part], cube)
        return values.reshape(x.shape)

    def best_after(
        self, rollers: ArrayLike, opponents: ArrayLike, cube: Cube | None
    ) -> Int64Array:
        """Where the roller's best play of each roll leads to.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers, a checker on the board on both sides.
        cube : {"centred", "owned", "opponent"} or None
            Where the cube is from the roller's side; None without a cube.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            His position numbers, rolls in the order of `bearoff.ROLLS`. Of plays that
            are equal in the table, the one that leads to the lowest number.

        Raises
        ------
        PositionError, TableError, BearoffError
            As for `equity`.
        """
        if cube is not None:
            _check_cube(cube)
        x, y = np.broadcast_arrays(
            *(check_numbers(n, len(self._slots)) for n in (rollers, opponents))
        )
        best = np.empty((x.size, len(ROLLS)), dtype=np.int64)
        for start in range(0, x.size, _PAIRS_AT_A_TIME):
            part = slice(start, start + _PAIRS_AT_A_TIME)
            theirs, firsts, slots = self._after_plays(
                x.ravel()[part], y.ravel()[part], cube
            )
            least = np.minimum.reduceat(theirs, firsts)
            lengths = np.diff(firsts, append=len(theirs))
            at_least = np.flatnonzero(theirs == np.repeat(least, lengths))
            chosen = at_least[np.searchsorted(at_least, firsts)]
            best[part] = self._numbers[slots[chosen]].reshape(-1, len(ROLLS))
        return best.reshape((*x.shape, len(ROLLS)))

    def values_after(
        self, successors: Int64Array, opponent: int, cube: Cube | None
    ) -> Float64Array:
        """Value to a player of positions he may play to, the opponent on roll next.

        Parameters
        ----------
        successors : ndarray of int64
            Numbers of the player's positions after the play.
        opponent : int
            Number of the other side.
        cube : {"centred", "owned", "opponent"} or None
            Where the cube is from the player's side; None without a cube.

        Returns
        -------
        ndarray of float64
            Equities; without a cube, of the cubeless win probability.
        """
        at, _ = self._places(np.full(len(successors), opponent), successors)
        return -self._opponents_equity_at(at, cube)

    def codes(self, plane: str) -> NDArray[np.uint16]:
        """Return a plane as it is stored, for compiled code; see `two_sided_layout`.

        Every block that was not yet read is checked first, a second or less for 3 GB.

        Returns
        -------
        ndarray of uint16, shape (slots**2,), read-only
            Flat. Codes of the cubeless plane are win probabilities times 65535.

        Raises
        ------
        TableError
            If the plane is not built or is damaged.
        """
        return self._plane(plane).whole()

    def verify(self, samples: int = 1000) -> "Verification":
        """Read every byte, and derive random values again from those they rest on.

        Parameters
        ----------
        samples : int
            Pairs of each plane whose values are derived again.

        Returns
        -------
        Verification
            What was compared, and by how much the derived values differ at most.

        Raises
        ------
        TableError
            If a file is damaged, or a value does not follow from the others.
        """
        from bearoff.two_sided_verify import verify

        return verify(self, samples)

    @cached_property
    def _slots(self) -> Int64Array:
        return layout(self.checkers).slots.astype(np.int64)

    @cached_property
    def _numbers(self) -> Int64Array:
        """Number of the position in each slot; 0 where there is none."""
        numbers = np.zeros(layout(self.checkers).size, dtype=np.int64)
        numbers[self._slots] = np.arange(len(self._slots))
        return numbers

    @cached_property
    def successors(self) -> tuple[Int64Array, NDArray[np.uint16]]:
        """Where each roll leads from each slot, for compiled code.

        Offsets, int64, and slots, uint16, as of `two_sided_store.load_successors`.
        """
        return load_successors(self.folder, self._manifest)

    def _plane(self, name: str) -> CheckedArray:
        planes = self.__dict__.setdefault("_open", {})
        if name not in planes:
            planes[name] = open_plane(self.folder, name, self._manifest)
        plane: CheckedArray = planes[name]
        return plane

    def _places(
        self, rollers: ArrayLike, opponents: ArrayLike
    ) -> tuple[Int64Array, tuple[int, ...]]:
        """Where the pairs stand in the flat planes, and the shape of the answer."""
        sides = [check_numbers(n, len(self._slots)) for n in (rollers, opponents)]
        x, y = np.broadcast_arrays(*(self._slots[side] for side in sides))
        return self._at(x.ravel(), y.ravel()), x.shape

    def _at(self, x: Int64Array, y: Int64Array) -> Int64Array:
        size = layout(self.checkers).size
        return ((x // LANES) * size + y) * LANES + x % LANES

    def _equity_at(self, at: Int64Array, cube: Cube) -> Float64Array:
        codes = self._plane(cube).take(at)
        entry = plane_entry(self.folder, cube, self._manifest)
        excess = (codes.astype(np.float64) - entry["zero"]) * entry["step"]
        equity = np.clip(self._cubeless_equity_at(at) + excess, -1.0, 1.0)
        return np.asarray(equity, dtype=np.float64)

    def _cubeless_equity_at(self, at: Int64Array) -> Float64Array:
        codes = self._plane("cubeless").take(at)
        return np.asarray(codes * (2 / 65535) - 1.0, dtype=np.float64)

    def _opponents_equity_at(self, at: Int64Array, cube: Cube | None) -> Float64Array:
        """Equity of the side then on roll, the cube named from the other's side."""
        if cube is None:
            return self._cubeless_equity_at(at)
        theirs: dict[Cube, Cube] = {
            "owned": "opponent",
            "centred": "centred",
            "opponent": "owned",
        }
        return self._equity_at(at, theirs[cube])

    def _mean_of_best(
        self, x: Int64Array, y: Int64Array, cube: Cube | None
    ) -> Float64Array:
        theirs, firsts, _ = self._after_plays(x, y, cube)
        least = np.minimum.reduceat(theirs, firsts).reshape(-1, len(ROLLS))
        # No matrix product: its last bit depends on how many pairs are asked at once.
        return np.asarray(-(least * np.array(WEIGHTS)).sum(axis=1) / THROWS)

    def _after_plays(
        self, x: Int64Array, y: Int64Array, cube: Cube | None
    ) -> tuple[Float64Array, Int64Array, Int64Array]:
        """Opponent's equity after every play of every roll, pair by pair and end to end.

        Also where each pair's roll starts, and the slots that the plays lead to.
        """
        offsets, numbers = self.successors
        rolls = len(ROLLS)
        starts = (self._slots[x] * rolls)[:, None] + np.arange(rolls)
        begin, count = offsets[starts].ravel(), np.diff(offsets)[starts].ravel()
        firsts = np.cumsum(count) - count
        chosen = np.arange(count.sum()) + np.repeat(begin - firsts, count)
        waiting = numbers[chosen].astype(np.int64)
        rolling = np.repeat(np.repeat(self._slots[y], rolls), count)
        return self._opponents_equity_at(self._at(rolling, waiting), cube), firsts, waiting


def _check_cube(cube: str) -> None:
    if cube not in CUBES:
        raise BearoffError(f"cube must be owned, centred or opponent, got {cube!r}")


def two_sided_table(checkers: int = CHECKERS) -> TwoSidedTable:
    """Open the two-sided tables of so many checkers, built by `build_two_sided_table`.

    Raises
    ------
    TableError
        If they are not built, or damaged.
    """
    folder = table_folder(checkers)
    try:
        seen = (folder / MANIFEST).stat()
    except FileNotFoundError:
        raise TableError(
            f"there is no two-sided table in {folder}; build it: "
            f"bearoff.build_two_sided_table({checkers}) in Python, "
            f"bearoff tables build --two-sided --checkers {checkers} in a shell"
        ) from None
    except OSError:
        read_manifest(folder)  # Says what is wrong.
        raise
    return _open_table(checkers, folder, (seen.st_ino, seen.st_mtime_ns))


@lru_cache(maxsize=4)
def _open_table(checkers: int, folder: Path, seen: tuple[int, int]) -> TwoSidedTable:
    """Open a table once for each manifest that was seen of it."""
    return TwoSidedTable(checkers, folder, read_manifest(folder))
