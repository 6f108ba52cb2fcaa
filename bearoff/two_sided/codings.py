"""What the whole numbers of the two-sided planes mean, and their errors.

While a plane is solved its values are whole numbers of which `ONE` make a point; what is
stored is that in steps of 32 or 64. `ONE` is a multiple of both, so that games that are
over keep their exact values. Of the equities of a roller who may double, that of not
doubling now is stored: the other follows from it and the plane opponent, see `doubled`.

A value is off by half a step of its code at most, and by what rounding to whole
numbers has gathered on the way to it; docs/two-sided.md has the argument and the
measurements.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]

ONE = 65535 * 64
"""A point. Two points fit 24 bits with sign; sums of 36 throws of them fit 32."""

PLANES = ("cubeless", "opponent", "owned", "centred")
"""The planes of every table, in the order in which they are built."""

FULL_PLANES = (
    "cubeless",
    "points",
    "gammons_won",
    "gammons_lost",
    "opponent",
    "owned",
    "centred",
    "jacoby",
)
"""The planes of tables in which gammons can be lost."""


DOUBLING = ("owned", "centred", "jacoby")
"""Planes of a roller who may double: they hold the equity of not doubling."""


@dataclass(frozen=True)
class Coding:
    """What the codes of a plane mean.

    Attributes
    ----------
    units : int
        Of `ONE`, from one code to the next.
    rounding : float
        Most that a value is off before it is coded.
    base : str or None
        Plane whose codes are added to get the value's.
    """

    units: int
    rounding: float
    base: str | None = None

    @property
    def step(self) -> float:
        """Points, or chance of a gammon, from one code to the next."""
        return self.units / ONE

    @property
    def error(self) -> float:
        """Largest error of a stored value."""
        return self.step / 2 + self.rounding


_CUBELESS = 28.5 / 2 / ONE
"""Most that rounding adds up to where nobody doubles: half a unit for each turn."""

_MEASURED = 2e-6
"""An allowance of several times what a float64 build shows."""

CODINGS = {
    "cubeless": Coding(32, _CUBELESS),
    "opponent": Coding(32, _MEASURED / 2),
    "owned": Coding(64, _MEASURED),
    "centred": Coding(64, _MEASURED),
    "points": Coding(32, _MEASURED, "cubeless"),
    "gammons_won": Coding(64, _MEASURED),
    "gammons_lost": Coding(64, _MEASURED),
    "jacoby": Coding(64, _MEASURED, "centred"),
}


def error_of(plane: str) -> float:
    """Largest error of what a table answers from a plane.

    A win probability for ``cubeless``, half an equity; else equities and chances.
    """
    error = CODINGS[plane].error
    if plane in DOUBLING:
        return max(error, 2 * CODINGS["opponent"].error)
    return error / 2 if plane == "cubeless" else error


def doubled(no_double: Float64Array, opponent: Float64Array) -> Float64Array:
    """Return the better of not doubling, and of a double that is taken or passed."""
    return np.asarray(np.maximum(no_double, np.minimum(1.0, 2.0 * opponent)))
