"""The configuration of a batch: which races are played, by whom, how often, and where to.

A configuration is a YAML file or a mapping; `load_config` judges it as a whole and
returns a `BatchConfig`, or raises a `ConfigError` that names every problem. Nothing else
reads configurations, and nothing that runs batches sees one that has not passed here.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import (
    BeforeValidator,
    Field,
    ModelWrapValidatorHandler,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from sim import config_errors
from sim.config_cube import CubeConfig
from sim.config_errors import ConfigError, Problem, did_you_mean, format_path, show
from sim.config_pairs import FileSource, ListSource, PairSource
from sim.config_problems import problems_of, tidy_schema
from sim.config_rollout import RolloutConfig
from sim.config_values import (
    MOST_TABLE_POINTS,
    Strict,
    TableSize,
    Whole,
    refusal,
    whole,
    within,
)
from sim.yaml_source import DEEPEST, YamlSource, read_yaml, read_yaml_file

SCHEMES = ("s3", "gs", "gcs", "hdfs", "abfs", "abfss", "file")
"""Filesystems that outcomes can be written to through pyarrow."""

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
    "fewest-rolls: the paper's, keeps its mean rolls least; most-checkers-off: bears off "
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
    """Play each pair until its win probability is known this well."""

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
    games: Games | None = Field(
        default=None, description="Games of each pair; either this or standard_error."
    )
    standard_error: StandardError | None = Field(
        default=None,
        validate_default=True,
        description="How well each win probability, or each equity of a rollout, must be "
        "known; either this or games.",
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
        description="Folder, from where the command is given, or URI (s3://, gs://, ...).",
    )

    @model_validator(mode="wrap")
    @classmethod
    def _judge_by_own_table(
        cls, data: Any, handler: ModelWrapValidatorHandler["BatchConfig"]
    ) -> "BatchConfig":
        with within(_table_of(data)):
            return handler(data)

    @field_validator("cube")
    @classmethod
    def _players_of_the_cube(
        cls, value: CubeConfig | None, info: ValidationInfo
    ) -> CubeConfig | None:
        players = info.data.get("players")
        names = (players.roller, players.opponent) if players else ()
        if value is None and "perfect" in names:
            raise refusal(
                "the player perfect plays by where the cube is; add it, or use optimal"
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
                raise refusal(
                    "rollouts are played by fewest-rolls players; leave players away"
                )
            if info.data.get("cube") is not None:
                raise refusal("rollouts tell every state of the cube; leave cube away")
        return value

    @field_validator("standard_error")
    @classmethod
    def _games_or_error(
        cls, value: StandardError | None, info: ValidationInfo
    ) -> StandardError | None:
        if value is not None and info.data.get("cube") is not None:
            raise refusal(
                "how many games it takes with the cube is not known beforehand; give games"
            )
        if "games" in info.data:  # else it is wrong, and told of
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
        scheme, mark, _ = value.partition("://")
        if mark and scheme not in SCHEMES:
            raise refusal(
                f"expected a folder or a URI of {', '.join(SCHEMES)}, got {show(value)}"
                f"{did_you_mean(scheme, SCHEMES)}"
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
        workers, backend, scheduler and output are absent, and so are the folders of an
        absolute path.
        """
        identity = self.effective()
        for key in ("run", "description", "workers", "backend", "scheduler", "output"):
            identity.pop(key, None)
        for source, item in zip(self.pairs, identity["pairs"], strict=True):
            if isinstance(source, FileSource):
                item["file"]["path"] = source.file.path.name
        return identity


