"""Random draws have the correct probabilities, and stay the same in all versions."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from bearoff.sim.play.draws import uniforms, weighted_choice


def philox_4x64(counter, key):
    """Return Philox4x64-10 as Salmon et al. define it, in plain Python."""
    mask = 2**64 - 1
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = 0xD2E7470EE14C6C93 * c0, 0xCA5A826395121157 * c2
        c0, c1, c2, c3 = p1 >> 64 ^ c1 ^ k0, p1 & mask, p0 >> 64 ^ c3 ^ k1, p0 & mask
        k0, k1 = k0 + 0x9E3779B97F4A7C15 & mask, k1 + 0xBB67AE8584CAA73B & mask
    return c0, c1, c2, c3


@pytest.mark.parametrize(
    ("seed", "stream"), [(0, 0), (20261121, 7), (2**64 - 1, 2**34 + 3)]
)
def test_draws_are_the_first_53_bits_of_philox(seed, stream):
    # numpy increments the Philox counter before the first draw, so the counter starts at 1.
    words = [w for n in (1, 2, 3) for w in philox_4x64((n, 0, 0, 0), (seed, stream))]
    assert uniforms(seed, stream, 12).tolist() == [(w >> 11) / 2**53 for w in words]


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=30).filter(any),
    st.floats(0, 1, exclude_max=True),
)
def test_a_draw_falls_where_its_weight_lies(weights, draw):
    index = weighted_choice(np.array(weights, dtype=float), np.array([draw]))[0]
    assert weights[index] > 0
    total = sum(weights)
    slack = 1e-12 * total
    assert sum(weights[:index]) <= draw * total + slack
    assert draw * total < sum(weights[: index + 1]) + slack


def test_the_last_draw_has_a_weight():
    weights = np.array([0.0, *[0.1] * 10, 0.0, 0.0])
    draws = np.array([0.0, np.nextafter(1, 0)])
    assert weighted_choice(weights, draws).tolist() == [1, 10]
