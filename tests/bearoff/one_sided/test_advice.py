"""Costs of all legal plays by the one-sided table."""

import pytest
from hypothesis import given, settings

import bearoff
from oracles import reference
from tests import strategies
from tests.refusals import refused


@settings(max_examples=20)
@given(strategies.counts(6, 4, at_least=1), strategies.ROLLS)
def test_plays_are_rated_by_what_they_leave(counts, roll):
    table = bearoff.one_sided_table()
    position = bearoff.Position(counts)
    rated = bearoff.rate_plays(table, position, roll)
    assert {r.play for r in rated} == set(bearoff.legal_plays(position, roll))
    least = min(r.epc_after for r in rated)
    for r in rated:
        exact = reference.mean_rolls(reference.checkers_of(r.play.after.counts))
        assert r.epc_after == pytest.approx(float(exact) * 49 / 6, abs=1e-12)
        assert r.cost == pytest.approx(r.epc_after - least, abs=1e-10)
        assert r.cost >= 0
    assert [r.best for r in rated] == [True] + [False] * (len(rated) - 1)
    costs = [r.cost for r in rated]
    assert costs == sorted(costs)
    number = table.policy[position.number][bearoff.ROLLS.index(tuple(sorted(roll))[::-1])]
    assert rated[0].play.after.number == number


def test_of_equal_plays_only_the_tables_own_is_best(table):
    # With 6-4, one checker is borne off, and the other needs one more roll after either
    # play.
    first, second = bearoff.rate_plays(table, bearoff.Position.parse("0,0,0,0,1,1"), (4, 6))
    assert (str(first.play), first.best, first.cost) == ("6/off 5/1", True, 0)
    assert (str(second.play), second.best, second.cost) == ("6/2 5/off", False, 0)


def test_a_table_of_fewer_checkers_serves_positions_of_as_few(table):
    asked = bearoff.Position.parse("1,0,0,1,0,1"), (3, 2)
    small = bearoff.one_sided_table(6, 3)
    assert bearoff.rate_plays(small, *asked) == bearoff.rate_plays(table, *asked)


@pytest.mark.parametrize(
    ("points", "counts", "named"),
    [
        (6, (0,) * 6, ()), (6, (1, 1, 1, 1, 0, 0), (6, 3)), (6, (1, 1), (6,)),
        (2, (1, 0, 0), (2,)),
    ],
)  # fmt: skip
def test_positions_outside_the_table_are_refused(points, counts, named):
    table = bearoff.one_sided_table(points, 3)
    with refused(bearoff.PositionError, *named):
        bearoff.rate_plays(table, bearoff.Position(counts), (2, 1))
