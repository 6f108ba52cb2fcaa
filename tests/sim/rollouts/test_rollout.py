"""Rollouts converge to exact values, state correct errors, and refuse invalid arguments."""

from dataclasses import replace

import numpy as np
import pytest

import bearoff
from bearoff.sim.rollouts import (
    HOME_BOARD,
    kernels,
    on_24_points,
    truncation_table,
    worst_error,
)
from bearoff.sim.rollouts.cubes import slopes
from bearoff.sim.rollouts.estimate import Goal, model_values, play_to, rollout
from bearoff.sim.rollouts.lanes import Lanes
from bearoff.sim.rollouts.results import summarise
from bearoff.sim.rollouts.sums import Moments, sums_of
from bearoff.sim.rollouts.systematic import AT_SCORES, EXACT, MEASURED, systematic_error
from bearoff.sim.rollouts.values import COLUMNS, STATES, Techniques, ValueModel
from bearoff.stakes import Match, Money, Terms
from oracles import rollout_twin
from tests.refusals import refused
from tests.two_sided_tables import built

FEW = Goal(standard_error=0, at_most=1)
"""Goal of a rollout that plays the smallest possible number of games."""


def race_of(*sides, points=6):
    return bearoff.Race(*(bearoff.Position.parse(side, points) for side in sides))


HOME = race_of("1,1,0,1,0,1", "0,2,1,0,1,0")
CLOSE = race_of("2,1,0,0,1,1", "2,0,1,0,1,0")
OUTSIDE = race_of("0,1,0,0,1,0,0,1", "0,0,1,1,0,0,1,0", points=8)
BEYOND = race_of("[5,8]", "[4,7]", points=8)
"""Short race with checkers outside home."""
EVEN = race_of("0,0,0,3,4,4", "0,0,0,3,4,4")


@pytest.fixture(scope="module")
def three_checkers():
    return built(3)


@pytest.fixture(scope="module")
def eight_checkers():
    return built(8)


def moments_of(race, values, chunks, seed=1):
    race, goal = on_24_points(race), Goal(0, chunks * 7776)
    return Moments.of(play_to(values, race, goal, seed, 2), model_values(values, race))


def assert_near(moments, exact, of=slice(None), rounding=2e-6):
    """Check that means are within 4.5 standard errors, which is practically never exceeded.

    `rounding` is for float32.
    """
    off = np.abs(moments.means[of] - exact)
    assert np.all(off <= 4.5 * np.sqrt(np.diag(moments.covariance))[of] + rounding)


@pytest.mark.parametrize(
    ("race", "techniques"),
    [
        (HOME, Techniques(False, 1)), (HOME, Techniques(True, 1)),
        (HOME, Techniques(False, 1296)), (CLOSE, Techniques(True, 36)),
        (BEYOND, Techniques(True, 1296)),
    ],
    ids=str,
)  # fmt: skip
def test_no_technique_changes_what_games_converge_to(race, techniques):
    moments = moments_of(race, ValueModel(None, techniques), chunks=3)
    assert_near(moments, rollout_twin.expected(race))


FEW_LEFT = race_of("[1,2]", "[6,6,6,6,6,6,6,6,6,6,6,6,6,6,6]", points=24)
BEHIND = race_of("[1,2,2]", "[5,5,5,5,5,5,5,5,5,5,5,5,22,22,22]", points=24)
"""Race in which three checkers of the loser are in the winner's home board."""
LOSES = bearoff.Race(FEW_LEFT.opponent, BEHIND.roller)
SAVES = race_of("[1,2,2,2]", "[6,6,6,6,6,6,6,6,6,6,6,6,6,8,9]", points=24)
"""Race in which fewest-rolls play loses more gammons than necessary."""


