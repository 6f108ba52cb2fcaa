"""Match-winning chances read from files: cached tables, and tables in temporary files.

There are two solvers. `bearoff.match_solver.solver` keeps all values in memory in float64,
with an error of 1e-12, for up to 8 checkers or for a small race. `bearoff.two_sided` solves
in 24-bit integers and keeps few values in memory. It is twice as fast for 10 checkers, can
solve 15 checkers per player, and has an error of 5.1e-6.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.errors import PositionError, TableError
from bearoff.match_solver.sides import checkers_held
from bearoff.match_solver.values import Cost
from bearoff.positions import sides
from bearoff.scores import CubeState, Payoffs
from bearoff.two_sided import at_score

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


class StoredValues:
    """Match-winning chances that are read from a stored two-sided table."""

    def __init__(self, planes: at_score.PlaneValues) -> None:
        payoffs, places = planes.manifest.payoffs, planes.manifest.places
        if payoffs is None:
            raise TableError(
                f"{planes.folder} contains a table for money play, not for a match score"
            )
        self.payoffs: Payoffs = payoffs
        self._planes = planes
        self._slots = places.slots.astype(np.int64)
        self._full = np.repeat(places.full_blocks, places.size // places.blocks)
        self._numbers = np.zeros(places.size, dtype=np.int64)
        self._numbers[self._slots[places.numbers]] = places.numbers

    def __reduce__(self) -> tuple[type["StoredValues"], tuple[at_score.PlaneValues]]:
        return StoredValues, (
            at_score.PlaneValues(self._planes.folder, self._planes.manifest),
        )

    @property
    def folder(self) -> Path | None:
        return self._planes.folder

    @property
    def points(self) -> int:
        return self._planes.manifest.places.points

    @property
    def start(self) -> int:
        return self._planes.manifest.places.start

    def held(self, player: int) -> int:
        places = self._planes.manifest.places
        return checkers_held(places.numbers, places.points)

    @property
    def error(self) -> float:
        return max(plane.error for plane in self._planes.solved.values())

    @property
    def nbytes(self) -> int:
        """Memory in bytes: 0, because the values are in memory-mapped files."""
        return 0

    def cost(self, state: CubeState) -> Cost:
        return Cost(0.0, 0)

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        wanted = checks.numbers_below(sides.numbers(numbers), len(self._slots))
        found = self._slots[wanted]
        if ((found == 0) & (wanted != 0)).any():
            missing = wanted[(found == 0) & (wanted != 0)].flat[0]
            raise PositionError(f"position {missing} cannot occur in this race")
        return found

    def values(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        name = self._name(state, player)
        found = self._planes.answers(name, x, y)
        for over, side, points in ((y == 0, x, -state.value), (x == 0, y, state.value)):
            if over.any():
                single, gammon = (self.payoffs.chance(n * points, player) for n in (1, 2))
                found[over] = np.where(self._full[side[over]], gammon, single)
        return found

    def no_doubles(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        name = self._name(state, player)
        return self._planes.stored(name, x, y)

    def best_plays(
        self, state: CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Int64Array:
        name = self._name(state, player)
        slots = self._planes.best_plays(name, x, y)
        return self._numbers[slots]

    def _name(self, state: CubeState, player: int) -> str:
        name = at_score.score_planes(self.payoffs).name(state, player)
        if name not in self._planes.manifest.planes:
            raise TableError(
                f"{self._planes.folder} has no values for this cube ({name}), which cannot "
                "occur in the match; exact=True solves it for up to 8 checkers"
            )
        return name


class TemporaryValues(StoredValues):
    """Match-winning chances in temporary files; cube states are solved when needed."""

    def __init__(self, planes: at_score.TemporaryPlanes) -> None:
        self._solving = planes
        super().__init__(planes.values)

    @property
    def folder(self) -> None:
        """None, because a temporary table has no folder of its own in the cache."""

    def cost(self, state: CubeState) -> Cost:
        if not self._solving.missing(state):
            return Cost(0.0, 0)
        estimate = self._solving.estimate(state)
        return Cost(estimate.seconds, estimate.disk_bytes)

    def _name(self, state: CubeState, player: int) -> str:
        self._solving.require(state)
        self._planes = self._solving.values
        return super()._name(state, player)
