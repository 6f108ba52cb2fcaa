"""Quick version of the full-scale test of malformed inputs, which must find errors."""

import dataclasses
import os
import signal
import sys
from pathlib import Path
from random import Random

import pytest

from bearoff.errors import PositionError
from verify.common.tallies import Tally, runs
from verify.common.trial import BadOptionError
from verify.fuzz import page, replay, shrunk
from verify.fuzzing import cli
from verify.fuzzing.case import (
    Target,
    Wrong,
    check,
    fuzz_chunk,
    fuzz_chunk_apart,
    try_input,
)
from verify.fuzzing.guided import as_input, available, guided
from verify.fuzzing.mutate import mutated
from verify.fuzzing.positions import expected, expected_race
from verify.fuzzing.properties import try_examples
from verify.fuzzing.targets import TARGETS

LIMIT = 300.0
"""Time limit in seconds for each input."""

INPUTS = {
    "position": 1500,
    "xgid": 1000,
    "position-id": 1000,
    "ogid": 800,
    "fibs": 500,
    "question": 500,
    "equities": 300,
    "config": 250,
    "formulas": 120,
    "pairs": 250,
    "parquet": 120,
    "match": 120,
    "command": 100,
}


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path_factory):
    """Use a separate cache of tables."""
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path_factory.getbasetemp() / "fuzz-cache"))


@pytest.mark.parametrize("name", INPUTS)
def test_faults_in_good_inputs_and_inputs_of_hypothesis(name):
    # The first chunk is not measured, because the chunk includes preparations.
    fuzz_chunk(TARGETS[name], 0, 0, 3, 600.0)
    tally = fuzz_chunk(TARGETS[name], 1, 0, INPUTS[name], LIMIT)
    assert tally.wrong == []
    assert tally.tried == INPUTS[name]
    assert tally.counts["accepted"] > INPUTS[name] / 40
    assert tally.counts["refused"] > INPUTS[name] / 4
    tally = try_examples(TARGETS[name], 60, 1, LIMIT)
    assert tally.wrong == []
    assert tally.tried >= 50


@pytest.mark.skipif(not available(), reason="needs the extra fuzz")
def test_guided_inputs():
    tally = guided("position-id", 400, 1)
    assert tally.wrong == []
    assert tally.tried >= 400
    assert tally.most["edges"] > 50


def test_the_same_seed_makes_the_same_inputs():
    chances = Random("x"), Random("x")
    for target in TARGETS.values():
        made = [[target.make(chance) for _ in range(5)] for chance in chances]
        assert made[0] == made[1]
        # The option --replay reads inputs in this form.
        assert all(eval(repr(each)) == each for each in made[0])


def test_faults_change_texts_and_what_fails_is_made_small():
    chance = Random(1)
    made = {mutated(chance, "3,3,2,0,2,1") for _ in range(500)}
    assert len(made) > 300
    assert all(len(text) <= 100_000 for text in made)
    assert as_input("position", b"8887") == ("8887", 6, 15)
    assert as_input("config", b"run: x") == b"run: x"
    assert shrunk(BROKEN, "there is a bug in here", 5.0) == "bug"


@pytest.mark.parametrize(
    ("text", "points", "means"),
    [
        ("8887", 6, (3, 3, 2, 0, 2, 1)),
        ("(4,3,3,2,0,2,1)", 6, (3, 3, 2, 0, 2, 1)),
        ("[1,1,1,2,2,2,3,3,5,5,6]", 6, (3, 3, 2, 0, 2, 1)),
        ("0", 6, (0,) * 6),
        ("54263", 6, (0, 0, 0, 0, 0, 15)),
        ("54264", 6, None),
        ("٣,3,2,0,2,1", 6, None),
        ("²", 6, None),
        ("2 -1 0 0 0 0", 6, None),
        ("16,0,0,0,0,0", 6, None),
    ],
)
def test_the_oracle_of_one_side(text, points, means):
    assert expected(text, points, 15) == means


@pytest.mark.parametrize(
    "text", ["LwAAwC0AAAAAAA", "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"]
)
def test_the_oracle_of_both_sides(text):
    assert expected_race(text, 6, 15) == ((3, 2, 1, 0, 0, 0), (4, 1, 0, 0, 0, 0))
    assert expected_race(text.replace("A", "B", 1), 6, 15) != expected_race(text, 6, 15)