@pytest.mark.parametrize(
    ("race", "jacoby"),
    [(FEW_LEFT, True), (BEHIND, False), (BEHIND, True), (LOSES, False), (SAVES, False)],
    ids=["home", "behind", "behind by Jacoby", "loses", "saves"],
)
def test_gammons_and_backgammons_converge(race, jacoby):
    techniques = Techniques(first_rolls=36)
    values = ValueModel(None, techniques, Terms(Money(jacoby)))
    moments = moments_of(race, values, chunks=2)
    expected, means = rollout_twin.expected(race, jacoby), moments.means
    assert expected[4:6].max() > 0.1
    assert (expected[6:].max() > 0.05) == (race is BEHIND)
    assert_near(moments, expected)
    cubeless = summarise(moments, values, "centred", EXACT).cubeless.value
    assert cubeless == pytest.approx(
        means[[0, 4, 6]].sum() - means[[5, 7]].sum(), abs=1e-12
    )


SURE = race_of("[1,1,2,2,3]", "[6,6,6,6,6,6,6,6,6,6,6,6,6,8,20]", points=24)
"""Race in which 90% of the games are gammons."""


def test_who_is_too_good_plays_on_for_the_gammon():
    answer = rollout(SURE, FEW)
    assert answer.gammon_won.value > 0.9
    assert answer.at("owned").action == "too good to redouble"
    assert answer.at("centred").action == "too good to double"
    # A roller who may double is free to play on without doubling.
    for state in (answer.at("owned"), answer.at("centred")):
        assert state.no_double.value == pytest.approx(answer.cubeless.value, abs=0.01)
    by_rule = rollout(replace(SURE, jacoby=True), FEW)
    assert by_rule.at("centred").action == "double, pass"
    assert by_rule.at("owned").action == "too good to redouble"


def test_into_a_table_the_cube_is_perfect_where_it_begins(three_checkers):
    race = race_of("2,1,1,0,0,0", "1,1,1,0,0,0")
    values = ValueModel(three_checkers, Techniques())
    moments = moments_of(race, values, chunks=4)
    # The rounding includes the table's own error.
    assert_near(moments, _one_ply(race, three_checkers), slice(1, 4), 2e-5)


def _one_ply(race, table):
    """Return the equities after the roller's first roll, which leads into the table."""
    roller, opponent = (int(bearoff.rank(s.counts)) for s in (race.roller, race.opponent))
    after = bearoff.one_sided_table().policy[roller].astype(int)
    theirs = {"centred": "centred", "owned": "opponent", "opponent": "owned"}
    return [
        float(np.dot(-table.equity(opponent, after, theirs[cube]), bearoff.WEIGHTS)) / 36
        for cube in ("centred", "owned", "opponent")
    ]


def test_taking_luck_out_and_stopping_early_save_games(eight_checkers):
    plain = moments_of(EVEN, ValueModel(None, Techniques(False, 1, False)), chunks=1)
    cut = moments_of(EVEN, ValueModel(eight_checkers, Techniques(False, 1, True)), chunks=1)
    lucky = moments_of(EVEN, ValueModel(None, Techniques(True, 1, False)), chunks=1)
    everything = moments_of(EVEN, ValueModel(eight_checkers, Techniques()), chunks=3)
    variance = [m.covariance[1, 1] * m.games for m in (plain, cut, lucky, everything)]
    assert variance[0] > 2 * variance[1] > 2 * variance[2] > 2 * variance[3]
    assert variance[0] > 5000 * variance[3]


def test_a_race_of_the_table_is_answered_without_games(eight_checkers):
    race = race_of("8,0,0,0,0,0", "8,0,0,0,0,0")
    answer = rollout(race, table=eight_checkers)
    found, exact = answer.at("owned"), bearoff.cube_action(eight_checkers, race, "owned")
    assert answer.games == 0
    assert found.action == exact.action == "redouble, take"
    assert found.no_double.value == pytest.approx(exact.no_double, abs=1e-12)
    assert found.double_take.value == pytest.approx(exact.double_take, abs=1e-12)
    assert answer.win_probability.value == pytest.approx(exact.win_probability, abs=1e-12)
    assert answer.standard_error == answer.win_probability.standard_error == 0


