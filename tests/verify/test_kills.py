"""Quick versions of the full-scale tests of killed and stopped commands."""

import pytest

from verify import kills, stops
from verify.common.sessions import Session
from verify.common.tallies import Tally
from verify.common.targets import targets
from verify.kills import Campaign, Killer, campaigns, page


def killed(bench, tmp_path, name, who, wanted, seed=1):
    """Kill a command the wanted number of times; return the counts of results."""
    campaign = Campaign(bench.targets[name], who, wanted)
    Killer(campaign, tmp_path / "work", bench.references, seed).run()
    return campaign.tally


@pytest.mark.parametrize("name", ["two-sided", "training"])
def test_killed_and_run_again_a_command_leaves_the_same(bench, tmp_path, name):
    """Kill a build and a training; tests/sim/runs/test_killed_runs.py kills batches."""
    tally = killed(bench, tmp_path, name, "main", 1)
    assert tally.wrong == []
    assert tally.tried == 1
    assert tally.most["cut off"] <= 2


def test_a_file_too_many_is_seen(bench, tmp_path, monkeypatch):
    looked_at = kills.digests

    def with_a_leftover(folder):
        (folder / "part.new").write_text("")
        return looked_at(folder)

    monkeypatch.setattr(kills, "digests", with_a_leftover)
    (wrong,) = killed(bench, tmp_path, "one-sided", "main", 1).wrong
    assert wrong.startswith("series 1")
    assert wrong.endswith("these files differ: part.new")


def test_every_target_has_its_share():
    split = campaigns(200)
    assert sum(campaign.wanted for campaign in split) >= 200
    assert {campaign.target.name for campaign in split} == set(targets())
    assert {campaign.who for campaign in split} == {"main", "loky", "dask"}
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


def stopped(bench, tmp_path):
    campaign = Campaign(bench.targets["two-sided"], "main", 1)
    stops.Stopper(campaign, tmp_path / "work", bench.references, 1).run()
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


def test_every_stopped_command_has_its_share():
    split = stops.campaigns(200)
    assert sum(campaign.wanted for campaign in split) >= 200
    assert {one.target.name for one in split} == set(targets()) - set(stops.NO_COMMANDS)


def test_the_page_counts_signals_and_keeps_the_slowest_end(run_of):
    tally = Tally(counts={"SIGINT": 1, "SIGTERM": 1}, sums={"series": 1})
    for seconds in (0.5, 2.25):
        tally.reach("slowest end", seconds)
    text = stops.page([run_of({"races": tally})])
    assert "2 commands were stopped while they worked." in text
    assert "Nothing was wrong." in text
    assert "| races | 2 | 1 | 1 | 1 | 0 | 2.25 | 0 |" in text
