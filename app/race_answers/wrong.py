"""Conversion of pydantic's validation errors to sentences."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from bearoff.checks import did_you_mean

if TYPE_CHECKING:
    from pydantic import BaseModel


def what_is_wrong(
    problems: Sequence[Mapping[str, Any]], model: "type[BaseModel] | None" = None
) -> str:
    """Describe, in one sentence, one of the problems that pydantic found in a value."""
    # An unknown field is reported first, because its name may be a misspelt missing field.
    problem = next((one for one in problems if one["type"] == _UNKNOWN), problems[0])
    if isinstance(problem.get("input"), list) and problem["type"] == "string_type":
        # For a field that accepts text or a list, pydantic reports one problem for each
        # type. If the value is a list, the problem for lists is the relevant one.
        problem = next((one for one in problems if _LIST in one["loc"]), problem)
    first, *rest = problem["loc"] or ("body",)
    parts = rest if first in _ROOMS else [first, *rest]
    place = ".".join(str(part) for part in parts if not _is_ours(part))
    if problem["type"] == _UNKNOWN:
        near = did_you_mean(parts[-1], _fields_at(model, parts[:-1]))
        return f"{place[:60]!r} is not a known field{near}"
    if problem["type"] == "missing":
        return f"{place or 'a JSON body'} is missing"
    value: Any = problem.get("input")
    if isinstance(value, bytes):
        return (
            "the request body is not declared as JSON; add the header content-type: "
            "application/json"
        )
    place = place or "the request"
    if problem["type"] in _SIZES:
        rule = _SIZES[problem["type"]].format_map(problem["ctx"])
        return f"{place} has {rule}, got {len(value):,}"
    got = repr(value)
    got = f"got {got[:60]}{'...' * (len(got) > 60)}"
    if problem["type"] in _KINDS:
        rule = _KINDS[problem["type"]].format_map(problem.get("ctx", {}))
        return f"{place} must be {rule}, {got}"
    said = f"{problem['msg'][:1].lower()}{problem['msg'][1:]}"
    return f"{place}: {said}, {got}"


_UNKNOWN = "extra_forbidden"

_SIZES = {
    "string_too_long": "at most {max_length:,} characters",
    "string_too_short": "at least {min_length:,} characters",
    "too_long": "at most {max_length:,} entries",
    "too_short": "at least {min_length:,} entries",
}
"""Phrase that states the allowed size of a value, for each type of pydantic error."""

_WHOLE, _NUMBER, _YES, _OBJECT = "a whole number", "a number", "true or false", "an object"

_KINDS = {
    "string_type": "a text",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": "a whole number with fewer digits",
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _YES,
    "bool_parsing": _YES,
    "list_type": "a list",
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "base64_decode": "in base64",
    "literal_error": "{expected}",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "{ge:g} or more",
    "less_than": "less than {lt:g}",
    "less_than_equal": "{le:g} or less",
}
"""Phrase that describes the allowed values, for each type of pydantic error."""

_ROOMS = ("body", "query", "path")
_LIST = "list[int]"


def _fields_at(model: "type[BaseModel] | None", parts: Sequence[object]) -> Iterable[str]:
    """Return the field names at a given path within a pydantic model."""
    for part in parts:
        if model is not None and isinstance(part, str):
            inner = get_args(model.model_fields[part].annotation)
            model = next((one for one in inner if hasattr(one, "model_fields")), None)
    return () if model is None else model.model_fields


def _is_ours(part: object) -> bool:
    """Return whether pydantic added this part, a type name, to an error's location."""
    pattern = r"constrained-\w+|function-\w+|list\[.*\]"
    return part == "str" or re.fullmatch(pattern, str(part)) is not None
