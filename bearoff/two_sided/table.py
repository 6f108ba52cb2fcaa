"""Two-sided tables: exact values of any pair under optimal play and a perfect cube.

The race between two given sides is solved completely. These are the only values of the
project that are called exact without a qualifier. See `bearoff.two_sided.planes` for the
equations and readers/README.md for the files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import checks, html
from bearoff.errors import BearoffError, PositionError
from bearoff.pair_planes import PlaneArrays
from bearoff.positions import Position, Race, sides
from bearoff.rolls import ROLLS
from bearoff.scores import CubeState
from bearoff.stakes import (
    CUBES,
    Cube,
    CubeOwner,
    Money,
    Stakes,
    Terms,
    Values,
    cube_named,
)
from bearoff.two_sided.certain import is_certain
from bearoff.two_sided.manifest import Manifest, plane_entry
from bearoff.two_sided.pair_order import PairOrder
from bearoff.two_sided.values import PlaneValues

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

_GAMMONS = ("gammons_won", "gammons_lost")


@dataclass(frozen=True, eq=False)
class TwoSidedTable:
    """Exact values of every pair of positions, up to a number of checkers per side.

    All methods take Benjamin-Ross numbers as arrays of compatible shapes. Values are the
    roller's, before the roll, at a cube of 1, and gammons count. Number 0 has no checkers
    left; if both numbers are 0, the roller has won.

    A block of a plane is verified by its checksum when it is first read. A query that needs
    a damaged block raises `TableError`.

    Attributes
    ----------
    folder : Path
        Folder of the table's files.
    """

    folder: Path
    _manifest: Manifest = field(repr=False)
    _slots: Int64Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compute the storage order at once, so that the first query is not slower."""
        slots = self.places.slots.astype(np.int64)
        object.__setattr__(self, "_slots", slots)

    def __reduce__(self) -> tuple[type[TwoSidedTable], tuple[Path, Manifest]]:
        """Pickle the path and the checksums of the table."""
        return TwoSidedTable, (self.folder.absolute(), self._manifest)

    def _repr_html_(self) -> str:
        return html.facts(
            {
                "two-sided table": self.folder,
                "checkers a side": f"up to {self.checkers} on {self.points} points",
                "largest error": ", ".join(
                    f"{plane} {self.error(plane):.1e}" for plane in self.planes
                ),
            }
        )

    @property
    def points(self) -> int:
        """Number of points of the board."""
        return self._manifest.points

    @property
    def checkers(self) -> int:
        """Maximum number of checkers of each side."""
        return self._manifest.checkers

    @property
    def places(self) -> PairOrder:
        """Storage order of the positions, for compiled code."""
        return self._manifest.places

    @property
    def opponents(self) -> int:
        """Number of checkers up to which every opponent is included."""
        return self.checkers

    @property
    def start(self) -> int:
        """Number of checkers of each side at the start; a gammon loser has them all."""
        return self.places.start

    @property
    def planes(self) -> tuple[str, ...]:
        """Names of the values that have been built."""
        return tuple(self._manifest.planes)

    def error(self, plane: str) -> float:
        """Return the maximum error of answers for one cube position.

        The answer is a win probability for ``cubeless``, a chance for ``gammons_won`` and
        ``gammons_lost``, and an equity for other planes.

        Raises
        ------
        TableError
            If the plane is not built.
        """
        return plane_entry(self.folder, plane, self._manifest).error

    def digest(self, plane: str) -> str:
        """Return the SHA-256 of an index file, which has the checksums of a value file.

        Raises
        ------
        TableError
            If the plane is not built.
        """
        return plane_entry(self.folder, plane, self._manifest).digest

    def win_probability(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Return the roller's chance of winning without a cube, if both sides play to win.

        Returns
        -------
        ndarray of float64
            Winning chances, within ``error("cubeless")`` of the exact values.

        Raises
        ------
        PositionError
            If a number is not in the table.
        TableError
            If the plane is not built or is damaged.

        Examples
        --------
        The roller has checkers on the 5 and 2 points against one checker on the 1 point; 19
        throws of 36 bear both off.

        >>> import bearoff
        >>> _ = bearoff.build_two_sided_table(3)
        >>> table = bearoff.two_sided_table(3)
        >>> x, y = bearoff.rank([[0, 1, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0]])
        >>> print(f"{table.win_probability(x, y) * 36:.3f}")
        19.000
        """
        return (1.0 + self._stored(rollers, opponents, "cubeless")[0]) / 2

    def gammon_probability(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Float64Array, Float64Array]:
        """Return the chances that the roller wins and loses a gammon.

        Both sides play for points without a cube. Ties go to the lowest position number.

        Returns
        -------
        won, lost : ndarray of float64
            Chances, exactly 0 for impossible gammons.

        Examples
        --------
        In a game with three checkers a side, the roller has all three on the 6 point
        against a last checker; 17 throws bear none off.

        >>> import bearoff
        >>> _ = bearoff.build_two_sided_table(3, start=3)
        >>> table = bearoff.two_sided_table(3, start=3)
        >>> x, y = bearoff.rank([[0, 0, 0, 0, 0, 3], [1, 0, 0, 0, 0, 0]])
        >>> won, lost = table.gammon_probability(x, y)
        >>> print(f"{won:.5f} {lost * 36:.3f}")
        0.00000 17.000
        """
        won, lost = self._stored(rollers, opponents, *_GAMMONS)
        return won, lost

    def equity(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube: Cube | None = "centred",
        *,
        jacoby: bool = False,
    ) -> Float64Array:
        """Return the equity with perfect play of checkers and cube, at a cube of 1.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers.
        cube : {"centred", "owned", "opponent"} or None
            Position of the cube; None without a cube. The roller may double unless the
            opponent owns the cube.
        jacoby : bool
            Whether gammons count one point while the cube is centred.

        Returns
        -------
        ndarray of float64
            Equities from -2 to 2 in points, with at most the ``error`` of the plane.

        Raises
        ------
        PositionError, TableError
            See `win_probability`.
        BearoffError
            If `cube` has another value, or `jacoby` is given without a cube.
        """
        plane = self._plane_of(cube, jacoby=jacoby)
        x, y, shape = self._pairs(rollers, opponents)
        return self.plane_values.answers(plane, x, y).reshape(shape)

    def double_take(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Return the equity after a double and a take."""
        return np.asarray(2.0 * self.equity(rollers, opponents, "opponent"))

    def no_double(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube: Cube | None = "centred",
        *,
        jacoby: bool = False,
    ) -> Float64Array:
        """Return the equity without a double now, with perfect play later.

        Parameters
        ----------
        rollers, opponents, cube, jacoby
            See `equity`; the errors are the same too.

        Returns
        -------
        ndarray of float64
            Equities without a double now; the usual equities if the roller may not
            double.
        """
        return self._stored(rollers, opponents, self._plane_of(cube, jacoby=jacoby))[0]

    def holds(self, race: Race) -> bool:
        """Check whether both sides of a race are in the table, on any number of points."""
        return all(
            side.on_board <= self.checkers and side.highest <= self.points
            for side in (race.roller, race.opponent)
        )

    def plays_for(self, stakes: Stakes) -> bool:
        """Check for money stakes, with a cube that has no limit or is at its limit."""
        return stakes.score is None and not stakes.is_chain

    def terms(self, cube_value: int = 1, *, jacoby: bool = False) -> Terms:
        """Return the terms of the table's roller; equities are at a cube of 1."""
        return Terms(Money(jacoby), cube_value)

    def number(self, side: Position) -> int:
        """Return the position number of a side; see `PairOrder.number`."""
        return self.places.number(side)

    def pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array]:
        """Return the position numbers of both sides as arrays of equal shape.

        Raises
        ------
        PositionError
            If a number is not in the table, or a side has no checkers left.
        """
        x, y = sides.pairs(rollers, opponents, self.points, self.checkers)
        for name, side in (("roller", x), ("opponent", y)):
            if not side.all():
                raise PositionError(
                    "a cube action requires both sides to have checkers on the board, but "
                    f"the {name} has borne off all of them"
                )
        return x, y

    def values(
        self,
        x: Int64Array,
        y: Int64Array,
        cube: Cube,
        terms: Terms,
        *,
        gammons: bool = True,
    ) -> Values:
        """Return values before the roll; see `bearoff.sources.PairTable.values`.

        Gammon chances are always included, because they are stored.
        """
        plane = self._plane_for(cube, terms)
        names = "cubeless", *_GAMMONS, plane, "opponent"
        cubeless, won, lost, waits, taken = self._stored(x, y, *names)
        owners = np.full(x.shape, CubeOwner.of(cube), dtype=np.int8)
        found = Values.empty(terms, owners)
        found.win_probability[...], found.no_double[...] = (1.0 + cubeless) / 2, waits
        found.gammons_won[...], found.gammons_lost[...] = won, lost
        error = self.error(cube if terms.stakes.has_cube else plane)
        # This error is that of the win probability p, and the equity is 2p - 1.
        if plane == "cubeless":
            error *= 2
        certain = is_certain(found, x, y, self.points)
        found.no_double_error[...] = np.where(certain, 0.0, error)
        found.win_probability_error[...] = np.where(certain, 0.0, self.error("cubeless"))
        if cube != "opponent" and terms.stakes.has_cube:
            found.double_take[...] = 2.0 * taken
            found.double_take_error[...] = 2 * self.error("opponent")
        return found

    def settled(
        self, x: Int64Array, y: Int64Array, state: CubeState, terms: Terms
    ) -> Float64Array:
        """Return equities after right cube decisions; see `bearoff.sources.PairTable`."""
        may = state.first_may, state.second_may
        where = {CubeOwner.of(cube).may: cube for cube in CUBES}
        cube = where.get(may[::-1] if terms.turned else may)
        jacoby = terms.stakes.jacoby and cube == "centred"
        return self.equity(x, y, cube, jacoby=jacoby)

    def estimate_seconds(self, cube_value: int = 1, cube: Cube = "centred") -> float:
        """Return 0, because all values are stored."""
        return 0.0

    def best_after(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube: Cube | None,
        terms: Terms = Terms(),  # noqa: B008
    ) -> Int64Array:
        """Return the position after the roller's best play of each roll.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers of sides with a checker on the board.
        cube : {"centred", "owned", "opponent"} or None
            Position of the cube from the roller's viewpoint; None without a cube.
        terms : Terms
            Terms of money play, with or without the Jacoby rule.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            The roller's position numbers, with rolls in the order of `bearoff.ROLLS`.
            Ties in the table go to the lowest number.

        Raises
        ------
        PositionError, TableError, BearoffError
            See `equity`.
        """
        plane = self._plane_for(cube, terms)
        x, y, shape = self._pairs(rollers, opponents)
        slots = self.plane_values.best_plays(plane, x, y)
        return self._numbers[slots].reshape((*shape, len(ROLLS)))

    def codes(self, plane: str) -> PlaneArrays | NDArray[np.int32]:
        """Return the values for one cube position as arrays for compiled code.

        All blocks are verified first, which takes up to a second for 3 GB. `TableError` is
        raised if the plane is not built or is damaged.
        """
        return self.plane_values.plane(plane).codes()

    @cached_property
    def plane_values(self) -> PlaneValues:
        """Values by storage index of the positions."""
        return PlaneValues(self.folder, self._manifest)

    @property
    def successors(self) -> tuple[Int64Array, NDArray[np.uint16]]:
        """Successors of each position and roll as storage indices, for compiled code.

        Offsets, int64, and slots, uint16, as returned by `storage.load_successors`.
        """
        return self.plane_values.successors

    @cached_property
    def _numbers(self) -> Int64Array:
        """Position number for each storage index; 0 for unused indices."""
        numbers = np.zeros(self.places.size, dtype=np.int64)
        numbers[self._slots] = np.arange(len(self._slots))
        return numbers

    def rounding(self, terms: Terms) -> tuple[float, float, float]:
        """Return the maximum errors of values; see `bearoff.sources.PairTable`."""
        # Tables for few checkers have fewer planes, because gammons cannot occur.
        built = set(self.planes)
        centred = "jacoby" if terms.stakes.jacoby else "centred"
        cubes = built & {centred, "owned", "opponent"}
        chances = built & {"points", *_GAMMONS}
        return (
            sum(map(self.error, chances or ["cubeless"])) / 2,
            max(map(self.error, cubes)),
            2 * self.error("opponent"),
        )

    def _plane_for(self, cube: Cube | None, terms: Terms) -> str:
        """Return the name of the values for these terms and this cube position."""
        plane = self._plane_of(cube, jacoby=terms.stakes.jacoby and cube == "centred")
        if terms.stakes.has_cube:
            return plane
        # The cube cannot be turned, so only points or wins count.
        return "cubeless" if plane == "jacoby" else self._plane_of(None, jacoby=False)

    def _plane_of(self, cube: Cube | None, *, jacoby: bool) -> str:
        """Return the name of the values for this cube position."""
        if cube is not None:
            cube = cube_named(cube)
        checks.choice(jacoby, "jacoby", (False, True))
        if cube is None and jacoby:
            raise BearoffError(
                "the Jacoby rule requires a cube, got jacoby=True with cube None"
            )
        full = self.places.has_full  # Otherwise no gammon can be lost.
        if cube is None:
            return "points" if full else "cubeless"
        return "jacoby" if full and jacoby and cube == "centred" else cube

    def _stored(
        self, rollers: sides.Sides, opponents: sides.Sides, *planes: str
    ) -> list[Float64Array]:
        """Return stored values of pairs; 0 for impossible gammons."""
        x, y, shape = self._pairs(rollers, opponents)
        stored, never = self.plane_values.stored, () if self.places.has_full else _GAMMONS
        found = (np.zeros(len(x)) if one in never else stored(one, x, y) for one in planes)
        return [one.reshape(shape) for one in found]

    def _pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array, tuple[int, ...]]:
        """Return the storage indices of pairs as flat arrays, and the original shape."""
        x, y = sides.pairs(rollers, opponents, self.points, self.checkers)
        return self._slots[x.ravel()], self._slots[y.ravel()], x.shape
