"""Formulas for cube decisions in a batch configuration, which a plug-in parses.

The plug-in is `analysis.formulas.strategies`, and `FormulaPlugIn` is its interface. The
plug-in is imported by name, and only when a batch uses formulas: an ordinary import would
be circular, because `analysis` imports `sim`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Protocol, cast

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from bearoff.matchup import CubeStrategy
from bearoff.sim.config.errors import ConfigError, Problem, show
from bearoff.sim.config.values import path_fault, refusal
from bearoff.sim.config.yaml_source import YamlSource, read_yaml_file

_PLUG_IN = "bearoff.analysis.formulas.strategies"


def _plain_items(value: object) -> object:
    if isinstance(value, list | tuple) and all(
        isinstance(item, Mapping) and isinstance(item.get("name"), str) for item in value
    ):
        return tuple(dict(item) for item in value)
    raise refusal(
        f"expected a list of formulas or the path of a file of formulas, got {show(value)}"
    )


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


class FormulaPlugIn(Protocol):
    """Interface of the plug-in that parses formulas for cube decisions."""

    def known(self) -> Mapping[str, CubeStrategy]:
        """Return the cube strategies of the built-in formulas, by name."""

    def items(self, source: YamlSource, file: str | None) -> list[dict[str, Any]]:
        """Validate a file of formulas for cube decisions; return them as JSON values."""

    def built(self, items: Sequence[Mapping[str, Any]]) -> Mapping[str, CubeStrategy]:
        """Return cube strategies by name, built from the JSON values of formulas."""


@cache
def formula_plug_in() -> FormulaPlugIn:
    """Import and return the plug-in that parses formulas for cube decisions."""
    return cast("FormulaPlugIn", import_module(_PLUG_IN))


def read_formulas(
    source: YamlSource, file: str | None, folder: Path
) -> list[dict[str, Any]]:
    """Return the formulas for cube decisions that a batch lists, as JSON values.

    Parameters
    ----------
    source : YamlSource
        YAML of the batch. Its key ``formulas`` contains a list of formulas, or the path of
        a file with formulas.
    file : str or None
        Name of the batch's file, for error messages.
    folder : Path
        Folder to which relative paths refer.

    Raises
    ------
    ConfigError
        If the formulas are invalid. The error lists all problems, each with the name of its
        file.
    """
    given = source.value["formulas"]
    if not isinstance(given, str):
        return formula_plug_in().items(
            YamlSource({"formulas": given}, source.lines, (), source.unreadable), file
        )
    line = source.lines.get(("formulas",))
    if fault := path_fault(given):
        raise ConfigError([Problem(file, line, "formulas", fault)])
    try:
        return formula_plug_in().items(read_yaml_file(folder / given), given)
    except ConfigError as error:
        if error.problems[0].line is not None:
            raise
        found = [
            Problem(file, line, "formulas", f"{given}: {p.message}") for p in error.problems
        ]
        raise ConfigError(found) from error
