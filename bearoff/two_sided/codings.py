"""What the whole numbers of the two-sided planes mean, and their errors.

While a plane is solved its values are whole numbers of which `ONE` make a point, or as much
of a chance to win a match; what is stored is that in steps of 32 or 64. `ONE` is a
multiple of both, so that money games that are over keep their exact values. Of the values
of a roller who may double, that of not doubling now is stored: the other follows from it
and the plane of a double that is taken, see `bearoff.two_sided.planes`.

A value is off by half a step of its code at most, and by what rounding to whole
numbers has gathered on the way to it; docs/tables.md has the argument and the
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


@dataclass(frozen=True)
class Coding:
    """What the values and the codes of a plane mean.

    Attributes
    ----------
    units : int
        From one code to the next, a power of two.
    rounding : float
        Most that an answer is off before it is coded.
    base : str or None
        Plane whose codes are added to get the value's.
    per_answer : float
        Units that make an answer of 1: a point, or a certain match.
    middle : float
        Answer that 0 stands for.
    """

    units: int
    rounding: float
    base: str | None = None
    per_answer: float = ONE
    middle: float = 0.0

    @property
    def step(self) -> float:
        """What an answer grows by from one code to the next."""
        return self.units / self.per_answer

    @property
    def error(self) -> float:
        """Largest error of a stored value."""
        return self.step / 2 + self.rounding

    def answers(self, codes: NDArray[np.int64]) -> Float64Array:
        """Return what codes stand for."""
        return np.asarray(codes * self.step + self.middle, dtype=np.float64)

    def value(self, answer: float) -> int:
        """Return the nearest value of an answer."""
        return round((answer - self.middle) * self.per_answer)

    def code(self, value: int) -> int:
        """Return the nearest code of a value."""
        return (value + self.units // 2) // self.units


TURNS = 28.5
"""Most turns of both sides in a game, on average."""

_CUBELESS = TURNS / 2 / ONE
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
