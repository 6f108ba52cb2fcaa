"""The fast model's errors in races of a few rolls, compared with an exact table."""

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge
from bearoff.answers.plain import answer_plain
from bearoff.bear_in import widen
from bearoff.positions import unrank
from tests.two_sided_tables import built

POINTS, CHECKERS = 9, 3


def test_what_a_short_race_is_worth_is_rarely_off_by_more_than_is_said():
    table = built(CHECKERS, POINTS)
    every = np.arange(1, bearoff.position_count(POINTS, CHECKERS))
    pairs = [side.ravel() for side in np.meshgrid(every, every)]
    sides = [widen(unrank(side, POINTS, CHECKERS)) for side in pairs]
    found = answer_plain(Judge((), patience=0), *sides)
    beyond = (sides[0][:, 6:] | sides[1][:, 6:]).any(axis=1)
    for name in ("no_double", "double_take"):
        off = np.abs(found[name] - getattr(table, name)(*pairs))
        error = found[f"{name}_error"]
        assert 0.001 < (off > error)[beyond].mean() < 0.03
        assert (off > error)[~beyond].mean() < 0.03
        assert (off > 2 * error).mean() < 0.005


@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_a_take_that_the_model_would_pass_is_too_close(cube):
    answer = Judge((), patience=0).answer(bearoff.Race("[1,1,8]", "[1,10]", cube=cube))
    assert answer.kind == "model"
    assert answer.too_close
