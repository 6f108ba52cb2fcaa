"""The fast model's errors in races of a few rolls, compared with an exact table."""

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge
from bearoff.answers.plain import answer_plain
from bearoff.bear_in import widen
from bearoff.positions import unrank

POINTS, CHECKERS = 9, 3


def test_what_a_short_race_is_worth_is_rarely_off_by_more_than_is_said():
    bearoff.build_two_sided_table(CHECKERS, points=POINTS)
    table = bearoff.two_sided_table(CHECKERS, points=POINTS)
    every = np.arange(1, bearoff.position_count(POINTS, CHECKERS))
    pairs = [side.ravel() for side in np.meshgrid(every, every)]
    sides = [widen(unrank(side, POINTS, CHECKERS)) for side in pairs]
    found = answer_plain(Judge((), patience=0), *sides)
    beyond = (sides[0][:, 6:] | sides[1][:, 6:]).any(axis=1)
    for name, exact in (
        ("no_double", table.no_double(*pairs)),
        ("double_take", table.double_take(*pairs)),
    ):
        off, error = np.abs(found[name] - exact), found[f"{name}_error"]
        assert 0.001 < (off > error)[beyond].mean() < 0.03
        assert (off > error)[~beyond].mean() < 0.03
        assert (off > 2 * error).mean() < 0.005


@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_a_take_that_the_model_would_pass_is_too_close(cube):
    """If the fast model would wrongly pass, the decision counts as too close."""
    sides = [bearoff.Position.parse(text, points=24) for text in ("[1,1,8]", "[1,10]")]
    race = bearoff.Race(*sides, cube=cube)
    answer = Judge((), patience=0).answer(race)
    assert answer.kind == "model"
    assert answer.too_close
