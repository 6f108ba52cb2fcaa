"""One question through all commands: equal answers as text and as JSON."""

import json
from typing import Any

import pytest

import bearoff as core
from tests.app.conftest import only_sentence

SIDES = ("0,2,2,0,0,0", "0,2,2,0,0,0")
BEYOND = ("1,1,0,0,0,1,1", "0,2,2,0,0,0")
MANY = ("1,2,2,2,2,1", "1,2,2,2,1,2")
"""Race of ten checkers a side, which takes time to solve at a score."""

XGID = "XGID=-CBA-------------------ad-:{}:{}:1:{}:{}:{}:0:{}:10"


TABLES = (6,)

pytestmark = pytest.mark.usefixtures("tables")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--cube", "owned"),
        ("--cube", "opponent", "--jacoby"),
        ("--score", "3", "5", "--cube", "owned"),
        ("--score", "1", "3", "--crawford"),
        ("--score", "3", "1", "--post-crawford", "--model"),
        ("--cube-value", "4", "--money"),
    ],
)
def test_views_agree_on_what_they_share(bearoff, options):
    asked = (*SIDES, *options, "--json")
    race, cube = (bearoff(name, *asked).json for name in ("race", "cube"))
    # With equal options, the answers are equal.
    assert cube == bearoff("race", *asked, "--market").json
    assert {key for key in race if race[key] != cube[key]} <= {"market", "window"}
    thrown = (*asked, "--dice", "2-1")
    play = bearoff("play", *thrown).json
    assert play == bearoff("race", *thrown).json
    assert {key for key in race if race[key] != play[key]} == {
        "dice", "xgid", "plays", "best_play", "best_equity", "best_error"
    }  # fmt: skip
    # The win probability does not depend on the cube, if it is exact.
    wins = bearoff("winprob", *SIDES, "--json").json
    if race["kind"] == wins["optimal_by"] == "exact":
        assert wins["optimal"] == pytest.approx(race["win_probability"], abs=1e-5)
    for side in ("roller", "opponent"):
        assert wins[side].items() <= race[side].items()


def test_a_best_play_at_a_score_is_not_screened_by_money(bearoff):
    # 7/4 6/1 wins less often, and at this score little but the chance of winning counts.
    asked = ("race", *BEYOND, "--dice", "5-3", "--score", "1", "3", "--post-crawford")
    for options in (("--quiet",), ("--model",)):
        found = bearoff(*asked, *options, "--json").json
        assert [play["name"] for play in found["plays"]] == ["7/2 6/3", "7/4 6/1"]
        assert found["plays"][1]["cost"] > 0.04
    first, other = found["plays"]
    assert first["wins"] > other["wins"]
    # The position after the play is solved exactly; at this score, the winner of the game
    # wins the match.
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
    # Every play loses a single game, so the play with the fewest rolls is chosen.
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


@pytest.mark.parametrize("options", [(), ("--model",), ("--score", "9", "2", "--model")])
@pytest.mark.parametrize(
    "sides", [("2,2,0,0,0,0", "0,0,0,0,5,5"), ("1", "1"), ("4,0,0,0,0,0", "4,4,4,0,0,0")]
)
def test_a_certain_win_is_not_too_close(bearoff, sides, options):
    answer = bearoff("race", *sides, *options)
    assert "Double, pass (" in answer.out
    assert "rollout" not in answer.err
    found = bearoff("race", *sides, *options, "--json").json
    assert (found["win_probability"], found["equity"], found["error"]) == (1, 1, 0)
    assert found["missed_double"] == found["wrong_double"] == 0


@pytest.mark.parametrize("command", ["race", "cube", "play"])
def test_a_cube_of_money_shows_any_power_of_two(bearoff, command):
    dice = () if command == "cube" else ("--dice", "2-1")
    asked = (*SIDES, *dice, "--json")
    one = bearoff(command, *asked).json
    two = bearoff(command, *asked, "--cube-value", "2").json
    assert two["equity"] == one["equity"]
    carried = bearoff(command, XGID.format(2, 0, "21", 0, 0, 0), "--json")
    assert carried.code == 0
    assert (one["cube_value"], two["cube_value"]) == (1, 2)
    assert carried.json["cube_value"] == 4
    only_sentence(bearoff(command, *asked, "--cube-value", "3"), "1, 2, 4", "3")


