"""Values at a score from a table in the cache."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import checks
from bearoff.errors import TableError
from bearoff.positions import sides
from bearoff.two_sided import at_score

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


class StoredValues:
    """What `bearoff.match.MatchTable` asks, answered by the planes of a table.

    Parameters
    ----------
    planes : PlaneValues
        Of a table at a score.
    """

    def __init__(self, planes: at_score.PlaneValues) -> None:
        payoffs, places = planes.manifest.payoffs, planes.manifest.places
        if payoffs is None:
            raise TableError(f"{planes.folder} is a table for money")
        self.payoffs: at_score.Payoffs = payoffs
        self._planes = planes
        self._slots = places.slots.astype(np.int64)
        self._full = np.repeat(places.full_blocks, places.size // places.blocks)
        self._numbers = np.zeros(places.size, dtype=np.int64)
        self._numbers[self._slots] = np.arange(len(self._slots))

    def __reduce__(self) -> tuple[type["StoredValues"], tuple[at_score.PlaneValues]]:
        """Pickle where the planes are and their checksums."""
        return StoredValues, (
            at_score.PlaneValues(self._planes.folder, self._planes.manifest),
        )

    @property
    def folder(self) -> Path:
        """Where the table is."""
        return self._planes.folder

    @property
    def checkers(self) -> int:
        """Checkers a side of which every pair is held."""
        return self._planes.manifest.checkers

    @property
    def error(self) -> float:
        """Largest error of a chance."""
        return max(entry.error for entry in self._planes.manifest.planes.values())

    def seconds(self, state: at_score.CubeState) -> float:
        """Return the time to wait for the values: all are there."""
        return 0.0

    def slots(self, numbers: sides.Sides, player: int) -> Int64Array:
        """Return the slots of position numbers."""
        return self._slots[checks.numbers_below(sides.numbers(numbers), len(self._slots))]

    def values(
        self, state: at_score.CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Chances with player 0 or 1 on roll, who doubles where that is right."""
        name = self._name(state, player)
        found = self._planes.answers(name, x, y)
        for over, side, points in ((y == 0, x, -state.value), (x == 0, y, state.value)):
            if over.any():
                single, gammon = (self.payoffs.chance(n * points, player) for n in (1, 2))
                found[over] = np.where(self._full[side[over]], gammon, single)
        return found

    def no_doubles(
        self, state: at_score.CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Float64Array:
        """Chances if the player on roll does not double now."""
        return self._planes.stored(self._name(state, player), x, y)

    def best_plays(
        self, state: at_score.CubeState, player: int, x: Int64Array, y: Int64Array
    ) -> Int64Array:
        """Position numbers that the best play of each roll leads to, shape (pairs, 21)."""
        slots = self._planes.best_plays(self._name(state, player), x, y)
        return self._numbers[slots]

    def _name(self, state: at_score.CubeState, player: int) -> str:
        name = self.payoffs.name(state, player)
        if name not in self._planes.solved:
            raise TableError(
                f"{self._planes.folder} has no plane {name}: such a cube does not come up "
                "in a match; up to 8 checkers exact=True solves it"
            )
        return name
