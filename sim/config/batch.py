"""The configuration of a batch: which races are played, by whom, how often, and where to.

`sim.config.load` reads one and validates it by the models here.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    ModelWrapValidatorHandler,
    PlainSerializer,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from bearoff.checks import did_you_mean
from bearoff.runtime import format_bytes
from sim.config.cube import CubeConfig
from sim.config.errors import show
from sim.config.match import MatchConfig, check_games
from sim.config.pairs import EverySource, FileSource, ListSource, PairSource
from sim.config.rollout import RolloutConfig
from sim.config.values import (
    MOST_PAIRS,
    MOST_TABLE_POINTS,
    Strict,
    TableSize,
    Whole,
    refusal,
    whole,
    within,
)

SCHEMES = ("s3", "gs", "gcs", "hdfs", "abfs", "abfss", "file")
"""Filesystems that outcomes can be written to through pyarrow."""

_BUCKETS = ("s3", "gs", "gcs")
"""Those of them that begin with the name of a bucket."""

Player = Literal[
    "fewest-rolls",
    "most-checkers-off",
    "fewest-pips",
    "random-play",
    "optimal",
    "perfect",
]
"""How a side chooses its plays."""

_PLAYER = (
    "fewest-rolls: the paper's, least mean rolls; most-checkers-off: bears off "
    "what it can; fewest-pips: leaves the fewest pips; random-play: any legal play; "
    "optimal: leaves the other side the least chance to win, by a two-sided table that "
    "must be built; perfect: the least equity with the cube where it is, by such a table."
)

Games = Annotated[int, Field(ge=1, le=10**12), BeforeValidator(whole)]


class Players(Strict):
    """Who plays the roller and who the opponent."""

    roller: Player = Field(default="fewest-rolls", description=_PLAYER)
    opponent: Player = Field(default="fewest-rolls", description="As for the roller.")


class StandardError(Strict):
    """Play each pair until its win probability is this precise."""

    target: float = Field(
        gt=0, le=0.5, allow_inf_nan=False, description="Of each pair's win probability."
    )
    at_most: Games = Field(
        default=100_000_000, description="Games of a pair, whether it is reached or not."
    )


def _workers(value: object) -> object:
    if value == "auto" or (
        isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1024
    ):
        return value
    raise refusal(f"expected auto or a whole number from 1 to 1024, got {show(value)}")


Workers = Annotated[
    int | Literal["auto"],
    PlainValidator(_workers),
    WithJsonSchema(
        {"oneOf": [{"const": "auto"}, {"type": "integer", "minimum": 1, "maximum": 1024}]}
    ),
]


def _plain_items(value: object) -> object:
    """Refuse what `sim.config.load` has not read from a file or a list of formulas."""
    if isinstance(value, list | tuple) and all(
        isinstance(item, Mapping) and isinstance(item.get("name"), str) for item in value
    ):
        return tuple(dict(item) for item in value)
    raise refusal(f"expected the path of a file of formulas or a list, got {show(value)}")


Formulas = Annotated[
    tuple[dict[str, Any], ...],
    PlainValidator(_plain_items),
    PlainSerializer(list),
    WithJsonSchema(
        {
            "oneOf": [
                {"type": "string", "minLength": 1, "maxLength": 1000},
                {"type": "array", "items": {"type": "object"}, "minItems": 1},
            ],
            "format": "path of a file of formulas or a list of them",
        }
    ),
]

SURROUNDINGS = ("run", "description", "workers", "backend", "scheduler", "output")
"""Keys on which outcomes do not depend."""

_RUN = "a name of at most 64 lower-case letters, digits, - and _, beginning with no - or _"


class BatchConfig(Strict):
    """A batch of self-play.

    Frozen and complete: every default is filled in. Equal configurations compare equal
    however their positions were written.
    """

    run: str = Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$",
        description="Name of the run, and of its folder within `output`.",
        json_schema_extra={"patternErrorMessage": _RUN},
    )
    description: str = Field(default="", max_length=500, description="What the run is for.")
    table: TableSize = Field(
        default=TableSize(), description="The one-sided table that the positions belong to."
    )
    pairs: tuple[PairSource, ...] = Field(
        strict=False,
        min_length=1,
        description="Where the pairs come from; a pair that occurs again adds its weight.",
    )
    players: Players = Field(
        default=Players(), description="Who plays the roller, who the opponent."
    )
    cube: CubeConfig | None = Field(
        default=None,
        validate_default=True,
        description="Play with the cube; without this key there is none.",
    )
    rollout: RolloutConfig | None = Field(
        default=None,
        validate_default=True,
        description="Estimate equities by rollouts instead of playing the games out.",
    )
    match: MatchConfig | None = Field(
        default=None, validate_default=True, description="A score; without it, money play."
    )
    formulas: Formulas | None = Field(
        default=None,
        description="Formulas of your own, by which the cube may be played: the path of a "
        "file of formulas, from the configuration's folder, or the list that it holds, "
        "which the run keeps.",
    )
    games: Games | None = Field(
        default=None, description="Games of each pair; either this or standard_error."
    )
    standard_error: StandardError | None = Field(
        default=None,
        validate_default=True,
        description="How precise each win probability, or each equity of a rollout, must "
        "be; either this or games.",
    )
    seed: Whole = Field(
        default=0,
        ge=0,
        le=2**64 - 1,
        description="Of all dice and of all draws of pairs.",
    )
    workers: Workers = Field(
        default="auto", description="How many work at once; auto: one a core."
    )
    backend: Literal["threading", "loky", "sequential", "dask"] = Field(
        default="threading", description="How joblib runs them."
    )
    scheduler: str | None = Field(
        default=None,
        max_length=200,
        pattern=r"^(tcp|tls|ws|wss|ucx|ucxx|inproc)://\S+$",
        description="Address of a running dask scheduler; only with the backend dask.",
        json_schema_extra={"patternErrorMessage": "an address such as tcp://10.0.0.5:8786"},
    )
    output: str = Field(
        default="results",
        min_length=1,
        max_length=1000,
        description=(
            "Folder, from where the command is given (~ is your home), "
            "or URI (s3://, gs://, ...)."
        ),
    )

    @model_validator(mode="wrap")
    @classmethod
    def _validate_by_own_table(
        cls, data: Any, handler: ModelWrapValidatorHandler["BatchConfig"]
    ) -> "BatchConfig":
        with within(_table_of(data)):
            return handler(data)

    @field_validator("pairs")
    @classmethod
    def _few_beside_others(cls, value: tuple[PairSource, ...]) -> tuple[PairSource, ...]:
        if len(value) > 1:
            for index, source in enumerate(value):
                if isinstance(source, EverySource):
                    _check_memory(index, source, "beside other sources")
        return value

    @field_validator("cube", "rollout")
    @classmethod
    def _few_in_memory(cls, value: Any, info: ValidationInfo) -> Any:
        if value is not None:
            for index, source in enumerate(info.data.get("pairs", ())):
                if isinstance(source, EverySource):
                    _check_memory(index, source, f"with {info.field_name}")
        return value

    @field_validator("cube")
    @classmethod
    def _players_of_the_cube(
        cls, value: CubeConfig | None, info: ValidationInfo
    ) -> CubeConfig | None:
        players = info.data.get("players")
        names = (players.roller, players.opponent) if players else ()
        if value is None and "perfect" in names:
            raise refusal(
                "the player perfect plays by where the cube is; add cube, or use optimal"
            )
        if value is not None and "random-play" in names:
            raise refusal("the player random-play does not play with the cube")
        return value

    @field_validator("rollout")
    @classmethod
    def _races_of_rollouts(
        cls, value: RolloutConfig | None, info: ValidationInfo
    ) -> RolloutConfig | None:
        table = info.data.get("table", TableSize())
        if table.points > MOST_TABLE_POINTS:
            if value is None:
                raise refusal(
                    f"races on {table.points} points can only be rolled out; add "
                    f"'rollout: {{}}', or use at most {MOST_TABLE_POINTS} points"
                )
            for index, source in enumerate(info.data.get("pairs", ())):
                if not isinstance(source, ListSource | FileSource):
                    raise refusal(
                        f"pairs[{index}] draws from a one-sided table, which has at most "
                        f"{MOST_TABLE_POINTS} points; list the pairs, or give a file"
                    )
        if value is not None:
            players = info.data.get("players", Players())
            if players != Players():
                raise refusal("rollouts are played by fewest-rolls players; remove players")
            if info.data.get("cube") is not None:
                raise refusal("rollouts estimate every state of the cube; remove cube")
        return value

    @field_validator("match")
    @classmethod
    def _games_of_a_match(
        cls, value: MatchConfig | None, info: ValidationInfo
    ) -> MatchConfig | None:
        if {"cube", "rollout"} <= set(info.data):  # else one is wrong, and reported
            check_games(value, info.data["cube"], info.data["rollout"])
        return value

    @field_validator("standard_error")
    @classmethod
    def _games_or_error(
        cls, value: StandardError | None, info: ValidationInfo
    ) -> StandardError | None:
        if value is not None and info.data.get("cube") is not None:
            raise refusal(
                "with the cube the games for a standard error cannot be planned; give games"
            )
        if value is not None and info.data.get("rollout", value) is None:
            # Every pair has a number of games of its own, worked out before the first.
            for index, source in enumerate(info.data.get("pairs", ())):
                if isinstance(source, EverySource):
                    _check_memory(index, source, f"with {info.field_name}")
        if "games" in info.data:  # else it is wrong, and reported
            games = info.data["games"]
            if games is None and value is None:
                raise refusal("expected games or standard_error, got neither")
            if games is not None and value is not None:
                raise refusal(
                    "expected either games or standard_error, got both; remove one"
                )
        return value

    @field_validator("scheduler")
    @classmethod
    def _scheduler_of_dask(cls, value: str | None, info: ValidationInfo) -> str | None:
        backend = info.data.get("backend", "dask")
        if value is not None and backend != "dask":
            raise refusal(
                f"only the backend dask has a scheduler, the backend is {backend}"
            )
        return value

    @field_validator("output")
    @classmethod
    def _known_filesystem(cls, value: str) -> str:
        scheme, mark, rest = value.partition("://")
        if mark and scheme not in SCHEMES:
            raise refusal(
                f"expected a folder or a URI of {', '.join(SCHEMES)}, got {show(value)}"
                f"{did_you_mean(scheme, SCHEMES)}"
            )
        if scheme in _BUCKETS and rest[:1] in ("", "/", "?"):
            raise refusal(
                f"expected a bucket, such as {scheme}://bucket/folder, got {show(value)}"
            )
        if not value.isprintable() or value != value.strip():
            raise refusal(
                f"expected printable text without outer blanks, got {show(value)}"
            )
        return value

    def effective(self) -> dict[str, Any]:
        """Return the configuration with every default, as plain JSON-able values.

        `load_config` makes an equal configuration of it. The path of a file of pairs is
        as it was written, relative to where the configuration was.
        """
        return self.model_dump(mode="json", exclude_none=True)

    def identity(self) -> dict[str, Any]:
        """Return what determines the outcomes, as plain JSON-able values.

        Two configurations of one identity, and the same pairs in their files, give the
        same outcomes. Positions stand in one notation; the run's name, the description,
        workers, backend, scheduler and output are absent, and so are formulas that no
        side follows and the folders of an absolute path.
        """
        identity = self.effective()
        for key in (*SURROUNDINGS, "formulas"):
            identity.pop(key, None)
        followed = self.cube.names() if self.cube else ()
        used = [item for item in self.formulas or () if item["name"] in followed]
        if used:
            identity["formulas"] = used
        for source, item in zip(self.pairs, identity["pairs"], strict=True):
            if isinstance(source, FileSource):
                item["file"]["path"] = source.file.path.name
        return identity


def _check_memory(index: int, source: EverySource, where: str) -> None:
    """Refuse a source of more pairs than are held in memory, where they have to be."""
    pairs = len(source.every)
    if pairs > MOST_PAIRS:
        raise refusal(
            f"pairs[{index}] gives {pairs:,} pairs, which take {format_bytes(pairs * 24)} "
            f"of memory {where}; take at most {MOST_PAIRS:,}, or play plain races of this "
            "source alone for a number of games, which takes none"
        )


def _table_of(data: Any) -> TableSize | None:
    """Return the table that a configuration under validation asks for, None if wrong."""
    if isinstance(data, BatchConfig):
        return data.table
    if not isinstance(data, dict) or "table" not in data:
        return TableSize()
    try:
        return TableSize.model_validate(data["table"])
    except ValidationError:
        return None
