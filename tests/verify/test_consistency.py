"""Quick version of the full-scale test that asks one question through every interface."""

import dataclasses

from bearoff import Question, Race
from verify import consistency
from verify.plain_answers import truth_of


def test_every_door_says_what_is_true():
    found = consistency.compare(15, seed=5, told=lambda count: None)
    assert not found.wrong
    assert min(found.counts.values()) > 20


def test_a_difference_is_found():
    race = Race.parse("XGID=-AA--------------------aa-:0:0:1:21:0:0:0:0:10")
    truth = truth_of(Question(race, decided="take"))
    assert truth.numbers["double_take"] == 2
    assert truth.numbers["decided_cost"] == 1
    right = dict.fromkeys(consistency.NUMBERS) | truth.numbers | {"kind": "exact"}
    right |= dict.fromkeys({name for each in truth.errors.values() for name in each}, 0.0)
    held = consistency.Compared()
    held.hold_true({}, right, truth)
    assert not held.wrong
    held.hold_true({}, right | {"double_take": 1.999}, truth)
    wrong = dataclasses.replace(truth, numbers=truth.numbers | {"equity": 0.9})
    held.hold_true({}, right, wrong)
    assert len(held.wrong) == 2
    said = right | {"action": "double, pass", "best_play": None, "too_close": False}
    held.hold("server", {}, said | {"equity": 1 - 1e-9}, said)
    held.hold("CSV", {}, said | {"equity": f"{1 - 1e-9}", "too_close": "false"}, said)
    assert len(held.wrong) == 3