QUESTIONS: list[dict[str, Any]] = [
    {"cube": "owned", "score": "3-5"},
    {"cube": "opponent", "score": "3-5"},
    {"cube_value": 4, "score": "3-5"},
    {"score": "4-2", "match": 7},
    {"score": "1-3", "crawford": "yes"},
    {"score": "1-3", "crawford": "no", "cube": "owned"},
    {"jacoby": "yes"},
    {"cube": "owned", "cube_value": 2, "jacoby": "yes", "dice": "63"},
    {"decided": "take", "cube": "owned"},
    {"dice": "21", "played": "3/1 2/1", "score": "3-1", "crawford": "no"},
]
POSITIONS = [
    {"position": "LwAAwC0AAAAAAA"},
    {"position": XGID.format(1, 1, "21", 2, 4, 7)},
    {"position": XGID.format(1, -1, "00", 2, 4, 7)},
    {"roller": "3,2,1,0,0,0", "opponent": "4,1,0,0,0,0"},
]


def test_a_file_is_answered_as_options_are(bearoff, tmp_path):
    asked = [place | parts for place in POSITIONS for parts in QUESTIONS]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(f"{json.dumps(one)}\n" for one in asked))
    # Some rows contradict themselves, and have the sentence that the options get.
    assert bearoff("race", "--from", str(source), "--to", str(target), "-q").code == 2
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    for one, row in zip(asked, rows, strict=True):
        alone = bearoff("race", *_typed(one), "--json")
        if row["problem"]:
            assert alone.json["error"] == row["problem"]
            continue
        for name in set(core.answers.FIELDS) - {"problem"}:
            expected = alone.json[name]
            if isinstance(expected, float):
                expected = pytest.approx(expected, abs=1e-6)
            assert row[name] == expected, (one, name)


def _typed(parts):
    """Return the options that correspond to the fields of a row."""
    words = [parts[name] for name in ("position", "roller", "opponent") if name in parts]
    for name, value in parts.items():
        option = f"--{name.replace('_', '-')}"
        if name in ("crawford", "jacoby"):
            no = {"crawford": "--post-crawford", "jacoby": "--no-jacoby"}[name]
            words.append(option if value == "yes" else no)
        elif name not in ("position", "roller", "opponent"):
            words += [option, str(value)]
    return words


def test_a_file_at_scores_is_answered_at_once(bearoff, tmp_path):
    # One race has checkers outside home, and the other takes too long; the model answers
    # both, with its error.
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [
        {"roller": roller, "opponent": opponent, "score": "3-5", "cube": cube}
        for roller, opponent in (BEYOND, MANY)
        for cube in ("centred", "owned", "opponent")
    ]
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    asked = ("race", "--from", str(source), "--to", str(target), "-q")
    found = {}
    for options in (("--model",), ("--patience", "0"), ("--patience", "0.000001")):
        target.unlink(missing_ok=True)
        assert bearoff(*asked, *options).code == 0
        found[options] = [json.loads(line) for line in target.read_text().splitlines()]
        assert {row["kind"] for row in found[options]} == {"model"}
        assert {row["problem"] for row in found[options]} == {None}
        assert all(row["error"] > 0 for row in found[options])
        assert found[options] == found[("--model",)]
    for row in found[("--model",)][:3]:  # small enough to be solved, but for one checker
        solved = bearoff("race", *BEYOND, *_typed(
            {"score": "3-5", "cube": row["cube"]}
        ), "--error", "0.01", "--quiet", "--json").json  # fmt: skip
        off = abs(solved["equity"] - row["equity"])
        assert off < row["error"] + 3 * solved["error"]


def test_patience_decides_who_answers_at_a_score(bearoff):
    asked = ("race", *SIDES, "--score", "3", "5", "--quiet", "--json")
    assert bearoff(*asked).json["kind"] == "exact"
    assert bearoff(*asked, "--patience", "0", "--error", "0.05").json["kind"] == "rollout"
    modelled = bearoff(*asked, "--model").json
    exact = bearoff(*asked).json
    assert modelled["kind"] == "model"
    assert abs(modelled["equity"] - exact["equity"]) < modelled["error"]
    assert modelled["action"] == exact["action"]
