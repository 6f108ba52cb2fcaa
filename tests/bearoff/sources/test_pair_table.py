"""Stored two-sided tables and solved races give equal answers."""

import numpy as np
import pytest

import bearoff
from bearoff import Match, Money, Position, Race, Score
from bearoff.errors import PositionError
from bearoff.match_solver import money_race
from bearoff.scores import MoneyPayoffs
from bearoff.sources import PairTable
from bearoff.stakes import CUBES, CubeOwner, Terms
from tests.two_sided_tables import built

SIZE = 4


@pytest.fixture(scope="module")
def stored():
    return built(SIZE)


@pytest.fixture(scope="module")
def scored():
    return bearoff.match_table(SIZE, (2, 4), exact=True)


def some_pairs():
    numbers = np.random.default_rng(5).integers(1, 210, (2, 100))
    return numbers[0], numbers[1]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("cube", CUBES)
def test_what_settles_a_race_is_its_value_with_the_cube(stored, cube, turned):
    x, y = some_pairs()
    may = CubeOwner.of(cube).may
    state = MoneyPayoffs().state(1, *(may[::-1] if turned else may))
    found = stored.settled(x, y, state, Terms(turned=turned))
    np.testing.assert_array_equal(found, stored.equity(x, y, cube))


def test_without_a_cube_it_is_settled_by_the_points(stored):
    x, y = some_pairs()
    state = MoneyPayoffs().state(1, False, False)
    assert (stored.settled(x, y, state, Terms()) == stored.equity(x, y, None)).all()


@pytest.mark.parametrize("seen_by_the_second", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("value", "cube"), [(1, "centred"), (2, "owned"), (2, "opponent")])
def test_at_a_score_either_player_is_settled(
    scored, value, cube, turned, seen_by_the_second
):
    table = scored.exchanged() if seen_by_the_second else scored
    x, y = some_pairs()
    may = CubeOwner.of(cube).may
    terms = Terms(table.stakes, 1, turned)
    state = table.stakes.payoffs.state(value, *(may[::-1] if turned else may))
    roller = table.exchanged() if turned else table
    chance = roller.value(x, y, value, cube)
    np.testing.assert_allclose(
        terms.chance(table.settled(x, y, state, terms)), chance, atol=1e-14
    )
    values = table.values(x, y, cube, Terms(table.stakes, value, turned), gammons=False)
    np.testing.assert_allclose(
        values.terms.chance(values.equity),
        chance,
        atol=1e-12,  # tolerance for float64 rounding
    )
    assert np.isnan(values.gammons_won).all()


def test_a_table_knows_its_stakes(stored, scored):
    assert stored.plays_for(Money())
    assert stored.plays_for(Money(jacoby=True))
    assert not stored.plays_for(Match(Score((2, 4))))
    assert scored.plays_for(Match(Score((2, 4), length=7)))
    assert scored.exchanged().plays_for(Match(Score((4, 2))))
    for other in (Money(), Match(Score((4, 2)))):
        assert not scored.plays_for(other)
    by_rule = money_race(Race(*2 * [Position((1, 0, 0, 0, 0, 0))]), jacoby=True)
    assert by_rule.plays_for(Money(jacoby=True))
    assert not by_rule.plays_for(Money())


def test_a_table_holds_sides_of_its_size(stored, scored):
    small, large = Position((0, 2, 0, 0, 0, 2) + 2 * (0,)), Position((5,) + 7 * (0,))
    beyond = Position(7 * (0,) + (1,))
    table: PairTable
    for table in (stored, scored):
        assert table.holds(Race(small, small))
        assert not table.holds(Race(small, large))
        assert not table.holds(Race(beyond, small))
        assert table.number(small) == Position(small.counts[:6]).number
        assert (table.points, table.checkers, table.opponents) == (6, SIZE, SIZE)
        assert table.start == 15
        assert table.estimate_seconds() >= 0
        with pytest.raises(PositionError):
            table.number(beyond)
