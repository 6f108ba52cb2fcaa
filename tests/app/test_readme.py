"""The README's commands, run as they stand, print what the README shows.

Blocks marked ``console`` hold commands after ``$`` and what they print; ``...`` stands
for anything. Commands that start with ``make`` are run by ``.ci/run``. Blocks marked
``python`` are doctests.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.conftest import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SLOW = (
    "bearoff simulate",
    "bearoff analyze",
    "bearoff chart",
    "bearoff figures",
    "bearoff tables",
    "bearoff cube",
    "bearoff rollout",
    "bearoff formulas",
)


def _commands() -> list[tuple[str, str]]:
    """Every command of the README with what it prints, in order."""
    found = []
    for kind, block in BLOCK.findall(TEXT):
        if kind == "console":
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                found.append((command, shown))
    return found


COMMANDS = [(c, shown) for c, shown in _commands() if not c.startswith("make")]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like the repository's, in which commands may write."""
    folder = tmp_path_factory.mktemp("desk")
    for name in ("configs", "results/quick"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param(c, s, id=c, marks=[pytest.mark.slow] if c.startswith(SLOW) else [])
        for c, s in COMMANDS
    ],
)
def test_a_command_prints_what_the_readme_shows(
    desk: Path, command: str, shown: str
) -> None:
    tools = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=desk,
        env={**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    flags = doctest.ELLIPSIS
    assert doctest.OutputChecker().check_output(shown, done.stdout, flags), done.stdout


def test_the_readme_shows_each_query() -> None:
    for query in ("epc", "play", "winprob", "simulate", "analyze"):
        assert any(command.startswith(f"bearoff {query}") for command, _ in COMMANDS)


def test_the_readmes_python_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = [block for kind, block in BLOCK.findall(TEXT) if kind == "python"]
    assert blocks
    test = doctest.DocTestParser().get_doctest(
        "\n".join(blocks), {}, "README.md", "README.md", 0
    )
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.failures == 0
