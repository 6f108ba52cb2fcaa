"""Players of a batch: the methods by which both sides choose plays."""

from typing import Literal

from pydantic import Field

from bearoff.sim.config.values import Strict

PlayerName = Literal[
    "fewest-rolls",
    "most-checkers-off",
    "fewest-pips",
    "random-play",
    "optimal",
    "perfect",
]
"""Names of the methods by which a side can choose plays."""

_PLAYER = (
    "Method of choosing plays. fewest-rolls minimises the mean number of rolls; "
    "most-checkers-off bears off as many checkers as possible; fewest-pips leaves the "
    "fewest pips; random-play makes any legal play; optimal minimises the opponent's win "
    "probability and perfect their equity with the cube, both by a two-sided table that "
    "must have been built."
)


class Players(Strict):
    """Methods by which the roller and the opponent choose their plays."""

    roller: PlayerName = Field(default="fewest-rolls", description=_PLAYER)
    opponent: PlayerName = Field(
        default="fewest-rolls", description="Method by which the opponent chooses plays."
    )
