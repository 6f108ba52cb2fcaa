import numpy as np

import bearoff
from bearoff.analysis import Outcomes, open_run
from bearoff.analysis.outcomes.outcomes import splitmix64
from tests.analysis.make_run import write_run


def test_columns_are_the_tables_and_unknown_expected_values_are_nan(grid, table, tmp_path):
    assert (grid.roller_epc == table.epc[grid.roller]).all()
    assert (grid.lead("pips") == table.pips[grid.opponent] - table.pips[grid.roller]).all()
    assert (grid.roller_counts == bearoff.unrank(grid.roller)).all()
    assert grid.win_probability[3] == grid.wins[3] / grid.games[3]
    folder = write_run(tmp_path / "unknown", [10, 20], [30, 40], known=False)
    assert np.isnan(Outcomes.of(open_run(folder)).expected).all()
    assert open_run(folder).estimate(10, 30).expected is None


def test_the_split_is_a_published_hash_of_the_pair_for_ever():
    # If the split changed, new fits could train on pairs that earlier fits held out for
    # testing.
    rollers, opponents = np.random.default_rng(3).integers(0, 54264, (2, 300))
    blank = np.zeros(300)
    outcomes = Outcomes(
        roller=rollers, opponent=opponents, roller_pips=blank, opponent_pips=blank,
        roller_epc=blank, opponent_epc=blank, weight=blank, games=blank, wins=blank,
        gammons_won=blank, gammons_lost=blank, expected=blank, points=6, checkers=15,
    )  # fmt: skip
    # A doctest compares `splitmix64` with a published number.
    words = [
        (x * 2**32 + y + 0x9E3779B97F4A7C15) % 2**64
        for x, y in zip(rollers.tolist(), opponents.tolist(), strict=True)
    ]
    expected = (splitmix64(np.array(words, dtype=np.uint64)) % 3 == 0).tolist()
    assert outcomes.held_out().tolist() == expected
    assert 60 < sum(expected) < 140  # about one pair in three is held out
