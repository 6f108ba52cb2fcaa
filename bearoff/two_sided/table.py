"""The two-sided tables: what optimal play and a perfect cube make of any pair.

The race of two given sides is solved outright: the only values here that are
called exact without a qualifier. See `bearoff.two_sided.solver` for the equations and
docs/two-sided.md for the files.
"""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff import checks
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.storage import checked_array
from bearoff.two_sided.pair_order import LANES, PairOrder
from bearoff.two_sided.storage import (
    Manifest,
    load_successors,
    open_plane,
    plane_entry,
)

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]
Cube = Literal["owned", "centred", "opponent"]

CUBES: tuple[Cube, ...] = ("owned", "centred", "opponent")
"""Where the cube may be, from the roller's side."""

_PAIRS_AT_A_TIME = 1 << 14


@dataclass(frozen=True, eq=False)
class TwoSidedTable:
    """Exact values of every pair of positions of at most so many checkers a side.

    All methods take Benjamin-Ross numbers as arrays, broadcast against each other; values
    are the roller's, before the roll, at a cube of 1, gammons not counted.
    Number 0 has borne off: a roller of 0 has won, an opponent of 0 too.

    A block of a plane is checked against its checksum when it is first read: whatever
    rests on a damaged one raises `TableError`.

    Attributes
    ----------
    folder : Path
        Where the planes are.
    """

    folder: Path
    _manifest: Manifest = field(repr=False)

    def __reduce__(self) -> tuple[type["TwoSidedTable"], tuple[Path, Manifest]]:
        """Pickle where the planes are and their checksums, not the planes."""
        return TwoSidedTable, (self.folder.absolute(), self._manifest)

    @property
    def points(self) -> int:
        """Points on which a side's checkers stand."""
        return self._manifest.points

    @property
    def checkers(self) -> int:
        """Most checkers of each side."""
        return self._manifest.checkers

    @property
    def places(self) -> PairOrder:
        """Slots of the positions in the planes, for compiled code."""
        return self._manifest.places

    @property
    def planes(self) -> tuple[str, ...]:
        """Planes that are built."""
        return tuple(self._manifest.planes)

    def error(self, plane: str) -> float:
        """Largest error of a value of the plane: a win probability, or an equity.

        Raises
        ------
        TableError
            If the plane is not built.
        """
        return plane_entry(self.folder, plane, self._manifest).error

    def digest(self, plane: str) -> str:
        """SHA-256 of the checksums of the plane, so of every byte.

        Raises
        ------
        TableError
            If the plane is not built.
        """
        return plane_entry(self.folder, plane, self._manifest).digest

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
        checks.choice(cube, "cube", CUBES)
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
        checks.choice(cube, "cube", (*CUBES, None))
        x, y = checks.pairs_below(rollers, opponents, len(self._slots))
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
            The roller's position numbers, rolls in the order of `bearoff.ROLLS`. Of plays
            that are equal in the table, the one that leads to the lowest number.

        Raises
        ------
        PositionError, TableError, BearoffError
            As for `equity`.
        """
        checks.choice(cube, "cube", (*CUBES, None))
        x, y = checks.pairs_below(rollers, opponents, len(self._slots))
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
        self, successors: ArrayLike, opponent: int, cube: Cube | None
    ) -> Float64Array:
        """Value to a player of positions after a play, the opponent on roll next.

        Parameters
        ----------
        successors : array_like of int
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
        checks.choice(cube, "cube", (*CUBES, None))
        at, _ = self._places(opponent, successors)
        return -self._opponents_equity_at(at, cube)

    def codes(self, plane: str) -> NDArray[np.uint16]:
        """Return a plane as it is stored, for compiled code, ordered as `pair_order` says.

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
        return self._plane(plane).read_all()

    @cached_property
    def _slots(self) -> Int64Array:
        return self.places.slots.astype(np.int64)

    @cached_property
    def _numbers(self) -> Int64Array:
        """Number of the position in each slot; 0 where there is none."""
        numbers = np.zeros(self.places.size, dtype=np.int64)
        numbers[self._slots] = np.arange(len(self._slots))
        return numbers

    @cached_property
    def successors(self) -> tuple[Int64Array, NDArray[np.uint16]]:
        """Where each roll leads from each slot, for compiled code.

        Offsets, int64, and slots, uint16, as of `storage.load_successors`.
        """
        return load_successors(self.folder, self._manifest)

    def _plane(self, name: str) -> checked_array.CheckedArray:
        planes = self.__dict__.setdefault("_open", {})
        if name not in planes:
            planes[name] = open_plane(self.folder, name, self._manifest)
        plane: checked_array.CheckedArray = planes[name]
        return plane

    def _places(
        self, rollers: ArrayLike, opponents: ArrayLike
    ) -> tuple[Int64Array, tuple[int, ...]]:
        """Where the pairs stand in the flat planes, and the shape of the answer."""
        x, y = checks.pairs_below(rollers, opponents, len(self._slots))
        return self._at(self._slots[x.ravel()], self._slots[y.ravel()]), x.shape

    def _at(self, x: Int64Array, y: Int64Array) -> Int64Array:
        size = self.places.size
        return ((x // LANES) * size + y) * LANES + x % LANES

    def _equity_at(self, at: Int64Array, cube: Cube) -> Float64Array:
        codes = self._plane(cube).take(at)
        entry = plane_entry(self.folder, cube, self._manifest)
        excess = (codes.astype(np.float64) - entry.zero) * entry.step
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
