"""The programs of `research`, called in this process."""

import importlib

import pytest

from research.running import run_program
from tests.app.conftest import Answer, Command, bearoff, solved

__all__ = ["bearoff", "research", "solved"]


@pytest.fixture
def research(capsys: pytest.CaptureFixture[str]) -> Command:
    """Call the program of this name with these arguments."""

    def call(name: str, *arguments: str) -> Answer:
        program = importlib.import_module(f"research.{name}")
        capsys.readouterr()
        code = run_program(program.main, arguments)
        printed = capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    return call
