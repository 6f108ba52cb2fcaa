"""`bearoff no-chance`: races answered, games played through a pipe."""

import re

import pytest

from tests.app.conftest import Command


def test_a_race_says_who_wins_and_with_what(bearoff: Command) -> None:
    found = bearoff("no-chance", "race", "0,0,1,1,1,1", "0,0,0,0,2,1", "--named", "5", "3")
    assert found.out.startswith("you win in 2 turns\n")
    choices = bearoff(
        *("no-chance", "race", "0,0,1,1,1,1", "0,0,0,0,2,1", "--named", "5", "3", "--json")
    ).json
    assert choices[0] == {"number": 3, "after": [1, 0, 0, 0, 1, 0], "points": 1, "turns": 3}
    assert {c["number"] for c in choices if c["turns"] > 0} == {3}


def test_first_numbers_are_shown_with_their_answers(bearoff: Command) -> None:
    found = bearoff("no-chance", "race", "0,0,0,0,0,3", "--numbers", "4")
    assert found.out.startswith("first numbers that win: 1\n")
    assert "(" in found.out
    openings = bearoff("no-chance", "race", "0,0,0,0,0,3", "--numbers", "4", "--json").json
    assert openings["2"]["1"] < 0 < openings["2"]["3"]


def test_a_game_is_played_to_its_end(
    bearoff: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["3", "9", "²", "٢", "hint", "2", "?", "zzz", "²", "1"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    two_each = "0,2" + ",0" * 22 + ",-2,0"
    found = bearoff("no-chance", "play", "--board", two_each, "--depth", "2")
    assert "'9' cannot be named; name one of 1, 2, 4, 5, 6, hint, or q" in found.out
    assert re.search(r"the program would name [12456] and play \S+/off", found.out)
    assert "'²' cannot be named" in found.out
    assert "'٢' cannot be named" in found.out
    assert found.out.count("? lists the plays") == 2
    assert found.out.rstrip().endswith("you win")


def test_the_program_may_name_first_and_win(
    bearoff: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["3"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    two_each = "0,2" + ",0" * 22 + ",-2,0"
    found = bearoff("no-chance", "play", "--board", two_each, "--second")
    assert "the program names 6" in found.out
    assert found.out.rstrip().endswith("the program wins")


def test_the_end_of_the_input_ends_the_game(
    bearoff: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    assert bearoff("no-chance", "play").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["race", "0,0,0,0,0,0"], "checkers on six points"),
        (["race", "0,0,1,0,0,0", "--named", "7", "1"], "your last number"),
        (
            ["race", "0,0,1,0,0,0", "--named", "1", "2", "--doubles", "3", "0"],
            "doubles left",
        ),
        (["race", "0,0,1,0,0,0", "--numbers", "3"], "numbers"),
        (["race", "0,0,2,3,4,6"], "take fewer checkers"),
        (["play", "--board", "1,2,3"], "position"),
    ],
)
def test_bad_input_gets_one_sentence(
    bearoff: Command, arguments: list[str], words: str
) -> None:
    refused = bearoff("no-chance", *arguments)
    assert refused.code == 2
    assert words in refused.err
    assert "Traceback" not in refused.err
