"""Integer codes of the values in two-sided tables: their meaning and their errors.

While a plane is solved its values are integers in units of 1 / `ONE` of a point or of a
match-winning chance. The stored codes are these values in steps of 32 or 64 units. `ONE` is
a multiple of both, so values of finished money games are exact. For a roller who may
double, the value without a double is stored. The value of doubling follows from the plane
of a double that is taken; see `bearoff.two_sided.planes`.

A stored value has an error of at most half a code step plus the accumulated rounding of
earlier values. docs/tables.md has the proof and measurements.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]

ONE = 65535 * 64
"""Solver units per point. Two points fit into 24 bits with sign, and sums over the 36 rolls
into 32."""

PLANES = ("cubeless", "opponent", "owned", "centred")
"""Cube positions for which every table has values, in build order."""

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
"""Cube positions and goals for which tables with gammons have values, in build order."""


@dataclass(frozen=True)
class Coding:
    """Conversion between solver values, stored codes and answers.

    Attributes
    ----------
    units : int
        Solver units per step of the stored codes, a power of two.
    rounding : float
        Maximum error of an answer before it is rounded to a stored code.
    base : str or None
        Name of the values whose codes have to be added to these codes; None if there
        are none.
    per_answer : float
        Number of solver units per point, or per certain win of the match.
    middle : float
        Answer that corresponds to the solver value 0.
    """

    units: int
    rounding: float
    base: str | None = None
    per_answer: float = ONE
    middle: float = 0.0

    @property
    def step(self) -> float:
        """Difference in answers between adjacent codes."""
        return self.units / self.per_answer

    @property
    def error(self) -> float:
        """Maximum error of a stored value."""
        return self.step / 2 + self.rounding

    def answers(self, codes: NDArray[np.int64]) -> Float64Array:
        """Convert stored codes to answers."""
        return np.asarray(codes * self.step + self.middle, dtype=np.float64)

    def value(self, answer: float) -> int:
        """Return the value nearest to an answer."""
        return round((answer - self.middle) * self.per_answer)

    def code(self, value: int) -> int:
        """Return the code nearest to a solver value."""
        return (value + self.units // 2) // self.units


TURNS = 28.5
"""Upper bound on the mean number of turns of both sides in a game."""

_CUBELESS = TURNS / 2 / ONE
"""Maximum accumulated rounding error of values without doubles: half a unit per turn."""

_MEASURED = 2e-6
"""Allowance for rounding errors, several times the difference from a float64 build."""

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
