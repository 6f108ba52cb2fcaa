"""Win probabilities of fewest-rolls play, compared with exact fractions and with each
other.
"""

import numpy as np
import pytest

import bearoff
from oracles import reference
from tests import published


@pytest.mark.parametrize(("points", "checkers"), [(6, 3), (8, 2)])
def test_win_probability_against_playing_it_out(points, checkers):
    positions = reference.all_positions(points, checkers)
    n = len(positions)
    x, y = np.divmod(np.arange(n * n), n)
    keep = np.random.default_rng(4).permutation(n * n)[:600]
    found = bearoff.fewest_rolls_win_probability(x[keep], y[keep], points, checkers)
    expected = [
        float(reference.win_probability(positions[a], positions[b]))
        for a, b in zip(x[keep], y[keep], strict=True)
    ]
    assert np.abs(found - expected).max() < published.EXACT
