"""Types of the values in a batch configuration: sizes, ranges, positions and paths."""

import math
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import PydanticCustomError

from bearoff import CHECKERS, POINTS, Position, PositionError, position_count
from bearoff.sim.config.errors import show

TAG = "<kind> "
"""Prefix of the names by which pydantic distinguishes the types of a union. pydantic adds
these names to the path of an invalid value, and the prefix distinguishes them from
configuration keys."""


class Strict(BaseModel):
    """Base class of configuration models: immutable, and strict about keys and types."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        revalidate_instances="always",
        serialize_by_alias=True,
    )


def refusal(sentence: str, *, key: str | None = None) -> PydanticCustomError:
    """Return a validation error about a value or, if given, about the key `key`."""
    return PydanticCustomError("rule", "{sentence}", {"sentence": sentence, "key": key})


def whole(value: object) -> object:
    """Convert a float that is a whole number to int, because YAML reads 1e6 as a float."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


Whole = Annotated[int, BeforeValidator(whole)]
"""Integer; text and booleans are rejected."""


MOST_PAIRS = 10_000_000
"""Maximum number of pairs of positions in a single source."""

Draw = Literal["uniform", "visits"]
"""Distribution of random positions: uniform, or as frequent as in simulated games."""

DRAW = (
    "Distribution of drawn positions. uniform: all positions are equally likely; visits: "
    "in proportion to their frequency in fewest-rolls self-play."
)
"""Description of the configuration key `draw`."""

MOST_TABLE_POINTS = 12
"""Maximum number of points of a one-sided table."""


class TableSize(Strict):
    """Maximum numbers of points and of checkers per side in the one-sided table."""

    points: Whole = Field(
        default=POINTS,
        ge=1,
        le=24,
        description="Number of points on which checkers may be, from the ace point; more "
        "than 12 only for rollouts.",
    )
    checkers: Whole = Field(
        default=CHECKERS,
        ge=1,
        le=CHECKERS,
        description="Number of checkers per side, including checkers borne off.",
    )

    @property
    def most_pips(self) -> int:
        """Pip count of a side with all checkers on the highest point of the table."""
        return self.points * self.checkers


@dataclass(frozen=True)
class Reading:
    """Table size, folder and strategy names with which a configuration is validated.

    Attributes
    ----------
    table : TableSize or None
        Table size of the configuration. None if the size is invalid; values that depend on
        it are then not validated.
    folder : Path or None
        Folder to which relative paths refer; None for the working directory.
    strategies : collection of str or None
        Names of cube strategies that are allowed in addition to the built-in ones; None to
        allow any name.
    """

    table: TableSize | None = TableSize()  # noqa: RUF009
    folder: Path | None = None
    strategies: Collection[str] | None = None


_reading: ContextVar[Reading] = ContextVar("reading", default=Reading())  # noqa: B039


@contextmanager
def reading(**changes: Any) -> Iterator[None]:
    """Set the table size, folder or strategy names for validation in a ``with`` block."""
    token = _reading.set(replace(_reading.get(), **changes))
    try:
        yield
    finally:
        _reading.reset(token)


def current() -> Reading:
    """Return the table size, folder and strategy names for the current validation."""
    return _reading.get()


def path_from(written: str) -> Path:
    """Resolve a relative path in a configuration against the configuration's folder."""
    return (current().folder or Path.cwd()) / written


def _position(value: Any) -> Any:
    table = current().table
    if table is None:
        return value
    if isinstance(value, Position):
        position = value
        if (value.points, value.checkers) != (table.points, table.checkers):
            raise refusal(
                f"expected a position with {table.points} points and {table.checkers} "
                f"checkers, got one with {value.points} and {value.checkers}"
            )
    elif isinstance(value, int) and not isinstance(value, bool):
        size = position_count(table.points, table.checkers)
        if not 0 <= value < size:
            raise refusal(
                f"a position number must be from 0 to {size - 1}, got {show(value)}"
            )
        position = Position.from_number(value, table.points, table.checkers)
    elif isinstance(value, str):
        try:
            position = Position.parse(value, table.points, table.checkers)
        except PositionError as error:
            raise refusal(str(error)) from error
    else:
        hint = (
            "; write the list as text in quotes" if isinstance(value, list | tuple) else ""
        )
        raise refusal(
            'expected a position such as "0,0,0,5,5,5" or its number, got '
            f"{show(value)}{hint}"
        )
    if not position.on_board:
        raise refusal(
            "the game is over, because this side has no checkers left on the board"
        )
    return position


