"""The examples in README.md and docs/ print the output that the pages show.

Blocks marked ``console`` hold commands after ``$`` and their output; ``...`` stands for any
text. Commands that start with ``make`` are run by ``.ci/run``. Blocks marked ``python`` are
doctests. Every other command on a page must have existing subcommands and options.
"""

import doctest
import importlib
import importlib.util
import json
import os
import pkgutil
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import typer

import bearoff
from bearoff.app.cli import cli
from bearoff.one_sided.gammons import saving_play
from bearoff.race_model import race_model
from bearoff.sim.rollouts.boards import HOME_BOARD
from research.running import program_of
from tests.app.conftest import ROOT, ran
from tests.app.pages import SHOWN, blocks, commands, name_of, transcripts

README = ROOT / "README.md"

SLOW_PAGES = ("docs/cube.md", "docs/rollouts.md")
"""Pages whose Python blocks take more than a few seconds."""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a copy of the repository's files, its own cache and data.

    Answers depend on the stored tables, so each page gets a separate cache.
    """
    for name in ("configs", "results/quick", "tests/data"):
        shutil.copytree(ROOT / name, tmp_path / name)
    cache = tmp_path / "cache"
    cache.mkdir()
    bearoff.one_sided_table()
    _ = HOME_BOARD.choices
    race_model()
    saving_play()
    for name in ("one-sided-06x15", "plays-tried", "race-model", "saving-play"):
        # Another test may have built the table in memory, with a cache folder of its own.
        if (bearoff.cache_folder() / name).exists():
            (cache / name).symlink_to(bearoff.cache_folder() / name)
    monkeypatch.setenv("BEAROFF_CACHE", str(cache))
    monkeypatch.setenv("BEAROFF_DATA", str(tmp_path / "data"))
    return tmp_path


TRANSCRIPTS = [page for page in SHOWN if any(transcripts(page))]


@pytest.mark.slow
@pytest.mark.parametrize("page", TRANSCRIPTS, ids=name_of)
def test_commands_print_what_the_page_shows(desk, page):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shell = ("bash", "-euo", "pipefail", "-c")
    for command, shown in transcripts(page):
        if command.startswith("make"):
            continue
        out = ran(*shell, command, cwd=desk, env={"PATH": path}).good.out
        same = doctest.OutputChecker().check_output(shown, out, doctest.ELLIPSIS)
        assert same, f"{command}:\n{out}"


def test_the_readme_shows_each_query():
    shown = [command for command, _ in transcripts(README)]
    for query in ("tables", "race", "review", "formulas", "simulate", "analyze"):
        assert any(command.startswith(f"bearoff {query}") for command in shown)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page,
            id=name_of(page),
            marks=[pytest.mark.slow] if name_of(page) in SLOW_PAGES else [],
        )
        for page in SHOWN
        if blocks(page, "python")
    ],
)
def test_the_python_of_a_page_is_true(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = "\n".join(blocks(page, "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, name_of(page), 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("notebook", sorted((ROOT / "docs").glob("*.ipynb")), ids=name_of)
def test_the_cells_of_a_notebook_run(notebook, monkeypatch):
    monkeypatch.chdir(notebook.parent)
    monkeypatch.setenv("MPLBACKEND", "agg")
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 5
    names = {}
    for cell in code:
        exec("".join(cell["source"]), names)
        assert cell["outputs"] == []


@pytest.mark.parametrize("page", SHOWN, ids=name_of)
def test_python_that_is_not_run_imports_what_there_is(page):
    text = page.read_text(encoding="utf-8")
    for line in re.findall(r"^ {4}((?:from|import) [\w., ]+)$", text, re.MULTILINE):
        exec(line, {})


NAME = r"(?<![\w./])(?:bearoff|sim|analysis)(?:\.[A-Za-z]\w*)+"


@pytest.mark.parametrize("page", SHOWN, ids=name_of)
def test_every_name_is_one_that_there_is(page):
    text = page.read_text(encoding="utf-8")
    for code in re.findall(r"`([^`\n]+)`", text):
        for name in re.findall(NAME, code):
            assert pkgutil.resolve_name(name) is not None, name


@pytest.mark.parametrize("page", [*SHOWN, ROOT / "results" / "README.md"], ids=name_of)
def test_every_command_is_one_that_there_is(page):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"^([\w-]+):", makefile, re.MULTILINE)
    for command in commands(page):
        program, *words = shlex.split(command.partition(" # ")[0])
        if program == "make":
            assert {word for word in words if "=" not in word} <= set(targets), command
        elif program == "python":
            module = words[1].replace("NAME", "kills")
            assert importlib.util.find_spec(module), command
            if re.match(r"research\.(?!comparisons)", module):
                _check_call(program_of(importlib.import_module(module).main), words[2:])
        else:
            _check_call(cli(), words)


def _check_call(program, words):
    """Check that the subcommands and options of a command in the documentation exist."""
    found = typer.main.get_command(program)
    while hasattr(found, "commands") and words and re.match(r"[a-z]", words[0]):
        assert words[0] in found.commands, words
        found = found.commands[words.pop(0)]
    names = {name for each in found.params for name in (*each.opts, *each.secondary_opts)}
    options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert options <= names | {"--help", "-h", "--install-completion"}, (found.name, words)
