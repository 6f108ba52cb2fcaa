"""Several commands give equal answers to one question, as text and as JSON."""

import pytest

import bearoff as core

SIDES = ("0,2,2,0,0,0", "0,2,2,0,0,0")
BEYOND = ("1,1,0,0,0,1,1", "0,2,2,0,0,0")

TABLES = (6,)

pytestmark = pytest.mark.usefixtures("tables")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--cube", "opponent", "--jacoby"),
        ("--score", "3", "5", "--cube", "owned"),
        ("--score", "3", "1", "--post-crawford", "--model"),
        ("--cube-value", "4", "--money"),
    ],
)
def test_views_agree_on_what_they_share(bearoff, options):
    asked = (*SIDES, *options, "--json")
    race, cube = (bearoff(name, *asked).json for name in ("race", "cube"))
    # `cube` prints the same answer as `race --market` with the same options.
    assert cube == bearoff("race", *asked, "--market").json
    assert {key for key in race if race[key] != cube[key]} <= {"market", "window"}
    thrown = (*asked, "--dice", "2-1")
    play = bearoff("play", *thrown).json
    assert play == bearoff("race", *thrown).json
    assert {key for key in race if race[key] != play[key]} == {
        "dice", "xgid", "plays", "best_play", "best_equity", "best_error"
    }  # fmt: skip
    # The exact win probability of a race does not depend on the cube.
    wins = bearoff("winprob", *SIDES, "--json").json
    if race["kind"] == wins["optimal_by"] == "exact":
        assert wins["optimal"] == pytest.approx(race["win_probability"], abs=1e-5)
    for side in ("roller", "opponent"):
        assert wins[side].items() <= race[side].items()


def test_a_best_play_at_a_score_is_not_screened_by_money(bearoff):
    # At this score, the play with the higher win probability is best: 7/2 6/3, not 7/4 6/1.
    asked = ("race", *BEYOND, "--dice", "5-3", "--score", "1", "3", "--post-crawford")
    for options in (("--quiet",), ("--model",)):
        found = bearoff(*asked, *options, "--json").json
        assert [play["name"] for play in found["plays"]] == ["7/2 6/3", "7/4 6/1"]
        assert found["plays"][1]["cost"] > 0.04
    first, other = found["plays"]
    assert first["wins"] > other["wins"]
    # The match-winning chance after each play is solved exactly at this score.
    table = core.match_table(4, (3, 1), "post-crawford")
    theirs = core.Position.parse(BEYOND[1]).number
    chances = []
    for play in found["plays"]:
        after = core.Position(tuple(play["after"][:6])).number
        chances.append(1 - float(table.value(theirs, after, 1, "centred")))
    rolled = bearoff(*asked, "--quiet", "--json").json["plays"]
    unit = found["chance_per_equity"]
    for play, chance in zip(rolled, chances, strict=True):
        middle = found["match_chance"] - unit * found["equity"]
        assert middle + unit * play["equity"] == pytest.approx(chance, abs=1e-3)
    assert chances[0] > chances[1]


def test_a_hopeless_side_plays_on_like_a_player(bearoff):
    # Every play loses a single game, so the play that needs the fewest rolls is chosen.
    sides = ("0,1,2,1,3,3", "1")
    for options in ((), ("--model",), ("--score", "3", "5")):
        asked = ("race", *sides, "--dice", "4-4", *options)
        found = bearoff(*asked, "--json").json
        assert {play["cost"] for play in found["plays"]} == {0}
        alone = bearoff("play", sides[0], "4-4", "--json").json["plays"]
        fewest = {one["play"] for one in alone if one["cost"] < 1e-9}
        assert found["best_play"] in fewest
        text = bearoff(*asked).out
        assert f": {found['best_play']}\n" in text
        before = bearoff("race", *sides, *options)
        assert "\nNo double\n" in before.out


@pytest.mark.parametrize(
    ("sides", "options"),
    [
        (("1", "1"), ()),
        (("2,2,0,0,0,0", "0,0,0,0,5,5"), ("--model",)),
        (("4,0,0,0,0,0", "4,4,4,0,0,0"), ("--score", "9", "2", "--model")),
    ],
)
def test_a_certain_win_is_not_too_close(bearoff, sides, options):
    answer = bearoff("race", *sides, *options)
    assert "Double, pass (" in answer.out
    assert "rollout" not in answer.err
    found = bearoff("race", *sides, *options, "--json").json
    assert (found["win_probability"], found["equity"], found["error"]) == (1, 1, 0)
    assert (found["missed_double"], found["wrong_double"]) == (0, 0)
    assert found["too_close"] is False