@pytest.mark.parametrize(
    ("roller", "opponent"),
    [
        ("1,2,2,1,1,1", "2,2,1,1,1,1"),
        # In the next two races, cube actions that are right in most races of this length
        # are mistakes.
        ("2,3,0,0,1,0", "1,1,1,0,1,0"),
        ("6,1,1,0,0,0", "0,1,5,0,0,0"),
    ],
)
def test_rollouts_agree_with_a_table_they_do_not_use(roller, opponent, eight_checkers):
    race = race_of(roller, opponent)
    answer = rollout(race, Goal(0, 15552), seed=1, workers=1)
    for cube in ("centred", "owned"):
        exact, found = bearoff.cube_action(eight_checkers, race, cube), answer.at(cube)
        assert found.action == exact.action
        for name in ("no_double", "double_take"):
            one = getattr(found, name)
            # In these races, ignoring the cube when choosing plays costs up to 0.001.
            most = 0.001 + 4 * one.standard_error
            assert one.value == pytest.approx(getattr(exact, name), abs=most)


@pytest.mark.parametrize(
    ("sides", "checkers", "points"),
    [(("[10,10,6]", "[9,8]"), 3, 10), (("0,3,2,0,0,0", "0,0,1,0,1,0"), 5, 6)],
)
def test_who_needs_luck_plays_for_it(sides, checkers, points):
    """A roller who is far behind does not use fewest-rolls play."""
    race = race_of(*sides, points=points)
    exact = bearoff.cube_action(built(checkers, points=points), race)
    answer = rollout(race, FEW, seed=1, workers=1)
    assert answer.win_probability.value == pytest.approx(exact.win_probability, abs=3e-4)
    # The tolerance is for approximate plays and cube actions in the last rolls.
    double_take = answer.at("centred").double_take.value
    assert double_take == pytest.approx(exact.double_take, abs=0.003)


@pytest.fixture(scope="module")
def eight_points():
    return built(3, points=8)


def test_games_stop_in_a_table_of_more_points(eight_points, three_checkers):
    exact = rollout(OUTSIDE, table=eight_points)
    assert exact.games == 0
    assert str(exact.table) == "3 checkers on 8 points"
    x, y = (int(bearoff.rank(side.counts)) for side in (OUTSIDE.roller, OUTSIDE.opponent))
    assert exact.at("owned").no_double.value == float(eight_points.no_double(x, y, "owned"))
    beyond = race_of("[4,6,14]", "[4,4,10]", points=14)
    truth = rollout(beyond, table=built(3, points=14))
    for table in (eight_points, three_checkers):
        answer = rollout(beyond, FEW, table=table)
        assert answer.games == 7776
        for cube in ("centred", "owned"):
            found, right = answer.at(cube), truth.at(cube)
            # The tolerance is for mistakes of the players before games reach the table.
            assert found.no_double.value == pytest.approx(right.no_double.value, abs=0.01)
            double_take = found.double_take.value
            assert double_take == pytest.approx(right.double_take.value, abs=0.01)


def test_the_table_that_holds_the_games_first_is_chosen(eight_points, three_checkers):
    five = built(5)
    for roller, opponent, first in (
        ("[9,8,7]", "[7,6,6]", eight_points), ("[6,5,3]", "[6,5,3]", three_checkers),
        # A move of two pips leads into the table of five checkers, before two checkers can
        # be borne off.
        ("[8,6,5,3,1]", "[7,6,6]", five),
    ):  # fmt: skip
        race = race_of(roller, opponent, points=24)
        assert truncation_table(race, [three_checkers, five, eight_points]) is first, roller
    assert truncation_table(OUTSIDE, []) is None


def test_the_systematic_error_is_stated_beside_the_standard_error(eight_checkers):
    exact = rollout(race_of("8,0,0,0,0,0", "8,0,0,0,0,0"), table=eight_checkers)
    rounded = eight_checkers.error("owned")
    assert exact.at("owned").no_double.systematic_error == rounded
    assert rounded < exact.at("owned").gain.systematic_error < 3 * rounded
    assert 0 < exact.win_probability.systematic_error < rounded
    for race in (OUTSIDE, EVEN):
        answer = rollout(race, FEW, table=eight_checkers)
        stated = systematic_error(on_24_points(race), at_score=False, into_table=True)
        assert answer.win_probability.systematic_error == stated.win_probability > 0
        assert answer.at("centred").no_double.systematic_error == stated.no_double > 0
        assert answer.at("owned").double_take.systematic_error == stated.double_take > 0
        assert answer.gammon_won.systematic_error is None


