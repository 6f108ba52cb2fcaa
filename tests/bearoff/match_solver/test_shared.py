"""Races at match scores that are solved together."""

import itertools

import numpy as np

import bearoff
from bearoff.match_solver import groups_of, least_seconds, money_race
from bearoff.scores import known_equities


def test_however_many_small_races_all_are_solved():
    sides = range(1, bearoff.position_count(6, 2))
    races = [
        bearoff.Race(*both, score=bearoff.Score(away))
        for both in itertools.product(sides, repeat=2)
        for away in ((2, 4), (5, 3))
    ]
    assert len(races) > 1400
    groups = groups_of(races, known_equities(None), patience=15.0)
    assert sorted(row for group in groups for row in group.rows) == list(range(len(races)))


def test_impatience_leaves_the_large_ones():
    small, large = (
        bearoff.Race(side, side, score=bearoff.Score((2, 4)))
        for side in ("1,1,0,0,0,0", "3,3,3,2,2,2")
    )
    groups = groups_of([large, small], known_equities(None), patience=1.0)
    assert [group.rows for group in groups] == [[1]]


def test_the_least_is_below_what_is_told_and_not_far():
    for both in np.random.default_rng(5).multinomial(10, [1 / 6] * 6, size=(6, 2)):
        race = bearoff.Race(*both)
        told = money_race(race).estimate_seconds()
        assert told / 6 < least_seconds(race, known_equities(None)) < told
