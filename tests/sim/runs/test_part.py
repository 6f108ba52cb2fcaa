"""An unfinished part of a run counts each of its blocks once."""

import numpy as np
import pytest

from bearoff.sim.engine import plan
from bearoff.sim.play.tally import WIDTH, length_moments
from bearoff.sim.runs.part import PartAccumulator


def test_a_block_counts_once():
    (block,) = plan.blocks_of(0, slice(0, 2), np.array([5, 7]), 20)
    part = PartAccumulator(slice(0, 2), [block], WIDTH, lambda block: None)
    part.add(block, np.ones((2, WIDTH), dtype=np.int64))
    with pytest.raises(KeyError):
        part.add(block, np.ones((2, WIDTH), dtype=np.int64))


def test_moments_of_lengths():
    lengths = np.random.default_rng(6).integers(1, 60, 1000)
    rows = np.zeros((3, WIDTH), dtype=np.int64)
    rows[0, :4] = 1000, 0, lengths.sum(), (lengths**2).sum()
    rows[1, :4] = 3, 3, 3 * 7, 3 * 49  # three games, each of seven rolls
    mean, variance = length_moments(rows)
    assert mean[0] == pytest.approx(lengths.mean(), rel=1e-14)
    assert variance[0] == pytest.approx(lengths.var(), rel=1e-11)
    assert variance[1] == 0.0
    assert np.isnan([mean[2], variance[2]]).all()
