"""The plan of a run contains every game exactly once."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from bearoff.sim.engine import plan


@given(
    games=st.lists(st.integers(1, 200), min_size=1, max_size=40),
    block_games=st.integers(1, 300),
    part_pairs=st.integers(1, 12),
)
@example(games=[5], block_games=5, part_pairs=1)
@example(games=[5, 5, 5], block_games=5, part_pairs=3)
@example(games=[1], block_games=1, part_pairs=1)
def test_blocks_cover_every_game_once(games, block_games, part_pairs):
    games = np.array(games)
    parts = plan.part_ranges(len(games), part_pairs)
    ends = [0, *(pairs.stop for pairs in parts)]
    assert [pairs.start for pairs in parts] == ends[:-1]
    assert ends[-1] == len(games)
    played = [[] for _ in games]
    for part, pairs in enumerate(parts):
        assert 0 < pairs.stop - pairs.start <= part_pairs
        blocks = list(plan.blocks_of(part, pairs, games, block_games))
        for index, block in enumerate(blocks):
            assert (block.part, block.index) == (part, index)
            assert pairs.start <= block.pairs.start < block.pairs.stop <= pairs.stop
            assert 1 <= block.games.sum() <= block_games
            assert (block.games > 0).all()
            numbers = range(block.pairs.start, block.pairs.stop)
            columns = block.firsts.tolist(), block.games.tolist()
            for pair, first, count in zip(numbers, *columns, strict=True):
                played[pair] += range(first, first + count)
        # All blocks of a part have the full number of games, except the last.
        assert all(block.games.sum() == block_games for block in blocks[:-1])
    assert played == [list(range(count)) for count in games.tolist()]


def test_the_largest_pair_is_cut_and_nothing_can_be_planned():
    games = np.array([3, 10**12, 4])
    blocks = plan.blocks_of(0, slice(0, 3), games, plan.BLOCK_GAMES)
    first, second = next(blocks), next(blocks)
    assert first.firsts.tolist() == [0, 0]
    assert first.games.tolist() == [3, plan.BLOCK_GAMES - 3]
    assert (second.first_pair, second.firsts.tolist()) == (1, [plan.BLOCK_GAMES - 3])
    assert plan.part_size(0, 0, plan.BLOCK_GAMES) == plan.PART_PAIRS
    assert plan.part_ranges(0, plan.PART_PAIRS) == []


@pytest.mark.parametrize("target", [0.5, 0.0005])
def test_games_reach_the_standard_error(target):
    expected = np.linspace(0, 1, 101)
    games = plan.games_for_standard_error(expected, target, at_most=10**9)
    reached = np.sqrt(expected * (1 - expected) / games)
    assert (reached <= target * (1 + 1e-9)).all()
    assert (games >= plan.FEWEST_GAMES).all()
    # With one game fewer, a pair would miss the target error, unless it has the minimum
    # number of games.
    above = games > plan.FEWEST_GAMES
    fewer = np.sqrt(expected * (1 - expected) / (games - 1))
    assert (fewer[above] > target * (1 - 1e-9)).all()


def test_games_are_capped():
    expected = np.array([0.0, 0.5, 1.0])
    for target, at_most, ends in ((1e-4, 20_000, 10_000), (1e-4, 77, 77),
                                  (5e-324, 10**12, 10_000)):  # fmt: skip
        games = plan.games_for_standard_error(expected, target, at_most)
        assert games.tolist() == [ends, at_most, ends]


def test_parts_fill_a_block_where_they_can():
    pairs, least = 1_000_000, plan.PART_PAIRS
    sizes = {1: 8 * least, 100: 8 * least, 500: 16_777, 1024: least, 10**6: least}
    for games, size in sizes.items():
        assert plan.part_size(pairs, games * pairs, plan.BLOCK_GAMES) == size, games
    assert 16_778 * 500 > plan.BLOCK_GAMES >= 16_777 * 500
    assert least == 8192
