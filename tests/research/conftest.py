"""Fixture that calls programs of the folder research/ in this process."""

import importlib

import pytest

from research.running import run_program
from tests.app.conftest import Answer, bearoff, solved, tables

__all__ = ["bearoff", "research", "solved", "tables"]


@pytest.fixture
def research(capsys):
    """Return a function that calls a program of the folder research/ with arguments."""

    def call(name, *arguments):
        program = importlib.import_module(f"research.{name}")
        capsys.readouterr()
        code = run_program(program.main, arguments)
        printed = capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    return call
