"""The source `every`: all pairs of two ranges of positions."""

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from bearoff import CHECKERS, position_count
from sim.config_values import (
    MOST_TABLE_POINTS,
    Strict,
    TableSize,
    Whole,
    check_order,
    current_table,
    refusal,
)

MOST_NUMBER = position_count(MOST_TABLE_POINTS, CHECKERS) - 1
"""Greatest number of a position of any table."""


class Numbers(Strict):
    """Position numbers from one to another, both included."""

    # An instance has passed already, and "from" is no field's name to pass it again by.
    model_config = ConfigDict(revalidate_instances="never")

    from_: Whole = Field(
        default=1, alias="from", ge=1, le=MOST_NUMBER, description="The least."
    )
    to: Whole = Field(
        default_factory=lambda: _most(),
        validate_default=True,
        ge=1,
        le=MOST_NUMBER,
        description="The greatest, itself included; the table's last.",
    )

    @field_validator("from_", "to")
    @classmethod
    def _of_the_table(cls, number: int) -> int:
        if current_table() and number > _most():
            raise refusal(
                f"the table's positions are numbered up to {_most()}, got {number}"
            )
        return number

    @field_validator("to")
    @classmethod
    def _ordered(cls, to: int, info: ValidationInfo) -> int:
        check_order(info.data, to)
        return to

    @property
    def range(self) -> range:
        """The numbers."""
        return range(self.from_, self.to + 1)


def _most() -> int:
    table = current_table() or TableSize()
    return position_count(table.points, table.checkers) - 1


def _all_numbers() -> Numbers:
    return Numbers.model_validate({})


class Every(Strict):
    """Every pair of a roller and an opponent of two ranges."""

    rollers: Numbers = Field(
        default_factory=_all_numbers, description="Numbers of the side on roll; all."
    )
    opponents: Numbers = Field(
        default_factory=_all_numbers, description="Numbers of the other side; all."
    )

    def __len__(self) -> int:
        return len(self.rollers.range) * len(self.opponents.range)


class EverySource(Strict):
    """All pairs of two ranges of positions."""

    every: Every = Field(description="All pairs of two ranges of positions.")