def _refuses_b(text):
    if "slow" in text:
        while True:
            pass
    if "bug" in text:
        raise KeyError(text)
    check("wrong" not in text, "a wrong reading")
    return "b" not in text


BROKEN = Target("broken", "", lambda chance: "a", _refuses_b, 0.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("slow", "Hang: more than 0.2 s"), ("a bug", "KeyError"), ("wrong", "wrong reading")],
)
def test_a_failure_names_its_reason(text, reason):
    tally = Tally()
    try_input(BROKEN, text, 0.2, tally)
    assert tally.wrong[0].startswith(f"{text!r}: ")
    assert reason in tally.wrong[0]
    assert tally.tried == tally.failures == 1


def test_replay(capsys):
    assert replay("position", "('8887', 6, 15)", 5.0) == 0
    with pytest.raises(BadOptionError, match="nix"):
        replay("nix", "''", 5.0)
    with pytest.raises(BadOptionError, match="run: "):
        replay("config", "run: [x", 5.0)
    assert "accepted, 0." in capsys.readouterr().out


def test_a_wrong_reading_would_be_seen(monkeypatch):
    def other(text, points, checkers):
        if not text.strip():
            raise PositionError("a\x1b[31m message")
        return (1,) + (0,) * (points - 1)

    monkeypatch.setattr("bearoff.positions.notation.parse_position", other)
    accepts = TARGETS["position"].accepts
    with pytest.raises(Wrong, match="read as"):
        accepts(("8887", 6, 15))
    with pytest.raises(Wrong, match="control character"):
        accepts(("", 6, 15))


@pytest.mark.parametrize(
    ("status", "printed", "reason"),
    [
        (1, "bearoff: no", "exit status 1"),
        (2, "", "refused without a message"),
        (2, "Traceback (most recent call last):", "printed 'Traceback"),
        (2, "bearoff: a\x1b[31m message", "printed 'bearoff: a"),
    ],
)
def test_a_wrong_status_or_sentence_would_be_seen(monkeypatch, status, printed, reason):
    def other(arguments):
        print(printed, end="", file=sys.stderr)
        return status

    cli.home()  # creates the folder in which commands run
    monkeypatch.setattr(cli, "run", other)
    tally = Tally()
    try_input(TARGETS["command"], ("epc", "8"), LIMIT, tally)
    assert reason in tally.wrong[0]


def test_the_page_has_a_row_a_kind_and_the_slowest_input(run_of):
    fast, slow = (Tally({"accepted": 2}, most={"slowest": s}) for s in (0.1, 0.5))
    fast.notes["0000.100 s: 'a'"] = slow.notes["0000.500 s: 'b'"] = 1
    slow.add("WRONG", "'c': KeyError: c")
    text = page([run_of({"OGID, mutated": slow, "OGID, guided": fast})])
    assert "| OGID, mutated | 3 | 2 | 0 | 500 |  | 1 |" in text
    assert "| all | 5 | 4 | 0 | 500 |  | 1 |" in text
    assert "The slowest input was `0000.500 s: 'b'`." in text
    assert "- OGID, mutated: 'c': KeyError: c" in text
    assert "atheris is not installed" not in text


def test_what_is_documented_has_no_failure():
    kept = runs(Path(__file__).parents[2] / "results/reliability/fuzz.jsonl")
    tallies = [tally for run in kept for tally in run.found.values()]
    assert sum(tally.tried for tally in tallies) >= 300_000
    assert not any(tally.failures for tally in tallies)


def test_an_input_that_ends_the_process_has_failed():
    def accepts(given):
        if given == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        return given % 2 == 0

    target = Target("numbers", "Numbers", lambda chance: chance.randint(0, 9), accepts, 1.0)
    assert fuzz_chunk_apart(target, 1, 0, 0, LIMIT).tried == 0
    tally = fuzz_chunk_apart(target, 1, 0, 60, LIMIT)
    assert set(tally.wrong) == {f"7: the process ended with status {-signal.SIGKILL}"}
    assert tally.tried == 60
    assert tally.counts["accepted"] > 10
    target = dataclasses.replace(target, accepts=lambda given: given % 2 == 0)
    known = fuzz_chunk(target, 1, 0, 60, LIMIT)
    assert known.counts["accepted"] == tally.counts["accepted"]
    assert known.counts["refused"] == tally.counts["refused"] + tally.failures
