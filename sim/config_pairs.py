"""The sources of a batch's pairs: listed, from a file, on a grid, at random, ..."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from bearoff import PositionError, Race
from sim.config_errors import did_you_mean, show
from sim.config_every import EverySource
from sim.config_values import (
    TAG,
    Between,
    DataPathValue,
    PositionValue,
    Span,
    Strict,
    TableSize,
    Whole,
    current_table,
    refusal,
)

MOST_CELLS = 100_000
"""Cells of one grid."""

BOARD = 24
"""Points of a board."""

MOST_PAIRS = 10_000_000
"""Pairs that one source may ask for."""

Draw = Literal["uniform", "visits"]
"""How positions are drawn: evenly over the hash, or as self-play visits them."""

Column = Annotated[str, Field(min_length=1, max_length=200)]

_DRAW = (
    "uniform: every position that fits is as likely; visits: as likely as fewest-rolls "
    "self-play is to meet it."
)


def in_contact(roller: int, opponent: int) -> str:
    """Say that two sides are in contact, of which these are the farthest points, or ''."""
    if roller + opponent <= BOARD:
        return ""
    return (
        f"a race has no contact, but the sides' farthest checkers stand on points {roller} "
        f"and {opponent}, more than {BOARD} together"
    )


class ListedRace(Strict):
    """One pair: roller and opponent, or a race that carries both."""

    roller: PositionValue = Field(description="The side on roll, in any notation.")
    opponent: PositionValue = Field(description="The other side, on its own points.")

    @model_validator(mode="after")
    def _has_no_contact(self) -> "ListedRace":
        # Without a table the positions are not read yet.
        if current_table() is not None:
            contact = in_contact(self.roller.highest, self.opponent.highest)
            if contact:
                raise refusal(contact)
        return self

    @property
    def race(self) -> Race:
        """The two sides as the race they are."""
        return Race(self.roller, self.opponent)

    @model_validator(mode="before")
    @classmethod
    def _take_apart(cls, data: Any) -> Any:
        if isinstance(data, Race):
            return {"roller": data.roller, "opponent": data.opponent}
        if not isinstance(data, dict) or "race" not in data:
            return data
        if len(data) > 1:
            raise refusal("expected either roller and opponent, or race alone, got both")
        table, text = current_table(), data["race"]
        if table is None:
            return {"roller": None, "opponent": None}  # neither will be looked at
        if isinstance(text, Race):
            return {"roller": text.roller, "opponent": text.opponent}
        if not isinstance(text, str):
            raise refusal(
                f"expected a position ID or an XGID, got {show(text)}", key="race"
            )
        try:
            race = Race.parse(text, table.points, table.checkers)
        except PositionError as error:
            raise refusal(str(error), key="race") from error
        for side in (race.roller, race.opponent):
            if not side.on_board:
                raise refusal(
                    f"a side has all checkers off and the game is over in {show(text)}; "
                    "leave at least one",
                    key="race",
                )
        return {"roller": race.roller, "opponent": race.opponent}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        described = handler.resolve_ref_schema(handler(schema))
        race = {"type": "string", "minLength": 1, "maxLength": 200}
        race["description"] = "Both sides, as a GNU Backgammon position ID or an XGID."
        described["properties"]["race"] = race
        del described["required"]
        described["oneOf"] = [
            {"required": ["roller", "opponent"], "not": {"required": ["race"]}},
            {"required": ["race"], "maxProperties": 1},
        ]
        return described


class PairFile(Strict):
    """Pairs from the rows of a CSV or Parquet file."""

    path: DataPathValue = Field(
        description="The file, .csv or .parquet; relative to the configuration's folder."
    )
    roller: Column = Field(
        default="roller", description="Column of the side on roll: numbers or any notation."
    )
    opponent: Column = Field(default="opponent", description="Column of the other side.")


class PairGrid(Strict):
    """Pairs laid out by the roller's count and the lead."""

    by: Literal["pips", "epc"] = Field(
        default="pips",
        description=(
            "pips: cells are exact pip counts; epc: a cell reaches half a step to either "
            "side."
        ),
    )
    roller: Span = Field(description="The roller's counts.")
    lead: Span = Field(
        description="The opponent's count less the roller's; below 0 the roller trails."
    )
    per_cell: Whole = Field(
        default=4,
        ge=1,
        le=100_000,
        description="Pairs drawn for each cell that has positions.",
    )
    draw: Draw = Field(default="uniform", description=_DRAW)

    @field_validator("roller")
    @classmethod
    def _roller_on_the_board(cls, roller: Span, info: ValidationInfo) -> Span:
        _check_whole(roller, info)
        if roller.from_ < 1:
            raise refusal(
                f"the roller has at least one checker on the board, so counts start at 1; "
                f"got {roller.from_:g}"
            )
        table = current_table()
        if table and info.data.get("by") == "pips" and roller.to > table.most_pips:
            raise refusal(
                f"a side of {table.checkers} checkers on {table.points} points has at most "
                f"{table.most_pips} pips, got {roller.to:g}"
            )
        return roller

    @field_validator("lead")
    @classmethod
    def _cells_in_bounds(cls, lead: Span, info: ValidationInfo) -> Span:
        _check_whole(lead, info)
        roller = info.data.get("roller")
        if roller is None:
            return lead
        if len(roller) * len(lead) > MOST_CELLS:
            raise refusal(
                f"a grid has at most {MOST_CELLS:,} cells, got {len(roller):,} x "
                f"{len(lead):,}; take larger steps"
            )
        table = current_table()
        most = table.most_pips if table and info.data.get("by") == "pips" else 1000
        if not any(1 <= r + d <= most for r in roller.values for d in lead.values):
            raise refusal(
                "no cell has a position: the opponent's count, which is the roller's plus "
                f"the lead, never lies from 1 to {most}"
            )
        return lead

    @field_validator("per_cell")
    @classmethod
    def _pairs_in_bounds(cls, per_cell: int, info: ValidationInfo) -> int:
        if "roller" in info.data and "lead" in info.data:
            cells = len(info.data["roller"]) * len(info.data["lead"])
            if cells * per_cell > MOST_PAIRS:
                raise refusal(
                    f"a source gives at most {MOST_PAIRS:,} pairs, got {cells:,} cells of "
                    f"{per_cell:,}; draw fewer or take larger steps"
                )
        return per_cell

    @property
    def cells(self) -> tuple[tuple[float, float], ...]:
        """The counts of roller and opponent of each cell, by roller, then lead.

        Cells that no position falls into are among them.
        """
        return tuple(
            (roller, round(roller + lead, 9))
            for roller in self.roller.values
            for lead in self.lead.values
        )


