"""Simulated games with the cube, compared with replays and with exact equities."""

import dataclasses

import numpy as np
import pytest

import bearoff
from bearoff.matchup import RacePlayer, ThresholdCube, strategies, strategy_values
from bearoff.matchup.strategies import CubeDecision, JanowskiCube, NeverDoubles, PerfectCube
from bearoff.sim.cubeful import CubeSide, at_score, checkers, cube_tally, memory, play
from bearoff.sim.cubeful.cube_tally import difference_moments, final_cubes, points_moments
from bearoff.sim.cubeful.play import CubeMatch, play_cubeful
from bearoff.stakes import CubeOwner, Money, Terms
from tests.refusals import refused
from tests.sim.cubeful import cube_replay
from tests.sim.cubeful.cube_replay import CHECKERS, EAGER, POINTS, ByLead
from tests.sim.play.replay import assert_agrees
from tests.two_sided_tables import built

PERFECT = CubeSide.of(PerfectCube(CHECKERS))
LEAD = CubeSide.of(ByLead(2, 3, 6))
BOLD = CubeSide.of(ByLead(0, 1, 9))
BY_STATE = CubeSide(ByLead(1, 0, 0), JanowskiCube(0.7), ThresholdCube(0.1, 0.2, 0.7))
NEVER = CubeSide.of(NeverDoubles())

BOTH = "fewest-rolls", "fewest-rolls"

CASES = [
    (*BOTH, LEAD, BOLD, 0, None),
    ("fewest-rolls", "fewest-pips", BOLD, BY_STATE, 1, LEAD),
    ("most-checkers-off", "optimal", BY_STATE, NEVER, 1, None),
    ("optimal", "perfect", LEAD, PERFECT, 0, PERFECT),
    ("perfect", "perfect", PERFECT, PERFECT, 0, None),
    ("perfect", "perfect", PERFECT, PERFECT, 1, BOLD),
    ("perfect", "fewest-rolls", PERFECT, PERFECT, 1, None),
    (*BOTH, CubeSide.of(EAGER), CubeSide.of(EAGER), 0, NEVER),
]


@pytest.fixture(scope="module", autouse=True)
def table():
    return built(CHECKERS)


@pytest.fixture(scope="module")
def pairs():
    """Return forty pairs of three or four checkers a side."""
    rng = np.random.default_rng(20261121)
    return tuple(rng.integers(30, bearoff.position_count(POINTS, CHECKERS), (2, 40)))


def match_of(roller, opponent, roller_cube, opponent_cube, owner, rival, seed=7):
    cubes, names = (roller_cube, opponent_cube, rival), (roller, opponent)
    return CubeMatch(POINTS, CHECKERS, *names, seed, CubeOwner(owner), *cubes)


def games_of(match, pairs, games, first=0):
    firsts = np.full(len(pairs[0]), first, dtype=np.int64)
    return play_cubeful(match, *pairs, firsts, np.full_like(firsts, games))


def assert_replayed(match, pairs, games):
    """Check that games have the results of their replays; return their counts."""
    found = games_of(match, pairs, len(games), first=games.start)
    for x, y, row in zip(*(side.tolist() for side in pairs), found, strict=True):
        np.testing.assert_array_equal(row, cube_replay.count(match, x, y, games))
    return found


@pytest.mark.parametrize("case", CASES)
def test_every_game_is_the_one_replayed(case, pairs):
    assert_replayed(match_of(*case), pairs, range(3, 28))


FAR_AHEAD = CubeSide.of(ByLead(80, 82, 85))
"""Strategy that doubles some races of few checkers against fifteen, and takes some."""


def gammon_match(jacoby, owner, rival=None):
    match = match_of(*BOTH, FAR_AHEAD, FAR_AHEAD, owner, rival, seed=5)
    return dataclasses.replace(match, checkers=15, terms=Terms(Money(jacoby)))


