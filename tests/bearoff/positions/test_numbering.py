"""The perfect hash compared with the paper, and with a sorted list of all positions."""

from math import comb

import numpy as np
import pytest

import bearoff
from bearoff.positions.numbering import rank_one, unrank_one
from oracles import reference
from tests import published
from tests.refusals import refused

SIZES = [(6, 15), (6, 4), (3, 7), (1, 15), (10, 4), (12, 3), (24, 2)]


def sorted_counts(points, checkers):
    everything = reference.all_positions(points, checkers)
    return np.array([reference.counts_of(position, points) for position in everything])


def test_papers_size():
    assert bearoff.position_count() == published.POSITIONS == comb(21, 6)
    assert round(16**7 / published.POSITIONS) == published.DENSE_ARRAY_IS_LARGER_BY


@pytest.mark.parametrize(("vector", "number"), published.PAPER_TABLE_1.items())
def test_papers_table_1(vector, number):
    assert bearoff.rank(vector[1:]) == number
    assert rank_one(vector[1:]) == number
    assert tuple(bearoff.unrank(number)) == vector[1:]
    assert bearoff.Position(vector[1:]).vector == vector


def test_papers_worked_example_term_by_term():
    counts, number, pips = published.PAPER_EXAMPLE
    # By the paper, the position number is the sum of these terms.
    multichoose = [comb(n + k - 1, k) for n, k in published.PAPER_EXAMPLE_TERMS]
    assert sum(multichoose) == number == rank_one(counts)
    assert bearoff.Position(counts).pips == pips
    for prefix, term in enumerate(multichoose):
        # Removing the lowest points of a position removes their terms from the sum.
        above = counts[prefix:]
        assert rank_one(above) == sum(multichoose[prefix:])
        assert rank_one(above) - rank_one(above[1:]) == term


@pytest.mark.parametrize(("points", "checkers"), SIZES)
def test_order_is_that_of_the_sorted_lists(points, checkers):
    counts = sorted_counts(points, checkers)
    numbers = np.arange(len(counts))
    assert len(counts) == bearoff.position_count(points, checkers)
    assert np.array_equal(bearoff.rank(counts, checkers), numbers)
    assert np.array_equal(bearoff.unrank(numbers, points, checkers), counts)


@pytest.mark.parametrize(("points", "checkers"), [(10, 15), (12, 15), (24, 15)])
def test_round_trip_of_a_sample_of_large_tables(points, checkers):
    size = bearoff.position_count(points, checkers)
    ends = [0, 1, size - 2, size - 1]
    numbers = np.r_[ends, np.random.default_rng(7).integers(0, size, 5000)]
    counts = bearoff.unrank(numbers, points, checkers)
    assert np.array_equal(bearoff.rank(counts, checkers), numbers)
    for number, row in zip(numbers[:200].tolist(), counts[:200].tolist(), strict=True):
        assert unrank_one(number, points) == tuple(row)
        assert rank_one(tuple(row)) == number


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0,), (4, 0)])
def test_any_shape(shape):
    numbers = np.resize(np.arange(8880, 8900), shape)
    counts = bearoff.unrank(numbers)
    assert counts.shape == (*shape, 6)
    assert counts.dtype == np.int8
    ranked = bearoff.rank(counts)
    assert ranked.dtype == np.int64
    assert np.array_equal(ranked, numbers)


@pytest.mark.parametrize("dtype", "bBhHiIlLqQ")
def test_any_integer_type_and_layout(dtype):
    counts = np.array([[3, 3, 2, 0, 2, 1], [0, 0, 0, 0, 0, 15]], dtype=dtype)
    assert bearoff.rank(counts).tolist() == [8887, 54_263]
    assert bearoff.rank(np.asfortranarray(counts)).tolist() == [8887, 54_263]
    assert bearoff.rank(counts[::-1]).tolist() == [54_263, 8887]
    assert bearoff.unrank(np.array([100], dtype=dtype)).tolist() == [list(unrank_one(100))]


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        ([2**70] * 6, [2**70]), ([[1, 2], [3]], ["array"]), ([], ["points", 0]),
        ([0] * 25, ["points", 25]), (np.full((1, 24), 15, dtype=np.int8), [15, 360]),
        # Sums of these counts overflow to valid numbers of checkers.
        ([2**62, 2**62, 2**62, 2**62, 15, 0], ["point"]),
        (np.array([2**63 - 1, 1, 2**63 - 1, 2, 0, 0]), ["point"]),
        (np.array([2**64 - 1, 2, 0, 0, 0, 0], dtype=np.uint64), ["point"]),
        (np.array([255, 2, 0, 0, 0, 0], dtype=np.uint8), ["point"]),
    ],
)  # fmt: skip
def test_rank_refuses(counts, named):
    with refused(bearoff.PositionError, *named):
        bearoff.rank(counts)
