"""Pages of trials are old once what they speak of has changed."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

from verify import trials


def git(*arguments: str) -> str:
    name = ("-c", "user.name=a", "-c", "user.email=a@b")
    command = ["git", *name, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of a trial, made with the only commit there is."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    for file in ("verify/s3.py", "sim/storage/store.py", "sim/play/play.py"):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text("1\n")
    git("add", ".")
    git("commit", "-qm", "all")
    page = trials.page_of("s3")
    page.parent.mkdir(parents=True)
    page.write_text(f"# S3\n\n| commit | {git('rev-parse', 'HEAD').strip()} |\n")
    return page


def test_a_page_is_of_the_code_until_that_changes(page: Path) -> None:
    assert trials.changes("s3") is None
    Path("sim/play/play.py").write_text("2\n")
    assert trials.changes("s3") is None
    for file in ("sim/storage/store.py", "verify/s3.py"):
        Path(file).write_text("2\n")
        assert "1 file changed" in str(trials.changes("s3"))
        git("checkout", "-q", file)


@pytest.mark.parametrize("commit", ["", "0" * 40, "HEAD (with changes)"])
def test_a_page_of_who_knows_what_is_old(page: Path, commit: str) -> None:
    page.write_text(f"# S3\n\n| commit | {commit} |\n")
    assert trials.changes("s3") is not None
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
    assert trials.main(["--list"]) == 1
    assert len(ran) == len(trials.SPEAKS_OF) - 1


def test_programs_and_what_they_speak_of_are_there() -> None:
    root = Path(trials.__file__).parents[1]
    for trial, paths in trials.SPEAKS_OF.items():
        assert importlib.util.find_spec(f"verify.{trial}")
        assert all((root / path).exists() for path in paths)
