"""Every public function reports a bad value by a `BearoffError` that names the value."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import bearoff
from bearoff import bear_in, matchup, one_sided, plays, positions, race_model, two_sided
from bearoff.one_sided import first_off_probability as first_off
from bearoff.race_model import estimate_optimal_win_probability, race_model as model
from tests.two_sided_tables import built

POINTS, CHECKERS = 6, 3
SCORE = bearoff.Score((3, 5))
ACE = bearoff.Position((1, 0, 0, 0, 0, 0), CHECKERS)
RNG = np.random.default_rng(0)

NOT_INTEGERS = [
    None, 6.0, float("nan"), 1j, True, [True, 2], "x", np.array([True, False]),
    np.ma.masked_array([1, 2], [False, True]), [1, None],
]  # fmt: skip
NUMBERS = [*NOT_INTEGERS, -1, 10**30, 2**63, 2**64, 84, [1, 84]]
"""Invalid numbers of positions of 6 points and 3 checkers."""
SIDES = [*NOT_INTEGERS, -1, 10**30, 2**63, 2**64, 54264, [1, 84]]
"""Values that do not describe a side."""
SIZES = [*NOT_INTEGERS, 0, -1, 25, [6]]
TOTALS = [*SIZES, 16]
"""Invalid numbers of checkers."""
COUNTS = [*NOT_INTEGERS, 1, [4, 0, 0, 0, 0, 0], [-1, 0, 0, 0, 0, 0], [2, 2, 0, 0, 0, 0]]
NOT_REALS = [None, 1j, "x", True, [True, 0.5], np.ma.masked_array([0.5], [True])]
CHANCES = [*NOT_REALS, float("nan"), -0.1, 1.1, float("inf")]
EPCS = [*NOT_REALS, float("nan"), -1.0, 1e6]
ROLLS = [
    None, 6, (6,), (0, 1), (7, 1), (6.0, 4), (True, 2), "64", (None, 1), (1j, 2), (1, 2, 3),
    (1.5, 2),
]  # fmt: skip
RACES = [None, 5, (1,), (0, 1), (1, 84), (True, 1), (1.0, 1), (None, 1), "x"]
CUBES = [1, "mine", True, np.array(["owned", "centred"])]
OWNERS = [None, *CUBES]
CUBE_VALUES = [*NOT_INTEGERS, 0, 3]
TURNED = [*CUBES, "opponent"]
"""Values that are no owner of a cube that the roller may turn."""
AWAYS = [
    None, 3, (3,), (3, 0), (3, 65), (3.0, 5), (True, 5), ("3", 5), (1, 3), [3, -5],
]  # fmt: skip
TEXTS = [None, 6, 1.5, True, [1], "x"]
POLICIES = [
    None, 1, np.full((84, 21), -1), np.full((84, 21), 83), np.full((84, 21), np.nan),
    np.zeros((84, 21), complex), np.zeros((84, 20), int), np.zeros((84, 21), bool),
]  # fmt: skip
SCORES = [
    None, 1.0, np.full(84, np.nan), np.zeros(84, complex), np.zeros(83), ["x"] * 84,
    np.zeros(84, bool), np.zeros((84, 1)),
]  # fmt: skip
SHAPES = [([1, 2], [1, 2, 3])]


@cache
def one():
    return bearoff.one_sided_table(POINTS, CHECKERS)


def two():
    return built(CHECKERS)


def chances():
    return one().distribution


@cache
def scored():
    return bearoff.match_table(CHECKERS, (3, 5))


def matched(**given):
    player = matchup.RacePlayer(matchup.NeverDoubles())
    return matchup.strategy_values(player, player, **given)


@cache
def values():
    return matched(checkers=CHECKERS)


CASES: dict[str, tuple[Callable[[Any], object], list[Any]]] = {
    "position_count points": (bearoff.position_count, SIZES),
    "position_count checkers": (lambda bad: bearoff.position_count(6, bad), TOTALS),
    "rank counts": (lambda bad: bearoff.rank(bad, CHECKERS), COUNTS),
    "rank checkers": (lambda bad: bearoff.rank([1, 0, 0, 0, 0, 0], bad), TOTALS),
    "unrank numbers": (lambda bad: bearoff.unrank(bad, POINTS, CHECKERS), NUMBERS),
    "unrank checkers": (lambda bad: bearoff.unrank(0, POINTS, bad), TOTALS),
    "unrank points": (lambda bad: bearoff.unrank(1, bad), SIZES),
    "Position counts": (lambda bad: bearoff.Position(bad, CHECKERS), COUNTS),
    "Position checkers": (lambda bad: bearoff.Position((1, 0, 0), bad), TOTALS),
    "Position.from_number": (lambda bad: bearoff.Position.from_number(bad, 6, 3), NUMBERS),
    "Position.parse": (bearoff.Position.parse, TEXTS),
    "Position.parse points": (lambda bad: bearoff.Position.parse("1,0", bad), SIZES[1:]),
    "Race": (lambda bad: bearoff.Race(ACE, bad), [None, 1, (1, 0), "x"]),
    "Race.parse": (bearoff.Race.parse, TEXTS),
    "Xgid.parse": (positions.Xgid.parse, TEXTS),
    "parse_roll": (bearoff.parse_roll, TEXTS),
    "format_roll": (bearoff.format_roll, ROLLS),
    "legal_plays position": (lambda bad: bearoff.legal_plays(bad, (6, 4)), SIDES),
    "legal_plays roll": (lambda bad: bearoff.legal_plays(ACE, bad), ROLLS),
    "successors": (lambda bad: plays.successors(bad, 2), SIZES),
    "rank_steps": (lambda bad: plays.rank_steps(bad, 2), SIZES),
    "least_score_policy": (lambda bad: plays.least_score_policy(bad, 6, 3), SCORES),
    "policy_distribution": (plays.policy_distribution, POLICIES),
    "play_distribution": (plays.play_distribution, [None, 1, "x"]),
    "one_sided_table points": (lambda bad: bearoff.one_sided_table(bad, 3), SIZES),
    "one_sided_table checkers": (lambda bad: bearoff.one_sided_table(6, bad), TOTALS),
    "fewest_rolls": (lambda bad: bearoff.fewest_rolls_win_probability(1, bad, 6, 3),
                     NUMBERS),
    "fewest_rolls shapes": (lambda bad: bearoff.fewest_rolls_win_probability(*bad), SHAPES),
    "first_off rollers": (lambda bad: first_off(chances(), chances(), bad, [1]), NUMBERS),
    "first_off chances": (lambda bad: first_off(bad, chances(),
                          [1], [1]), [None, 1.0, "x", np.full((84, 4), np.nan),
                           np.zeros((84, 4), complex)]),
    "first_off shapes": (lambda bad: first_off(chances(), chances(), *bad), SHAPES),
    "gammon_chance": (lambda bad: one_sided.gammon_chance(bad, 1, CHECKERS), NUMBERS),
    "gammon_chance checkers": (lambda bad: one_sided.gammon_chance(1, 1, bad), TOTALS),
    "gammon_chance shapes": (lambda bad: one_sided.gammon_chance(*bad, 3), SHAPES),
    "full_positions": (one_sided.gammons.full_positions, SIZES),
    "rate_plays table": (lambda bad: bearoff.rate_plays(bad, ACE, (6, 4)), [None, 1, "x"]),
    "rate_plays position": (lambda bad: bearoff.rate_plays(one(), bad, (6, 4)), NUMBERS),
    "rate_plays roll": (lambda bad: bearoff.rate_plays(one(), ACE, bad), ROLLS),
    "two_sided_table": (bearoff.two_sided_table, SIZES),
    "build_two_sided_table": (bearoff.build_two_sided_table, SIZES),
    "estimate_build": (two_sided.estimate_build, SIZES),
    "equity cube": (lambda bad: two().equity(1, 1, bad), CUBES),
    "no_double cube": (lambda bad: two().no_double(1, 1, bad), CUBES),
    "best_after cube": (lambda bad: two().best_after(1, 1, bad), CUBES),
    "cube_actions table": (lambda bad: bearoff.cube_actions(bad, 1, 1), [None, 1, "x"]),
    "doubling_window table": (lambda bad: bearoff.doubling_window(bad, 1), [None, 1]),
    "cubeful_equity": (lambda bad: bearoff.cubeful_equity(bad, "owned"), CHANCES),
    "cubeful_equity efficiency": (lambda bad: bearoff.cubeful_equity(0.5, "owned", bad),
                                  CHANCES),
    "cubeful_equity cube": (lambda bad: bearoff.cubeful_equity(0.5, bad), OWNERS),
    "janowski": (bearoff.CubeThresholds.janowski, CHANCES),
    "RaceModel.equity": (lambda bad: model().equity(30.0, bad), EPCS),
    "RaceModel.no_double": (lambda bad: model().no_double(bad, 9), EPCS),
    "RaceModel.cube_actions cube": (lambda bad: model().cube_actions(30, 30, bad), OWNERS),
    "RaceModel.equity shapes": (lambda bad: model().equity(*bad), SHAPES),
    "matching_win": (lambda bad: model().matching_win_probability(9, 9, bad), CHANCES),
    "matching_std_rolls": (lambda bad: model().matching_std_rolls(30, 30, bad, 1.0),
                           [*NOT_REALS, -1.0, float("nan")]),
    "estimate": (lambda bad: estimate_optimal_win_probability(bad, 30, 30), CHANCES),
    "race_visits": (race_model.race_visits, [None, 1, "x"]),
    "BearIn.epc": (lambda bad: bear_in.bear_in().epc(bad), COUNTS),
    "BearIn.std_rolls": (lambda bad: bear_in.bear_in().std_rolls(bad), COUNTS),
    "BearIn.expand": (lambda bad: bear_in.bear_in().expand(bad),
                      [None, 1, [[0] * 24], np.zeros((1, 24)), np.zeros((1, 23), np.int8),
                       np.zeros((2, 24), np.int64), np.zeros((24, 2), np.int8).T]),
    "widen": (bear_in.widen, [*NOT_INTEGERS, [-1, 2], [1] * 25]),
    "random_sides": (lambda bad: bear_in.random_sides(bad, RNG), [None, 6.0, True, -1]),
    "random_sides points": (lambda bad: bear_in.random_sides(1, RNG, bad), SIZES),
    "match_table checkers": (bearoff.match_table, TOTALS),
    "match_table away": (lambda bad: bearoff.match_table(2, bad), AWAYS),
    "match_table game": (lambda bad: bearoff.match_table(2, (1, 3), bad),
                         [None, 1, "x", "normal", True]),
    "match_table exact": (lambda bad: bearoff.match_table(2, exact=bad),
                          [None, 1, "x", 0.5]),
    "match_table equities": (lambda bad: bearoff.match_table(2, equities=bad),
                             [1, "x", True]),
    "match_race": (bearoff.match_race, [None, 1, (1, 1), "x"]),
    "MatchTable.value": (lambda bad: scored().value(bad, 1), NUMBERS),
    "MatchTable.value shapes": (lambda bad: scored().value(*bad), SHAPES),
    "MatchTable.value cube_value": (lambda bad: scored().value(1, 1, bad),
                                    [*NOT_INTEGERS, 0, 3, -2, 1 << 16, [2]]),
    "MatchTable.value cube": (lambda bad: scored().value(1, 1, 2, bad), OWNERS),
    "MatchTable.no_double": (lambda bad: scored().no_double(bad, 1), [*NUMBERS, 0]),
    "double_take cube": (lambda bad: scored().double_take(1, 1, 2, bad), [None, *TURNED]),
    "MatchTable.double_pass": (lambda bad: scored().double_pass(bad, 1), [*NUMBERS, 0]),
    "Score.parse": (bearoff.Score.parse, TEXTS),
    "Score length": (lambda bad: replace(SCORE, length=bad), [6.0, "x", True, 4, 1000]),
    "MatchEquities.chance": (lambda bad: bearoff.match_equities().chance(bad),
                             [None, (3, 5), "x"]),
    "MatchEquities.after": (lambda bad: bearoff.match_equities().after(SCORE, bad),
                            [*NOT_INTEGERS, 0]),
    "MatchEquities.emg": (lambda bad: bearoff.match_equities().emg(bad, SCORE), CHANCES),
    "cube_actions value": (lambda bad: bearoff.cube_actions(scored(), 1, 1, cube_value=bad),
                           CUBE_VALUES),
    "MatchTable.best_after": (lambda bad: scored().best_after(1, bad), [*NUMBERS, 0]),
    "match_thresholds": (bearoff.match_thresholds, [None, (3, 5), "x"]),
    "match_thresholds cube": (lambda bad: bearoff.match_thresholds(SCORE, bad),
                              CUBE_VALUES),
    "strategy_values starts": (lambda bad: matched(starts=bad), NUMBERS[1:-1]),
    "strategy_values checkers": (lambda bad: matched(checkers=bad), SIZES[1:]),
    "strategy_values dtype": (lambda bad: matched(checkers=1, dtype=bad),
                              [None, "x", int, np.float16]),
    "strategy_values player": (lambda bad: matchup.strategy_values(bad, bad, checkers=1),
                               [None, 1, "x"]),
    "StrategyValues.equity": (lambda bad: values().equity(bad, 1), NUMBERS),
    "StrategyValues.equity shapes": (lambda bad: values().equity(*bad), SHAPES),
    "StrategyValues.equity cube": (lambda bad: values().equity(1, 1, "A", bad), OWNERS),
    "StrategyValues.decisions": (lambda bad: values().decisions(1, bad), NUMBERS),
    "JanowskiCube": (matchup.JanowskiCube, CHANCES),
    "ThresholdCube": (lambda bad: matchup.ThresholdCube(0.5, bad, 0.75), CHANCES),
    "PerfectCube.decide": (lambda bad: matchup.PerfectCube(3).decide(bad, bad), COUNTS),
}  # fmt: skip


def cases_of(table, numbers):
    """Return the cases of functions of any kind of two-sided table."""
    return {
        "cube_actions": (lambda bad: bearoff.cube_actions(table(), bad, 1), numbers),
        "cube_actions cube": (lambda bad: bearoff.cube_actions(table(), 1, 1, bad), TURNED),
        "cube_actions shapes": (lambda bad: bearoff.cube_actions(table(), *bad), SHAPES),
        "cube_action": (lambda bad: bearoff.cube_action(table(), bad), RACES),
        "market": (lambda bad: bearoff.market(table(), bad), RACES),
        "market cube": (lambda bad: bearoff.market(table(), (1, 1), bad), TURNED),
        "window": (lambda bad: bearoff.doubling_window(table(), bad), [*NUMBERS, 0]),
        "window cube": (lambda bad: bearoff.doubling_window(table(), 1, bad), TURNED),
    }


CASES |= cases_of(two, NUMBERS)
at_a_score = cases_of(scored, [*NUMBERS, 0])
CASES |= {f"{name} at a score": case for name, case in at_a_score.items()}
for method in ("mean_rolls_of", "std_rolls_of", "epc_of", "policy_of", "distribution_of"):
    CASES[method] = (lambda bad, m=method: getattr(one(), m)(bad), NUMBERS)
for method in ("win_probability", "equity", "double_take", "no_double", "best_after"):
    extra = ("centred",) if method == "best_after" else ()
    CASES[method] = (lambda bad, m=method, x=extra: getattr(two(), m)(1, bad, *x), NUMBERS)
    CASES[f"{method} roller"] = (
        lambda bad, m=method, x=extra: getattr(two(), m)(bad, 1, *x), NUMBERS
    )  # fmt: skip
    CASES[f"{method} shapes"] = (
        lambda bad, m=method, x=extra: getattr(two(), m)(*bad, *x), SHAPES
    )  # fmt: skip


def named(bad, message):
    """Return whether an error message shows the bad value or a part of it."""
    shown = [repr(bad), str(bad)]
    if isinstance(bad, (np.ndarray, list, tuple)):
        entries = np.asarray(bad, dtype=None if isinstance(bad, np.ndarray) else object)
        shown += [written(entry) for entry in entries.flat for written in (str, repr)]
        shown += [f"got {sum(bad)}"] if all(type(entry) is int for entry in bad) else []
    return "shape (" in message or any(text in message for text in shown)


@pytest.mark.parametrize("name", CASES)
def test_a_bad_value_is_named(name):
    call, bad_values = CASES[name]
    for bad in bad_values:
        with pytest.raises(bearoff.BearoffError) as caught:
            pytest.fail(f"{name} took {bad!r} and gave {call(bad)!r}")
        assert named(bad, str(caught.value)), (bad, caught.value)
