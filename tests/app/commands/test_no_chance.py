"""`bearoff no-chance`, for backgammon without dice: answers, and games in a pipe."""

import re
from unittest.mock import Mock

from tests.app.conftest import missing


def test_a_race_says_who_wins_and_with_what(bearoff):
    asked = ("no-chance", "race", "0,0,1,1,1,1", "0,0,0,0,2,1", "--named", "5", "3")
    assert bearoff(*asked).out.startswith("you win in 2 turns\n")
    choices = bearoff(*asked, "--json").json
    assert choices[0] == {"number": 3, "after": [1, 0, 0, 0, 1, 0], "points": 1, "turns": 3}
    assert {c["number"] for c in choices if c["turns"] > 0} == {3}


def test_first_numbers_are_shown_with_their_answers(bearoff):
    asked = ("no-chance", "race", "0,0,0,0,0,3", "--numbers", "4")
    assert bearoff(*asked).out.splitlines()[0].endswith(": 1")
    openings = bearoff(*asked, "--json").json
    assert openings["2"]["1"] < 0 < openings["2"]["3"]


TWO_EACH = "0,2" + ",0" * 22 + ",-2,0"


def test_a_game_is_played(bearoff, monkeypatch):
    typed = Mock(side_effect=["3", "9", "²", "٢", "hint", "2", "?", "zzz", "²", "1"])
    monkeypatch.setattr("builtins.input", typed)
    out = bearoff("no-chance", "play", "--board", TWO_EACH, "--depth", "2").out
    assert missing(out, "'9'", "'²'", "'٢'") == []
    assert re.search(r"[12456] and play \S+/off", out)
    assert out.endswith("you win\n")
    typed.side_effect = ["3"]
    out = bearoff("no-chance", "play", "--board", TWO_EACH, "--second").out
    assert out.endswith("the program wins\n")
    typed.side_effect = EOFError
    assert bearoff("no-chance", "play").code == 0
