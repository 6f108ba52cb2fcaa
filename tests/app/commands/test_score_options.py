"""Scores in every notation, and notices about ignored scores."""

import re

import pytest

from bearoff import Score
from bearoff.answers import read_question
from tests.app.commands.test_cube import LAST_ROLL, THREE_TO_FIVE


@pytest.mark.parametrize(
    "options",
    [
        *(
            ("--score", *words)
            for words in (("3", "5"), ("3-away", "5-away"), ("3a", "5a"))
        ),
        *(("--score", text) for text in ("3-5", "3,5", "3 5", "4-2 to 7", "4-2/7")),
        ("--score=3", "5"),
        ("--match", "7", "--score", "4-2"),
        ("--match", "7", "--score", "4", "2"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_every_spelling_of_a_score(bearoff, options, first):
    arguments = (*options, *LAST_ROLL) if first else (*LAST_ROLL, *options)
    assert bearoff("cube", *arguments, "--json").json["score"].startswith("3-away 5-away")


@pytest.mark.parametrize(
    ("options", "score"),
    [
        (("--score", "1", "3", "--crawford"), ((1, 3), "crawford")),
        (("--score", "1-3 Crawford"), ((1, 3), "crawford")),
        (("--match", "5", "--score", "2-4", "--post-crawford"), ((3, 1), "post-crawford")),
        (("--score", "DMP"), ((1, 1), "normal")),
    ],
)
def test_games_a_point_from_the_end(bearoff, options, score):
    found = Score.parse(bearoff("cube", *LAST_ROLL, *options, "--json").json["score"])
    assert (found.away, found.game) == score


def asked(bearoff, *arguments):
    """Return the points that both sides need, the owner of the cube and its value."""
    answer = bearoff("cube", *arguments, "--json").json
    away = [int(away) for away in re.findall(r"(\d+)-away", answer["score"])]
    return away, answer["cube"], answer["cube_value"]


@pytest.mark.parametrize(
    ("cube", "owner", "turn", "expected"),
    [
        (0, 0, 1, ([5, 3], "centred", 1)),
        (0, 0, -1, ([3, 5], "centred", 1)),
        (1, 1, 1, ([5, 3], "owned", 2)),
        (2, -1, -1, ([3, 5], "owned", 4)),
        (1, -1, 1, ([5, 3], "opponent", 2)),
    ],
)
def test_an_xgid_carries_score_and_cube(bearoff, cube, owner, turn, expected):
    text = THREE_TO_FIVE.format(cube=cube, owner=owner, turn=turn, dice="00")
    assert asked(bearoff, text) == expected
    answer = bearoff("cube", text, "--json").json
    assert answer["score"].endswith("to 7)")


def test_a_match_id_carries_score_and_cube(bearoff):
    # GNU Backgammon: 2-4 behind in a match to 7, with the cube at 2; see test_state.
    for match_id, right in (
        ("AQHgACAAIAAE", ([5, 3], "owned", 2)),
        ("QQngACAAIAAE", ([3, 5], "opponent", 2)),
    ):
        assert asked(bearoff, f"LwAAwC0AAAAAAA:{match_id}") == right


@pytest.mark.parametrize(
    ("cube", "options", "right"),
    [
        (1, ("--score", "2", "9"), ([2, 9], "owned", 2)),
        (1, ("--cube", "centred"), ([5, 3], "centred", 1)),
        (1, ("--cube-value", "4"), ([5, 3], "owned", 4)),
        (0, ("--cube", "owned"), ([5, 3], "owned", 2)),
        (0, ("--cube-value", "2"), ([5, 3], "owned", 2)),
    ],
)
def test_options_go_first(bearoff, cube, options, right):
    text = THREE_TO_FIVE.format(cube=cube, owner=cube, turn=1, dice="00")
    assert asked(bearoff, text, *options) == right


def test_money_is_asked_for_in_so_many_words():
    text = THREE_TO_FIVE.format(cube=1, owner=1, turn=1, dice="00")
    race = read_question({"position": text, "money": True}).race
    assert (race.score, race.cube, race.jacoby) == (None, "owned", False)


@pytest.mark.parametrize("command", ["cube", "winprob", "epc", "formulas explain keith"])
def test_what_a_command_leaves_out_is_named(bearoff, command):
    """A command that ignores the dice or the score names them, and a command that uses
    them.
    """
    texts = (
        THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice=dice) for dice in ("63", "00")
    )
    said, plain = (bearoff(*command.split(), text) for text in texts)
    assert (said.code, said.out) == (0, plain.out)
    assert said.err.count("\n") == 1
    assert "bearoff race" in said.err
    named = "6-3" if command == "cube" else "5-away 3-away (2-4 to 7)"
    assert named in said.err
