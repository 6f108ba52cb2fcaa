"""Rollouts of a batch: how its races are played to estimate equities."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from bearoff import CHECKERS, POINTS
from sim.config.cube import MOST_VALUE, power_of_two
from sim.config.values import Strict, Whole, whole


class RolloutConfig(Strict):
    """How races are rolled out; every technique changes errors and no means."""

    table: Annotated[int, Field(ge=1, le=CHECKERS), BeforeValidator(whole)] | None = Field(
        default=None,
        description="Games stop in the two-sided table of so many checkers a side, which "
        "must be built; at a score up to 8 are solved. Without it the cube is played to "
        "the end.",
    )
    table_points: Whole = Field(
        default=POINTS,
        ge=1,
        le=24,
        description="Points of that table, from the ace.",
    )
    luck: bool = Field(
        default=True, description="Take the luck of the rolls out of the results."
    )
    first_rolls: Literal[1, 36, 1296] = Field(
        default=1296,
        description="Share the first throws out evenly among so many games: 36 the "
        "roller's, 1296 both sides', 1 none.",
    )
    cube_value: Whole = Field(
        default=1,
        ge=1,
        le=MOST_VALUE,
        description="What the cube shows, at a score; a power of 2.",
    )
    jacoby: bool = Field(
        default=False,
        description="Whether gammons count only once the cube has been turned.",
    )
    truncate: bool = Field(default=True, description="Stop games where exact values begin.")

    _power_of_two = field_validator("cube_value")(power_of_two)
