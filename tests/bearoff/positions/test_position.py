"""Positions and races as values."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given

import bearoff
from tests import oracles, reference, strategies


def test_papers_example():
    counts, number, pips = oracles.PAPER_EXAMPLE
    position = bearoff.Position(counts)
    assert (position.number, position.pips) == (number, pips)
    assert (position.on_board, position.off, position.highest) == (11, 4, 6)
    assert position.vector == (4, 3, 3, 2, 0, 2, 1)
    assert position.list == (0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 5, 5, 6)
    assert str(position) == "3,3,2,0,2,1"


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
    # Sums of int8 would wrap around at 128 pips.
    position = bearoff.Position(tuple(np.array([0] * 11 + [15], dtype=np.int8)))
    assert position.pips == 180
    assert all(type(count) is int for count in position.counts)
    assert position == bearoff.Position([0] * 11 + [15])
    assert hash(position) == hash(bearoff.Position((0,) * 11 + (15,)))


def test_a_position_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        bearoff.Position((1,)).counts = (2,)


@pytest.mark.parametrize(
    ("counts", "checkers", "says"),
    [
        ((), 15, "points must be from 1 to 24, got 0"),
        ((0,) * 25, 15, "points must be from 1 to 24, got 25"),
        ((1,), 0, "checkers must be from 1 to 15, got 0"),
        ((1,), 16, "checkers must be from 1 to 15, got 16"),
        ((0, -1), 15, "point 2 holds 0 to 15 checkers, got -1"),
        ((0, 6), 5, "point 2 holds 0 to 5 checkers, got 6"),
        ((8, 8), 15, "at most 15 checkers, got 16"),
        ((0.5, 1.0), 15, "whole numbers"),
        ("33", 15, "whole numbers"),
        (None, 15, "whole numbers"),
    ],
)
def test_impossible_positions_are_refused(counts, checkers, says):
    with pytest.raises(bearoff.PositionError, match=says):
        bearoff.Position(counts, checkers)


@pytest.mark.parametrize("number", [-1, 54_264])
def test_numbers_outside_are_refused(number):
    with pytest.raises(bearoff.PositionError, match=f"0 to 54263, got {number}"):
        bearoff.Position.from_number(number)


@pytest.mark.parametrize(
    ("roller", "opponent", "says"),
    [
        (((1, 0), 15), ((1,), 15), "same points, got 2 and 1"),
        (((1, 0), 15), ((1, 0), 14), "same checkers, got 15 and 14"),
    ],
)
def test_sides_of_a_race_are_of_one_size(roller, opponent, says):
    with pytest.raises(bearoff.PositionError, match=says):
        bearoff.Race(bearoff.Position(*roller), bearoff.Position(*opponent))
