"""Cube strategies compared with two-sided tables and exact fractions."""

import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import bearoff
from bearoff.errors import PositionError, TableError
from bearoff.matchup.strategies import (
    JanowskiCube,
    NeverDoubles,
    PerfectCube,
    ThresholdCube,
)
from oracles import reference
from tests.bearoff.match_solver.test_match_table import every_pair
from tests.refusals import refused
from tests.two_sided_tables import built

CUBES = [PerfectCube(3), ThresholdCube(0.7, 0.72, 0.78), JanowskiCube(), NeverDoubles()]


@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_the_perfect_cube_does_what_its_values_say(cube):
    table = built(4)
    x, y = every_pair(4)
    answer = PerfectCube(4).decide(bearoff.unrank(x), bearoff.unrank(y))
    told = bearoff.cube_actions(table, x, y, cube)
    doubles = answer.double if cube == "centred" else answer.redouble
    wrong = doubles & ~told.doubles
    # The strategy differs from the exact answer only where doubling and not doubling are
    # equal within their errors.
    assert not (told.doubles & ~doubles & ~told.double_too_close).any()
    errors = 2 * table.error("opponent") + table.error(cube)
    assert told.wrong_double[wrong].max(initial=0) <= 2 * errors + 2e-5
    assert wrong.mean() < 1e-3
    assert doubles.any()
    assert not doubles.all()
    assert np.array_equal(answer.take, told.takes)


def test_thresholds_are_compared_with_whole_fractions():
    pairs = list(product(reference.all_positions(6, 2)[1:], repeat=2))
    counts = np.array([[reference.counts_of(side, 6) for side in pair] for pair in pairs])
    rollers, opponents = counts[:, 0], counts[:, 1]
    chances = [reference.win_probability(*pair) for pair in pairs]
    answer = ThresholdCube(0.5, 0.6, 0.75).decide(rollers, opponents)
    assert answer.double.tolist() == [p >= Fraction(1, 2) for p in chances]
    assert answer.redouble.tolist() == [p >= Fraction(3, 5) for p in chances]
    assert answer.take.tolist() == [p <= Fraction(3, 4) for p in chances]
    # A win probability of exactly 3/4 is a tie, which rounding in float64 must not change.
    assert chances.count(Fraction(3, 4)) == 5
    never = NeverDoubles().decide(rollers, opponents)
    assert np.array_equal(never.take, answer.take)
    assert not never.double.any()
    assert not never.redouble.any()
    dead, live = (JanowskiCube(x).decide(rollers, opponents) for x in (0, 1))
    assert np.array_equal(dead.take, answer.take)
    assert dead.redouble.tolist() == [p >= Fraction(1, 2) for p in chances]
    assert live.double.tolist() == [p >= Fraction(4, 5) for p in chances]
    assert live.take.tolist() == [p <= Fraction(4, 5) for p in chances]


@pytest.mark.parametrize("strategy", CUBES, ids=lambda s: s.name)
def test_strategies_can_be_sent_and_asked_about_any_whole_numbers(strategy):
    built(3)
    sent = pickle.loads(pickle.dumps(strategy))
    assert sent == strategy
    assert hash(sent) == hash(strategy)
    x, y = every_pair(3)
    rollers, opponents = bearoff.unrank(x), bearoff.unrank(y)
    answer = strategy.decide(rollers, opponents)
    again = sent.decide(rollers.astype(np.int64), opponents.astype(np.int64))
    for name in ("double", "redouble", "take"):
        decided = getattr(answer, name)
        assert decided.dtype == np.bool_
        assert decided.shape == x.shape
        assert np.array_equal(decided, getattr(again, name))
    assert strategy.decide(rollers[:0], opponents[:0]).take.shape == (0,)


def test_refusals():
    built(3)
    aces, seven = np.array([[4, 0, 0, 0, 0, 0]]), np.eye(7, dtype=int)
    for error, ask, named in (
        (PositionError, lambda: PerfectCube(3).decide(aces, aces), (3, 4)),
        (TableError, lambda: PerfectCube(3).decide(seven, seven), (7,)),
        (TableError, lambda: PerfectCube(14).decide(aces, aces), ("two-sided",)),
    ):
        with refused(error, *named):
            ask()
