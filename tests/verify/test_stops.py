"""Quick version of the full-scale test of stopped commands, which must find errors."""

import pytest

from verify.common.sessions import Session
from verify.common.tallies import Tally
from verify.common.targets import targets
from verify.kills import Campaign
from verify.stops import NO_COMMANDS, Stopper, campaigns, page


def stopped(bench, tmp_path):
    campaign = Campaign(bench.targets["two-sided"], "main", 1)
    Stopper(campaign, tmp_path / "work", bench.references, 1).run()
    return campaign.tally


def test_stopped_and_run_again_a_command_leaves_the_same(bench, tmp_path):
    tally = stopped(bench, tmp_path)
    assert tally.wrong == []
    assert list(tally.counts) in (["SIGINT"], ["SIGTERM"])
    assert tally.tried == 1


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
    split = campaigns(200)
    assert sum(campaign.wanted for campaign in split) >= 200
    assert {one.target.name for one in split} == set(targets()) - set(NO_COMMANDS)


def test_the_page_counts_signals_and_keeps_the_slowest_end(run_of):
    tally = Tally(counts={"SIGINT": 1, "SIGTERM": 1}, sums={"series": 1})
    for seconds in (0.5, 2.25):
        tally.reach("slowest end", seconds)
    text = page([run_of({"races": tally})])
    assert "2 commands were stopped while they worked." in text
    assert "Nothing was wrong." in text
    assert "| races | 2 | 1 | 1 | 1 | 0 | 2.25 | 0 |" in text
