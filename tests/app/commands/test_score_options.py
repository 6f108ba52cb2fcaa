"""Match scores in every notation as options of commands, and notices about ignored
scores.
"""

import pytest

from tests.app.commands.test_cube import LAST_ROLL, THREE_TO_FIVE


@pytest.mark.parametrize(
    "options",
    [
        ("--score", "3-away", "5-away"),
        ("--score", "4-2 to 7"),
        ("--score=3", "5"),
        ("--match", "7", "--score", "4", "2"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_every_spelling_of_a_score(bearoff, options, first):
    arguments = (*options, *LAST_ROLL) if first else (*LAST_ROLL, *options)
    assert bearoff("cube", *arguments, "--json").json["score"].startswith("3-away 5-away")


@pytest.mark.parametrize("command", ["cube", "winprob", "epc", "formulas explain keith"])
def test_a_command_names_dice_and_scores_that_it_ignores(bearoff, command):
    texts = (
        THREE_TO_FIVE.format(cube=0, owner=0, turn=1, dice=dice) for dice in ("63", "00")
    )
    said, plain = (bearoff(*command.split(), text) for text in texts)
    assert (said.code, said.out) == (0, plain.out)
    assert said.err.count("\n") == 1
    assert "bearoff race" in said.err
    named = "6-3" if command == "cube" else "5-away 3-away (2-4 to 7)"
    assert named in said.err