PositionValue = Annotated[
    Position,
    PlainValidator(_position),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {
            "type": ["string", "integer"],
            "format": "position",
            "minLength": 1,
            "maxLength": 200,
        }
    ),
]
"""Position, as a number or as text in any notation of `bearoff.Position.parse`."""


@dataclass(frozen=True)
class DataPath:
    """Path of a file of pairs, as written in a configuration.

    Attributes
    ----------
    written : str
        Path or URI as written in the configuration. Two paths are equal if they are written
        alike, even in different folders.
    folder : Path
        Absolute path of the folder that contains the configuration.
    """

    written: str
    folder: Path = field(default_factory=Path.cwd, compare=False, repr=False)

    @property
    def resolved(self) -> str:
        """URI of the file, or its path, resolved against the configuration's folder."""
        return self.written if "://" in self.written else str(self.folder / self.written)

    @property
    def name(self) -> str:
        """Path that the manifest records. For an absolute path, only the file name."""
        return Path(self.written).name if Path(self.written).is_absolute() else self.written

    def __str__(self) -> str:
        return self.written


def path_fault(path: str) -> str | None:
    """Return why a text cannot be a path in a configuration, or None if it can be."""
    if path.isprintable() and len(path) <= 1000:
        return None
    return f"expected a path of at most 1000 printable characters, got {show(path)}"


def _data_path(value: object) -> object:
    if isinstance(value, DataPath):
        return value
    if not isinstance(value, str) or not value.lower().endswith((".csv", ".parquet")):
        raise refusal(f"expected a path that ends in .csv or .parquet, got {show(value)}")
    if fault := path_fault(value):
        raise refusal(fault)
    return DataPath(value, path_from("").absolute())


DataPathValue = Annotated[
    DataPath,
    PlainValidator(_data_path),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"\.([cC][sS][vV]|[pP][aA][rR][qQ][uU][eE][tT])$",
            "patternErrorMessage": "a path that ends in .csv or .parquet",
        }
    ),
]
"""Path or URI of a CSV or Parquet file. A relative path refers to the configuration's
folder."""


def plain(number: float) -> float | int:
    """Convert a float that is a whole number to int."""
    return int(number) if number.is_integer() else number


shown_plain = PlainSerializer(plain, return_type=float | int)
"""pydantic serialiser that writes whole numbers as integers."""

Number = Annotated[float, Field(ge=-1000, le=1000, allow_inf_nan=False), shown_plain]
"""Pip count or EPC of a side, or the difference between both sides' counts."""

Step = Annotated[float, Field(ge=0.01, le=1000, allow_inf_nan=False), shown_plain]


class Between(Strict):
    """Range of integers that includes both ends."""

    # pydantic must not validate a range again, because validation expects the key "from",
    # whereas the attribute is named `from_`.
    model_config = ConfigDict(revalidate_instances="never")

    from_: Whole = Field(
        alias="from", ge=1, le=1000, description="Smallest number of the range."
    )
    to: Whole = Field(ge=1, le=1000, description="Largest number of the range, included.")

    @field_validator("to")
    @classmethod
    def _ordered(cls, to: int, info: ValidationInfo) -> int:
        check_order(info.data, to)
        return to


class Span(Strict):
    """Evenly spaced pip counts or EPCs, from a first to a last value."""

    model_config = ConfigDict(revalidate_instances="never")

    from_: Number = Field(alias="from", description="First value.")
    to: Number = Field(
        description="Last value, included if it is a whole number of steps from the first."
    )
    step: Step = Field(
        default=1.0, description="Difference between consecutive pip counts or EPCs."
    )

    @field_validator("to")
    @classmethod
    def _ordered(cls, to: float, info: ValidationInfo) -> float:
        check_order(info.data, to)
        return to

    def __len__(self) -> int:
        # The tolerance prevents rounding errors in steps such as 0.1 from excluding the
        # last value.
        return math.floor((self.to - self.from_) / self.step + 1e-9) + 1

    @property
    def values(self) -> tuple[float, ...]:
        """All pip counts or EPCs of the range, ascending and rounded to nine decimals."""
        return tuple(round(self.from_ + i * self.step, 9) for i in range(len(self)))

    @property
    def is_whole(self) -> bool:
        return all(float(v).is_integer() for v in (self.from_, self.to, self.step))


def check_order(data: Mapping[str, Any], to: float) -> None:
    if "from_" in data and data["from_"] > to:
        first, last = plain(float(data["from_"])), plain(float(to))
        raise refusal(f"'to' must be at least 'from' ({first}), got {last}; swap them")
