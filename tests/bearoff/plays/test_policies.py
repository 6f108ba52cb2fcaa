"""Lists of successors, by compiled code and by numpy, and policies other than fewest-rolls
play.
"""

from itertools import chain

import numpy as np
import pytest

import bearoff
from bearoff.plays import plain, policies
from bearoff.plays.policies import number_type
from oracles import reference
from tests import published


@pytest.mark.parametrize(
    ("points", "checkers"),
    [
        (6, 4), (1, 15), (2, 9), (10, 3), (24, 1),
        *(pytest.param(*size, marks=pytest.mark.slow) for size in ((6, 7), (12, 4))),
    ],
)  # fmt: skip
def test_all_successors_are_those_of_the_rules(points, checkers):
    positions = reference.all_positions(points, checkers)
    numbers = {position: number for number, position in enumerate(positions)}
    found = bearoff.plays.successors(points, checkers)
    lists = [
        sorted(numbers[after] for after in reference.successors(position, *roll))
        for position in positions
        for roll in bearoff.ROLLS
    ]
    assert found.numbers.tolist() == list(chain.from_iterable(lists))
    assert np.diff(found.offsets).tolist() == list(map(len, lists))
    plainly = plain.list_successors(points, checkers)
    assert all(np.array_equal(*pair) for pair in zip(plainly, found, strict=True))


@pytest.mark.parametrize(("points", "checkers"), [(6, 15), (12, 4)])
def test_successors_of_a_sample_of_larger_tables(points, checkers, all_successors):
    home = (points, checkers) == (6, 15)
    found = all_successors if home else bearoff.plays.successors(points, checkers)
    rng = np.random.default_rng(11)
    for number in rng.integers(1, bearoff.position_count(points, checkers), 20).tolist():
        position = bearoff.Position.from_number(number, points, checkers)
        stand = reference.checkers_of(position.counts)
        for k, roll in enumerate(bearoff.ROLLS):
            listed = found.numbers[slice(*found.offsets[21 * number + k :][:2])]
            counts = bearoff.unrank(listed, points, checkers).tolist()
            after = {reference.checkers_of(tuple(c)) for c in counts}
            assert after == reference.successors(stand, *roll)


def test_every_roll_can_be_played_and_lowers_the_number(all_successors):
    plays = np.diff(all_successors.offsets)
    assert plays.min() == 1
    plays = plays.reshape(-1, 21).sum(axis=1)
    before = np.repeat(np.arange(published.POSITIONS), plays)
    assert plays[0] == 21
    assert (all_successors.numbers < before)[21:].all()
    assert len(all_successors.numbers) == published.TRIPLES
    assert round(plays.mean(), 1) == 169.7


def test_plays_of_the_upper_positions_alone():
    scores = np.random.default_rng(2).random(bearoff.position_count(6, 4))
    whole = bearoff.plays.least_score_policy(scores, 6, 4)
    upper = bearoff.plays.least_score_policy(scores, 6, 4, 100)
    assert np.array_equal(upper[100:], whole[100:])
    assert not upper[:100].any()


def test_least_score_policy_takes_the_least():
    scores = np.random.default_rng(3).integers(0, 5, bearoff.position_count(6, 4))
    policy = bearoff.plays.least_score_policy(scores, 6, 4)
    found = bearoff.plays.successors(6, 4)
    assert (policy[0] == 0).all()
    for number in range(1, len(scores)):
        for k in range(21):
            listed = found.numbers[slice(*found.offsets[21 * number + k :][:2])]
            best = min(listed.tolist(), key=lambda after: (scores[after], after))
            assert policy[number, k] == best


def test_least_mean_rolls_is_the_tables_own_policy(table):
    # Means are rounded, so that values that differ only by rounding count as equal.
    policy = bearoff.plays.least_score_policy(table.mean_rolls.round(10), 6, 15)
    assert np.array_equal(policy, table.policy)
    assert np.allclose(
        bearoff.plays.policy_distribution(policy), table.distribution, rtol=0, atol=1e-15
    )


@pytest.mark.parametrize(
    ("size", "dtype"), [(2, np.uint16), (65_536, np.uint16), (65_537, np.uint32)]
)
def test_numbers_take_the_smallest_type_that_holds_them(size, dtype):
    assert number_type(size) is dtype
    assert np.iinfo(dtype).max >= size - 1


def test_successors_of_fewer_checkers_are_the_first_of_more():
    policies._listed.clear()
    alone = policies.successors(6, 4)
    policies._listed.clear()
    more = policies.successors(6, 6)
    cut = policies.successors(6, 4)
    # The plays of 4 checkers are taken from the list for 6 checkers.
    assert [k for k, _ in policies._listed] == [(6, 6)]
    for one, other in zip(alone, cut, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert len(more.numbers) > len(cut.numbers)
