"""A score however it is given, and what commands make of one that they leave out."""

import re
from typing import Any

import pytest

from bearoff import Score
from bearoff.answers import read_question
from tests.app.commands.test_cube import LAST_ROLL, THREE_TO_FIVE
from tests.app.conftest import Command, only_sentence


@pytest.mark.parametrize(
    "options",
    [
        ("--score", "3", "5"),
        ("--score=3", "5"),
        ("--score", "3-5"),
        ("--score", "3,5"),
        ("--score", "3 5"),
        ("--score", "3-away", "5-away"),
        ("--score", "3a", "5a"),
        ("--score", "4-2 to 7"),
        ("--score", "4-2/7"),
        ("--match", "7", "--score", "4-2"),
        ("--match", "7", "--score", "4", "2"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_score_in_every_spelling(
    bearoff: Command, options: tuple[str, ...], first: bool
) -> None:
    arguments = (*options, *LAST_ROLL) if first else (*LAST_ROLL, *options)
    assert bearoff("cube", *arguments, "--json").json["score"].startswith("3-away 5-away")


@pytest.mark.parametrize(
    ("options", "score"),
    [
        (("--score", "1", "3", "--crawford"), ([1, 3], "crawford")),
        (("--score", "1-3 Crawford"), ([1, 3], "crawford")),
        (("--match", "5", "--score", "2-4", "--post-crawford"), ([3, 1], "post-crawford")),
        (("--score", "DMP"), ([1, 1], "normal")),
    ],
)
def test_games_a_point_from_the_end(
    bearoff: Command, options: tuple[str, ...], score: tuple[list[int], str]
) -> None:
    found = Score.parse(bearoff("cube", *LAST_ROLL, *options, "--json").json["score"])
    assert (list(found.away), found.game) == score


def away_in(answer: dict[str, Any]) -> list[int]:
    """Return the points that both sides need, as JSON has the score."""
    return [int(away) for away in re.findall(r"(\d+)-away", answer["score"])]


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
def test_an_xgid_carries_score_and_cube(
    bearoff: Command, cube: int, owner: int, turn: int, expected: tuple[object, ...]
) -> None:
    text = THREE_TO_FIVE.format(cube=cube, owner=owner, turn=turn, dice="00")
    answer = bearoff("cube", text, "--json").json
    assert (away_in(answer), answer["cube"], answer["cube_value"]) == expected
    assert answer["score"].endswith("to 7)")


def test_a_match_id_carries_score_and_cube(bearoff: Command) -> None:
    # GNU Backgammon: 2-4 behind in a match to 7, the cube at 2; see test_state.
    for match_id, away, cube in (
        ("AQHgACAAIAAE", [5, 3], "owned"),
        ("QQngACAAIAAE", [3, 5], "opponent"),
    ):
        answer = bearoff("cube", f"LwAAwC0AAAAAAA:{match_id}", "--json").json
        assert (away_in(answer), answer["cube"]) == (away, cube)


def test_options_go_before_what_a_position_carries(bearoff: Command) -> None:
    text = THREE_TO_FIVE.format(cube=1, owner=1, turn=1, dice="00")
    for options, away, cube, value in (
        (("--score", "2", "9"), [2, 9], "owned", 2),
        (("--cube", "centred"), [5, 3], "centred", 1),
        (("--cube-value", "4"), [5, 3], "owned", 4),
    ):
        answer = bearoff("cube", text, *options, "--json").json
        assert (away_in(answer), answer["cube"]) == (away, cube)
        assert answer["cube_value"] == value
    text = THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="00")
    owned = bearoff("cube", text, "--cube", "owned", "--json").json
    assert (owned["cube"], owned["cube_value"]) == ("owned", 2)
    owned = bearoff("cube", text, "--cube-value", "2", "--json").json
    assert (owned["cube"], owned["cube_value"]) == ("owned", 2)


def test_money_is_asked_for_in_so_many_words() -> None:
    text = THREE_TO_FIVE.format(cube=1, owner=1, turn=1, dice="00")
    asked = read_question({"position": text, "money": True}).race
    assert (asked.score, asked.cube, asked.jacoby) == (None, "owned", False)


def test_dice_are_left_out_in_a_sentence(bearoff: Command) -> None:
    text = THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="63")
    said = bearoff("cube", text)
    assert said.err.count("\n") == 1
    assert "the dice 6-3 are left out; bearoff race rates their plays" in said.err
    plain = bearoff("cube", THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="00"))
    assert said.out == plain.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--score", "0", "3"), "points the roller needs must be from 1 to 64, got 0"),
        (("--score", "3", "-5"), "No such option: -5"),
        (("--score", "five"), "a score is written as"),
        (("--score", "3"), "a score is written as"),
        (("--match", "7", "--score", "7-2"), "the roller has won of 7 must be from 0 to 6"),
        (("--match", "7"), "of a match to 7 the score is needed"),
        (("--match", "7", "--score", "2-4", "--crawford"), "1 point away, got 5-away"),
        (("--score", "1", "3"), "by --crawford or --post-crawford"),
        (("--crawford",), "a crawford game is one of a match, and no score is said"),
        (("--score", "3", "5", "--money"), "leave out one of them"),
        (("--score", "3", "5", "--jacoby"), "Jacoby's rule is for money play"),
        (("--score", "3", "5", "--cube-value", "3"), "the cube shows 1, 2, 4 and so on"),
        (("--score", "3", "5", "--cube-value", "0"), "the cube must be from 1"),
        (("--score", "3", "5", "--cube", "owned", "--cube-value", "1"), "owned one more"),
        (("--score", "3", "5", "--cube", "centred", "--cube-value", "2"), "shows 1"),
        (("--score", "1-3 Crawford", "--cube", "owned"), "centred at 1 in Crawford's game"),
        (("--match-equities", "x.csv"), "match equities are of match play"),
        (("--score", "3", "5", "--match-equities", "no/such.xml"), "no/such.xml"),
    ],
)
def test_refusals(bearoff: Command, options: tuple[str, ...], sentence: str) -> None:
    assert sentence in only_sentence(bearoff("cube", *LAST_ROLL, *options))


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("winprob",), "chances to win a game are the same"),
        (("epc",), "effective pips are the same"),
        (("formulas", "explain", "keith"), "formulas are for money play"),
    ],
)
def test_no_command_takes_a_match_for_money_in_silence(
    bearoff: Command, command: tuple[str, ...], why: str
) -> None:
    text = THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="63")
    said = bearoff(*command, text)
    assert said.code == 0
    assert said.err.count("\n") == 1
    assert "the score, 5-away 3-away (2-4 to 7), is left out" in said.err
    assert said.err.endswith("; bearoff race answers at it\n")
    assert why in said.err