def few_against_fifteen():
    """Return pairs in which a side with two checkers plays against one with fifteen."""
    few = bearoff.rank([[2, 0, 0, 0, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 0, 1, 1, 0]])
    all_on = bearoff.rank([[0, 0, 0, 0, 0, 15], [0, 0, 0, 2, 8, 5]])
    x, y = (side.ravel() for side in np.meshgrid(few, all_on))
    return np.concatenate([x, y]), np.concatenate([y, x])


@pytest.mark.parametrize(("jacoby", "owner"), [(False, 0), (True, 0), (True, 1)])
def test_gammons_are_those_replayed_and_paid_twice(jacoby, owner):
    match, pairs = gammon_match(jacoby, owner, NEVER), few_against_fifteen()
    found = assert_replayed(match, pairs, range(60))
    gammons = [found[:, each] for each in (cube_tally.GAMMONS_WON, cube_tally.GAMMONS_LOST)]
    assert min(each.sum() for each in gammons) > 20
    # Under the Jacoby rule, gammons do not count while the cube is centred.
    centred = sum(each[:, 0].sum() for each in gammons)
    assert (centred == 0) == (jacoby and owner == 0)


@pytest.mark.parametrize(("jacoby", "owner"), [(True, 0), (False, -1)])
def test_points_with_gammons_agree_with_every_roll_played_on(jacoby, owner):
    match, pairs = gammon_match(jacoby, owner), few_against_fifteen()
    mean, variance = points_moments(games_of(match, pairs, 20_000), 1)
    sides = zip(*pairs, strict=True)
    exact = np.array([cube_replay.exact_equity(match, x, y) for x, y in sides])
    assert_agrees(mean, variance / 20_000, exact)
    players = (RacePlayer(cube) for cube in (match.roller_cube, match.opponent_cube))
    starts = np.stack(pairs, axis=1)[:6]
    values = strategy_values(*players, starts=starts, jacoby=jacoby)
    cube = {0: "centred", 1: "A", -1: "B"}[owner]
    found = values.equity(*(side[:6] for side in pairs), "A", cube)
    assert found == pytest.approx(exact[:6], abs=1e-12)


def test_the_cases_turn_and_pass_the_cube(pairs):
    totals = sum(games_of(match_of(*case), pairs, 25).sum(axis=0) for case in CASES)
    assert (final_cubes(totals[None]) > 0).all()
    assert (totals[cube_tally.PASSES] > 50).all()
    assert totals[cube_tally.DIFFERENCE_SQUARED] > 0


@pytest.mark.parametrize("jacoby", [False, True])
@pytest.mark.parametrize(("owner", "cube"), [(0, "centred"), (1, "owned")])
def test_perfect_games_with_gammons_agree_with_the_planes(owner, cube, jacoby, monkeypatch):
    table = built(3, start=3)
    first = bearoff.position_count(POINTS, 2)
    for module in (checkers, strategies):
        monkeypatch.setattr(module, "perfect_table", lambda *_: table, raising=False)
        monkeypatch.setattr(module, "two_sided_table", lambda *_: table, raising=False)
    monkeypatch.setattr(play.arguments, "first_full", lambda *_: first)
    rng = np.random.default_rng(8)
    few, all_on = rng.integers(1, 28, 12), rng.integers(first, 84, 12)
    pairs = np.concatenate([few, all_on]), np.concatenate([all_on, few])
    side = CubeSide.of(PerfectCube(3, jacoby))
    match = match_of("perfect", "perfect", side, side, owner, None, seed=11)
    match = dataclasses.replace(match, checkers=3, terms=Terms(Money(jacoby)))
    counts = games_of(match, pairs, 40_000)
    # Under the Jacoby rule, the leader doubles the opponent out instead of playing for a
    # gammon.
    assert (counts[:, cube_tally.GAMMONS_WON].sum() > 1000) == (not jacoby or owner == 1)
    mean, variance = points_moments(counts, 1)
    assert_agrees(mean, variance / 40_000, table.equity(*pairs, cube, jacoby=jacoby))


