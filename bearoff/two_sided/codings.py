"""Coding of values in the 16 bits of the two-sided planes, and its errors.

The cubeless win probability fills the codes: a step is 1/65535. Equities with the cube
are stored as what they exceed the *stored* cubeless equity by, a narrower range: the
cube is worth at most half a point to the one who may turn it. So their steps are as
fine, and the rounding of the cubeless value does not add to theirs. An excess of
nothing has a code of its own, so that a game that is over keeps its exact value.

A value is off by half a step of its code at most, and by what rounding to whole
numbers has gathered on the way to it; docs/two-sided.md has the argument and the
measurements.
"""

from dataclasses import dataclass

PLANES = ("cubeless", "opponent", "owned", "centred")
"""The planes, in the order in which they are built."""

LAST_CODE = 65535

_EDGE = 2e-5
"""How far an excess may lie beyond what the cube is worth: the rounding of the cubeless
equity, 1/65535 at most, and that of the value itself."""


@dataclass(frozen=True)
class Coding:
    """What the codes of a plane mean.

    Attributes
    ----------
    step : float
        From one code to the next: of win probability, or of equity.
    zero : int
        Code of a win probability of 0, or of an equity equal to the cubeless.
    rounding : float
        Most that a value is off before it is coded.
    """

    step: float
    zero: int
    rounding: float

    @property
    def low(self) -> float:
        """Least value that has a code."""
        return -self.zero * self.step

    @property
    def high(self) -> float:
        """Largest value that has a code."""
        return (LAST_CODE - self.zero) * self.step

    @property
    def error(self) -> float:
        """Largest error of a stored value."""
        return self.step / 2 + self.rounding


_ROUNDING = 1e-6
"""Most that a value of any plane is off before it is coded: for the cubeless plane a
bound, for the others some three times what a float64 build shows."""

_ONE_SIDED_STEP = (0.5 + _EDGE) / (LAST_CODE - 3)
_TWO_SIDED_STEP = (0.5 + _EDGE) / (LAST_CODE // 2)

CODINGS = {
    "cubeless": Coding(1 / LAST_CODE, 0, rounding=_ROUNDING),
    "opponent": Coding(_ONE_SIDED_STEP, LAST_CODE - 3, rounding=_ROUNDING),
    "owned": Coding(_ONE_SIDED_STEP, 3, rounding=_ROUNDING),
    "centred": Coding(_TWO_SIDED_STEP, LAST_CODE // 2, rounding=_ROUNDING),
}
"""Each pass sees to it that no value lies beyond them."""
