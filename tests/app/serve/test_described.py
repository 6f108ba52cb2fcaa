"""The description of the interface, and what is made from it, are up to date."""

import json
from typing import Any

import pytest

from app.serve.application import create_app
from app.serve.describing import examples
from tests.app.serve import described


def test_the_types_of_the_page_are_those_of_the_document() -> None:
    made = described.written(create_app().openapi())
    assert described.TYPES.read_text(encoding="utf-8") == made, described.__doc__


def test_each_answer_is_shown_by_an_example() -> None:
    for path, operations in create_app().openapi()["paths"].items():
        for method, operation in operations.items():
            content = operation["responses"]["200"].get("content", {})
            if "application/json" in content and "text/event-stream" not in content:
                assert content["application/json"].get("example"), (method, path)


def test_the_examples_are_what_is_answered() -> None:
    kept = json.loads(examples.FILE.read_text(encoding="utf-8"))
    made = described.answers()
    assert kept.keys() == made.keys()
    for path in kept:
        # Written to six digits; compiled code differs in the last of sixteen.
        assert flat(made[path]) == pytest.approx(flat(kept[path]), abs=2e-6), path


def flat(found: Any, name: str = "") -> dict[str, Any]:
    """Name each value of an answer by its place."""
    if not isinstance(found, dict | list):
        return {name: found}
    parts = found.items() if isinstance(found, dict) else enumerate(found)
    values: dict[str, Any] = {}
    for key, value in parts:
        values |= flat(value, f"{name}.{key}")
    return values