def test_games_add_however_they_are_cut(pairs, monkeypatch):
    match = match_of(*CASES[3])
    whole = games_of(match, pairs, 60)
    parts = games_of(match, pairs, 20) + games_of(match, pairs, 40, first=20)
    np.testing.assert_array_equal(whole, parts)
    monkeypatch.setattr(play, "LANES", 7)
    np.testing.assert_array_equal(whole, games_of(match, pairs, 60))


def test_a_forgetful_memory_changes_nothing(pairs, monkeypatch):
    match = match_of(*CASES[1])
    whole = games_of(match, pairs, 60)
    monkeypatch.setattr(memory, "SMALLEST", 16)
    monkeypatch.setattr(memory, "LARGEST", 64)
    monkeypatch.setattr(play, "LANES", 30)
    strategy = ByLead(0, 1, 9, asked=[])
    side = CubeSide.of(strategy)
    forgetful = dataclasses.replace(match, roller_cube=side, token="forgetful")
    np.testing.assert_array_equal(whole, games_of(forgetful, pairs, 60))
    asked = _pairs_asked(strategy)
    assert len(asked) > 1.5 * len(set(asked))


def test_each_pair_is_asked_once(pairs, monkeypatch):
    # The memory is small at first, so that it must grow during play.
    monkeypatch.setattr(memory, "SMALLEST", 64)
    monkeypatch.setattr(play, "LANES", 500)
    strategy = ByLead(0, 1, 9, asked=[])
    side = CubeSide.of(strategy)
    games_of(match_of(*BOTH, side, NEVER, 0, None), pairs, 200)
    asked = _pairs_asked(strategy)
    # A strategy may be asked twice about a pair: about doubling, and about taking.
    assert max(asked.count(pair) for pair in set(asked)) <= 2
    assert len(asked) > 500
    assert len(strategy.asked) < 300


def _pairs_asked(strategy):
    return [
        (tuple(x), tuple(y))
        for rollers, opponents in strategy.asked
        for x, y in zip(rollers, opponents, strict=True)
    ]


def test_moments_are_those_of_the_games(pairs):
    match = match_of(*BOTH, LEAD, BOLD, 0, BY_STATE)
    x, y = (int(side[5]) for side in pairs)

    def played(cube):
        both = cube, match.opponent_cube
        return np.array([cube_replay.play(match, both, x, y, n).points for n in range(400)])

    points = played(match.roller_cube)
    counts = games_of(match, (np.array([x]), np.array([y])), 400)
    for moments, games in (
        (points_moments, points), (difference_moments, points - played(match.rival_cube))
    ):  # fmt: skip
        mean, variance = moments(counts, 2)
        assert games.mean() != 0
        assert mean == pytest.approx([2 * games.mean()], rel=1e-12)
        assert variance == pytest.approx([4 * games.var()], rel=1e-12)


def test_a_dead_cube_is_the_one_replayed(pairs, monkeypatch):
    monkeypatch.setattr(at_score, "MOST_LEVEL", 2)
    monkeypatch.setattr(cube_tally, "MOST_LEVEL", 2)
    found = assert_replayed(match_of(*CASES[-1]), pairs, range(25))
    assert found[:, cube_tally.WON].sum(axis=0).argmax() == 2


class Mumbler:
    """Invalid strategy, whose decisions are numbers instead of booleans."""

    name = "mumbler"

    def decide(self, rollers, opponents):
        yes = np.ones(len(rollers))
        return CubeDecision(yes, yes, yes)


def test_a_strategy_that_answers_nonsense_is_refused(pairs):
    match = match_of(*BOTH, CubeSide.of(Mumbler()), NEVER, 0, None)
    for _ in range(2):  # the first call must not affect the second one
        with refused(bearoff.BearoffError, "mumbler"):
            games_of(match, pairs, 5)
