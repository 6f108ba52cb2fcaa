"""Pages of trials are old once what they speak of has changed."""

import importlib.util
from pathlib import Path

import pytest

from verify import ROOT, trials
from verify.common import spoken


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of a trial, made of the code that there is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(spoken, "ROOT", tmp_path)
    for paths in spoken.SPEAKS_OF.values():
        for path in paths:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    for trial in spoken.SPEAKS_OF:
        write(f"verify/{trial}.py", "x = 1\n")
    for file in ("sim/storage/store.py", "sim/play/play.py"):
        write(file, 'def f():\n    """Say."""\n    return 1\n')
    page = trials.page_of("s3")
    page.parent.mkdir(parents=True)
    code = spoken.content("s3")
    page.write_text(f"# S3\n\n| commit | {'a' * 40} |\n| code | {code} |\n")
    return page


def write(file: str, text: str) -> None:
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text(text)


@pytest.mark.parametrize("file", ["sim/storage/store.py", "verify/s3.py"])
def test_a_page_is_of_the_code_until_that_changes(page: Path, file: str) -> None:
    assert trials.changes("s3") is None
    write("sim/play/play.py", "other = 1\n")
    assert trials.changes("s3") is None
    said = Path(file).read_text().replace("Say.", "Say something else.")
    write(file, f"# A remark\n{said}")
    assert trials.changes("s3") is None
    write(file, f"{said}y = 2\n")
    assert trials.changes("s3") == "the code has changed since aaaaaaaa"


def test_a_file_more_is_a_change(page: Path) -> None:
    write("sim/storage/another.py", "")
    assert trials.changes("s3") == "the code has changed since aaaaaaaa"


@pytest.mark.parametrize("commit", ["", "HEAD (with changes)"])
def test_a_page_of_who_knows_what_is_old(page: Path, commit: str) -> None:
    page.write_text(f"# S3\n\n| commit | {commit} |\n")
    assert trials.changes("s3") == "its commit is unknown"
    page.unlink()
    assert trials.changes("s3") == "there is no page"


def test_what_is_old_runs_and_what_fails_is_named(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []
    monkeypatch.setattr(trials, "run", lambda trial: ran.append(trial) or trial != "dice")
    assert trials.main([]) == 1
    assert ran == [trial for trial in trials.SPEAKS_OF if trial != "s3"]
    assert capsys.readouterr().err == "something was wrong: dice\n"
    assert trials.main(["--list", "--write"]) == 1
    assert len(ran) == len(trials.SPEAKS_OF) - 1
    listed = trials.LEDGER.read_text()
    assert "| [s3](s3.md) | of this code |" in listed
    assert "| dice | there is no page |" in listed


def test_programs_and_what_they_speak_of_are_there() -> None:
    for trial, paths in trials.SPEAKS_OF.items():
        assert importlib.util.find_spec(f"verify.{trial}")
        assert all((ROOT / path).exists() for path in paths)


def test_no_old_page_is_called_new() -> None:
    """Make the page anew, or `python -m verify.trials --list --write`, which says so."""
    listed = (ROOT / trials.LEDGER).read_text(encoding="utf-8")
    for trial in trials.SPEAKS_OF:
        if f"[{trial}]({trials.page_of(trial).name}) | of this code |" in listed:
            assert trials.changes(trial) is None, trial
        else:
            assert f"| [{trial}](" in listed or f"| {trial} |" in listed
