"""The command `make formulas` skips completed steps, and runs changed steps again."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from bearoff import BearoffError
from bearoff.analysis.formulas import found_names
from research.remake import all_steps
from research.steps import Step, run_steps
from tests.app.conftest import ROOT


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("one")


STEPS = [
    Step("bearoff", ("build",)),
    Step("bearoff", ("fit",), ("in.txt",), ("fit.md",)),
    Step("bearoff", ("print",), ("fit.md",), ("print.md", "print.pdf")),
]


def ran(again=False, failing=""):
    """Run the steps, but create their files without their commands; return what ran."""
    done = []

    def run(step):
        done.append(step.words[0])
        if step.words[0] == failing:
            return 2
        for name in step.writes:
            Path(name).write_text(f"{step.words[0]} of {Path('in.txt').read_text()}")
        return 0

    stopped = pytest.raises(BearoffError, match="the same command continues")
    with stopped if failing else nullcontext():
        run_steps(STEPS, Path("record.json"), again=again, run=run)
    return done


def test_a_stopped_run_continues(desk):
    assert ran(failing="print") == ["build", "fit", "print"]
    # The step `fit` is complete and is skipped. The step `build` declares no output files,
    # so this step always runs.
    assert ran() == ["build", "print"]
    assert ran() == ["build"]
    assert ran(again=True) == ["build", "fit", "print"]


def test_what_it_reads_or_wrote_decides(desk):
    ran()
    Path("in.txt").write_text("two")
    assert ran() == ["build", "fit", "print"]
    Path("print.md").unlink()
    assert ran() == ["build", "print"]
    Path("analysis").mkdir()
    Path("analysis/new.py").write_text("# another way to score")
    assert ran() == ["build", "fit", "print"]


def test_a_damaged_record_is_no_record(desk):
    ran()
    for damaged in ("", "[]", '{"bearoff fit": 1}', '{"bearoff fit": {"key": 1}}'):
        Path("record.json").write_text(damaged)
        assert ran() == ["build", "fit", "print"]


def test_times_are_told(desk, capsys):
    ran()
    record = json.loads(Path("record.json").read_text())
    for name, seconds in (("fit", "4000"), ("print", "200")):
        record[f"bearoff {name}"]["seconds"] = seconds
    Path("record.json").write_text(json.dumps(record))
    Path("in.txt").write_text("two")
    capsys.readouterr()
    ran()
    told = capsys.readouterr().out
    assert told.startswith("3 steps, 3 of them run before on this machine, in some 70 min")
    assert "\n[2/3] bearoff fit (last time 67 min)\n" in told


def test_every_step_is_a_command(research, bearoff):
    steps = all_steps()
    names = [step.name for step in steps]
    assert research("remake", "--show").out.splitlines() == names
    for step in steps:
        if step.module == "bearoff":
            group = [word for word in step.words[:2] if not word.startswith("-")]
            options = {word for word in step.words if word.startswith("--")}
            shown = bearoff(*group, "--help").good.out
            assert all(option in shown for option in options), step.name


def test_files_that_steps_write_are_in_results():
    may_miss = *found_names(), "results/populations/"
    written = [name for step in all_steps() for name in step.writes]
    missing = [name for name in written if not (ROOT / name).exists()]
    assert [name for name in missing if not any(part in name for part in may_miss)] == []
