"""Two-sided tables: exact values of all pairs of positions with perfect play.

The race between two positions is solved over all rolls and plays until its end. In this
project, only values found in this way are called exact without qualification. See
`bearoff.two_sided.planes` for the equations, and readers/README.md for the file format.
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
    """Exact values of all pairs of positions with limited numbers of checkers and points.

    Methods take Benjamin-Ross position numbers as arrays of compatible shapes. Values are
    from the roller's viewpoint before the roll, at a cube value of 1, and include gammons.
    Number 0 is the position without checkers; if both numbers are 0, the roller has won.

    Each block of a file is verified by its checksum when it is first read. A query that
    needs a damaged block raises `TableError`.

    Attributes
    ----------
    folder : Path
        Folder of the table.
    """

    folder: Path
    _manifest: Manifest = field(repr=False)
    _slots: Int64Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        slots = self.places.slots.astype(np.int64)
        object.__setattr__(self, "_slots", slots)

    def __reduce__(self) -> tuple[type[TwoSidedTable], tuple[Path, Manifest]]:
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
        """Number of points of the table's board."""
        return self._manifest.points

    @property
    def checkers(self) -> int:
        """Maximum number of checkers per side."""
        return self._manifest.checkers

    @property
    def places(self) -> PairOrder:
        """Order in which positions and pairs are stored, for compiled code."""
        return self._manifest.places

    @property
    def opponents(self) -> int:
        """Largest number of checkers for which all opposing positions are in the table."""
        return self.checkers

    @property
    def start(self) -> int:
        """Number of checkers of each player at the start of the game."""
        return self.places.start

    @property
    def planes(self) -> tuple[str, ...]:
        """Names of the values that the table contains, such as "centred"."""
        return tuple(self._manifest.planes)

    def error(self, plane: str) -> float:
        """Return the maximum error of the stored values of a given name.

        Errors are in probability for ``cubeless``, ``gammons_won`` and ``gammons_lost``,
        and in equity otherwise.

        Raises
        ------
        TableError
            If the values have not been built.
        """
        return plane_entry(self.folder, plane, self._manifest).error

    def digest(self, plane: str) -> str:
        """Return the SHA-256 of the index file with the checksums of one kind of values.

        Raises
        ------
        TableError
            If the values have not been built.
        """
        return plane_entry(self.folder, plane, self._manifest).digest

    def win_probability(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Return the roller's win probability without a cube, if both players play to win.

        Returns
        -------
        ndarray of float64
            Win probabilities, which differ from the exact ones by at most
            ``error("cubeless")``.

        Raises
        ------
        PositionError
            If a position number is not in the table.
        TableError
            If the values have not been built or are damaged.

        Examples
        --------
        The roller has checkers on the 5 and 2 points, and the opponent one checker on the 1
        point; 19 of 36 throws bear both checkers off.

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
        """Return the probabilities that the roller wins, and loses, a gammon.

        Both players maximise points in a game without a cube. Among equally good plays,
        they choose the one that leads to the lowest position number.

        Returns
        -------
        won, lost : ndarray of float64
            Probabilities of winning and of losing a gammon, which are exactly 0 for
            impossible gammons.

        Examples
        --------
        In a game with three checkers per player, the roller has all three on the 6 point
        and the opponent has one checker left; 17 of 36 throws bear no checker off.

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
        """Return the equity with perfect plays and cube actions, at a cube value of 1.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers of both players.
        cube : {"centred", "owned", "opponent"} or None
            Owner of the cube; None for a game without a cube. The roller may double unless
            the opponent owns the cube.
        jacoby : bool
            Whether the Jacoby rule applies: gammons count one point while the cube is
            centred.

        Returns
        -------
        ndarray of float64
            Equities in points, from -2 to 2. `error` returns their maximum error.

        Raises
        ------
        PositionError, TableError
            See `win_probability`.
        BearoffError
            If `cube` is not one of the allowed values, or `jacoby` is true without a cube.
        """
        plane = self._plane_of(cube, jacoby=jacoby)
        x, y, shape = self._pairs(rollers, opponents)
        return self.plane_values.answers(plane, x, y).reshape(shape)

    def double_take(self, rollers: sides.Sides, opponents: sides.Sides) -> Float64Array:
        """Return the roller's equity after a double that is taken, in points."""
        return np.asarray(2.0 * self.equity(rollers, opponents, "opponent"))

    def no_double(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube: Cube | None = "centred",
        *,
        jacoby: bool = False,
    ) -> Float64Array:
        """Return the equity of not doubling now, with perfect plays and cube actions later.

        Parameters
        ----------
        rollers, opponents, cube, jacoby
            See `equity`, which also raises the same errors.

        Returns
        -------
        ndarray of float64
            Equities of not doubling now. If the roller may not double, these are the
            equities of `equity`.
        """
        return self._stored(rollers, opponents, self._plane_of(cube, jacoby=jacoby))[0]

    def holds(self, race: Race) -> bool:
        """Return whether the table contains a race, which may be on a board of any size."""
        return all(
            side.on_board <= self.checkers and side.highest <= self.points
            for side in (race.roller, race.opponent)
        )

    def plays_for(self, stakes: Stakes) -> bool:
        """Return whether stakes are for money, without a cube limit or at the limit."""
        return stakes.score is None and not stakes.is_chain

    def terms(self, cube_value: int = 1, *, jacoby: bool = False) -> Terms:
        """Return the stakes for money at a cube value, with or without the Jacoby rule."""
        return Terms(Money(jacoby), cube_value)

    def number(self, side: Position) -> int:
        """Return this table's position number for a position on any board size."""
        return self.places.number(side)

    def pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array]:
        """Return both players' position numbers as arrays of equal shape, and check them.

        Raises
        ------
        PositionError
            If a position number is not in the table, or a player has no checkers left.
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

        Gammon probabilities are always included, because the table contains them.
        """
        plane = self._plane_for(cube, terms)
        names = "cubeless", *_GAMMONS, plane, "opponent"
        cubeless, won, lost, waits, taken = self._stored(x, y, *names)
        owners = np.full(x.shape, CubeOwner.of(cube), dtype=np.int8)
        found = Values.empty(terms, owners)
        found.win_probability[...], found.no_double[...] = (1.0 + cubeless) / 2, waits
        found.gammons_won[...], found.gammons_lost[...] = won, lost
        error = self.error(cube if terms.stakes.has_cube else plane)
        # A cubeless equity is 2p - 1 for a win probability p, so the error of the equity is
        # twice the error of p.
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
        """Return equities after perfect cube actions; see `bearoff.sources.PairTable`."""
        may = state.first_may, state.second_may
        where = {CubeOwner.of(cube).may: cube for cube in CUBES}
        cube = where.get(may[::-1] if terms.turned else may)
        jacoby = terms.stakes.jacoby and cube == "centred"
        return self.equity(x, y, cube, jacoby=jacoby)

    def estimate_seconds(self, cube_value: int = 1, cube: Cube = "centred") -> float:
        """Return the seconds needed for new values: 0, because all values are stored."""
        return 0.0

    def best_after(
        self,
        rollers: sides.Sides,
        opponents: sides.Sides,
        cube: Cube | None,
        terms: Terms = Terms(),  # noqa: B008
    ) -> Int64Array:
        """Return the position after the roller's best play of each of the 21 rolls.

        Parameters
        ----------
        rollers, opponents : array_like of int
            Position numbers of players who have a checker on the board.
        cube : {"centred", "owned", "opponent"} or None
            Owner of the cube from the roller's viewpoint; None for a game without a cube.
        terms : Terms
            Stakes and cube value of money play, with or without the Jacoby rule.

        Returns
        -------
        ndarray of int64, shape (..., 21)
            The roller's position number after each roll, in the order of `bearoff.ROLLS`.
            Among equally good plays, the lowest position number is chosen.

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
        """Return the stored values of a given name as arrays for compiled code.

        All blocks are verified first, which takes up to a second for 3 GB. Raises
        `TableError` if the values have not been built or are damaged.
        """
        return self.plane_values.plane(plane).codes()

    @cached_property
    def plane_values(self) -> PlaneValues:
        """Values of pairs of positions, given by the positions' indices in the table."""
        return PlaneValues(self.folder, self._manifest)

    @property
    def successors(self) -> tuple[Int64Array, NDArray[np.uint16]]:
        """Indices of the positions after each roll, for compiled code.

        Returns int64 offsets and uint16 indices, as `storage.load_successors` does.
        """
        return self.plane_values.successors

    @cached_property
    def _numbers(self) -> Int64Array:
        """Position number for each index of the table; 0 for indices without a position."""
        numbers = np.zeros(self.places.size, dtype=np.int64)
        numbers[self._slots] = np.arange(len(self._slots))
        return numbers

    def rounding(self, terms: Terms) -> tuple[float, float, float]:
        """Return the maximum errors: of win probability, no double and double/take."""
        # Tables with few checkers lack some kinds of values, because no gammon is possible.
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
        """Return the name of the values for given stakes and a given owner of the cube."""
        plane = self._plane_of(cube, jacoby=terms.stakes.jacoby and cube == "centred")
        if terms.stakes.has_cube:
            return plane
        # The cube cannot be turned again, so the cubeless value applies.
        return "cubeless" if plane == "jacoby" else self._plane_of(None, jacoby=False)

    def _plane_of(self, cube: Cube | None, *, jacoby: bool) -> str:
        """Return the name of the stored values for a given owner of the cube."""
        if cube is not None:
            cube = cube_named(cube)
        checks.choice(jacoby, "jacoby", (False, True))
        if cube is None and jacoby:
            raise BearoffError(
                "the Jacoby rule requires a cube, got jacoby=True with cube None"
            )
        full = self.places.has_full  # Nobody can lose a gammon after bearing off.
        if cube is None:
            return "points" if full else "cubeless"
        return "jacoby" if full and jacoby and cube == "centred" else cube

    def _stored(
        self, rollers: sides.Sides, opponents: sides.Sides, *planes: str
    ) -> list[Float64Array]:
        """Return stored values of pairs; impossible gammons have probability 0."""
        x, y, shape = self._pairs(rollers, opponents)
        stored, never = self.plane_values.stored, () if self.places.has_full else _GAMMONS
        found = (np.zeros(len(x)) if one in never else stored(one, x, y) for one in planes)
        return [one.reshape(shape) for one in found]

    def _pairs(
        self, rollers: sides.Sides, opponents: sides.Sides
    ) -> tuple[Int64Array, Int64Array, tuple[int, ...]]:
        """Return both players' indices as flat arrays, and the shape before flattening."""
        x, y = sides.pairs(rollers, opponents, self.points, self.checkers)
        return self._slots[x.ravel()], self._slots[y.ravel()], x.shape
