"""Reading and validation of batch configurations from YAML files, text or mappings.

`load_config` returns a `BatchConfig`, or raises a `ConfigError` with all problems. All
configurations pass through this module.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bearoff.sim.config import errors
from bearoff.sim.config.batch import BatchConfig
from bearoff.sim.config.errors import ConfigError, Problem, format_path, show
from bearoff.sim.config.formulas import formula_plug_in, read_formulas
from bearoff.sim.config.problems import tidy_schema, validate_model
from bearoff.sim.config.values import MOST_TABLE_POINTS, reading
from bearoff.sim.config.yaml_source import DEEPEST, YamlSource, read_yaml, read_yaml_file


def load_config(
    source: str | os.PathLike[str] | Mapping[str, Any],
    strategies: Collection[str] | None = None,
    folder: Path | None = None,
) -> BatchConfig:
    """Read and validate a batch configuration.

    Parameters
    ----------
    source : path or mapping
        Path of a YAML file, or the configuration itself. Relative paths of files with pairs
        refer to the folder of the YAML file or, for a mapping, to the working directory.
    strategies : collection of str, optional
        Names of cube strategies that are allowed in addition to built-in strategies,
        built-in formulas and the configuration's own formulas. By default, any name is
        allowed.
    folder : Path, optional
        Folder to which relative paths refer. By default, the folder of the YAML file.

    Raises
    ------
    ConfigError
        If the configuration is invalid. The attribute `problems` lists all problems.

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
    bearoff.sim.config.errors.ConfigError: pairs[0].random.pairs: expected a whole
    number from 1 to 10,000,000, got 0
    standard_error: expected either games or standard_error, got neither
    game: unknown key; did you mean 'games'?
    """
    if isinstance(source, Mapping):
        return _validate(YamlSource(_plain(source, ()), {}), None, Path.cwd(), strategies)
    if not isinstance(source, str | os.PathLike):
        message = f"expected the path of a YAML file or a mapping, got {show(source)}"
        raise ConfigError([Problem(None, None, "", message)])
    if isinstance(source, str) and "\n" in source and not os.path.lexists(source):
        message = (
            "expected the path of a YAML file, got several lines, and there is no file of "
            "that name"
        )
        raise ConfigError([Problem(None, None, "", message)])
    yaml = read_yaml_file(source)
    return _validate(yaml, os.fspath(source), folder or Path(source).parent, strategies)


def parse_config(
    text: str, *, file: str | None = None, folder: Path | None = None
) -> BatchConfig:
    return _validate(read_yaml(text, file), file, folder or Path.cwd())


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of batch configurations, which editors can use."""
    return deepcopy(_schema())


@cache
def _schema() -> dict[str, Any]:
    schema = tidy_schema(BatchConfig.model_json_schema())
    schema["title"] = "A batch of bear-off self-play"
    schema["oneOf"] = [{"required": ["games"]}, {"required": ["standard_error"]}]
    needs_dask = {"properties": {"backend": {"const": "dask"}}, "required": ["backend"]}
    fewest_rolls = {"const": "fewest-rolls"}
    few_points = {"properties": {"points": {"maximum": MOST_TABLE_POINTS}}}
    drawn = [{"required": [source]} for source in ("grid", "random", "harvest", "every")]
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
    return {"properties": {"roller": player, "opponent": player}}


def _validate(
    source: YamlSource,
    file: str | None,
    folder: Path,
    strategies: Collection[str] | None = None,
) -> BatchConfig:
    source, problems = _with_formulas(source, file, folder)
    named = None
    if strategies is not None and not problems:
        own = [item["name"] for item in _of(source, "formulas") or ()]
        named = _Named(strategies, own)
    try:
        with reading(folder=folder, strategies=named):
            found = validate_model(source, file, BatchConfig, "run: quick", _schema)
    except ConfigError as error:
        raise ConfigError([*problems, *error.problems]) from None
    if problems:
        raise ConfigError(problems)
    return found


def _with_formulas(
    source: YamlSource, file: str | None, folder: Path
) -> tuple[YamlSource, list[Problem]]:
    """Parse the formulas of a batch; return the new YAML source and the problems."""
    if _of(source, "formulas") is None:
        return source, []
    try:
        found = read_formulas(source, file, folder)
    except ConfigError as error:
        rest = {key: item for key, item in source.value.items() if key != "formulas"}
        return replace(source, value=rest), list(error.problems)
    return replace(source, value=source.value | {"formulas": found}), []


def _of(source: YamlSource, key: str) -> Any:
    return source.value.get(key) if isinstance(source.value, dict) else None


class _Named(Collection[str]):
    """Names of the allowed cube strategies; formulas are imported only when necessary."""

    def __init__(self, given: Collection[str], own: Collection[str]) -> None:
        self._given = {*given, *own}

    def __contains__(self, name: object) -> bool:
        return name in self._given or name in formula_plug_in().known()

    def __iter__(self) -> Iterator[str]:
        return iter({*self._given, *formula_plug_in().known()})

    def __len__(self) -> int:
        return len(set(self))


def _plain(value: Any, path: errors.Path) -> Any:
    """Convert tuples, numpy numbers and paths to the types of YAML values."""
    if len(path) > DEEPEST:
        message = f"lists and mappings are nested deeper than {DEEPEST}"
        raise ConfigError([Problem(None, None, format_path(path[:3]) + "...", message)])
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                message = f"a key must be text, got {show(key)}"
                raise ConfigError([Problem(None, None, format_path(path), message)])
        return {key: _plain(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, (*path, i)) for i, item in enumerate(value)]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value
