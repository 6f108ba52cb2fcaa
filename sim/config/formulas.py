"""Formulas that a batch names or holds, read by the layer that knows them.

Formulas are rooms of `analysis`, which imports this layer and is not imported by it. So
`analysis.formulas.strategies` is a plug-in: it is looked up by name when a batch needs it,
and this module says what it must offer.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Protocol, cast

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from bearoff.matchup import CubeStrategy
from bearoff.sim.config.errors import ConfigError, Problem, show
from bearoff.sim.config.values import refusal
from bearoff.sim.config.yaml_source import YamlSource, read_yaml_file

_PLUG_IN = "bearoff.analysis.formulas.strategies"


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


class FormulaPlugIn(Protocol):
    """What reads formulas."""

    def known(self) -> Mapping[str, CubeStrategy]:
        """Return the formulas that every batch may name."""

    def items(self, source: YamlSource, file: str | None) -> list[dict[str, Any]]:
        """Validate a file of formulas, and return its formulas as plain values.

        Raises
        ------
        ConfigError
            Naming every problem with its line.
        """

    def built(self, items: Sequence[Mapping[str, Any]]) -> Mapping[str, CubeStrategy]:
        """Return the formulas that `items` gave as plain values, by name."""


@cache
def formula_plug_in() -> FormulaPlugIn:
    """Return the plug-in."""
    return cast("FormulaPlugIn", import_module(_PLUG_IN))


def read_formulas(
    source: YamlSource, file: str | None, folder: Path
) -> list[dict[str, Any]]:
    """Return the formulas of a batch, its key ``formulas``, as plain values.

    Parameters
    ----------
    source : YamlSource
        The batch. Its key holds the path of a file of formulas, or the formulas.
    file : str or None
        What problems call the batch's file.
    folder : Path
        Where a relative path starts.

    Raises
    ------
    ConfigError
        Naming every problem, of formulas in a file of their own with that file.
    """
    given = source.value["formulas"]
    if not isinstance(given, str):
        return formula_plug_in().items(
            YamlSource({"formulas": given}, source.lines, (), source.unreadable), file
        )
    try:
        return formula_plug_in().items(read_yaml_file(folder / given), given)
    except ConfigError as error:
        if error.problems[0].line is not None:
            raise
        line = source.lines.get(("formulas",))
        found = [
            Problem(file, line, "formulas", f"{given}: {p.message}") for p in error.problems
        ]
        raise ConfigError(found) from error
