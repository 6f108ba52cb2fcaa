"""`bearoff rollout` at a score, and races that `bearoff cube` leaves to it."""

import re

import pytest

import bearoff as core
from app.commands import cube_at_score, rollout_at_score
from bearoff import Race
from tests.app.commands.test_cube_at_score import BEYOND, THREE_TO_FIVE, rows
from tests.app.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (BEYOND, "a checker stands beyond home"),
        (2 * ("2,1,1,1,1,1",), "about 0 s; so it is rolled out at the score"),
    ],
)
def test_what_cannot_be_solved_is_rolled_out(
    bearoff: Command,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    why: str,
) -> None:
    asked: list[Race] = []
    monkeypatch.setattr(cube_at_score, "TOO_LONG", 0.0)
    monkeypatch.setattr(
        rollout_at_score, "rollout_at_score", lambda race, *_, **__: asked.append(race)
    )
    said = bearoff("cube", *arguments, "--score", "3", "5")
    assert said.err.count("\n") == 1
    assert why in said.err
    assert [race.score for race in asked] == [core.Score((3, 5))]
    said = bearoff("cube", *arguments, "--score", "3", "5", "--plays")
    assert said.code == 2
    assert "leave --plays out, or ask bearoff race about one roll" in said.err


def test_a_rollout_finds_the_exact_answer(bearoff: Command) -> None:
    race = ("1,1,2,1,1,1", "2,0,2,1,1,1")
    for options in (("--score", "2", "4"), ("--score", "5", "3", "--cube", "owned")):
        right = bearoff("cube", *race, *options, "--json").json
        found = bearoff("rollout", *race, *options, "--error", "0.002", "--json").json
        assert (right["method"], found["method"]) == ("solved", "rollout")
        assert found["action"] == right["action"]
        for name in ("no_double", "double_take"):
            for values, exact in ((found, right), (found["emg"], right["emg"])):
                error = values[name]["standard_error"]
                assert 0 <= error < 0.003
                # The players' own errors, whose model knows typical sides alone.
                assert 0 < values[name]["systematic_error"] < 0.005
                off = abs(values[name]["value"] - exact[name])
                assert off < 4 * error + 0.005
        for name in ("score", "cube", "cube_value", "last_roll", "live", "gammon_value"):
            assert found[name] == right[name]


def test_a_rollout_in_words(bearoff: Command) -> None:
    said = bearoff("rollout", *BEYOND, "--score", "3", "5", "--error", "0.01", "--quiet")
    assert "Score: 3-away 5-away" in said.out
    cells = rows(said)
    assert ["outcome", "match", "EMG", "standard error", "systematic"] in cells
    taken = next(row for row in cells if row[0] == "double, take")
    assert re.fullmatch(r"\d\d\.\d\d% ± 0\.\d\d%", taken[1])
    passed = core.match_equities().after(core.Score((3, 5)), 1)
    assert ["double, pass", f"{passed:.2%}", "+1.0000", "-", "-"] in cells
    assert "each into the table of 6 checkers" in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    crawford = bearoff("rollout", *BEYOND, "--score", "1-3 Crawford", "--error", "0.01")
    assert "No double: in Crawford's game" in crawford.out
    assert "roller wins" in crawford.out
    dead = bearoff(
        "rollout", *BEYOND, "--score", "2", "4", "--cube", "owned", "--error", "0.01"
    )
    assert "the cube is dead" in dead.out


def test_a_match_is_rolled_out_for_money_if_asked(bearoff: Command) -> None:
    text = THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice="00")
    options = ("--games", "1", "--quiet", "--no-truncate")
    assert "Score: 5-away 3-away (2-4 to 7)" in bearoff("rollout", text, *options).out
    assert "money play" in bearoff("rollout", text, *options, "--money").out
