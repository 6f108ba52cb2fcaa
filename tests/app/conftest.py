"""The command, called in this process and as a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.main import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Answer:
    """What a call of the command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Answer]


@pytest.fixture
def bearoff(capsys: pytest.CaptureFixture[str]) -> Command:
    """Call `app.main.main` with these arguments."""

    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        code = main(arguments)
        printed = capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    return call


@pytest.fixture
def process() -> Command:
    """Start ``python -m app.main`` with these arguments, away from the repository."""

    def call(
        *arguments: str, env: Mapping[str, str] | None = None, cwd: Path = ROOT
    ) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "app.main", *arguments],
            env={**os.environ, **(env or {})},
            cwd=cwd,
            capture_output=True,
            timeout=300,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


def only_sentence(answer: Answer) -> str:
    """Return the one line on stderr of a refusal, having checked that it is one."""
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("bearoff: ")
    assert answer.err.count("\n") == 1
    assert "Traceback" not in answer.err
    return answer.err
