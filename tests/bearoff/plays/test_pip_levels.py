"""Groups of positions by pip count, compared with sorted lists."""

import numpy as np
import pytest

import bearoff
from bearoff.plays.pip_levels import level_sizes, most_rolls, pip_counts, sort_by_pips
from oracles import reference

SIZES = [(6, 15), (3, 8), (1, 15), (24, 2), (12, 3), (1, 1)]


def test_sizes_of_tables_beyond_any_memory():
    sizes = level_sizes(24, 15)
    assert sizes.sum() == bearoff.position_count(24, 15)
    assert len(sizes) == 24 * 15 + 1
    # As many positions have p pips as have p pips fewer than the maximum.
    assert np.array_equal(sizes, sizes[::-1])


@pytest.mark.parametrize(("points", "checkers"), SIZES)
def test_levels_are_those_of_the_sums_of_points_in_order(points, checkers):
    sums = [sum(p) for p in reference.all_positions(points, checkers)]
    levels, pips = sort_by_pips(points, checkers), pip_counts(points, checkers)
    assert (pips.tolist(), pips.dtype) == (sums, np.int16)
    sizes = level_sizes(points, checkers).tolist()
    assert sizes == np.bincount(sums).tolist() == np.diff(levels.starts).tolist()
    assert levels.order.tolist() == sorted(range(len(pips)), key=lambda x: (pips[x], x))
    assert (levels.order[levels.place] == np.arange(len(pips))).all()


def longest_of_any_play(points, checkers):
    """Return the largest number of rolls that bearing off each position can take."""
    found = bearoff.plays.successors(points, checkers)
    most = np.zeros(bearoff.position_count(points, checkers), dtype=int)
    for x in range(1, len(most)):
        after = found.numbers[found.offsets[21 * x] : found.offsets[21 * x + 21]]
        most[x] = 1 + most[after].max()
    return most


@pytest.mark.parametrize(("points", "checkers"), [(6, 6), (3, 9), (1, 15), (2, 15), (9, 4)])
def test_no_play_needs_more_rolls_than_the_bound(points, checkers):
    longest, pips = longest_of_any_play(points, checkers), pip_counts(points, checkers)
    bounds = np.array([most_rolls(p, checkers) for p in range(points * checkers + 1)])
    assert (longest <= bounds[pips]).all()
    # For boards and numbers of checkers as small as these, the bound on rolls is at most
    # three rolls too high.
    assert max(bounds[pips.max()] - longest[pips == pips.max()]) <= 3


def test_the_bound_on_the_default_table(table):
    rolls = np.arange(table.distribution.shape[1])
    longest = (rolls * (table.distribution > 0)).max(axis=1)
    bounds = np.array([most_rolls(p, 15) for p in range(91)])
    assert (longest <= bounds[table.pips]).all()
    # The algorithm requires that the bound on rolls never decreases as pips increase.
    assert np.all(np.diff(bounds) >= 0)
