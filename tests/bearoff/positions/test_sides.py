"""Sides as numbers, positions, counts and texts, and what could be meant in two ways."""

import numpy as np
import pytest
from hypothesis import given

import bearoff
from bearoff.positions import sides
from tests import strategies

PAPER = bearoff.Position((3, 3, 2, 0, 2, 1))


@given(strategies.positions())
def test_every_way_to_give_a_side_is_its_number(position):
    size = position.points, position.checkers
    ways = [position, position.counts, position.number, np.int64(position.number)]
    if position.points > 1:  # A number alone is a position's number.
        ways.append(str(position))
    for way in ways:
        assert sides.numbers(way, *size) == position.number
    assert sides.numbers(ways, *size).tolist() == len(ways) * [position.number]


def test_many_are_many():
    many = [8887, "3,3,2,0,2,1", PAPER, PAPER.counts]
    assert sides.numbers(many).tolist() == 4 * [8887]
    assert sides.numbers([8887, 1]).tolist() == [8887, 1]
    assert sides.numbers(np.array([3, 3, 2, 0, 2, 1])).tolist() == [3, 3, 2, 0, 2, 1]
    assert sides.numbers([3, 3, 2, 0, 2, 16]).tolist() == [3, 3, 2, 0, 2, 16]
    assert sides.numbers([]).shape == (0,)
    x, y = sides.pairs(many, 5)
    assert (x.shape, y.tolist()) == ((4,), 4 * [5])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([3, 3, 2, 0, 2, 1], "could be 6 position numbers or one side's checkers"),
        (
            2 * [[3, 3, 2, 0, 2, 1]],
            "12 position numbers or the checkers of 2 sides",
        ),
        (np.array([[3, 3, 2, 0, 2, 1]]), r"shape \(1, 6\) whose rows could be"),
        ((8887, 8887), "a tuple is one side's checkers on 6 points"),
        ((9, 9, 0, 0, 0, 0), "at most 15 checkers, got 18"),
        ("LwAAwC0AAAAAAA", "carries both sides where one is meant"),
        (bearoff.Position((0,) * 6 + (1,)), "is not in the table of 6 points"),
        ([8887, "x"], "cannot read 'x'"),
        ([8887, 54264], "run from 0 to 54263, got 54264"),
        (1.5, "must be whole numbers"),
        (True, "must be whole numbers"),
        (None, "must be whole numbers"),
    ],
)
def test_what_is_open_or_wrong_is_said(given, sentence):
    with pytest.raises(bearoff.PositionError, match=sentence):
        sides.numbers(given)


def test_everywhere_a_side_is_asked():
    one = bearoff.fewest_rolls_win_probability(8887, 8887)
    for side in (PAPER, PAPER.counts, "3,3,2,0,2,1"):
        assert bearoff.fewest_rolls_win_probability(side, 8887) == one
        assert bearoff.one_sided_table().epc_of(side) == bearoff.one_sided_table().epc[8887]
    with pytest.raises(bearoff.PositionError, match="one side's checkers"):
        bearoff.fewest_rolls_win_probability([3, 3, 2, 0, 2, 1], 8887)
    bearoff.build_two_sided_table(3)
    table = bearoff.two_sided_table(3)
    pair = "1,1,0,0,0,0", (0, 0, 1, 0, 0, 0)
    x, y = bearoff.rank([[1, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]])
    assert table.equity(*pair) == table.equity(x, y)
    assert bearoff.cube_actions(table, *pair).no_double == table.no_double(x, y)
    at_score = bearoff.match_table(3, (2, 4))
    assert at_score.value(*pair) == at_score.value(x, y)
    gammons = bearoff.one_sided.gammon_chance("0,0,0,5,5,5", (1, 0, 0, 0, 0, 0))
    assert gammons.losses > 0
