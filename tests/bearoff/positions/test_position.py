"""Positions and races: their counts, numbers and IDs, and impossible sides."""

import numpy as np
import pytest
from hypothesis import given

import bearoff
from oracles import reference
from tests import strategies
from tests.refusals import refused


@given(strategies.positions())
def test_views_of_a_position_agree(position):
    on_board = [point for point in position.list if point]
    assert len(position.list) == sum(position.vector) == position.checkers
    assert position.list == tuple(sorted(position.list))
    assert reference.counts_of(tuple(on_board), position.points) == position.counts
    assert position.pips == sum(on_board)
    assert position.highest == max(on_board, default=0)
    assert position.off == position.checkers - len(on_board)
    assert position == bearoff.Position.from_number(
        position.number, position.points, position.checkers
    )


def test_numpy_counts_become_pythons_own():
    # Pip counts above 127 would overflow in int8.
    position = bearoff.Position(tuple(np.array([0] * 11 + [15], dtype=np.int8)))
    assert position.pips == 180
    assert all(type(count) is int for count in position.counts)
    assert position == bearoff.Position([0] * 11 + [15])
    assert hash(position) == hash(bearoff.Position((0,) * 11 + (15,)))


@pytest.mark.parametrize(
    ("counts", "checkers", "named"),
    [
        ((), 15, ("points", 0)), ((0,) * 25, 15, ("points", 25)),
        ((1,), 0, ("checkers", 0)), ((1,), 16, ("checkers", 16)),
        ((0, -1), 15, ("point 2", -1)), ("33", 15, ("33",)),
        ((0, 6), 5, ("point 2", 5, 6)), ((8, 8), 15, (15, 16)), ((0.5, 1.0), 15, (0.5,)),
        (None, 15, (None,)),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(counts, checkers, named):
    with refused(bearoff.PositionError, *named):
        bearoff.Position(counts, checkers)


@pytest.mark.parametrize(
    ("opponent", "named"),
    [(((1,), 15), ("points", 2, 1)), (((1, 0), 14), ("checkers", 15, 14))],
)
def test_sides_of_a_race_are_of_one_size(opponent, named):
    with refused(bearoff.PositionError, *named):
        bearoff.Race(bearoff.Position((1, 0)), bearoff.Position(*opponent))
