"""Validation of YAML with a pydantic model; each problem gets its line and path.

Error messages take the expected values from the JSON schema of the configuration, so that
messages, editors and documentation agree.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bearoff.checks import did_you_mean
from bearoff.sim.config.errors import ConfigError, Path, Problem, format_path, show
from bearoff.sim.config.values import TAG
from bearoff.sim.config.yaml_source import MOST_PROBLEMS, YamlSource

Schema = dict[str, Any]
Model = TypeVar("Model", bound=BaseModel)


def validate_model(
    source: YamlSource,
    file: str | None,
    model: type[Model],
    example: str,
    schema: Callable[[], Schema] | None = None,
    context: Any = None,
) -> Model:
    """Validate parsed YAML with a pydantic model, and return the model.

    Parameters
    ----------
    source : YamlSource
        Parsed YAML with line numbers.
    file : str or None
        Name of the YAML file, for error messages.
    model : type of BaseModel
        Pydantic model of the configuration.
    example : str
        Example of a key, which the error message for an empty file shows.
    schema : callable, optional
        Function that returns a JSON schema; error messages describe valid values by this
        schema. The default is the schema of `model`.
    context : object
        Context that is passed to the validators of the model.

    Raises
    ------
    ConfigError
        If the configuration is invalid. The error lists all problems with their lines.
    """
    problems = list(source.problems)
    if not isinstance(source.value, dict):
        got = "an empty file" if file and source.value is None else show(source.value)
        message = f"expected a mapping of keys such as '{example}', got {got}"
        raise ConfigError([*problems, Problem(file, None, "", message)])
    try:
        found = model.model_validate(source.value, context=context)
    except ValidationError as error:
        described = schema() if schema else _schema_of(model)
        problems += _problems_of(error, source, file, described)
        raise ConfigError(problems) from None
    if problems:
        raise ConfigError(problems)
    return found


@cache
def _schema_of(model: type[BaseModel]) -> Schema:
    schema: Schema = tidy_schema(model.model_json_schema())
    return schema


def _problems_of(
    error: ValidationError, source: YamlSource, file: str | None, schema: Schema
) -> list[Problem]:
    """Convert pydantic's validation errors to at most `MOST_PROBLEMS` problems.

    A value that could not be parsed gives no further problem, because it has already been
    reported.
    """
    found: list[Problem] = []
    for details in error.errors(include_url=False):
        if len(found) == MOST_PROBLEMS:
            break
        path = _path(details["loc"])
        if any(path[: len(place)] == place for place in source.unreadable):
            continue
        if details["type"] == "too_short" and details["input"]:
            continue  # because pydantic reports the invalid items themselves
        message = _message(details, path, schema)
        if key := details.get("ctx", {}).get("key"):
            path = (*path, key)
        line = _line(path, source.lines)
        found.append(Problem(file, line, format_path(path), message))
    return found


def tidy_schema(node: Any) -> Any:
    """Remove the titles that pydantic generates, and the type null, from a JSON schema.

    In a configuration file, an optional key can be left out, but cannot be null.
    """
    if isinstance(node, list):
        return [tidy_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "properties" in node:
        properties = {key: tidy_schema(item) for key, item in node["properties"].items()}
        node = {**node, "properties": properties}
    tidy = {
        key: item if key == "properties" else tidy_schema(item)
        for key, item in node.items()
        if key != "title" and not (key == "default" and item is None)
    }
    options = tidy.get("anyOf", [])
    if {"type": "null"} in options:
        (only,) = (option for option in options if option != {"type": "null"})
        del tidy["anyOf"]
        tidy = {**only, **tidy}
    return tidy


def _path(loc: Path) -> Path:
    """Return the path of a configuration value, given the path that pydantic reports.

    pydantic adds the kind of the value to its path. For example, it reports the path
    ``("pairs", 0, "<kind> random", "random")`` for the value ``pairs[0].random``.
    """
    return tuple(part for part in loc if not str(part).startswith(TAG))


def _line(path: Path, lines: Mapping[Path, int]) -> int | None:
    """Return the line of a value or, if it is missing, of the mapping that lacks it."""
    for length in range(len(path), -1, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None


def _message(details: ErrorDetails, path: Path, schema: Schema) -> str:
    kind, value = details["type"], details["input"]
    if kind == "rule":
        return str(details["ctx"]["sentence"])
    if kind == "extra_forbidden":
        known = list(_node(path[:-1], schema).get("properties", {}))
        near = did_you_mean(path[-1], known) or _elsewhere(path[-1], schema)
        return f"unknown key{near or '; expected one of ' + ', '.join(known)}"
    node = _node(path, schema)
    if kind == "missing":
        return f"missing; expected {describe(node, schema)}"
    return f"expected {describe(node, schema)}, got {show(value)}{_hint(node, value)}"


def _node(path: Path, schema: Schema) -> Schema:
    """Return the part of a JSON schema that describes the value at a path."""
    node = schema
    for part in path:
        if isinstance(part, int):
            node = _resolve(node.get("items", {}), schema)
            continue
        options = (_resolve(option, schema) for option in (node, *node.get("oneOf", ())))
        node = next(
            (o["properties"][part] for o in options if part in o.get("properties", ())), {}
        )
        node = _resolve(node, schema)
    return node


def _resolve(node: Schema, schema: Schema) -> Schema:
    if "$ref" not in node:
        return node
    return {**schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], **node}


def describe(node: Schema, schema: Schema) -> str:
    """Describe in words the values that a JSON schema allows."""
    if "patternErrorMessage" in node:
        return str(node["patternErrorMessage"])
    if "format" in node:
        return f"a {node['format']}"
    if "enum" in node:
        return f"one of {', '.join(map(str, node['enum']))}"
    if node.get("type") == "boolean":
        return "true or false"
    if node.get("type") in ("integer", "number"):
        return _describe_number(node)
    if node.get("type") == "string":
        least, most = node.get("minLength", 0), node["maxLength"]
        bounds = f"{least} to {most}" if least else f"at most {most}"
        return f"a text of {bounds} characters"
    if node.get("type") == "array":
        return "a list of at least one item" if node.get("minItems") else "a list"
    keys = ", ".join(_resolve(node, schema).get("properties", {}))
    return f"a mapping with the keys {keys}"


def _describe_number(node: Schema) -> str:
    what = "a whole number" if node["type"] == "integer" else "a number"
    if "exclusiveMinimum" in node:
        least, most = node["exclusiveMinimum"], node["maximum"]
        return f"{what} greater than {least:g} and at most {most:g}"
    first, last = (_plain(node[key]) for key in ("minimum", "maximum"))
    return f"{what} from {first} to {last}"


def _plain(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


def _hint(node: Schema, value: object) -> str:
    if isinstance(value, str):
        if "enum" in node:
            return did_you_mean(value, [n for n in node["enum"] if isinstance(n, str)])
        if node.get("type") in ("integer", "number") and _reads_as_number(value):
            return "; write the number as digits without quotes"
    if isinstance(value, dict) and node.get("type") == "array":
        return "; begin each item of a list with '- '"
    if (
        node.get("type") == "string"
        and "enum" not in node
        and isinstance(value, int | float)
    ):
        return "; put the text in quotes"
    return ""


def _reads_as_number(text: str) -> bool:
    try:
        float(text.replace(",", "").replace(" ", ""))
    except ValueError:
        return False
    return True


def _elsewhere(key: object, schema: Schema) -> str:
    """Return a hint that names the mapping in which a misplaced key belongs, or ""."""
    places = [place for place, known in _places(schema, schema, "") if key in known]
    if len(places) != 1:
        return ""
    return f"; this key belongs in {places[0] or 'the outermost mapping'}"


def _places(node: Schema, schema: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    """Yield the path and the keys of every mapping in a JSON schema."""
    node = _resolve(node, schema)
    if "properties" in node:
        yield path, node["properties"]
        for key, part in node["properties"].items():
            yield from _places(part, schema, f"{path}.{key}" if path else key)
    if node.get("type") == "array":
        items = node.get("items", {})  # The schema of a list may leave out its items.
        for part in items.get("oneOf", [items]):
            yield from _places(part, schema, f"{path}[]")
