"""The command `bearoff` as a process: speed, signals, pipes, terminals, environment."""

import os
import resource
import sys
from importlib.metadata import version

import pytest

from bearoff import build_two_sided_table
from bearoff.app.warm import RACES
from tests.app.conftest import ROOT, interrupted, missing, ran

HEAVY = {"numba", "matplotlib", "pyarrow", "scipy", "joblib", "fastapi"}

SPARED = HEAVY | {"pydantic", "rich", "filelock"}
"""Packages that simple queries do not import."""

SPY = (
    "import atexit, sys; from bearoff.app.main import main;"
    "names = lambda: sorted(m for m in sys.modules if '.' not in m);"
    "atexit.register(lambda: print(*names(), file=sys.stderr)); main()"
)


def loaded(*arguments):
    return set(ran(sys.executable, "-c", SPY, *arguments).good.err.split())


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "play 8887 6-4",
        "winprob LwAAwC0AAAAAAA --json",
        "race LwAAwC0AAAAAAA --dice 2-1",
        "cube LwAAwC0AAAAAAA --cube owned --rolls",
        "tables list",
    ],
)
def test_queries_import_nothing_heavy(line):
    build_two_sided_table(6)
    modules = loaded(*line.split())
    assert modules & (HEAVY if line.startswith("tables") else SPARED) == set()
    if line == "--help":
        assert "numpy" not in modules


def test_numba_is_loaded_without_what_no_kernel_needs():
    modules = loaded("race", "LwAAwC0AAAAAAA", "--score", "2", "4")
    assert "numba" in modules
    assert modules & {"scipy", "cffi", "yaml", "joblib"} == set()


def test_a_query_is_quick(process):
    # Only processor time counts. Importing every module would exceed the limit.
    seconds = []
    for _ in range(2):
        before = _seconds_of_children()
        assert process("epc", "8887").code == 0
        seconds.append(_seconds_of_children() - before)
    assert min(seconds) < 2.0


def _seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_any_terminal_can_show_a_board(process, encoding):
    answer = process("winprob", "8887", "8887", env={"PYTHONIOENCODING": encoding}).good
    assert ("●" in answer.out) == (encoding == "utf-8")
    assert "?" not in answer.out
    if encoding != "utf-8":
        assert "| X   X       X   X   X |" in answer.out
        assert "+-6---5---4---3---2---1-+" in answer.out
        odd = process("epc", "½", env={"PYTHONIOENCODING": "ascii"})
        assert (odd.code, odd.err.count("\n")) == (2, 1)


def test_a_closed_pipe_is_quiet(process):
    for arguments in (["--help"], ["epc", "8887", "--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        answer = process(*arguments, stdout=writer)
        os.close(writer)
        assert (answer.code, answer.err) == (1, "")


def test_the_first_query_tells_of_its_table(process, tmp_path):
    asked = ("epc", "2,0", "--points", "2", "--checkers", "2")
    first, second = (process(*asked, env={"BEAROFF_CACHE": str(tmp_path)}) for _ in "12")
    assert missing(first.err, "6 positions", "2 points", "2 checkers") == []
    assert (first.err.count("\n"), second.err) == (1, "")
    blocked = tmp_path / "file"
    blocked.write_text("")
    answer = process(*asked, env={"BEAROFF_CACHE": str(blocked / "cache")}).good
    assert answer.out == first.out == second.out
    (warned,) = [line for line in answer.err.splitlines() if "warning" in line]
    assert "one-sided-02x02" in warned


def test_ctrl_c_is_one_line_and_130(tmp_path):
    env = {"BEAROFF_CACHE": str(tmp_path)}
    answer = interrupted("tables", "build", "--points", "10", env=env, at="solving: ")
    assert (answer.code, answer.out) == (130, "")
    assert answer.err.splitlines()[-1].startswith("bearoff: interrupted")
    assert [path.name for path in tmp_path.iterdir()] == ["one-sided-10x15.lock"]


HELPED = ["winprob", "epc", "play", "simulate", "analyze", "chart", "schema", "configs"]
HELPED += ["warm", "tables list", "tables build", "tables clear"]


@pytest.mark.parametrize("command", HELPED)
def test_every_help_text_has_examples_and_fits(bearoff, command):
    answer = bearoff(*command.split(), "-h").good
    assert f"\n  bearoff {command}" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize("group", ["", "tables", "formulas", "populations", "print"])
def test_no_command_is_help_whose_summaries_are_not_cut_off(bearoff, group):
    answer = bearoff(*group.split()).good
    assert answer == bearoff(*group.split(), "--help")
    listed = answer.out.partition("Commands:\n")[2]
    assert listed
    assert "..." not in listed
    assert bearoff("--version").out == f"bearoff {version('bearoff')}\n"


def test_completion_knows_the_commands(process):
    env = {"_BEAROFF_COMPLETE": "complete_bash", "COMP_CWORD": "1"}
    assert process(env=env | {"COMP_WORDS": "bearoff tab"}).good.out.strip() == "tables"


@pytest.mark.parametrize(
    ("arguments", "closed", "status"),
    [
        ("winprob 5 6", "1", 1),
        ("winprob 5 6", "2", 0),
        ("winprob 5 six", "12", 2),
        ("--help", "1", 1),
        ("simulate tiny.yaml -q", "012", 1),
    ],
)
def test_a_closed_stream(tmp_path, arguments, closed, status):
    (tmp_path / "tiny.yaml").write_text(RACES)
    redirections = "".join(f" {stream}>&-" for stream in closed)
    command = f"{sys.executable} -m bearoff {arguments}{redirections}"
    answer = ran("bash", "-c", command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)})
    assert answer.code == status
    assert "Traceback" not in answer.err
    assert bool(answer.err) == (status > 0 and "2" not in closed)
    if status != 1:
        assert bool(answer.out) == (status == 0)
    if arguments.startswith("simulate"):
        assert list((tmp_path / "results" / "tiny").glob("run.json"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_terminal_gets_the_table_that_a_pipe_gets(process):
    import pty

    master, slave = pty.openpty()
    process("epc", "8887", "8", env={"TERM": "xterm-256color"}, stdout=slave)
    seen = os.read(master, 1 << 16).decode().replace("\r\n", "\n")
    os.close(master)
    os.close(slave)
    assert seen == process("epc", "8887", "8").out
    assert "position" in seen
