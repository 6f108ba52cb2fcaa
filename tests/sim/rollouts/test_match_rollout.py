"""Rollouts at a match score converge to exact match-winning chances."""

import gc
import weakref
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

import bearoff
from bearoff import match_table
from bearoff.sim.rollouts.estimate import Goal, on_24_points, rollout, values_for
from bearoff.sim.rollouts.values import Techniques
from bearoff.stakes import Cube
from tests.refusals import refused
from tests.sim.rollouts.match_twin import MatchTwin
from tests.sim.rollouts.test_rollout import BEHIND, BEYOND, CLOSE, FEW, FEW_LEFT

HOME = bearoff.Race("2,1,1,0,0,0", "1,1,1,0,0,0")

CUBES = [
    ("3-5", 1, "centred"),
    ("2-4", 1, "centred"),
    ("5-3", 2, "owned"),
    ("4-3", 2, "opponent"),
    ("1-3 post-Crawford", 1, "centred"),
    ("3-1 post-Crawford", 1, "centred"),
    ("4-1 Crawford", 1, "centred"),
    ("DMP", 1, "centred"),
    ("9-2", 4, "owned"),
]


class State(NamedTuple):
    """Match score, with the value and the owner of the cube."""

    score: bearoff.Score
    cube_value: int
    cube: Cube


def state_of(score, value, cube):
    return State(bearoff.Score.parse(score), value, cube)


def values_at(race, state):
    return values_for(on_24_points(replace(race, **state._asdict())))


def match_rollout(race, state, *args, **options):
    return rollout(replace(race, **state._asdict()), *args, **options)


def table_of(state, checkers):
    return match_table(checkers, state.score.away, state.score.game, exact=True)


def is_near(estimate, exact):
    """Return whether an estimate is within 4.5 standard errors of the true value."""
    return abs(estimate.value - exact) <= 4.5 * estimate.standard_error + 2e-6


@pytest.mark.parametrize(("score", "value", "cube"), [CUBES[k] for k in (0, 2, 3, 4, 6, 8)])
def test_into_a_table_values_are_the_mean_over_the_first_roll(score, value, cube):
    state = state_of(score, value, cube)
    table = table_of(state, 3)
    answer = match_rollout(HOME, state, FEW, table=table)
    assert answer.games == 7776
    assert is_near(answer.chance(answer.value), one_roll_on(table, value, cube))
    assert (answer.action is None) == (cube == "opponent" or "4-1" in score)
    if answer.action is not None:
        taken = one_roll_on(table, 2 * value, "opponent")
        assert is_near(answer.chance(answer.action.double_take), taken)


def one_roll_on(table, value, cube):
    """Return the mean match-winning chance after the first roll, computed independently."""
    roller, opponent = HOME.roller.number, HOME.opponent.number
    theirs = {"centred": "centred", "owned": "opponent", "opponent": "owned"}[cube]
    seen = match_table(3, table.score.away[::-1], table.score.game, exact=True)
    after = bearoff.one_sided_table().policy[roller].astype(int)
    chances = [seen.value(opponent, x, value, theirs) for x in after]
    return 1 - np.dot(chances, bearoff.WEIGHTS) / 36


RACES = {CLOSE: (0, 2), HOME: (3, 4, 5, 8), BEYOND: (1,), FEW_LEFT: (2,), BEHIND: (1, 6)}
TWINS = [
    pytest.param(race, *CUBES[k], marks=[] if k == cubes[0] else pytest.mark.slow)
    for race, cubes in RACES.items()
    for k in cubes
]
"""Combinations of a race, a match score and a cube."""


@pytest.mark.parametrize(("race", "score", "value", "cube"), TWINS)
def test_games_converge_to_what_a_plain_recursion_gives(race, score, value, cube):
    state = state_of(score, value, cube)
    techniques = Techniques(first_rolls=36)
    expected = MatchTwin(values_at(race, state)).expected(race)
    answer = match_rollout(race, state, Goal(0, 4 * 7776), techniques=techniques)
    found = {state.cube: answer.value}
    if answer.action is not None:
        found["opponent"] = answer.action.double_take
        assert answer.action.no_double == answer.value
    assert set(found) == set(expected)
    for name, estimate in found.items():
        assert is_near(estimate, expected[name]), name


@pytest.mark.parametrize(("score", "value"), [("4-1 Crawford", 1), ("3-3", 2), ("9-5", 8)])
def test_gammons_and_backgammons_count_what_they_do_at_the_score(score, value):
    state = state_of(score, value, "centred" if value == 1 else "owned")
    answer = match_rollout(BEHIND, state, FEW)
    won = (answer.win_probability, answer.gammon_won, answer.backgammon_won)
    won, after = [each.value for each in won], bearoff.match_equities().after
    lost = [1 - won[0], answer.gammon_lost.value, answer.backgammon_lost.value]
    expected = 0.0
    for sign, chances in ((1, won), (-1, lost)):
        worth = [after(state.score, sign * n * value) for n in (1, 2, 3)]
        expected += float(np.dot(chances, np.diff(worth, prepend=0.0)))
    assert answer.chance(answer.cubeless).value == pytest.approx(expected, abs=1e-9)
    assert answer.backgammon_won.value > 0.05