def load_config(source: str | os.PathLike[str] | Mapping[str, Any]) -> BatchConfig:
    """Read and judge a configuration.

    Parameters
    ----------
    source : path or mapping
        A YAML file, or the configuration itself. Relative paths of files of pairs start
        from the YAML file's folder or, for a mapping, from the working directory.

    Raises
    ------
    ConfigError
        If anything is wrong; its `problems` are all there are.

    Examples
    --------
    >>> config = load_config({
    ...     "run": "first",
    ...     "pairs": [{"list": [{"roller": "0,0,0,5,5,5", "opponent": 54263}]}],
    ...     "games": 1000,
    ... })
    >>> config.pairs[0].races[0].opponent.counts
    (0, 0, 0, 0, 0, 15)
    >>> load_config({"run": "first", "pairs": [{"random": {"pairs": 0}}], "game": 5})
    Traceback (most recent call last):
    sim.config_errors.ConfigError: pairs[0].random.pairs: expected a whole number from 1 to
    10,000,000, got 0
    standard_error: expected games or standard_error, got neither
    game: unknown key; did you mean 'games'?
    """
    if isinstance(source, Mapping):
        return _judge(YamlSource(_plain(source, ()), {}), None, Path.cwd())
    if not isinstance(source, str | os.PathLike):
        message = f"expected the path of a YAML file or a mapping, got {show(source)}"
        raise ConfigError([Problem(None, None, "", message)])
    if isinstance(source, str) and "\n" in source:
        message = "expected the path of a YAML file, got text; parse_config reads text"
        raise ConfigError([Problem(None, None, "", message)])
    yaml = read_yaml_file(source)
    return _judge(yaml, os.fspath(source), Path(source).parent)


def parse_config(
    text: str, *, file: str | None = None, folder: Path | None = None
) -> BatchConfig:
    """Read and judge a configuration given as YAML text.

    Parameters
    ----------
    text : str
        The YAML.
    file : str, optional
        What problems call it.
    folder : Path, optional
        Where relative paths start; the working directory if not given.

    Raises
    ------
    ConfigError
        As for `load_config`.
    """
    return _judge(read_yaml(text, file), file, folder or Path.cwd())


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of configurations, for editors."""
    schema = tidy_schema(BatchConfig.model_json_schema())
    schema["title"] = "A batch of bear-off self-play"
    schema["oneOf"] = [{"required": ["games"]}, {"required": ["standard_error"]}]
    needs_dask = {"properties": {"backend": {"const": "dask"}}, "required": ["backend"]}
    fewest_rolls = {"const": "fewest-rolls"}
    few_points = {"properties": {"points": {"maximum": MOST_TABLE_POINTS}}}
    drawn = [{"required": [source]} for source in ("grid", "random", "harvest")]
    schema["dependentSchemas"] = {
        "scheduler": needs_dask,
        "cube": {"required": ["games"], "not": {"required": ["rollout"]}},
        "rollout": {"properties": {"players": _both(fewest_rolls)}},
    }
    schema["allOf"] = [
        {
            "if": {"not": {"required": ["cube"]}},
            "then": {"properties": {"players": _both({"not": {"const": "perfect"}})}},
        },
        {
            "if": {"properties": {"table": few_points}},
            "else": {
                "required": ["rollout"],
                "properties": {"pairs": {"items": {"not": {"anyOf": drawn}}}},
            },
        },
    ]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _both(player: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of players who both satisfy one."""
    return {"properties": {"roller": player, "opponent": player}}


def _judge(source: YamlSource, file: str | None, folder: Path) -> BatchConfig:
    problems = list(source.problems)
    if not isinstance(source.value, dict):
        got = "an empty file" if file and source.value is None else show(source.value)
        message = f"expected a mapping of keys such as 'run: quick', got {got}"
        raise ConfigError([*problems, Problem(file, None, "", message)])
    try:
        config = BatchConfig.model_validate(source.value, context={"folder": folder})
    except ValidationError as error:
        problems += problems_of(error, source, file, json_schema())
        raise ConfigError(problems) from None
    if problems:
        raise ConfigError(problems)
    return config


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


def _plain(value: Any, path: config_errors.Path) -> Any:
    """Turn what Python callers pass (tuples, numpy numbers, paths) into YAML's values."""
    if len(path) > DEEPEST:
        message = f"lists and mappings are nested deeper than {DEEPEST}"
        raise ConfigError([Problem(None, None, format_path(path[:3]) + "...", message)])
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                message = f"a key is text, got {show(key)}"
                raise ConfigError([Problem(None, None, format_path(path), message)])
        return {key: _plain(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, (*path, i)) for i, item in enumerate(value)]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value
