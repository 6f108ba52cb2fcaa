"""Rollout settings of a batch configuration."""

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
    """Rollout settings, which affect standard errors but not expected values."""

    table: Annotated[int, Field(ge=1, le=CHECKERS), BeforeValidator(whole)] | None = Field(
        default=None,
        description="Number of checkers per side in the two-sided table in which games "
        "stop. For money the table must have been built; at a match score it is solved, "
        "with up to 8 checkers. Without this key, games are played to the end.",
    )
    table_points: Whole = Field(
        default=POINTS,
        ge=1,
        le=24,
        description="Number of points of the two-sided table in which games stop.",
    )
    luck: bool = Field(
        default=True,
        description="Whether to subtract the luck of the rolls from the results.",
    )
    first_rolls: Literal[1, 36, 1296] = Field(
        default=1296,
        description=(
            "How the first rolls are balanced. 36: each first throw of the roller occurs "
            "once in 36 games; 1296: each combination of both sides' first throws occurs "
            "once in 1,296 games; 1: the first rolls are random."
        ),
    )
    cube_value: Whole = Field(
        default=1,
        ge=1,
        le=MOST_VALUE,
        description="Cube value at a match score, a power of 2.",
    )
    jacoby: bool = Field(
        default=False,
        description="Whether gammons count only after the cube has been turned.",
    )
    truncate: bool = Field(
        default=True, description="Whether games stop where exact values are known."
    )

    _power_of_two = field_validator("cube_value")(power_of_two)


def check_rollout(
    rollout: RolloutConfig | None,
    table: TableSize,
    pairs: Sequence[PairSource],
    players: Players,
    cube: CubeConfig | None,
) -> None:
    """Raise an error unless all races of a batch with rollouts can be rolled out."""
    if table.points > MOST_TABLE_POINTS:
        if rollout is None:
            raise refusal(
                f"races on {table.points} points can only be rolled out; add 'rollout: "
                f"{{}}', or use at most {MOST_TABLE_POINTS} points"
            )
        for index, source in enumerate(pairs):
            if not isinstance(source, ListSource | FileSource):
                raise refusal(
                    f"pairs[{index}] draws positions from a one-sided table, which may "
                    f"have at most {MOST_TABLE_POINTS} points; list the pairs, or use a "
                    "file"
                )
    if rollout is not None:
        if players != Players():
            raise refusal("rollouts always use their own players; remove the key 'players'")
        if cube is not None:
            raise refusal(
                "rollouts always estimate the equities with a centred, owned and opposing "
                "cube; remove the key cube"
            )