def _check_whole(span: Span, info: ValidationInfo) -> None:
    if info.data.get("by") == "pips" and not span.is_whole:
        raise refusal(
            f"pips are whole numbers, got {span.from_:g} to {span.to:g} by {span.step:g}; "
            "round them or lay the grid out by epc"
        )


def _all_checkers() -> Between:
    return Between.model_validate({"from": 1, "to": _known_table().checkers})


def _all_pips() -> Between:
    return Between.model_validate({"from": 1, "to": _known_table().most_pips})


def _known_table() -> TableSize:
    return current_table() or TableSize()


class RandomPairs(Strict):
    """Pairs of positions drawn independently, roller and opponent alike."""

    pairs: Whole = Field(ge=1, le=MOST_PAIRS, description="How many.")
    draw: Draw = Field(default="uniform", description=_DRAW)
    checkers: Between = Field(
        default_factory=_all_checkers,
        description="Checkers on the board of each side; all that the table allows.",
    )
    pips: Between = Field(
        default_factory=_all_pips,
        description="Pips of each side; all that the table allows.",
    )

    @field_validator("checkers")
    @classmethod
    def _checkers_of_the_table(cls, checkers: Between) -> Between:
        table = current_table()
        if table and checkers.to > table.checkers:
            raise refusal(
                f"a side has at most {table.checkers} checkers, got {checkers.to}"
            )
        return checkers

    @field_validator("pips")
    @classmethod
    def _pips_of_the_table(cls, pips: Between, info: ValidationInfo) -> Between:
        table = current_table()
        if table and pips.to > table.most_pips:
            raise refusal(f"a side has at most {table.most_pips} pips, got {pips.to}")
        checkers = info.data.get("checkers")
        if table and checkers:
            # n checkers can have any count from n to n x points.
            least, most = checkers.from_, checkers.to * table.points
            if pips.to < least or pips.from_ > most:
                raise refusal(
                    f"no position has {checkers.from_} to {checkers.to} checkers and "
                    f"{pips.from_} to {pips.to} pips"
                )
        return pips


class Harvest(Strict):
    """Pairs that fewest-rolls self-play visits, drawn as often as it meets them."""

    pairs: Whole = Field(ge=1, le=MOST_PAIRS, description="How many pairs to draw.")
    games: Whole = Field(
        default=100_000,
        ge=1,
        le=100_000_000,
        description="Games that are played to find them.",
    )
    start: tuple[ListedRace, ...] = Field(
        default=(),
        strict=False,
        description=(
            "Where the games start, in turn; if empty, with all checkers home, each on a "
            "point with a chance proportional to its number."
        ),
    )

    @property
    def races(self) -> tuple[Race, ...]:
        """The starting positions."""
        return tuple(entry.race for entry in self.start)


class ListSource(Strict):
    """Pairs written out one by one."""

    list: tuple[ListedRace, ...] = Field(
        strict=False, min_length=1, description="The pairs, in this order."
    )

    @property
    def races(self) -> tuple[Race, ...]:
        """The pairs as races."""
        return tuple(entry.race for entry in self.list)


class FileSource(Strict):
    """Pairs from a file."""

    file: PairFile = Field(description="Pairs from the rows of a CSV or Parquet file.")


class GridSource(Strict):
    """Pairs on a grid."""

    grid: PairGrid = Field(description="Pairs laid out by the roller's count and the lead.")


class RandomSource(Strict):
    """Pairs drawn at random."""

    random: RandomPairs = Field(description="Pairs of positions drawn independently.")


class HarvestSource(Strict):
    """Pairs that self-play visits."""

    harvest: Harvest = Field(description="Pairs as fewest-rolls self-play visits them.")


SOURCES = ("list", "file", "grid", "random", "harvest", "every")
"""The kinds of sources; each is an item of `pairs` with this one key."""


def _kind(value: Any) -> str | None:
    keys = value if isinstance(value, Mapping) else type(value).model_fields
    return next((f"{TAG}{kind}" for kind in SOURCES if kind in keys), None)


def _one_kind(value: Any) -> Any:
    """Refuse an item of `pairs` that is no mapping with exactly one known key."""
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
            f"expected one kind of source in an item, got {' and '.join(known)}; begin "
            "each with its own '- '"
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
"""One item of `pairs`."""
