"""Quick versions of the full-scale tests that ask one question through every interface."""

import dataclasses
import shutil

import pytest

from bearoff import Question, Race
from tests.two_sided_tables import built
from verify import consistency, static_site
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
    numbers = truth.numbers | {"equity": 0.9}
    held.hold_true({}, right, dataclasses.replace(truth, numbers=numbers))
    assert len(held.wrong) == 2
    said = right | {"action": "double, pass", "best_play": None, "too_close": False}
    held.hold("server", {}, said | {"equity": 1 - 1e-9}, said)
    held.hold("CSV", {}, said | {"equity": f"{1 - 1e-9}", "too_close": "false"}, said)
    assert len(held.wrong) == 3


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_the_page_and_its_model_say_what_the_judge_says(tmp_path):
    # A table of two points and 15 checkers includes gammons.
    both = [built(4), built(15, points=2)]
    for tables, *asked in ((both, 100, 3), (both[:1], 200, 4, static_site.BEYOND)):
        folder = tmp_path / str(len(tables))
        folder.mkdir()
        found = static_site.compare(tables, folder, *asked)
        assert not found.wrong
        assert found.counts.keys() == {"race", "rolls", "market", "formula", "distribution"}


def test_a_difference_of_the_page_is_found():
    judge = {"equity": 0.5, "plays": [{"name": "6/off", "cost": 0.0}], "ogid": "::"}
    page = {"equity": 0.5 + 1e-12, "plays": [{"name": "6/off", "cost": 0.0}]}
    assert not list(static_site.differences(page, judge))
    wrong = [page | {"equity": off} for off in (0.4999, 0.5001)]
    wrong += [page | {"plays": []}, page | {"more": None}]
    assert all(list(static_site.differences(one, judge)) for one in wrong)
