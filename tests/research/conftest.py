"""Programs of `research`, called in this process."""

import importlib

import pytest

from research.running import run_program
from tests.app.conftest import Answer, bearoff, solved

__all__ = ["bearoff", "research", "solved"]


@pytest.fixture
def research(capsys):
    """Call a program of `research` with these arguments."""

    def call(name, *arguments):
        program = importlib.import_module(f"research.{name}")
        capsys.readouterr()
        code = run_program(program.main, arguments)
        printed = capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    return call
