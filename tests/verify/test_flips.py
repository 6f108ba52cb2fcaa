"""Quick version of the full-scale test of damaged files, which must find wrong answers."""

import os
from functools import partial

import pytest

from bearoff import TableError
from bearoff.sim.engine import plan
from verify.common.tallies import Tally, failures
from verify.damage import assessment
from verify.damage.damage import SORTS, Damage, draw
from verify.damage.files import SELDOM, Kind
from verify.damage.run_files import kinds
from verify.flips import page, run, tell


@pytest.fixture(autouse=True)
def nothing_stays(monkeypatch):
    """Restore the limits and the cache folder that `assessor` changes in its process."""
    monkeypatch.setenv("BEAROFF_CACHE", os.environ["BEAROFF_CACHE"])
    for name in ("BLOCK_GAMES", "PART_PAIRS"):
        monkeypatch.setattr(plan, name, getattr(plan, name))


def test_damage_of_every_kind_is_told_or_harmless():
    found = run(64, seed=5, processes=1)
    assert failures(found) == 0
    assert all(found[kind.name].tried for kind in kinds())


def _assess(tmp_path, reader, number=0, **changes):
    good = tmp_path / "good"
    good.mkdir(exist_ok=True)
    (good / "a").write_bytes(b"abc")
    known = {"name": "x", "make": None, "reason": lambda *_: None, "patterns": ("*",)}
    kind = Kind(**{"readers": {"r": reader}, "share": 1, **known, **changes})  # type: ignore[arg-type]
    right = {"r": assessment.fingerprint(reader(good))}  # type: ignore[operator]
    damage = Damage(number, "x", "a", "flip", 1, "63")
    return assessment.assess(kind, good, tmp_path / "work", right, damage)


def _content(folder):
    return (folder / "a").read_bytes()


def _raises(folder, error):
    if _content(folder) != b"abc":
        raise error("it differs")


def _mends(folder):
    (folder / "a").write_bytes(b"abc")


A_BLANK = {"reason": lambda *_: "a blank"}
SLOW = A_BLANK | {"seldom": frozenset({"r"})}


@pytest.mark.parametrize(
    ("reader", "changes", "verdict", "why"),
    [
        (_content, {}, "WRONG", "r: another answer without an error"),
        (partial(_raises, error=KeyError), {}, "WRONG", "r: KeyError: 'it differs'"),
        (partial(_raises, error=TableError), {}, "detected", "r: it differs"),
        (_mends, {}, "detected", "rebuilt, with the same answers"),
        (_content, {"is_text": True}, "another text", ""),
        # If a flipped bit changes nothing, the report states why the flip is harmless.
        (lambda _: 1, {}, "WRONG", ""),
        (lambda _: 1, A_BLANK, "harmless", "a blank"),
        # A slow reader reads only some of the damaged files.
        (_content, SLOW | {"number": SELDOM}, "WRONG", ""),
        (_content, SLOW | {"number": 1}, "harmless", "a blank"),
    ],
)
def test_damage_is_judged_by_what_readers_say(tmp_path, reader, changes, verdict, why):
    found, said = _assess(tmp_path, reader, **changes)
    assert (found, said[: len(why)]) == (verdict, why)


def test_the_page_has_verdicts_reasons_and_what_is_wrong(run_of):
    tally, damage = Tally(), Damage(1, "race model", "a", "flip", 1, "63")
    tell(tally, damage, "WRONG", "a crash")
    tell(tally, damage, "harmless", "a blank")
    text = page([run_of({"race model": tally})])
    assert "2 files were damaged" in text
    assert "| race model | 0 | 1 | 0 | 1 |" in text
    assert "| race model | a blank | 1 |" in text
    assert "- race model: a crash (number 1: flip at 1 of a)" in text


def test_damage_is_drawn_from_the_seed_and_changes_the_file(tmp_path):
    data = bytes(range(256)) * 20
    (tmp_path / "a").write_bytes(data)
    drawn = [draw(n, "x", tmp_path, ["a"], seed=1) for n in range(400)]
    assert drawn == [draw(n, "x", tmp_path, ["a"], seed=1) for n in range(400)]
    assert drawn[0] != draw(0, "x", tmp_path, ["a"], seed=2)
    assert {damage.sort for damage in drawn} == set(SORTS)
    assert all(damage.done_to(data) != data for damage in drawn)
    flipped = next(damage for damage in drawn if damage.sort == "flip").done_to(data)
    assert sum((a ^ b).bit_count() for a, b in zip(data, flipped, strict=True)) == 1
