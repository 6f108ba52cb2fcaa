"""Cube actions with gammons, compared with exact fractions.

Sides that start with two or three checkers stand for those of fifteen.
"""

from itertools import product

import numpy as np
import pytest

import bearoff
from bearoff import doubling_window, market
from bearoff.sources import Market
from bearoff.stakes import Money, Terms, take_points
from oracles.reference import all_positions
from oracles.two_sided_reference import ONE, exact
from tests.two_sided_tables import built, number

START = 2
KEPT = {
    ("centred", False): "centred_kept",
    ("centred", True): "jacoby_kept",
    ("owned", False): "owned_kept",
    ("owned", True): "owned_kept",
}


@pytest.fixture(scope="module")
def table():
    return built(START, start=START)


def truth(x, y, cube, jacoby):
    """Return the equities of no double and of double/take, in points."""
    values = exact(x, y, START)
    kept = getattr(values, KEPT[cube, jacoby])
    return kept / ONE, 2 * values.opponent / ONE


@pytest.mark.parametrize(("cube", "jacoby"), KEPT)
def test_every_action_is_what_fractions_give(table, cube, jacoby):
    positions = [p for p in all_positions(6, START) if p]
    numbers = np.arange(1, len(positions) + 1)
    found = bearoff.cube_actions(table, numbers[:, None], numbers, cube, jacoby=jacoby)
    pairs = product(positions, repeat=2)
    no_double, taken = np.array([truth(*pair, cube, jacoby) for pair in pairs]).T
    shape = found.no_double.shape
    no_double, taken = no_double.reshape(shape), taken.reshape(shape)
    assert (np.abs(found.no_double - no_double) <= found.no_double_error).all()
    assert (np.abs(found.double_take - taken) <= found.double_take_error).all()
    doubled = np.minimum(taken, 1)
    sure = ~found.double_too_close
    np.testing.assert_array_equal(found.doubles[sure], (doubled >= no_double)[sure])
    too_good = found.too_good & ~found.doubles
    clear = np.abs(no_double - 1) > found.no_double_error
    np.testing.assert_array_equal(too_good[sure & clear], (no_double > 1)[sure & clear])
    # Under the Jacoby rule, nobody plays on for a gammon that does not count.
    assert too_good.any() == (not jacoby or cube == "owned")
    lost = np.maximum(doubled, no_double) - np.where(found.doubles, doubled, no_double)
    assert lost.max() <= 2 * found.error.max()


def test_a_certain_gammon_is_too_good(table):
    pair = number(1), number(0, 0, 0, 0, 0, 2)
    owned = bearoff.cube_action(table, pair, "owned")
    assert owned.action == "too good to redouble"
    assert (owned.no_double, owned.equity, owned.wrong_double) == (2.0, 2.0, 1.0)
    assert (owned.gammons_won, owned.gammons_lost) == (1.0, 0.0)
    assert bearoff.cube_action(table, pair).action == "too good to double"
    jacoby = bearoff.cube_action(table, pair, jacoby=True)
    assert (jacoby.action, jacoby.no_double) == ("double, pass", 1.0)
    assert jacoby.terms.stakes.jacoby
    assert bearoff.cube_action(table, pair, "owned", jacoby=True).no_double == 2.0


def test_take_points_are_where_the_opponent_is_indifferent(table):
    """Take points leave the opponent indifferent: with a dead cube by definition, with a
    live one at its last take.
    """
    pair = number(0, 0, 0, 0, 1), number(0, 0, 0, 0, 0, 2)
    found = bearoff.cube_action(table, pair)
    assert 0 < found.gammons_won < found.win_probability
    chance = (1 + float(table.equity(*pair, None)) - found.gammons_won) / 2
    loses, wins = 1 + found.gammons_won / chance, 1.0
    dead, live = take_points(wins, loses)
    assert 2 * (dead * wins - (1 - dead) * loses) == pytest.approx(-1, abs=1e-12)
    # The value of a live cube rises linearly from -loses to 1 at the roller's last take.
    last_take = 1 - (wins - 0.5) / (wins + loses + 0.5)
    assert 2 * (-loses + (1 + loses) * live / last_take) == pytest.approx(-1, abs=1e-12)
    assert dead > 0.25
    assert take_points(1.0, 1.0) == (0.25, 0.2)


@pytest.mark.parametrize(("cube", "jacoby"), KEPT)
def test_markets_are_what_fractions_make_of_the_plays(table, cube, jacoby):
    positions = all_positions(6, START)
    pair = number(0, 0, 0, 1, 0, 1), number(0, 0, 0, 0, 0, 2)
    found = market(table, pair, cube, jacoby=jacoby)
    assert sum(found.probabilities.values()) == pytest.approx(1, abs=1e-12)
    terms = Terms(Money(jacoby))
    after = table.best_after(*pair, cube, terms)
    theirs = "opponent" if cube == "owned" else "centred"
    seen = set()
    for own, left in enumerate(after.tolist()):
        if not left:
            assert set(found.outcomes[own]) == {Market.OUTCOMES.index("won")}
            continue
        if found.outcomes[own, 0] == Market.OUTCOMES.index("opponent doubles"):
            continue
        replies = table.best_after(pair[1], left, theirs, terms)
        for reply, right in enumerate(replies.tolist()):
            told = Market.OUTCOMES[found.outcomes[own, reply]]
            seen.add(told)
            if not right:
                assert told == "lost"
                continue
            kept, taken = truth(positions[left], positions[right], cube, jacoby)
            if min(taken, 1) >= kept:
                expected = "double, pass" if taken > 1 else "double, take"
            else:
                expected = "too good" if kept > 1 else "no double"
            assert told == expected or found.too_close[own, reply]
    assert ("too good" in seen) == (not jacoby or cube == "owned")
    assert found.losing_probability >= found.probabilities["too good"]


def test_the_window_tells_where_the_roller_is_too_good(table):
    window = doubling_window(table, number(1))
    assert window.first_too_good == 1.0
    # A player about to bear off can only be wrong to double because of gammons.
    assert np.isnan(window.last_no_double)
    assert np.isnan(doubling_window(table, number(1), jacoby=True).first_too_good)
