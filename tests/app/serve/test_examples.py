"""The HTTP examples in docs/http.md, sent to a running server."""

import contextlib
import io
import json
import re

import pytest

from tests.app.conftest import ROOT, ran
from tests.app.pages import blocks
from tests.app.serve.test_server import serving


@pytest.fixture
def port(judges):
    with serving(judges) as port:
        yield port


def example(kind, port):
    (code,) = (code for code in blocks(ROOT / "docs" / "http.md", kind) if "8642" in code)
    return code.replace("8642", str(port))


def test_the_shell_example(port):
    printed = ran("bash", "-euc", example("sh", port)).good.out
    answer, events = printed.split("event: ", 1)
    assert json.loads(answer)["decided_cost"] == 0
    assert events.rpartition("event: ")[2].startswith("result")


def test_the_python_example(port):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(example("py", port), {})
    first, second = printed.getvalue().splitlines()
    assert re.fullmatch(r"no double: \+0\.\d{4}", first)
    assert "'?'" in second  # the message contains the invalid value


def test_the_javascript_example(port, chromium):
    page = chromium.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"http://127.0.0.1:{port}/health")
    page.evaluate(f"async () => {{ {example('js', port)} }}")
    page.close()
    assert "6-6: 6/off 5/off 4/off 3/off" in said[-1]
