"""A full-scale test's page of results is outdated once the tested code has changed."""

import importlib
import subprocess
from pathlib import Path

import pytest

from verify import ROOT, __main__ as command, s3, trials
from verify.common.trial import BadOptionError, Trial, Verdict, option


def git(*arguments):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    return subprocess.check_output(command, text=True).strip()


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Return a results page of `verify s3` in a new repository, as of the last commit."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(trials, "ROOT", tmp_path)
    trials._differing.cache_clear()
    git("init", "--quiet")
    for file in ("verify/s3.py", "sim/storage/store.py", "sim/play/play.py"):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text("x = 1\n")
    git("add", ".")
    git("commit", "--quiet", "--message", "All there is")
    page = trials.page_of("s3")
    page.parent.mkdir(parents=True)
    page.write_text(f"# S3\n\n| commit | {git('rev-parse', 'HEAD')} |\n")
    return page


@pytest.mark.parametrize(
    ("file", "differing"),
    [("sim/storage/store.py", True), ("verify/s3.py", True), ("sim/play/play.py", False)],
)
def test_a_page_is_behind_once_its_code_has_changed(page, file, differing):
    assert trials.state("s3") == ""
    trials._differing.cache_clear()
    Path(file).write_text("x = 2\n")
    assert trials.state("s3").startswith("1 files differ since ") == differing
    assert bool(trials.state("s3")) == differing


@pytest.mark.parametrize("commit", ["", "None", f"{'a' * 40} (with changes)", "a" * 40])
def test_a_page_whose_commit_is_unknown_is_behind(page, commit):
    page.write_text(f"# S3\n\n| commit | {commit} |\n")
    assert trials.state("s3")
    page.unlink()
    assert trials.state("s3") == "no page"


def test_trials_with_a_page_behind_run_and_a_failed_one_is_named(page, monkeypatch, capsys):
    ran: list[str] = []
    monkeypatch.setattr(command, "run", lambda trial: ran.append(trial) or trial != "dice")
    assert command.main(["--all"]) == 1
    assert ran == [trial for trial in trials.TRIALS if trial != "s3"]
    assert capsys.readouterr().err == "these trials failed: dice\n"


def test_the_list_has_a_sentence_a_trial_and_fails_by_no_page(page, capsys):
    assert command.main([]) == 0
    listed = capsys.readouterr().out
    for trial, entry in trials.TRIALS.items():
        assert f"{trial:<18}{entry.does}\n" in listed
    assert listed.count("page behind") == len(trials.TRIALS) - 1


def carried_out(wrong):
    def carry_out(asked):
        if asked.kills < 1:
            raise BadOptionError(f"--kills {asked.kills}: one at least")
        return Verdict(f"{asked.kills} kills by seed {asked.seed}.", wrong)

    return Trial("Kills", carry_out, (option("--kills", type=int, default=2),))


@pytest.mark.parametrize("wrong", [False, True])
def test_a_verdict_is_the_exit_status_and_a_page(page, monkeypatch, wrong):
    monkeypatch.setattr(s3, "TRIAL", carried_out(wrong))
    assert command.main(["s3", "--seed", "4", "--write"]) == wrong
    text = page.read_text()
    assert text.startswith("# Kills\n\n2 kills by seed 4.\n")
    assert "| command | `python -m verify s3 --seed 4 --write` |" in text


@pytest.mark.parametrize("asked", [["s3", "--kills", "0"], ["s3", "--kils"], ["nix"]])
def test_a_bad_option_is_refused_and_no_page_is_written(page, monkeypatch, capsys, asked):
    before = page.read_text()
    monkeypatch.setattr(s3, "TRIAL", carried_out(False))
    with pytest.raises(SystemExit) as ended:
        command.main([*asked, *(["--write"] if asked[0] == "s3" else [])])
    assert ended.value.code == 2
    assert asked[-1] in capsys.readouterr().err
    assert page.read_text() == before


def test_programs_and_the_code_they_speak_of_are_there():
    for trial, entry in trials.TRIALS.items():
        module = importlib.import_module(f"verify.{trial}")
        assert isinstance(module.TRIAL, Trial)
        assert all((ROOT / path).exists() for path in entry.paths)
