"""Values of pairs of positions that are computed without playing games."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import bearoff
from bearoff.positions.numbering import rank_terms
from bearoff.sim.play import pair_kernels
from bearoff.sim.play.players import expected_wins, player


@pytest.mark.parametrize(("points", "checkers"), [(6, 15), (1, 15), (12, 3), (24, 15)])
def test_positions_are_those_of_their_numbers(points, checkers):
    size = bearoff.position_count(points, checkers)
    numbers = np.random.default_rng(1).integers(0, size, 3000)
    numbers[:2] = 0, size - 1
    counts = np.full((len(numbers), points), 99, dtype=np.int8)
    pair_kernels.unrank(rank_terms(points, checkers), numbers, counts)
    assert (counts == bearoff.unrank(numbers, points, checkers)).all()


@pytest.mark.parametrize("names", [("fewest-rolls",) * 2, ("random-play", "fewest-pips")])
def test_wins_are_by_convolution(names):
    roller, opponent = (player(name, 4, 5) for name in names)
    # The longest games of the two players differ, so their distributions have different
    # lengths.
    widths = {side.distribution.shape[1] for side in (roller, opponent)}
    assert len(widths) == len(set(names))
    numbers = np.arange(bearoff.position_count(4, 5))
    x, y = (side.ravel() for side in np.meshgrid(numbers, numbers))
    for first, second in ((roller, opponent), (opponent, roller)):
        known = bearoff.one_sided.first_off_probability(
            first.distribution, second.distribution, x, y
        )
        # The last digit may differ, because the terms are summed in different orders.
        assert expected_wins(first, second, x, y) == pytest.approx(known, abs=1e-14)
        assert expected_wins(first, second, x, y).max() <= 1.0


weights = st.lists(
    st.floats(0, 1e6) | st.just(0.0) | st.integers(0, 3).map(float), min_size=1, max_size=40
).filter(any)


@given(weights, st.lists(st.floats(0, 1, exclude_max=True), max_size=20))
@example([0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0], [])
@example([5e-324, 1.0], [0.0, 0.5])
def test_the_first_above_is_what_a_search_finds(given_weights, draws):
    ends = np.cumsum(given_weights)
    # Besides random values, the edges of the intervals and the nearest float64 numbers are
    # tested.
    values = np.concatenate(
        [np.array(draws) * ends[-1], ends, np.nextafter(ends, 0), np.nextafter(ends, 1e9)]
    )
    chosen = np.empty(len(values), dtype=np.int64)
    pair_kernels.first_above(ends, values, chosen)
    assert (chosen == np.searchsorted(ends, values, side="right")).all()
