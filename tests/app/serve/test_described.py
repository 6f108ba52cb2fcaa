"""The examples of the OpenAPI document are questions that are answered.

That all answers are as the document says is checked wherever a test asks: see `asking`.
"""

import pytest

from bearoff.app.serve.application import create_app
from bearoff.app.serve.judges import Judges
from tests.app.serve.asking import Client
from tests.app.serve.described import document
from tests.app.serve.types_of_page import body_of
from tests.two_sided_tables import built

OF_A_GAME = ("/training/answers", "/training/hint", "/play/", "/library/", "/reviews")
"""Places whose questions are about what another question began."""


def examples():
    """The example of what is posted to each path."""
    named = document()["components"]["schemas"]
    return {
        path: named[body_of(operations["post"])["$ref"].rpartition("/")[2]]["examples"]
        for path, operations in document()["paths"].items()
        if body_of(operations.get("post", {}))
        if not any(part in path for part in OF_A_GAME)
    }


@pytest.mark.parametrize(("path", "bodies"), examples().items())
def test_the_example_of_a_question_is_answered(path, bodies):
    client = Client(create_app(judges=Judges([built(4)])))
    assert bodies
    for body in bodies:
        assert client.post(path, json=body).status_code == 200
