"""Stored two-sided tables and solved races give equal answers."""

import numpy as np
import pytest

import bearoff
from bearoff import Match, Money, Position, Race, Score
from bearoff.errors import PositionError
from bearoff.match_solver import money_race
from bearoff.scores import MoneyPayoffs
from bearoff.stakes import CUBES, CubeOwner, Terms
from tests.two_sided_tables import built

SIZE = 4
PAIRS = np.random.default_rng(5).integers(1, 210, (2, 100))


@pytest.fixture(scope="module")
def scored():
    return bearoff.match_table(SIZE, (2, 4), exact=True)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("cube", CUBES)
def test_what_settles_a_race_is_its_value_with_the_cube(cube, turned):
    may = CubeOwner.of(cube).may
    state = MoneyPayoffs().state(1, *(may[::-1] if turned else may))
    found = built(SIZE).settled(*PAIRS, state, Terms(turned=turned))
    np.testing.assert_array_equal(found, built(SIZE).equity(*PAIRS, cube))


def test_without_a_cube_it_is_settled_by_the_points():
    found = built(SIZE).settled(*PAIRS, MoneyPayoffs().state(1, False, False), Terms())
    np.testing.assert_array_equal(found, built(SIZE).equity(*PAIRS, None))


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("value", "cube"), [(1, "centred"), (2, "owned"), (2, "opponent")])
def test_at_a_score_either_player_is_settled(scored, value, cube, turned, exchanged):
    table = scored.exchanged() if exchanged else scored
    may = CubeOwner.of(cube).may
    terms = Terms(table.stakes, 1, turned)
    state = table.stakes.payoffs.state(value, *(may[::-1] if turned else may))
    roller = table.exchanged() if turned else table
    chance = roller.value(*PAIRS, value, cube)
    settled = table.settled(*PAIRS, state, terms)
    np.testing.assert_allclose(terms.chance(settled), chance, atol=1e-14)
    values = table.values(*PAIRS, cube, Terms(table.stakes, value, turned), gammons=False)
    np.testing.assert_allclose(values.terms.chance(values.equity), chance, atol=1e-12)
    assert np.isnan(values.gammons_won).all()


def test_a_table_knows_its_stakes(scored):
    stored = built(SIZE)
    assert stored.plays_for(Money())
    assert stored.plays_for(Money(jacoby=True))
    assert not stored.plays_for(Match(Score((2, 4))))
    assert scored.plays_for(Match(Score((2, 4), length=7)))
    assert scored.exchanged().plays_for(Match(Score((4, 2))))
    for other in (Money(), Match(Score((4, 2)))):
        assert not scored.plays_for(other)
    by_rule = money_race(Race("1,0,0,0,0,0", "1,0,0,0,0,0"), jacoby=True)
    assert by_rule.plays_for(Money(jacoby=True))
    assert not by_rule.plays_for(Money())


def test_a_table_holds_sides_of_its_size(scored):
    small, large = Position((0, 2, 0, 0, 0, 2) + 2 * (0,)), Position((5,) + 7 * (0,))
    beyond = Position(7 * (0,) + (1,))
    for table in (built(SIZE), scored):
        assert table.holds(Race(small, small))
        assert not table.holds(Race(small, large))
        assert not table.holds(Race(beyond, small))
        assert table.number(small) == Position(small.counts[:6]).number
        assert (table.points, table.checkers, table.opponents) == (6, SIZE, SIZE)
        assert table.start == 15
        assert table.estimate_seconds() >= 0
        with pytest.raises(PositionError):
            table.number(beyond)
