"""The example requests in the OpenAPI document of the web server are valid.

All answers are checked against the document wherever a test sends a request; see `asking`.
"""

import pytest

from bearoff.app.serve.judges import Judges
from bearoff.app.serve.library.example import example_library
from tests.app.serve.asking import client_of
from tests.app.serve.described import document
from tests.app.serve.types_of_page import body_of
from tests.two_sided_tables import built

OF_A_GAME = ("/training/answers", "/training/hint", "/play/", "/library/", "/reviews")
"""Beginnings of paths whose requests refer to an earlier request."""


def examples():
    """Return the example request bodies of each path in the OpenAPI document."""
    named = document()["components"]["schemas"]
    return {
        path: named[body_of(operations["post"])["$ref"].rpartition("/")[2]]["examples"]
        for path, operations in document()["paths"].items()
        if body_of(operations.get("post", {}))
        if not any(part in path for part in OF_A_GAME)
    }


def plain_paths():
    """Return the paths whose GET requests need no parameters."""
    return [
        path
        for path, operations in document()["paths"].items()
        if "get" in operations and "{" not in path
        if not any(one["required"] for one in operations["get"].get("parameters", ()))
        if "/rollout" not in path  # it needs a race, although each parameter is optional
    ]


@pytest.fixture(scope="module")
def player():
    """Return a client of a server that uses the example library."""
    return client_of(Judges([built(4)]), library=example_library())


@pytest.mark.parametrize("path", plain_paths())
def test_what_needs_no_question_is_answered(player, path):
    assert player.get(path).status_code == 200


@pytest.mark.parametrize(("path", "bodies"), examples().items())
def test_the_example_of_a_question_is_answered(path, bodies):
    client = client_of(Judges([built(4)]))
    assert bodies
    for body in bodies:
        assert client.post(path, json=body).status_code == 200
