"""Some of the kills of `verify.kills`, and that it would see what is wrong."""

import pytest

from verify import kills
from verify.common.record import add
from verify.common.targets import targets
from verify.kills import Campaign, Kill, Killer, found, page, trials


def killed(bench, tmp_path, name, who, wanted, seed=1):
    """Kill so often, with what tables are needed built on the way."""
    trial = Campaign(bench.targets[name], who, wanted)
    Killer(trial, tmp_path / "work", bench.references, seed).run()
    return trial


def test_killed_and_run_again_a_command_leaves_the_same(bench, tmp_path):
    trial = killed(bench, tmp_path, "two-sided", "main", 1)
    assert trial.wrong == []
    assert len(trial.kills) == 1
    assert all(kill.cut_off <= 2 for kill in trial.kills)


@pytest.mark.slow
def test_training_is_killed(bench, tmp_path):
    """Batches, whoever plays them, are killed in ``tests/sim/runs/test_killed_runs.py``."""
    trial = killed(bench, tmp_path, "training", "main", 1)
    assert trial.wrong == []
    assert len(trial.kills) == 1


@pytest.mark.slow
def test_a_file_too_many_is_seen(bench, tmp_path, monkeypatch):
    looked_at = kills.digests

    def with_a_leftover(folder):
        (folder / "part.new").write_text("")
        return looked_at(folder)

    monkeypatch.setattr(kills, "digests", with_a_leftover)
    trial = killed(bench, tmp_path, "one-sided", "main", 1)
    (wrong,) = trial.wrong
    assert "one-sided, series 1" in wrong
    assert wrong.endswith("these files differ: part.new")


def test_every_target_has_its_share():
    split = trials(200)
    assert sum(trial.wanted for trial in split) >= 200
    assert {trial.target.name for trial in split} == set(targets())
    assert {trial.who for trial in split} == {"main", "loky", "dask"}
    assert [trial.name for trial in trials(10, ["dask"])] == ["races, dask"]


def test_the_page_adds_up_runs_and_says_what_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr("verify.common.record.behind", lambda trial, commit: "")
    trial = Campaign(targets()["races"], "main", 2)
    trial.kills += [Kill("by the clock", "some blocks", 2, 1), Kill("before x", "complete")]
    path = tmp_path / "kills.md"
    runs = add("kills", path, 5, found([trial]))
    assert "2 kills that landed.\n\nNothing was wrong.\n" in page(runs)
    trial.wrong.append("races, series 1, kill 2: these files differ: a")
    runs = add("kills", path, 6, found([trial]))
    assert "4 kills that landed.\n\n- races, series 1, kill 2: these" in page(runs)
    assert "| races | 4 | 2 | 2 | 0 | 2 | 1 | 1 |" in page(runs)
    assert "| races | some blocks | 2 |" in page(runs)
    # The same seed would try the same again.
    assert "\n4 kills" in "\n" + page(add("kills", path, 5, found([trial])))
    assert [run["seed"] for run in add("kills", None, 7, found([trial]))] == [7]


def test_what_runs_of_other_code_found_is_forgotten(tmp_path, monkeypatch):
    trial = Campaign(targets()["races"], "main", 1)
    path = tmp_path / "kills.md"
    add("kills", path, 5, found([trial]))
    monkeypatch.setattr("verify.common.record.behind", lambda trial, commit: "it differs")
    assert [run["seed"] for run in add("kills", path, 6, found([trial]))] == [6]
