"""One of the stops of `verify.stops`, and that it would see what is wrong."""

import pytest

from verify.common.record import add
from verify.common.sessions import Session
from verify.common.targets import targets
from verify.kills import Campaign, Kill
from verify.stops import NO_COMMANDS, Stopper, found, page, trials


def stopped(bench, tmp_path):
    trial = Campaign(bench.targets["two-sided"], "main", 1)
    Stopper(trial, tmp_path / "work", bench.references, 1).run()
    return trial


def test_stopped_and_run_again_a_command_leaves_the_same(bench, tmp_path):
    trial = stopped(bench, tmp_path)
    assert trial.wrong == []
    assert [kill.how for kill in trial.kills] in (["SIGINT"], ["SIGTERM"])


@pytest.mark.slow
@pytest.mark.parametrize("said", [["Traceback (most recent call last):"], []])
def test_a_trace_and_a_missing_word_are_seen(bench, tmp_path, monkeypatch, said):
    sentences = Session.sentences
    monkeypatch.setattr(
        Session, "sentences", lambda self: said and [*said, *sentences(self)]
    )
    wrong, *_ = stopped(bench, tmp_path).wrong
    assert ", kill 1: SIG" in wrong
    assert ("Traceback" in wrong) == bool(said)


def test_every_command_that_stores_has_its_share():
    split = trials(200)
    assert sum(trial.wanted for trial in split) >= 200
    assert {trial.target.name for trial in split} == set(targets()) - set(NO_COMMANDS)


def test_the_page_adds_up_runs_and_says_what_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr("verify.common.record.behind", lambda trial, commit: "")
    done = trials(9)
    done[0].kills += [Kill("SIGINT", "some blocks", 2, 1), Kill("SIGTERM", "complete")]
    seconds = {trial.name: [] for trial in done} | {done[0].name: [0.5, 2.25]}
    path = tmp_path / "stops.md"
    first = page(add("stops", path, 5, found(done, seconds)))
    assert "2 stops that landed." in first
    assert "Nothing was wrong." in first
    done[0].wrong.append("races, series 1, kill 2: these files differ: a")
    both = page(add("stops", path, 6, found(done, seconds)))
    assert "4 stops that landed." in both
    assert "- races, series 1, kill 2: these" in both
    assert "| races | 4 | 2 | 2 | 0 | 1 | 2.25 | 1 |" in both
