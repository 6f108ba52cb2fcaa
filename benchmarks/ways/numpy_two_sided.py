"""Two-sided tables computed by plain numpy, as a baseline without compiled code.

Each roller is evaluated against all opponents at once, so that the overhead of numpy calls
is small.
"""

import numpy as np

from bearoff.plays import Successors
from bearoff.rolls import WEIGHTS
from oracles.two_sided_float64 import Plane, solve

_SHARES = np.array(WEIGHTS) / 36


def solve_in_numpy(checkers: int) -> dict[str, np.ndarray]:
    """Compute a table's equities for four cube states, indexed ``[opponent, roller]``."""
    return dict(solve(checkers, kind=NumpyPlane))


class NumpyPlane(Plane):
    """Equities of all races in one state of the cube, computed without compiled loops."""

    def __init__(self, choices: Successors, wins: np.ndarray) -> None:
        super().__init__(choices, wins)
        self._offsets, self._numbers = choices.offsets, choices.numbers

    def turn_of(self, n: int, out: np.ndarray) -> None:
        offsets = self._offsets[21 * n : 21 * n + 22]
        rows = self.values[self._numbers[offsets[0] : offsets[-1]], :n]
        least = np.minimum.reduceat(rows, offsets[:-1] - offsets[0], axis=0)
        out[:n] = -(_SHARES @ least)
        out[0] = -self._wins[n]

    def own_turn(self, n: int, theirs: np.ndarray) -> float:
        offsets = self._offsets[21 * n : 21 * n + 22]
        values = theirs[self._numbers[offsets[0] : offsets[-1]]]
        least = np.minimum.reduceat(values, offsets[:-1] - offsets[0])
        return -float(_SHARES @ least)

    def turns_against(self, n: int, theirs: np.ndarray, out: np.ndarray) -> None:
        offsets = self._offsets[: 21 * n + 1]
        values = theirs[self._numbers[: offsets[-1]]]
        least = np.minimum.reduceat(values, offsets[:-1])
        out[:n] = -(least.reshape(n, 21) @ _SHARES)
