"""GNU Backgammon reads the files written by bearoff and gives the same values."""

import numpy as np
import pytest

import bearoff
from bearoff import gnubg
from bearoff.one_sided import saving_distribution
from tests.bearoff.gnubg.program import evaluate, find
from tests.two_sided_tables import built

POINTS, CHECKERS = 6, 5
FULL = bearoff.position_count(POINTS, 14)

HALF = 2 / 65535
"""Tolerance for rounding errors of equities."""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return a thousand pairs of positions, with GNU Backgammon's answers about them."""
    find("gnubg")
    folder = tmp_path_factory.mktemp("gnubg")
    header = gnubg.two_sided_header(POINTS, CHECKERS)
    gnubg.write_two_sided(folder / "gnubg_ts.bd", built(CHECKERS), header)
    one_sided, header = bearoff.one_sided_table(POINTS), gnubg.one_sided_header(POINTS)
    gnubg.write_one_sided(folder / "gnubg_os0.bd", one_sided, header)
    chance = np.random.default_rng(12)
    few = chance.integers(1, bearoff.position_count(POINTS, CHECKERS), (500, 2))
    many = chance.integers(FULL, len(one_sided), (500, 2))
    many[:150, 0] = chance.integers(1, 200, 150)
    many[150:300, 1] = chance.integers(1, 200, 150)
    many[300:400] = chance.integers(bearoff.position_count(POINTS, 6), FULL, (100, 2))
    pairs = np.concatenate([few, many])
    counts = bearoff.unrank(pairs, POINTS, 15).tolist()
    return pairs.T, evaluate(folder, counts)


def test_two_sided_values_are_ours(answers):
    (x, y), values = answers
    x, y = x[:500], y[:500]
    table = built(CHECKERS)
    cubeless = np.array([row[0] for row in values[:500]])
    assert cubeless[:, 0] == pytest.approx(table.win_probability(x, y), abs=HALF / 2)
    for k, cube in ((1, "owned"), (2, "centred")):
        found = np.array([row[k] for row in values[:500]])
        assert found[:, 1] == pytest.approx(table.no_double(x, y, cube), abs=HALF)
        assert found[:, 2] == pytest.approx(table.double_take(x, y), abs=2 * HALF)
        assert found[:, 0] == pytest.approx(table.equity(x, y, cube), abs=2 * HALF)


def test_one_sided_chances_are_ours(answers):
    (x, y), values = answers
    x, y = x[500:], y[500:]
    found = np.array([row[0] for row in values[500:]])
    table = bearoff.one_sided_table(POINTS)
    assert found[:, 0] == pytest.approx(table.fewest_rolls_win_probability(x, y), abs=HALF)
    off = table.distribution_of(np.arange(len(table)))
    saved = np.zeros((len(table), off.shape[1]))
    saved[:FULL, 0] = 1
    saved[FULL:] = saving_distribution(POINTS, rolls=off.shape[1])
    # `late[side, n]` is the probability that a side has borne off no checker within n
    # rolls.
    late = 1 - saved.cumsum(axis=1)
    won = (off[x][:, 1:] * late[y][:, :-1]).sum(axis=1)
    lost = (off[y][:, 1:] * late[x][:, 1:]).sum(axis=1)
    assert found[:, 1] == pytest.approx(won, abs=HALF)
    assert found[:, 3] == pytest.approx(lost, abs=HALF)
    assert min(won.max(), lost.max()) > 0.01