def test_systematic_errors_depend_on_epc_and_table(three_checkers, eight_checkers):
    race = race_of("2,2,2,2,2,3", "2,2,2,2,2,0")  # the sides have EPCs of 57.9 and 40.9
    for where, into_table in (("home", False), ("home, into a table", True)):
        measured = MEASURED[where]
        below = max(epc for epc in measured if epc < 40.9)
        above = min(epc for epc in measured if epc > 40.9)
        errors = sorted(measured[epc].double_take for epc in (below, above))
        found = systematic_error(on_24_points(race), at_score=False, into_table=into_table)
        assert errors[0] < found.double_take < errors[1]
    none, three, eight = (
        rollout(race, FEW, table=one).win_probability.systematic_error
        for one in (None, three_checkers, eight_checkers)
    )
    assert three == none > eight > 0


@pytest.mark.parametrize("at_score", [False, True])
@pytest.mark.parametrize(
    ("side", "place"),
    [("0,2,2,0,0,0,0,0,1", "few, beyond"), ("3,2,2,1,0,0,0,0,0,1", "beyond"),
     ("5,3,2,1,0,0,0,0,0,1", "beyond")],
)  # fmt: skip
def test_systematic_errors_beyond_home_depend_on_the_race_board(at_score, side, place):
    race = on_24_points(race_of(side, side, points=side.count(",") + 1))
    errors = list((MEASURED | AT_SCORES if at_score else MEASURED)[place].values())
    found = systematic_error(race, at_score=at_score, into_table=True)
    for one, *limits in zip(found, *errors, strict=True):
        assert min(limits) <= one <= max(limits)


def test_first_rolls_are_shared_out_evenly_however_games_are_grouped():
    lanes = Lanes(ValueModel(None, Techniques()), on_24_points(EVEN), 0, 0, 1296)
    first = [lanes._thrown(side) for side in (0, 1)]
    pairs, counts = np.unique(np.stack(first), axis=1, return_counts=True)
    weights = np.array(bearoff.WEIGHTS)
    assert pairs.shape == (2, 441)
    assert np.array_equal(counts, weights[pairs[0]] * weights[pairs[1]])
    values = ValueModel(None, Techniques(first_rolls=1))
    race = on_24_points(OUTSIDE)
    together = Lanes(values, race, 7, 100, 60).play()
    apart = [Lanes(values, race, 7, first, 20).play() for first in (100, 120, 140)]
    assert np.array_equal(together, np.concatenate(apart))


def test_a_rollout_ends_at_its_error_or_games_whatever_its_workers():
    goal, seen = Goal(0.004, 10**5), []
    one = rollout(HOME, goal, seed=5, workers=1)
    three = rollout(HOME, goal, seed=5, workers=3, on_progress=seen.append)
    assert one.at("centred") == three.at("centred")
    games = [moments.games for moments in seen]
    assert games == sorted(games)
    assert one.games == three.games == games[-1]
    assert worst_error(seen[-1]) > 0
    other = rollout(HOME, goal, seed=6)
    assert other.at("centred").no_double.value != one.at("centred").no_double.value
    plain = Techniques(False, 1, False)
    reached = rollout(HOME, Goal(0.012, 10**6), techniques=plain)
    assert 0 < reached.standard_error <= 0.012
    assert 4 * 7776 < reached.games < 100_000
    stopped = rollout(HOME, Goal(0.0001, 40_000), techniques=plain)
    assert stopped.standard_error > 0.0001
    assert stopped.games == 6 * 7776  # 40,000 games, rounded up to whole chunks of 7,776


