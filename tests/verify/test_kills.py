"""Quick versions of the full-scale tests of killed and stopped commands."""

import pytest

from verify import kills, stops
from verify.common.sessions import Session
from verify.common.tallies import Tally
from verify.common.targets import targets
from verify.kills import Campaign, Killer, campaigns, page


def ended(bench, tmp_path, name, by=Killer):
    """Kill or stop a command once; return the counts of results."""
    campaign = Campaign(bench.targets[name], "main", 1)
    by(campaign, tmp_path / "work", bench.references, 1).run()
    return campaign.tally


@pytest.mark.parametrize("name", ["two-sided", "training"])
def test_killed_and_run_again_a_command_leaves_the_same(bench, tmp_path, name):
    """Kill a build and a training; tests/sim/runs/test_killed_runs.py kills batches."""
    tally = ended(bench, tmp_path, name)
    assert tally.wrong == []
    assert tally.tried == 1
    assert tally.most["cut off"] <= 2


def test_a_file_too_many_is_seen(bench, tmp_path, monkeypatch):
    looked_at = kills.digests

    def with_a_leftover(folder):
        (folder / "part.new").write_text("")
        return looked_at(folder)

    monkeypatch.setattr(kills, "digests", with_a_leftover)
    (wrong,) = ended(bench, tmp_path, "one-sided").wrong
    assert wrong.startswith("series 1")
    assert wrong.endswith("these files differ: part.new")


def test_every_target_has_its_share():
    kept = set(targets())
    for split, names in (
        (campaigns(200), kept),
        (stops.campaigns(200), kept - set(stops.NO_COMMANDS)),
    ):
        assert sum(campaign.wanted for campaign in split) >= 200
        assert {campaign.target.name for campaign in split} == names
    assert {campaign.who for campaign in campaigns(200)} == {"main", "loky", "dask"}
    assert [campaign.name for campaign in campaigns(10, ["dask"])] == ["races, dask"]


def test_the_page_says_what_was_killed_how_far_and_what_is_wrong(run_of):
    races, population = Tally(), Tally()
    for how, phase in (("by the clock", "some blocks"), ("at a change", "complete")):
        races.add(how)
        races.notes[phase] += 1
    races.most |= {"cut off": 2, "unstored": 1}
    races.sums["series"] = 1
    population.fail("series 1, kill 2: these files differ: a")
    text = page([run_of({"races": races, "population": population})])
    assert "2 processes were killed while they worked." in text
    assert "- population: series 1, kill 2: these files differ: a" in text
    assert "| races | 2 | 1 | 1 | 1 | 2 | 1 | 0 |" in text
    assert "| population | 0 | 0 | 0 | 0 | 0 | 0 | 1 |" in text
    assert "| races | some blocks | 1 |" in text


def test_stopped_and_run_again_a_command_leaves_the_same(bench, tmp_path):
    tally = ended(bench, tmp_path, "two-sided", stops.Stopper)
    assert tally.wrong == []
    assert list(tally.counts) in (["SIGINT"], ["SIGTERM"])
    assert tally.tried == 1


@pytest.mark.parametrize("said", [["Traceback (most recent call last):"], []])
def test_a_trace_and_a_missing_word_are_seen(bench, tmp_path, monkeypatch, said):
    sentences = Session.sentences
    monkeypatch.setattr(Session, "sentences", lambda one: said and [*said, *sentences(one)])
    wrong, *_ = ended(bench, tmp_path, "two-sided", stops.Stopper).wrong
    assert ", kill 1: SIG" in wrong
    assert ("Traceback" in wrong) == bool(said)


def test_the_page_counts_signals_and_has_the_slowest_end(run_of):
    tally = Tally({"SIGINT": 1, "SIGTERM": 1}, {"series": 1}, {"slowest end": 2.25})
    text = stops.page([run_of({"races": tally})])
    assert "2 commands were stopped while they worked." in text
    assert "Nothing was wrong." in text
    assert "| races | 2 | 1 | 1 | 1 | 0 | 2.25 | 0 |" in text
