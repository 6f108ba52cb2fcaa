"""An unfinished part of a run adds each of its blocks once, in any order."""

from itertools import permutations

import numpy as np
import pytest

from bearoff.sim.engine import plan
from bearoff.sim.play.tally import GAMES, WIDTH, length_moments
from bearoff.sim.runs.part import PartAccumulator

GAMES_OF_PAIRS = np.array([0, 0, 30, 5, 40])
PAIRS = slice(2, 5)


@pytest.fixture
def blocks():
    return list(plan.blocks_of(0, PAIRS, GAMES_OF_PAIRS, 20))


def counts_of(block):
    rows = np.zeros((len(block.games), WIDTH), dtype=np.int64)
    rows[:, GAMES] = block.games
    rows[:, 1:] = 100 * block.index + np.arange(1, WIDTH)
    return rows


def nothing(block):
    return None


def test_any_order_gives_the_same_sum(blocks):
    sums = set()
    for order in permutations(blocks):
        part = PartAccumulator(PAIRS, blocks, WIDTH, nothing)
        for block in order:
            assert not part.complete
            part.add(block, counts_of(block))
        assert part.complete
        assert part.counts[:, GAMES].tolist() == [30, 5, 40]
        assert part.games == 75
        sums.add(part.counts.tobytes())
    assert len(sums) == 1


def test_kept_blocks_are_not_missing(blocks):
    kept = blocks[1].index
    part = PartAccumulator(
        PAIRS,
        blocks,
        WIDTH,
        lambda block: counts_of(block) if block.index == kept else None,
    )
    assert [block.index for block in part.missing()] == [0, 2, 3]
    assert part.games == 20
    assert part.block_count == 4


def test_a_block_counts_once(blocks):
    part = PartAccumulator(PAIRS, blocks, WIDTH, nothing)
    part.add(blocks[0], counts_of(blocks[0]))
    with pytest.raises(KeyError):
        part.add(blocks[0], counts_of(blocks[0]))


def test_moments_of_lengths():
    lengths = np.random.default_rng(6).integers(1, 60, 1000)
    row = np.zeros((2, WIDTH), dtype=np.int64)
    row[0, :4] = 1000, 0, lengths.sum(), (lengths**2).sum()
    mean, variance = length_moments(row)
    assert mean[0] == pytest.approx(lengths.mean(), rel=1e-14)
    assert variance[0] == pytest.approx(lengths.var(), rel=1e-11)
    assert np.isnan([mean[1], variance[1]]).all()


def test_variance_is_never_negative():
    row = np.zeros((1, WIDTH), dtype=np.int64)
    row[0, :4] = 3, 3, 3 * 7, 3 * 49  # all of one length
    assert length_moments(row)[1].tolist() == [0.0]