def turn_of_aces(stakes, won=(0.0, 0.0), lost=(0.0, 0.0), **terms):
    """Return which games continue after a cube decision, and their cube values.

    `won` and `lost` are the chances of gammons and backgammons.
    """
    values = ValueModel(None, Techniques(), **terms)
    starts = values.states.starts[[STATES.index("centred")] * len(stakes)]
    cubes, alive = np.array([stakes]), np.ones((1, len(stakes)), dtype=np.bool_)
    games = kernels.Games(starts[None].copy(), cubes, alive, np.zeros((1, len(stakes))))
    ace = kernels.TurnPositions(
        np.array([49 / 6]), np.zeros((1, 21)), np.full((1, 21), -1.0), np.array([won]),
        np.array([lost]), np.zeros(1, dtype=np.uint8), np.array([-1]), np.full((1, 21), -1),
    )  # fmt: skip
    model = kernels.Model(values.model.planes[0], slopes(), 1 / values.model.step)
    kernels.turn(model, values.states.arrays, HOME_BOARD.arrays, 0, True, False, ace, games)
    return alive[0].tolist(), cubes[0].tolist()


def test_the_cube_is_dead_before_sums_could_overflow():
    """The cube is dead at very large values, so that sums of points do not overflow."""
    stakes = [1.0, 512.0, 1024.0, 2048.0]
    # The opponent passes the double if the cube is live, and the game ends. With a dead
    # cube, play continues.
    assert turn_of_aces(stakes) == ([False, False, True, True], stakes)


def test_a_backgammon_is_worth_what_it_is_at_the_score():
    terms = Terms(Match(bearoff.Score((3, 2))))
    after = bearoff.match_equities().after
    single, two, three = (after(terms.stakes.score, n) for n in (1, 2, 3))
    assert three - two > two - single > 0
    # At this score, the step from a gammon to a backgammon is large, so playing on is
    # better than cashing.
    for side in ("won", "lost"):
        for chances, plays_on in (((-0.5, 0.5), True), ((0.5, -0.5), False)):
            found = turn_of_aces([1.0], **{side: chances}, terms=terms)[0]
            assert found == [plays_on], side


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Goal(standard_error=-0.001), ("standard_error", 0, "-0.001")),
        (lambda: Goal(standard_error=float("nan")), ("standard_error",)),
        (lambda: Goal(at_most=0), ("at_most", 1, 0)),
        (lambda: Goal(at_most=1e6), ("at_most", "1000000.0")),
        (lambda: Techniques(luck="no"), ("luck", "no")),
        (lambda: Techniques(first_rolls=6), ("first_rolls", 1, 36, 1296, 6)),
        (lambda: Techniques(first_rolls=True), ("first_rolls", "True")),
        (lambda: Techniques(truncate=1), ("truncate", 1)),
        (lambda: rollout(HOME, FEW, seed=-1), ("seed", 0, -1)),
        (lambda: rollout(HOME, FEW, seed=2**64), ("seed", 0)),
        (lambda: rollout(HOME, FEW, seed=0.5), ("seed", "0.5")),
        (lambda: rollout(race_of("1,0,0,0,0,0", "0,0,0,0,0,0")), ("opponent",)),
        (lambda: rollout(race_of("[13]", "[12]", points=24)), (13, 12)),
    ],
)
def test_arguments_out_of_range_are_refused(make, named):
    with refused(bearoff.BearoffError, *named):
        make()


def test_sums_of_parts_add_up_to_the_whole():
    rng = np.random.default_rng(1)
    size = len(COLUMNS)
    estimates = rng.normal(0.3, 0.05, (1296 * 4, size)) @ rng.normal(size=(size, size))
    centre = estimates.mean(axis=0) + 0.01
    whole = sums_of(estimates, centre, 36)
    parts = [sums_of(part, centre, 36) for part in np.split(estimates, 4)]
    assert np.array_equal(whole, np.sum(parts, axis=0))
    moments = Moments.of(whole, centre)
    units = estimates.reshape(-1, 36, size).mean(axis=1)
    assert (moments.games, moments.units) == (5184, 144)
    # Fixed-point sums keep twelve decimals.
    assert np.allclose(moments.means, units.mean(axis=0), atol=1e-11)
    assert np.allclose(moments.covariance, np.cov(units.T) / 144, atol=1e-12)
    error = np.std(2 * units[:, 3] - units[:, 1], ddof=1) / 12
    assert moments.error(0, -1, 0, 2, *[0] * (size - 4)) == pytest.approx(error, rel=1e-6)
