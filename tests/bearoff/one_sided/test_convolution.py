"""Convolutions of two roll distributions of any widths, compared with exact fractions."""

from fractions import Fraction
from math import fsum

import numpy as np
import pytest
from hypothesis import given, strategies as st

import bearoff
from bearoff.one_sided.convolution import tail_sums

rows = st.lists(st.integers(0, 20), min_size=1, max_size=8).filter(any)


@given(rows, rows)
def test_first_off_of_any_two_rows(first, second):
    exact = [[Fraction(n, sum(row)) for n in row] for row in (first, second)]
    expected = sum(
        a * b for n, a in enumerate(exact[0]) for m, b in enumerate(exact[1]) if n <= m
    )
    ours, theirs = (np.array([list(map(float, row))]) for row in exact)
    zero = np.zeros(1, dtype=np.int64)
    for tails in (None, tail_sums(theirs)):
        found = bearoff.one_sided.first_off_probability(ours, theirs, zero, zero, tails)
        assert found == pytest.approx([float(expected)], abs=1e-15)


@pytest.mark.parametrize(("points", "checkers"), [(6, 15), (5, 7), (1, 1)])
def test_many_pairs_are_the_same_to_the_last_bit(points, checkers):
    from bearoff.one_sided import convolving

    table = bearoff.one_sided_table(points, checkers)
    rows = table.distribution
    tails = tail_sums(rows)
    x, y = np.random.default_rng(7).integers(0, len(table), (2, 1 << 15))
    # No checkers against all checkers on the highest point, and the reverse.
    x[:2], y[:2] = (0, len(table) - 1), (len(table) - 1, 0)
    found = np.empty(x.size)
    convolving.convolve(convolving.rows_of(rows, tails), x, y, found)
    assert (found == bearoff.one_sided.first_off_probability(rows, rows, x, y, tails)).all()
    assert (table.fewest_rolls_win_probability(x, y) == found).all()
    for k in range(50):
        summed = fsum(a * b for a, b in zip(rows[x[k]], tails[y[k]], strict=True))
        assert found[k] == pytest.approx(min(summed, 1.0), abs=1e-15)
