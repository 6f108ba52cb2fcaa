"""Configuration of a batch of simulated races: positions, players, games and output.

The function `sim.config.load.load_config` reads a configuration from a YAML file. The
pydantic models in this module check its keys and values.
"""

from typing import Any, Literal

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bearoff.sim.config.cube import CubeConfig, check_players
from bearoff.sim.config.formulas import Formulas
from bearoff.sim.config.games import Games, StandardError, check_games_or_error
from bearoff.sim.config.match import MatchConfig, check_games
from bearoff.sim.config.pairs import FileSource, PairSource, check_memory
from bearoff.sim.config.players import Players
from bearoff.sim.config.rollout import RolloutConfig, check_rollout
from bearoff.sim.config.surroundings import SURROUNDINGS, Output, RunName, Workers
from bearoff.sim.config.values import Strict, TableSize, Whole, reading, refusal


class BatchConfig(Strict):
    """Configuration of a batch of simulated races.

    A configuration is immutable, and all defaults are filled in. Equal configurations
    compare equal, whichever notations their positions use.
    """

    run: RunName = Field(description="Name of the run and of its folder in `output`.")
    description: str = Field(
        default="",
        max_length=500,
        description="Free text that describes the run, for example its purpose.",
    )
    table: TableSize = Field(
        default=TableSize(),
        description="Size of the one-sided table that contains the positions.",
    )
    pairs: tuple[PairSource, ...] = Field(
        strict=False,
        min_length=1,
        description="Sources of pairs of positions; a pair from several sources has the "
        "sum of its weights.",
    )
    players: Players = Field(
        default=Players(), description="Method by which each side chooses its plays."
    )
    cube: CubeConfig | None = Field(
        default=None,
        validate_default=True,
        description="Settings of the doubling cube; without this key, games have no cube.",
    )
    rollout: RolloutConfig | None = Field(
        default=None,
        validate_default=True,
        description="Settings of rollouts, which estimate equities instead of simulating "
        "whole games.",
    )
    match: MatchConfig | None = Field(
        default=None,
        validate_default=True,
        description="Match score; without this key, money play.",
    )
    formulas: Formulas | None = Field(
        default=None,
        description="User-defined formulas for cube strategies: a list, or the path of a "
        "file of formulas relative to the configuration's folder; the run stores their "
        "text.",
    )
    games: Games | None = Field(
        default=None,
        description="Number of games per pair; give either games or standard_error. "
        "Rollouts play multiples of 7,776 games.",
    )
    standard_error: StandardError | None = Field(
        default=None,
        validate_default=True,
        description="Target standard error of each win probability, or of each equity of a "
        "rollout; give either games or standard_error.",
    )
    seed: Whole = Field(
        default=0,
        ge=0,
        le=2**64 - 1,
        description="Random seed of the dice and of the pairs drawn.",
    )
    workers: Workers = Field(
        default="auto",
        description="Number of parallel workers; auto for one per processor core.",
    )
    backend: Literal["threading", "loky", "sequential", "dask"] = Field(
        default="threading", description="joblib backend that runs the workers."
    )
    scheduler: str | None = Field(
        default=None,
        max_length=200,
        pattern=r"^(tcp|tls|ws|wss|ucx|ucxx|inproc)://\S+$",
        description="Address of a running dask scheduler, for the backend dask.",
        json_schema_extra={
            "patternErrorMessage": "an address of a dask scheduler, such as tcp://10.0.0.5:8786"
        },
    )
    output: Output = Field(
        default="results",
        description=(
            "Folder that contains runs, relative to the working directory (~ is your "
            "home folder), or a URI (s3://, gs://, ...)."
        ),
    )

    @model_validator(mode="wrap")
    @classmethod
    def _validate_by_own_table(
        cls, data: Any, handler: ModelWrapValidatorHandler["BatchConfig"]
    ) -> "BatchConfig":
        with reading(table=_table_of(data)):
            return handler(data)

    @field_validator("pairs")
    @classmethod
    def _few_beside_others(cls, value: tuple[PairSource, ...]) -> tuple[PairSource, ...]:
        if len(value) > 1:
            check_memory(value, "beside other sources")
        return value

    @field_validator("cube", "rollout")
    @classmethod
    def _few_in_memory(cls, value: Any, info: ValidationInfo) -> Any:
        if value is not None:
            check_memory(info.data.get("pairs", ()), f"with {info.field_name}")
        return value

    @field_validator("cube")
    @classmethod
    def _players_of_the_cube(
        cls, value: CubeConfig | None, info: ValidationInfo
    ) -> CubeConfig | None:
        check_players(value, info.data.get("players", Players()))
        return value

    @field_validator("rollout")
    @classmethod
    def _races_of_rollouts(
        cls, value: RolloutConfig | None, info: ValidationInfo
    ) -> RolloutConfig | None:
        check_rollout(
            value,
            info.data.get("table", TableSize()),
            info.data.get("pairs", ()),
            info.data.get("players", Players()),
            info.data.get("cube"),
        )
        return value

    @field_validator("match")
    @classmethod
    def _games_of_a_match(
        cls, value: MatchConfig | None, info: ValidationInfo
    ) -> MatchConfig | None:
        # If `cube` or `rollout` is invalid, pydantic leaves it out of the data and reports
        # it separately.
        if {"cube", "rollout"} <= set(info.data):
            check_games(value, info.data["cube"], info.data["rollout"])
        return value

    @field_validator("standard_error")
    @classmethod
    def _games_or_error(
        cls, value: StandardError | None, info: ValidationInfo
    ) -> StandardError | None:
        if value is not None and info.data.get("cube") is not None:
            raise refusal(
                "standard_error cannot be used with the cube; specify games instead"
            )
        if value is not None and info.data.get("rollout", value) is None:
            # With a target standard error, the number of games of each pair is computed
            # before the simulation starts, and these numbers need memory.
            check_memory(info.data.get("pairs", ()), f"with {info.field_name}")
        if "games" in info.data:  # Otherwise, `games` is invalid and is reported itself.
            check_games_or_error(info.data["games"], value)
        return value

    @field_validator("scheduler")
    @classmethod
    def _scheduler_of_dask(cls, value: str | None, info: ValidationInfo) -> str | None:
        backend = info.data.get("backend", "dask")
        if value is not None and backend != "dask":
            raise refusal(f"a scheduler requires the backend dask, got {backend}")
        return value

    def effective(self) -> dict[str, Any]:
        """Return the configuration with all defaults filled in, as JSON values.

        `load_config` converts these JSON values back to an equal configuration. The path of
        a file of pairs remains as written, relative to the configuration's folder.
        """
        return self.model_dump(mode="json", exclude_none=True)

    def identity(self) -> dict[str, Any]:
        """Return the settings that determine the results of the games, as JSON values.

        Two configurations give the same games if these settings and the pairs in their
        files are the same. All positions are written in the same notation. Left out are the
        keys in `SURROUNDINGS`, formulas that no side follows, and the folder part of
        absolute paths.
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


def _table_of(data: Any) -> TableSize | None:
    """Return the table size in unvalidated configuration data; None if it is not valid."""
    if isinstance(data, BatchConfig):
        return data.table
    if not isinstance(data, dict) or "table" not in data:
        return TableSize()
    try:
        return TableSize.model_validate(data["table"])
    except ValidationError:
        return None
