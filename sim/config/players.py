"""Players of a batch, which choose the plays of each side."""

from typing import Literal

from pydantic import Field

from bearoff.sim.config.values import Strict

Player = Literal[
    "fewest-rolls",
    "most-checkers-off",
    "fewest-pips",
    "random-play",
    "optimal",
    "perfect",
]
"""Names of the ways to choose plays."""

_PLAYER = (
    "fewest-rolls: the paper's, least mean rolls; most-checkers-off: bears off "
    "what it can; fewest-pips: leaves the fewest pips; random-play: any legal play; "
    "optimal: leaves the other side the least chance to win, by a two-sided table that "
    "must be built; perfect: the least equity with the cube where it is, by such a table."
)


class Players(Strict):
    """Players of the roller and the opponent."""

    roller: Player = Field(default="fewest-rolls", description=_PLAYER)
    opponent: Player = Field(default="fewest-rolls", description="As for the roller.")
