"""Conversion between integers in two-sided tables and the values that they encode.

The solver's values are integers in units of 1 / `ONE` point. At a match score, 4 * `ONE`
units are the difference in match-winning chance between winning and losing a gammon. A
stored *code* is the solver's integer divided by 32 or 64 and rounded. Both numbers divide
`ONE`, so the values of finished money games are exact. If the roller may double, the value
without a double is stored; the value of doubling is computed from the value after a take.
See `bearoff.two_sided.planes`.

The error of a stored value is at most half the difference between adjacent codes, plus the
rounding errors of the values from which it was computed. docs/tables.md contains the proof
and measurements.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]

ONE = 65535 * 64
"""Number of the solver's integer units per point. Values then fit into 24 bits, and sums
over the 36 throws into 32 bits."""

PLANES = ("cubeless", "opponent", "owned", "centred")
"""Names of the values in a complete money table in which gammons cannot occur, in build
order."""

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
"""Names of the values in a complete money table in which gammons can occur, in build order.
"""


@dataclass(frozen=True)
class Coding:
    """Conversion between the solver's integers, stored codes, and equities or chances.

    Attributes
    ----------
    units : int
        Solver units per code, a power of two.
    rounding : float
        Maximum error of an equity or probability before it is rounded to a stored code.
    base : str or None
        Name of the kind of value whose codes must be added to the stored codes; None if
        nothing must be added.
    per_answer : float
        Number of solver units per point, or per match-winning chance of 1.
    middle : float
        Equity or probability that corresponds to the solver value 0.
    """

    units: int
    rounding: float
    base: str | None = None
    per_answer: float = ONE
    middle: float = 0.0

    @property
    def step(self) -> float:
        """Difference in equity or probability between two adjacent codes."""
        return self.units / self.per_answer

    @property
    def error(self) -> float:
        return self.step / 2 + self.rounding

    def answers(self, codes: NDArray[np.int64]) -> Float64Array:
        """Convert stored codes to equities or probabilities."""
        return np.asarray(codes * self.step + self.middle, dtype=np.float64)

    def value(self, answer: float) -> int:
        """Return the solver's integer that is nearest to an equity or probability."""
        return round((answer - self.middle) * self.per_answer)

    def code(self, value: int) -> int:
        """Return the stored code that is nearest to one of the solver's integers."""
        return (value + self.units // 2) // self.units


TURNS = 28.5
"""Upper bound on the mean number of turns in a game, counting the turns of both players."""

_CUBELESS = TURNS / 2 / ONE
"""Maximum rounding error of cubeless values in points: half a solver unit per turn."""

_MEASURED = 2e-6
"""Assumed maximum rounding error of cubeful values in points: several times the measured
difference from a table that was built in float64."""

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