def test_a_table_that_holds_the_race_answers():
    state = state_of("2-4", 1, "centred")
    table = table_of(state, 4)
    answer = match_rollout(HOME, state, FEW, table=table)
    pair = HOME.roller.number, HOME.opponent.number
    assert answer.games == 0
    assert answer.standard_error == 0
    assert answer.table == (6, 4)
    exact = bearoff.cube_actions(table, *pair)
    assert answer.action.action == str(exact.action)
    waits, doubled = (float(ask(*pair)) for ask in (table.no_double, table.double_take))
    assert answer.chance(answer.value).value == pytest.approx(waits)
    assert answer.chance(answer.action.double_take).value == pytest.approx(doubled)
    gain = min(doubled, float(table.double_pass(*pair))) - waits
    assert answer.lost(answer.action.gain).value == pytest.approx(gain, abs=1e-12)


def test_chances_carry_both_errors_and_those_of_a_dead_cube_are_smaller():
    race = bearoff.Race("1,2,1,1,1,1", "1,2,1,1,1,1")
    state = state_of("3-5", 1, "centred")
    answer = match_rollout(race, state, FEW)
    action, after = answer.action, answer.terms.stakes.equities.after
    half = (after(state.score, 1) - after(state.score, -1)) / 2
    for found, emg in (
        (answer.chance(action.double_take), action.double_take),
        (answer.lost(action.gain), action.gain),
        (answer.chance(answer.cubeless), answer.cubeless),
    ):
        assert found.systematic_error == pytest.approx(half * emg.systematic_error)
        assert found.systematic_error > 0
        assert found.standard_error == pytest.approx(half * emg.standard_error)
    answer = match_rollout(race, state_of("4-2", 1, "centred"), FEW)
    taken, chance = answer.action.double_take, answer.win_probability
    assert taken.systematic_error == pytest.approx(2 * chance.systematic_error)
    assert answer.value.systematic_error > 3 * taken.systematic_error


@pytest.mark.slow
@pytest.mark.parametrize("into", [None, 6])
def test_intervals_hold_the_exact_value_and_not_by_far(into):
    rng = np.random.default_rng(22)
    off = []
    for away in ((3, 5), (7, 7)):
        exact = match_table(7, away, exact=True)
        table = into and match_table(into, away, exact=True)
        for _ in range(12):
            sides = [np.bincount(rng.integers(0, 6, 7), minlength=6) for _ in range(2)]
            if not 0.2 < exact.win_probability(*map(bearoff.rank, sides)) < 0.9:
                continue
            positions = (bearoff.Position(tuple(side.tolist())) for side in sides)
            race = bearoff.Race(*positions, score=exact.score)
            answer = rollout(race, FEW, table=table)
            found = answer.chance(answer.action.double_take)
            error = np.hypot(found.standard_error, found.systematic_error)
            off.append((found.value - exact.double_take(*map(bearoff.rank, sides))) / error)
    assert len(off) > 10
    assert np.abs(off).max() < 4
    assert 0.2 < np.std(off) < 1.6


def test_what_is_solved_goes_with_whom_it_is_for():
    """Solved values are freed as soon as no other object uses these values."""
    values = values_at(BEHIND, state_of("3-5", 1, "centred"))
    assert values.states.arrays.planes.nbytes > 1e6
    seen = weakref.ref(values)
    gc.disable()
    try:
        del values
        assert seen() is None
    finally:
        gc.enable()


def test_refusals():
    state = state_of("3-5", 1, "centred")
    mine = replace(bearoff.match_equities(), name="mine")
    bearoff.build_two_sided_table(2)
    at_score = match_table(2, (3, 5), exact=True)
    for score, table, equities, named in (
        (state.score, match_table(2, (2, 4), exact=True), None, "2-away 4-away"),
        (state.score, at_score, mine, "mine"),
        (state.score, bearoff.two_sided_table(2), None, "money"),
        (None, at_score, None, "money"),
    ):
        with refused(bearoff.ScoreError, named):
            rollout(replace(HOME, score=score), FEW, table=table, equities=equities)
    far = replace(HOME, score=bearoff.Score((30, 3)))
    short = replace(bearoff.match_equities(), extends=False)
    with refused(bearoff.ScoreError, 25, "30-away 3-away"):
        rollout(far, FEW, equities=short)
    found = match_rollout(HOME, state, FEW)
    with refused(bearoff.ScoreError, "owned"):
        found.at("owned")
