"""Stated errors of the fast model's values, which depend on the type of race.

The type of a race (its zone) depends on three properties: whether a checker is outside the
home board, the number of checkers of the larger side, and the EPC of the shorter side. The
model is less accurate if few rolls remain or checkers are outside the home board. ``python
-m research.stated_errors`` measures the errors and writes the file;
results/race-model/zones.md evaluates them.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

FILE = Path(__file__).with_name("model_errors.csv")

QUANTITIES = ("no_double", "double_take", "win_probability")
"""Quantities whose errors are stated: equities for money at a cube value of 1, and the win
probability."""

PLAY = len(QUANTITIES)
"""Index of the stated error that follows those of `QUANTITIES`: the error of the equity
difference between two similar plays."""

PLAY_SHARE = 0.5
"""Fraction of a play's cost that is added to the stated error of the cost."""

NO_GAMMON = 1e-3
"""If no gammon chance is larger, the error at index `PLAY` is used for the equity
difference between two plays. Otherwise, the errors of both plays are added."""

_COLUMNS = ("beyond", "checkers", "epc", *QUANTITIES, "play")


@dataclass(frozen=True, eq=False)
class Zones:
    """Stated errors of the fast model by type of race; about 5% of the races exceed them.

    Attributes
    ----------
    checkers : ndarray of int64, shape (bands,)
        Maximum number of checkers of the larger side in each class of races.
    epc : ndarray of float64, shape (ends,)
        Limits, in pips, that divide races into classes by the EPC of the side with the
        lower EPC.
    errors : ndarray of float64, shape (2, bands, ends + 1, 4)
        Stated errors of the `QUANTITIES` and of the equity difference between plays. The
        first axis divides races with all checkers at home from other races.
    """

    checkers: Int64Array
    epc: Float64Array
    errors: Float64Array

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> "Zones":
        """Return the errors that are stored in the package's data file."""
        rows = np.loadtxt(FILE, delimiter=",", skiprows=1)
        checkers, epc = (np.unique(rows[:, column]) for column in (1, 2))
        errors = rows[:, 3:].reshape(2, len(checkers), len(epc), PLAY + 1)
        return cls(checkers.astype(np.int64), epc[1:], errors)

    def of(
        self, beyond: NDArray[np.bool_], checkers: Int64Array, epc: Float64Array
    ) -> Float64Array:
        """Return the errors of each race, shape (4, n): of `QUANTITIES`, then index `PLAY`.

        `beyond` tells whether a checker is outside the home board. `checkers` is the number
        of checkers of the larger side, and `epc` the EPC of the shorter side in pips.
        """
        few = np.searchsorted(self.checkers, checkers)
        band = np.searchsorted(self.epc, epc, side="right")
        return np.ascontiguousarray(self.errors[beyond.astype(np.intp), few, band].T)

    def to_dict(self) -> dict[str, list[object]]:
        """Return the errors as lists, which programs in other languages can read."""
        return {
            "checkers": self.checkers.tolist(),
            "epc": self.epc.tolist(),
            "errors": self.errors.tolist(),
        }

    def text(self) -> str:
        """Return the errors in the form of the package's data file, as CSV text."""
        lines = [",".join(_COLUMNS)]
        for beyond, few, band in np.ndindex(self.errors.shape[:3]):
            epc = 0.0 if band == 0 else self.epc[band - 1]
            errors = ",".join(f"{error:.4f}" for error in self.errors[beyond, few, band])
            lines.append(f"{beyond},{self.checkers[few]},{epc:g},{errors}")
        return "\n".join(lines) + "\n"
