"""Checks that answers match the OpenAPI document, without missing or additional fields."""

import functools
import re

import jsonschema_rs

from bearoff.app.serve.application import create_app
from tests.app.serve.types_of_page import answer_of


@functools.cache
def document():
    return create_app().openapi()


def check(response):
    """Check a response's JSON answer, if the OpenAPI document describes one."""
    if response.status_code == 200 and "json" in response.headers.get("content-type", ""):
        for place, schema in _schemas():
            if place.fullmatch(f"{response.request.method} {response.request.url.path}"):
                schema.validate(response.json())
                return


@functools.cache
def _schemas():
    """Return validators of JSON answers, each with a pattern for its method and path."""
    components = document()["components"]
    named = {
        # Answers may not have fields that the schema does not describe.
        name: schema | ({"additionalProperties": False} if "properties" in schema else {})
        for name, schema in components["schemas"].items()
    }
    found = []
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            schema = answer_of(operation)
            if schema:
                place = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(f"{method.upper()} {path}"))
                closed = schema | {"components": components | {"schemas": named}}
                found.append((re.compile(place), jsonschema_rs.validator_for(closed)))
    return found
