"""Bad input anywhere: one sentence on stderr, nothing on stdout, exit code 2."""

from pathlib import Path

import pytest

from tests.app.conftest import Command, only_sentence

XGID = "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"


pytestmark = pytest.mark.usefixtures("table")  # No word about solving it.


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["epc", ""], "a position is needed"),
        (["epc", "banana"], "cannot read 'banana' as a position"),
        (["epc", "54264"], "run from 0 to 54263, got 54264"),
        (["epc", "9" * 100], "run from 0 to 54263"),
        (["epc", "1" * 1000], "at most 200 characters"),
        (["epc", "1,2,3"], "6 numbers are the checkers on each point"),
        (["epc", "16,0,0,0,0,0"], "at most 15 checkers"),
        (["epc", "8,8,0,0,0,0"], "at most 15 checkers, got 16"),
        (["epc", "(1,1,0,0,0,0,0)"], "add up to 15 checkers"),
        (["epc", "[7]", "--points", "6"], "points 1 to 6"),
        (["epc", "[25]"], "points 1 to 24"),
        (["epc", "8887", "nonsense"], "cannot read 'nonsense'"),
        (["epc", "1", "--points", "0"], "points"),
        (["epc", "1", "--points", "25"], "points"),
        (["epc", "1", "--checkers", "16"], "checkers"),
        (["epc", "1", "--points", "24"], "use fewer points or checkers"),
        (["epc", "1", "--points", "six"], "--points"),
        (["epc"], "Missing argument 'POSITION...'"),
        (["race", XGID, "--error", "nan"], "nan is no number"),
        (["cube", XGID, "--score", "1", "3"], "by --crawford or --post-crawford"),
        (["epc", "8887", "--jsom"], "No such option: --jsom"),
        (["play", "8887"], "a roll such as 6-4 must follow"),
        (["play", XGID], "a roll such as 6-4 is needed"),
        (["play", "8887", "7-1"], "two numbers from 1 to 6"),
        (["play", "8887", "six"], "two numbers from 1 to 6"),
        (["play", "0", "6-4"], "all checkers are off"),
        (["winprob", "8887"], "the opponent's position must follow '8887'"),
        (["winprob", "[25]", "1"], "points 1 to 24"),
        (["winprob", "8887", "54264"], "got 54264"),
        (["winprob", "4HPwATDgc/ABMA"], "4HPwATDgc/ABMA"),
        (["winprob", "XGID=nonsense"], "an XGID has 10 fields separated by colons, got 1"),
        (["winprob", "8887", "8887", "--points", "0"], "points"),
        (["winprob", "8887", "8887", "--run", "no/such/run"], "no/such/run"),
        (["winprob", "1", "1", "--run", ""], "a folder needs a name, got none"),
        (["analyze", ""], "a folder needs a name, got none"),
        (["simulate", ""], "a file needs a name, got none"),
        (["analyze", "no/such/run"], "no/such/run"),
        (["chart", "no/such/run"], "no/such/run"),
        (["simulate", "no/such/config.yaml"], "no/such/config.yaml"),
        (["simulate"], "Missing argument 'CONFIG'"),
        (["tables", "build", "--points", "0"], "points"),
        (["tables", "build", "--points", "24"], "use fewer points or checkers"),
        (["tables", "biuld"], "No such command 'biuld'. Did you mean 'build'?"),
        (["epx"], "No such command 'epx'. Did you mean 'epc'?"),
        (["--jsom"], "No such option: --jsom"),
    ],
)
def test_refused(bearoff: Command, arguments: list[str], says: str) -> None:
    assert says in only_sentence(bearoff(*arguments))


def test_a_file_is_no_run(bearoff: Command, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert str(file) in only_sentence(bearoff("analyze", str(file)))


def test_every_problem_of_a_config_is_a_line(bearoff: Command, tmp_path: Path) -> None:
    config = tmp_path / "bad.yaml"
    config.write_text("run: Bad Name\ngamse: 10\nseed: -1\n")
    answer = bearoff("simulate", str(config))
    assert answer.code == 2
    assert answer.out == ""
    lines = answer.err.splitlines()
    assert len(lines) >= 3
    assert all(line.startswith(f"bearoff: {config}") for line in lines)
    assert "did you mean 'games'" in answer.err
