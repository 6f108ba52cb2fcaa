"""`bearoff epc`, `play` and `winprob`: printed numbers compared with published values."""

import re

import pytest

from tests.app.commands.test_cube import THREE_TO_FIVE
from tests.app.conftest import missing, only_sentence

SIDE_KEYS = {"counts", "number", "checkers", "off", "pips", "epc", "wastage", "mean_rolls"}
SIDE_KEYS |= {"std_rolls", "epc_error"}


def test_epc_is_the_manuals(bearoff):
    # The expected values for this position are printed in GNU Backgammon's manual.
    answer = bearoff("epc", "5,4,0,0,0,0").quiet
    assert missing(answer.out, "36.016", "4.4101") == []
    sides = bearoff("epc", "0,0,0,0,0,15", "8887", "--json").json
    assert [side["number"] for side in sides] == [54263, 8887]
    assert all(set(side) == SIDE_KEYS for side in sides)
    # The second position is Benjamin and Ross's example.
    assert sides[0]["epc"] == pytest.approx(100.174, abs=5e-4)
    assert sides[1]["pips"] == 31
    assert sides[1]["wastage"] == sides[1]["epc"] - 31
    assert sides[1]["epc"] == pytest.approx(sides[1]["mean_rolls"] * 49 / 6)
    (side,) = bearoff("epc", "2,0,0", "--points", "3", "--checkers", "4", "--json").json
    assert (side["counts"], side["off"], side["mean_rolls"]) == ([2, 0, 0], 2, 1)


def test_epc_beyond_home_is_estimated_or_solved(bearoff):
    text = "0,2,2,2,2,2,0,2"
    guess, home = bearoff("epc", text, "8887", "--json").json
    (known,) = bearoff("epc", text, "--points", "8", "--json").json
    assert guess["epc_error"] > 0
    assert home["epc_error"] == known["epc_error"] == 0
    assert guess["epc"] == pytest.approx(known["epc"], abs=0.5)
    assert guess["epc"] != known["epc"]
    assert guess["pips"] == known["pips"] == 56
    assert "0.17 pips" in bearoff("epc", text).out


def test_compact_json_and_errors_as_json(bearoff):
    whole, line = (bearoff(*c, "epc", "15", "--json") for c in ((), ("--compact",)))
    assert whole.json == line.json
    assert (whole.out.count("\n") > 5, line.out.count("\n")) == (True, 1)
    refused = bearoff("epc", "15x", "--json")
    assert only_sentence(refused) == f"bearoff: {refused.json['error']}\n"


def test_the_text_never_exceeds_80_columns(bearoff):
    for widest in (
        "epc 0,0,0,0,0,15 54263",
        "play 1,2,3,3,3,3 11",
        "winprob 1,2,3,3,3,3 1,2,3,3,3,3",
        "epc 1,1,1,1,1,1,1,1,1 --points 9 --checkers 9",
    ):
        for line in bearoff(*widest.split()).good.out.splitlines():
            assert line == line.rstrip()
            assert len(line) <= 80


def test_play_shows_each_legal_play_the_best_first(bearoff):
    lines = bearoff("play", "3,3,2,0,2,1", "46").out.splitlines()
    assert "6-4: play 6/off 5/1" in lines
    first, second = map(str.split, lines[-2:])
    assert first == ["6/off", "5/1", "4,3,2,0,1,0", "38.702", "best"]
    assert second == ["6/2", "5/off", "3,4,2,0,1,0", "38.842", "0.141"]
    # Plays that the fast model evaluates are marked.
    said = bearoff("play", "XGID=-BBBa-------------bbbbbb--:0:0:1:11:0:0:0:0:10").out
    rows = [line.split() for line in said.splitlines() if line.startswith(("3/", "2/"))]
    assert {row[-1] for row in rows} == {"exact", "model"}
    assert missing(said.rpartition("\n\n")[2], "Exact", "fast model") == []
    answer = bearoff("play", "0,0,0,0,1,1", "6-4", "--json").json
    assert set(answer) == {"position", "roll", "plays"}
    assert answer["roll"] == [6, 4]
    plays = [(play["play"], play["best"]) for play in answer["plays"]]
    assert plays == [("6/off 5/1", True), ("6/2 5/off", False)]
    assert answer["plays"][0]["cost"] == 0
    xgid = "XGID=-CBA-------------------ad-:0:0:1:42:0:0:0:0:10"
    assert bearoff("play", xgid, "--json").json["dice"] == [4, 2]
    assert bearoff("play", xgid, "6-6", "--json").json["dice"] == [6, 6]


def test_winprob_two_rolls_against_two_rolls(bearoff):
    # With four checkers on the ace point each, the roller wins with probability 31/36.
    two = ("winprob", "4,0,0,0,0,0", "4,0,0,0,0,0")
    answer = bearoff(*two, "--patience", "60", "--json").json
    assert answer["fewest_rolls"] == pytest.approx(31 / 36)
    assert answer["fewest_rolls_error"] < 1e-6
    assert answer["optimal"] == pytest.approx(31 / 36, abs=answer["optimal_error"])
    assert 0 < answer["optimal_error"] < 1e-4
    unasked = ("simulated", "model", "model_error", "model_gammons")
    assert (answer["optimal_by"], *map(answer.get, unasked)) == ("exact", *[None] * 4)
    assert re.search(r"^fewest-rolls +86\.11%", bearoff(*two).out, re.M)


def test_winprob_leaves_the_cube_out(bearoff):
    xgid = "XGID=-CBA-------------------ad-:{}:{}:1:00:0:0:0:0:10"
    plain = bearoff("winprob", xgid.format(0, 0))
    owned = bearoff("winprob", xgid.format(1, -1))
    assert owned.out == plain.out
    assert owned.err.count("\n") == plain.err.count("\n") + 1
    assert "cube" in owned.err


def test_winprob_solves_with_patience_as_race_does(bearoff):
    nine, patience = ("3,3,3,0,0,0", "2,4,3,0,0,0", "--json"), ("--patience", "60")
    exact, answer = (bearoff(name, *nine, *patience).json for name in ("race", "winprob"))
    assert exact["kind"] == answer["optimal_by"] == "exact"
    assert answer["optimal"] == exact["win_probability"]
    chances = ("fewest_rolls", "optimal", "model")
    plain = bearoff("winprob", *nine).json
    assert [plain[name] is None for name in chances] == [False, True, True]
    model = bearoff("winprob", *nine, "--model").json
    assert [model[name] is None for name in chances] == [False, True, False]
    assert abs(model["model"] - answer["optimal"]) < model["model_error"] < 0.01
    rolled = bearoff("winprob", *nine, "--patience", "0", "--error", "0.1").json
    assert (rolled["optimal_by"], rolled["model"]) == ("rollout", None)
    assert abs(rolled["optimal"] - answer["optimal"]) < 4 * rolled["optimal_error"] < 0.05


@pytest.mark.parametrize("command", ["cube", "winprob", "epc", "formulas explain keith"])
def test_a_command_names_dice_and_scores_that_it_ignores(bearoff, command):
    plain = {"cube": 0, "owner": 0, "turn": 1}
    texts = (THREE_TO_FIVE.format(**plain, dice=dice) for dice in ("63", "00"))
    said, plain = (bearoff(*command.split(), text) for text in texts)
    assert (said.code, said.out, said.err.count("\n")) == (0, plain.out, 1)
    named = "6-3" if command == "cube" else "5-away 3-away (2-4 to 7)"
    assert missing(said.err, "bearoff race", named) == []
