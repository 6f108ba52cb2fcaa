"""`bearoff rollout` at a match score: the keys of its JSON output, and their values."""

import re

import pytest

import bearoff as core

BEYOND = ("[5,5,6,6,6,7,8,8,9]", "[4,4,5,6,6,6,7,8,10]")
THREE_TO_FIVE = "XGID=-CBA-------------------ad-:0:0:1:00:2:4:0:7:10"
"""Race in which the roller is 5-away and the opponent 3-away."""


def rows(said):
    return [re.split(r"  +", line.strip()) for line in said.out.splitlines()]


def test_money_and_scores_have_the_same_names(bearoff):
    options = ("--games", "1", "--json")
    money = bearoff("rollout", *BEYOND, *options).json
    match = bearoff("rollout", *BEYOND, *options, "--score", "3", "5").json
    crawford = bearoff("rollout", *BEYOND, *options, "--score", "1-3 Crawford").json
    assert list(money) == list(match) == list(crawford)
    assert money["match_chances"] is money["thresholds"] is money["score"] is None
    assert set(match["match_chances"]) == {"cubeless", "no_double", "double_take", "gain"}
    assert match["thresholds"]["live_double"] is not None
    chances, equities = match["match_chances"]["gain"], match["gain"]
    unit = chances["value"] / equities["value"]
    for error in ("standard_error", "systematic_error"):
        assert 0 < chances[error] == pytest.approx(unit * equities[error])
    assert crawford["action"] is crawford["double_take"] is crawford["gain"] is None
    assert crawford["no_double"]["value"] == pytest.approx(crawford["cubeless"]["value"])


def test_the_opponents_cube_is_answered_for_money_too(bearoff):
    options = ("--games", "1", "--cube", "opponent")
    found = bearoff("rollout", *BEYOND, *options, "--json").json
    mine = bearoff("rollout", *BEYOND, "--games", "1", "--json").json
    taken = mine["double_take"]
    for name in ("value", "standard_error", "systematic_error"):
        assert found["no_double"][name] == pytest.approx(taken[name] / 2)
    assert found["action"] is found["double_take"] is None


def test_a_rollout_in_words(bearoff):
    said = bearoff("rollout", *BEYOND, "--score", "3", "5", "--error", "0.01", "--quiet")
    assert "3-away 5-away" in said.out
    cells = rows(said)
    assert ["outcome", "match", "EMG", "standard error", "systematic"] in cells
    taken = next(row for row in cells if row[0] == "double, take")
    assert re.fullmatch(r"\d\d\.\d\d% ± 0\.\d\d%", taken[1])
    passed = core.match_equities().after(core.Score((3, 5)), 1)
    assert ["double, pass", f"{passed:.2%}", "+1.0000", "-", "-"] in cells
    assert "6 checkers" in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    for options in ("--score 1 3 --crawford", "--score 2 4 --cube owned"):
        asked = ("rollout", *BEYOND, *options.split(), "--games", "1")
        assert bearoff(*asked, "--json").json["action"] in (None, "no redouble")
        assert "double, take" not in [row[0] for row in rows(bearoff(*asked))]


def test_a_match_is_rolled_out_for_money_if_asked(bearoff):
    options = ("--games", "1", "--quiet", "--no-truncate")
    at_score = bearoff("rollout", THREE_TO_FIVE, *options).out
    assert "5-away 3-away (2-4 to 7)" in at_score
    assert "money" in bearoff("rollout", THREE_TO_FIVE, *options, "--money").out
