import numpy as np
import pytest

import bearoff
from bearoff.analysis import Outcomes, open_run
from bearoff.analysis.outcomes.outcomes import splitmix64
from tests.analysis.make_run import write_run


def slow_splitmix64(word):
    """Compute the published SplitMix64 algorithm with Python integers."""
    mask = (1 << 64) - 1
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & mask
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & mask
    return word ^ (word >> 31)


def test_columns_are_the_tables(grid, table):
    assert (grid.roller_epc == table.epc[grid.roller]).all()
    assert (grid.lead("pips") == table.pips[grid.opponent] - table.pips[grid.roller]).all()
    assert (grid.roller_counts == bearoff.unrank(grid.roller)).all()
    assert grid.win_probability[3] == grid.wins[3] / grid.games[3]


def test_choosing_keeps_pairs_together(grid):
    some = grid[np.array([5, 2])]
    assert len(some) == 2
    assert (some.roller[1], some.wins[1]) == (grid.roller[2], grid.wins[2])
    assert some.points == grid.points


def test_splitmix_is_the_published_one():
    words = [0, 1, 0x9E3779B97F4A7C15, (1 << 64) - 1]
    ours = splitmix64(np.array(words, dtype=np.uint64))
    assert [int(word) for word in ours] == [slow_splitmix64(word) for word in words]


def test_one_pair_in_three_is_held_out(grid):
    rng = np.random.default_rng(3)
    wide = vars(grid[rng.integers(0, len(grid), 1)])
    sides = {name: rng.integers(0, 54264, 30000) for name in ("roller", "opponent")}
    many = Outcomes(**wide | sides)
    # The tolerance is four standard errors of a third of 30,000.
    assert many.held_out().mean() == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / 30000))


def test_the_split_depends_on_the_pair_alone(grid, tmp_path):
    order = np.sort(np.random.default_rng(4).permutation(len(grid))[:50])
    pairs = grid.roller[order], grid.opponent[order]
    folder = write_run(tmp_path / "other", *pairs, games=10, seed=99)
    other = Outcomes.of(open_run(folder))
    assert (other.held_out() == grid.held_out()[order]).all()


def test_the_split_is_the_same_for_ever():
    # Changing the split would expose old test pairs to new fits.
    numbers = np.arange(12)
    blank = np.zeros(12)
    outcomes = Outcomes(
        roller=numbers, opponent=numbers + 1, roller_pips=blank, opponent_pips=blank,
        roller_epc=blank, opponent_epc=blank, weight=blank, games=numbers, wins=numbers,
        gammons_won=blank, gammons_lost=blank, expected=blank, points=6, checkers=15,
    )  # fmt: skip
    expected = [
        slow_splitmix64((n * (1 << 32) + n + 1 + 0x9E3779B97F4A7C15) % (1 << 64)) % 3 == 0
        for n in range(12)
    ]
    assert outcomes.held_out().tolist() == expected


def test_unknown_expected_values_are_nan(tmp_path):
    folder = write_run(tmp_path / "unknown", [10, 20], [30, 40], known=False)
    assert np.isnan(Outcomes.of(open_run(folder)).expected).all()
    assert open_run(folder).estimate(10, 30).expected is None
