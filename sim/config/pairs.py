"""Sources of pairs of positions: lists, files, grids, random draws and simulated games."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
)

from bearoff import CHECKERS, Race, position_count
from bearoff.checks import did_you_mean
from bearoff.runtime import format_bytes
from bearoff.sim.config.errors import show
from bearoff.sim.config.grid import PairGrid
from bearoff.sim.config.races import ListedRace
from bearoff.sim.config.values import (
    DRAW,
    MOST_PAIRS,
    MOST_TABLE_POINTS,
    TAG,
    Between,
    DataPathValue,
    Draw,
    Strict,
    TableSize,
    Whole,
    check_order,
    current,
    refusal,
)

Column = Annotated[str, Field(min_length=1, max_length=200)]

MOST_NUMBER = position_count(MOST_TABLE_POINTS, CHECKERS) - 1
"""Largest position number that a one-sided table can contain."""


class PairFile(Strict):
    """Pairs of positions that are read from a CSV or Parquet file."""

    path: DataPathValue = Field(
        description="CSV or Parquet file; a relative path refers to the configuration's "
        "folder."
    )
    roller: Column = Field(
        default="roller",
        description="Column with the roller's positions, as numbers or in any notation.",
    )
    opponent: Column = Field(
        default="opponent", description="Column with the opponent's positions."
    )


def _all_checkers() -> Between:
    return Between.model_validate({"from": 1, "to": _table().checkers})


def _all_pips() -> Between:
    return Between.model_validate({"from": 1, "to": _table().most_pips})


def _table() -> TableSize:
    """Return the table size of the configuration; if that is invalid, the default size."""
    return current().table or TableSize()


class RandomPairs(Strict):
    """Pairs of positions that are drawn independently, both from the same distribution."""

    pairs: Whole = Field(ge=1, le=MOST_PAIRS, description="Number of pairs to draw.")
    draw: Draw = Field(default="uniform", description=DRAW)
    checkers: Between = Field(
        default_factory=_all_checkers,
        description="Range of the number of checkers on the board per side; by default "
        "that of the table.",
    )
    pips: Between = Field(
        default_factory=_all_pips,
        description="Range of the pip count per side; by default that of the table.",
    )

    @field_validator("checkers")
    @classmethod
    def _checkers_of_the_table(cls, checkers: Between) -> Between:
        table = current().table
        if table and checkers.to > table.checkers:
            raise refusal(
                f"a side may have at most {table.checkers} checkers, got {checkers.to}"
            )
        return checkers

    @field_validator("pips")
    @classmethod
    def _pips_of_the_table(cls, pips: Between, info: ValidationInfo) -> Between:
        table = current().table
        if table and pips.to > table.most_pips:
            raise refusal(f"a side may have at most {table.most_pips} pips, got {pips.to}")
        checkers = info.data.get("checkers")
        if table and checkers:
            # With n checkers on the board, the pip count is at least n, and at most n times
            # the number of points of the table.
            least, most = checkers.from_, checkers.to * table.points
            if pips.to < least or pips.from_ > most:
                raise refusal(
                    f"no position with {checkers.from_} to {checkers.to} checkers has "
                    f"{pips.from_} to {pips.to} pips; change one of the ranges"
                )
        return pips


class HarvestPairs(Strict):
    """Pairs of positions that are drawn from simulated games in proportion to frequency."""

    pairs: Whole = Field(ge=1, le=MOST_PAIRS, description="Number of pairs to draw.")
    games: Whole = Field(
        default=100_000,
        ge=1,
        le=100_000_000,
        description="Number of self-play games from which pairs are drawn.",
    )
    start: tuple[ListedRace, ...] = Field(
        default=(),
        strict=False,
        description=(
            "Races from which games start, used in rotation. By default, games start "
            "with all checkers home, each on a point with a probability proportional to "
            "its number."
        ),
    )

    @property
    def races(self) -> tuple[Race, ...]:
        """Races from which the simulated games start; empty for random positions."""
        return tuple(entry.race for entry in self.start)


class NumberRange(Strict):
    """Range of position numbers that includes both ends."""

    # pydantic must not validate a range again, because validation expects the key "from",
    # whereas the attribute is named `from_`.
    model_config = ConfigDict(revalidate_instances="never")

    from_: Whole = Field(
        default=1,
        alias="from",
        ge=1,
        le=MOST_NUMBER,
        description="Smallest position number.",
    )
    to: Whole = Field(
        default_factory=lambda: _last_number(),
        validate_default=True,
        ge=1,
        le=MOST_NUMBER,
        description="Largest position number, included; by default the last one of the "
        "table.",
    )

    @field_validator("from_", "to")
    @classmethod
    def _of_the_table(cls, number: int) -> int:
        if current().table and number > _last_number():
            raise refusal(
                f"a position number of the table must be at most {_last_number()}, got "
                f"{number}"
            )
        return number

    @field_validator("to")
    @classmethod
    def _ordered(cls, to: int, info: ValidationInfo) -> int:
        check_order(info.data, to)
        return to

    @property
    def range(self) -> range:
        return range(self.from_, self.to + 1)


def _last_number() -> int:
    table = _table()
    return position_count(table.points, table.checkers) - 1


def _all_numbers() -> NumberRange:
    return NumberRange.model_validate({})


class Every(Strict):
    """All pairs of positions from a range for the roller and a range for the opponent."""

    rollers: NumberRange = Field(
        default_factory=_all_numbers,
        description="Position numbers of the roller; by default all.",
    )
    opponents: NumberRange = Field(
        default_factory=_all_numbers,
        description="Position numbers of the opponent; by default all.",
    )

    def __len__(self) -> int:
        return len(self.rollers.range) * len(self.opponents.range)


class ListSource(Strict):
    """Source of pairs of positions: a list in the configuration."""

    list: tuple[ListedRace, ...] = Field(
        strict=False, min_length=1, description="List of pairs of positions."
    )

    @property
    def races(self) -> tuple[Race, ...]:
        return tuple(entry.race for entry in self.list)


class FileSource(Strict):
    """Source of pairs of positions: a CSV or Parquet file."""

    file: PairFile = Field(
        description="Pairs listed in a CSV or Parquet file, one per row."
    )


class GridSource(Strict):
    """Source of pairs of positions: a grid of pip counts or EPCs."""

    grid: PairGrid = Field(
        description="Pairs on a grid of the roller's count and the lead."
    )


class RandomSource(Strict):
    """Source of pairs of positions: random draws."""

    random: RandomPairs = Field(description="Pairs of positions drawn independently.")


class HarvestSource(Strict):
    """Source of pairs of positions: simulated games."""

    harvest: HarvestPairs = Field(description="Pairs that occur in fewest-rolls self-play.")


class EverySource(Strict):
    """Source of pairs of positions: all combinations of two ranges."""

    every: Every = Field(description="All pairs of positions from two ranges.")


SOURCES = ("list", "file", "grid", "random", "harvest", "every")
"""Kinds of sources. Each item of `pairs` in a configuration has exactly one of these keys.
"""


def _kind(value: Any) -> str | None:
    keys = value if isinstance(value, Mapping) else type(value).model_fields
    return next((f"{TAG}{kind}" for kind in SOURCES if kind in keys), None)


def _one_kind(value: Any) -> Any:
    """Check that an item of `pairs` is a mapping with exactly one kind of source."""
    if isinstance(
        value,
        ListSource | FileSource | GridSource | RandomSource | HarvestSource | EverySource,
    ):
        return value
    kinds = ", ".join(SOURCES)
    if not isinstance(value, dict) or not value:
        raise refusal(f"expected a mapping with one of {kinds}, got {show(value)}")
    known = [key for key in value if key in SOURCES]
    if len(known) > 1:
        raise refusal(
            f"expected one kind of source in each item, got {' and '.join(known)}; begin a "
            "new item with '- ' for each source"
        )
    if not known:
        key = next(iter(value))
        raise refusal(
            f"expected one of {kinds}, got the key {show(key)}{did_you_mean(key, SOURCES)}"
        )
    return value


PairSource = Annotated[
    Annotated[ListSource, Tag(f"{TAG}list")]
    | Annotated[FileSource, Tag(f"{TAG}file")]
    | Annotated[GridSource, Tag(f"{TAG}grid")]
    | Annotated[RandomSource, Tag(f"{TAG}random")]
    | Annotated[HarvestSource, Tag(f"{TAG}harvest")]
    | Annotated[EverySource, Tag(f"{TAG}every")],
    Discriminator(_kind),
    BeforeValidator(_one_kind),
]
"""Source of pairs of positions: an item of `pairs` in a configuration."""


def check_memory(pairs: Sequence["PairSource"], where: str) -> None:
    """Raise an error if a source has more pairs of positions than memory can contain."""
    for index, source in enumerate(pairs):
        if isinstance(source, EverySource) and len(source.every) > MOST_PAIRS:
            size = format_bytes(len(source.every) * 24)
            raise refusal(
                f"pairs[{index}] has {len(source.every):,} pairs, which would need {size} "
                f"of memory {where}; use at most {MOST_PAIRS:,} pairs, or simulate "
                "cubeless races with a fixed number of games and no other source"
            )
