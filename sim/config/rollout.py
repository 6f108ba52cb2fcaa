"""Rollout settings of a batch."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from bearoff import CHECKERS, POINTS
from bearoff.sim.config.cube import MOST_VALUE, CubeConfig, power_of_two
from bearoff.sim.config.pairs import FileSource, ListSource, PairSource
from bearoff.sim.config.players import Players
from bearoff.sim.config.values import (
    MOST_TABLE_POINTS,
    Strict,
    TableSize,
    Whole,
    refusal,
    whole,
)


class RolloutConfig(Strict):
    """Settings of rollouts; they change the errors, not the expected values."""

    table: Annotated[int, Field(ge=1, le=CHECKERS), BeforeValidator(whole)] | None = Field(
        default=None,
        description="Checkers per side of the two-sided table in which games stop; it "
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
        default=True, description="Subtract the luck of the rolls from the results."
    )
    first_rolls: Literal[1, 36, 1296] = Field(
        default=1296,
        description="Stratify the first throws over this many games: 36 the "
        "roller's, 1296 both sides', 1 none.",
    )
    cube_value: Whole = Field(
        default=1,
        ge=1,
        le=MOST_VALUE,
        description="Cube value at a score, a power of 2.",
    )
    jacoby: bool = Field(
        default=False,
        description="Whether gammons count only once the cube has been turned.",
    )
    truncate: bool = Field(default=True, description="Stop games where exact values begin.")

    _power_of_two = field_validator("cube_value")(power_of_two)


def check_rollout(
    rollout: RolloutConfig | None,
    table: TableSize,
    pairs: Sequence[PairSource],
    players: Players,
    cube: CubeConfig | None,
) -> None:
    """Raise an error for races that cannot be rolled out, or can only be rolled out."""
    if table.points > MOST_TABLE_POINTS:
        if rollout is None:
            raise refusal(
                f"races on {table.points} points can only be rolled out; add "
                f"'rollout: {{}}', or use at most {MOST_TABLE_POINTS} points"
            )
        for index, source in enumerate(pairs):
            if not isinstance(source, ListSource | FileSource):
                raise refusal(
                    f"pairs[{index}] draws from a one-sided table, which has at most "
                    f"{MOST_TABLE_POINTS} points; list the pairs, or give a file"
                )
    if rollout is not None:
        if players != Players():
            raise refusal("rollouts are played by fewest-rolls players; remove players")
        if cube is not None:
            raise refusal("rollouts estimate every state of the cube; remove cube")
