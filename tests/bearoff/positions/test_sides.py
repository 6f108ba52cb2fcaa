"""Sides can be given as numbers, positions, counts or texts; ambiguous sides are
refused.
"""

import numpy as np
import pytest
from hypothesis import given

import bearoff
from bearoff.positions import sides
from tests import strategies
from tests.refusals import refused

PAPER = bearoff.Position((3, 3, 2, 0, 2, 1))


@given(strategies.positions())
def test_every_way_to_give_a_side_is_its_number(position):
    size = position.points, position.checkers
    ways = [position, position.counts, position.number, np.int64(position.number)]
    # The count on a board of one point would be read as a position number.
    if position.points > 1:
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
    ("given", "named"),
    [
        ([3, 3, 2, 0, 2, 1], (6,)), (2 * [[3, 3, 2, 0, 2, 1]], (12, 2)),
        (np.array([[3, 3, 2, 0, 2, 1]]), ("(1, 6)",)), ((8887, 8887), ("tuple", 6)),
        ((9, 9, 0, 0, 0, 0), (15, 18)), ("LwAAwC0AAAAAAA", ("both",)),
        (bearoff.Position((0,) * 6 + (1,)), (6,)), ([8887, "x"], ("'x'",)),
        ([8887, 54264], (54263, 54264)), *((bad, (bad,)) for bad in (1.5, True, None)),
    ],
)  # fmt: skip
def test_what_is_open_or_wrong_is_said(given, named):
    with refused(bearoff.PositionError, *named):
        sides.numbers(given)


def test_everywhere_a_side_is_asked():
    one = bearoff.fewest_rolls_win_probability(8887, 8887)
    for side in (PAPER, PAPER.counts, "3,3,2,0,2,1"):
        assert bearoff.fewest_rolls_win_probability(side, 8887) == one
        assert bearoff.one_sided_table().epc_of(side) == bearoff.one_sided_table().epc[8887]
    with refused(bearoff.PositionError, 6):
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


class Series:
    """Sequence like those of pandas and polars, which numpy converts to an array."""

    def __init__(self, values):
        self._values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype=dtype)


TEXTS = ["3,3,2,0,2,1", "[1,1,6]"]


@pytest.mark.parametrize(
    "told",
    [TEXTS, np.array(TEXTS), np.array(TEXTS, dtype=object), Series(TEXTS)],
    ids=["list", "array", "objects", "series"],
)
def test_texts_are_read_however_they_come(told):
    expected = bearoff.rank([PAPER.counts, (2, 0, 0, 0, 0, 1)]).tolist()
    assert expected[0] == 8887  # the number stated in the paper
    assert bearoff.rank(told).tolist() == expected
    assert sides.numbers(told).tolist() == expected
    with refused(bearoff.PositionError, "rubbish"):
        bearoff.rank(np.array([*TEXTS, "rubbish"]))


@pytest.mark.parametrize(
    "side", [8887, np.int64(8887), "3,3,2,0,2,1", (3, 3, 2, 0, 2, 1), [3, 3, 2, 0, 2, 1]]
)
def test_a_side_may_be_whatever_names_it(side):
    assert bearoff.Race(side, PAPER) == bearoff.Race(PAPER, PAPER)
    assert bearoff.legal_plays(side, (6, 1)) == bearoff.legal_plays(PAPER, (6, 1))


def test_sides_of_a_race_get_the_same_points():
    race = bearoff.Race("[8]", "1,1")
    assert (race.roller.counts[7], race.opponent.counts[:2]) == (1, (1, 1))
    assert len(race.roller.counts) == len(race.opponent.counts)
