"""Equities of games between given players, compared with fractions, two-sided tables and
convolutions.

The default tolerance is `ROUNDING`, for sums of some ten turns of float64 values, which
random cubes may increase to 64 points.
"""

import numpy as np
import pytest

import bearoff
from bearoff.matchup import solver
from bearoff.matchup.sides import RacePlayer
from bearoff.matchup.strategies import (
    BestResponse,
    EquilibriumCube,
    JanowskiCube,
    PerfectCube,
)
from bearoff.matchup.values import CUBES, strategy_values
from oracles import reference
from tests.bearoff.matchup import strategy_twin as twin
from tests.two_sided_tables import built, number

ROUNDING = 1e-12
ROLLERS = {"centred": "centred", "A": "owned", "B": "opponent"}
SWAPPED = {"centred": "centred", "A": "B", "B": "A"}
PLAYERS = RacePlayer(JanowskiCube()), RacePlayer(EquilibriumCube())


def pairs(checkers, *, off=False):
    """Return all pairs of position numbers; with `off`, including the empty position."""
    numbers = np.arange(0 if off else 1, bearoff.position_count(6, checkers))
    return tuple(np.meshgrid(numbers, numbers, indexing="ij"))


def highest_number(checkers):
    """Return the policy that always plays to the highest position number."""
    scores = -np.arange(bearoff.position_count(6, checkers))
    return bearoff.plays.least_score_policy(scores, 6, checkers)


def games(policy):
    """Return pairs of players, with their simple implementations in `strategy_twin`.

    The argument `policy` is `highest_number(2)`.
    """
    lots, others = twin.Lots(1), twin.Lots(2)
    rolls, clumsy, every = twin.fewest_rolls, twin.clumsy, reference.successors
    equals = twin.Twin(rolls, None), twin.Twin(clumsy, None)
    perfect_b = twin.decisions(equals[1], equals[0])
    perfect_a = twin.decisions(equals[0], equals[1])

    def of_b(x, y):
        return (*perfect_b(x, y)[:2], perfect_a(x, y)[2])

    plain = RacePlayer(lots), twin.Twin(rolls, lots.at)
    best = RacePlayer(lots, "best"), twin.Twin(every, lots.at)
    other = RacePlayer(others, policy), twin.Twin(clumsy, others.at)
    response = RacePlayer(BestResponse(), policy), equals[1]
    best_response = RacePlayer(BestResponse(), "best"), twin.Twin(every, None)
    perfect = RacePlayer(EquilibriumCube(), policy)
    return {
        "lots": (plain, other),
        "lots with the best plays": (best, other),
        "best response to lots": (response, plain),
        "lots against the best response": (best, best_response),
        "lots against perfect": (plain, (perfect, twin.Twin(clumsy, of_b))),
        "perfect": ((RacePlayer(EquilibriumCube()), equals[0]), (perfect, equals[1])),
    }


@pytest.fixture
def two_lose_a_gammon(monkeypatch):
    """Make gammons count in games that start with two checkers per side."""
    monkeypatch.setattr(solver, "CHECKERS", 2)
    monkeypatch.setattr(twin.GAMMON, "checkers", 2)
    twin.turn.cache_clear()
    twin.mean.cache_clear()
    yield
    twin.turn.cache_clear()
    twin.mean.cache_clear()


@pytest.mark.parametrize(
    ("name", "jacoby"),
    [("lots with the best plays", True), ("perfect", False), ("perfect", True)],
)
def test_gammons_are_what_fractions_give(name, jacoby, two_lose_a_gammon, monkeypatch):
    monkeypatch.setattr(twin.GAMMON, "jacoby", jacoby)
    all_pairs_agree(name, jacoby)


@pytest.mark.parametrize("name", games(None))
def test_every_pair_of_two_checkers_is_what_fractions_give(name):
    all_pairs_agree(name)


def all_pairs_agree(name, jacoby=False):
    (a, twin_a), (b, twin_b) = games(highest_number(2))[name]
    values = strategy_values(a, b, checkers=2, jacoby=jacoby)
    mine = {"centred": "centred", "A": "mine", "B": "his"}
    sides = reference.all_positions(6, 2)
    for cube in CUBES:
        for on_roll in ("A", "B"):
            got = values.equity(*pairs(2, off=True), on_roll, cube)
            players = (twin_a, twin_b) if on_roll == "A" else (twin_b, twin_a)
            where = mine[cube if on_roll == "A" else SWAPPED[cube]]
            told = [
                [float(twin.value(*players, x, y, where)) for y in sides] for x in sides
            ]
            right = np.array(told) if on_roll == "A" else -np.array(told).T
            assert np.abs(got - right).max() <= ROUNDING


def test_three_checkers_from_one_start_and_the_decisions_there():
    start = reference.checkers_of((0, 0, 1, 0, 1, 1))
    at = number(0, 0, 1, 0, 1, 1)
    lots = twin.Lots(3)
    a, b = twin.Twin(twin.fewest_rolls, lots.at), twin.Twin(twin.fewest_rolls, None)
    values = strategy_values(RacePlayer(lots), RacePlayer(BestResponse()), starts=[at, at])
    told = twin.value(a, b, start, start, "centred")
    assert values.equity(at, at) == pytest.approx(float(told), abs=ROUNDING)
    for x, y in ((at, at), (number(0, 0, 1, 0, 1), number(1, 1))):
        found = values.decisions(x, y, "B")
        sides = [reference.checkers_of(tuple(bearoff.unrank(n).tolist())) for n in (y, x)]
        assert (found.double, found.redouble) == twin.decisions(b, a)(*sides)[:2]
        assert found.take == lots.at(*sides)[2]


def test_perfect_play_by_both_is_the_two_sided_table():
    perfect, table = RacePlayer(EquilibriumCube(), "best"), built(5)
    values = strategy_values(perfect, perfect, checkers=4)
    a, b = pairs(4, off=True)
    for cube in CUBES:
        mine, theirs = ROLLERS[cube], ROLLERS[SWAPPED[cube]]
        off = values.equity(a, b, "A", cube) - table.equity(a, b, mine)
        assert np.abs(off).max() <= table.error(mine) + ROUNDING
        off = values.equity(a, b, "B", cube) + table.equity(b, a, theirs)
        assert np.abs(off).max() <= table.error(theirs) + ROUNDING


def test_the_cube_read_from_the_tables_costs_no_more_than_its_errors():
    built(5)
    perfect = RacePlayer(EquilibriumCube(), "best")
    values = strategy_values(RacePlayer(PerfectCube(5), "best"), perfect, checkers=5)
    # With five checkers, few decisions are close, so the equities of the two strategies
    # differ by at most 3.7e-5 points.
    gains = values.gain(*pairs(5), "A")
    assert np.abs(gains).max() < 3.7e-5
    assert gains.min() > -ROUNDING


def test_perfect_players_gain_nothing_whatever_they_are_called():
    equals = RacePlayer(EquilibriumCube()), RacePlayer(BestResponse())
    values = strategy_values(*equals, checkers=4)
    assert values.perfect is values
    assert not values.gain(*pairs(4)).any()


@pytest.mark.parametrize("on_roll", ["A", "B"])
def test_a_take_that_costs_as_much_as_a_pass_is_a_take(on_roll):
    best = RacePlayer(EquilibriumCube())
    six, ace = number(0, 0, 0, 0, 0, 1), number(1)
    values = strategy_values(best, best, checkers=1)
    sides = (six, ace) if on_roll == "A" else (ace, six)
    found = values.decisions(*sides, on_roll)
    assert (found.double, found.redouble, found.take) == (True, True, True)


def test_a_start_has_the_value_it_has_among_all_positions():
    all_of = strategy_values(*PLAYERS, checkers=4)
    starts = [(number(0, 0, 0, 2, 0, 2), number(0, 0, 1, 1)), (number(2), number(3))]
    values = strategy_values(*PLAYERS, starts=starts)
    assert len(values.side_a) < len(all_of.side_a)
    a, b = np.array(starts).T
    for on_roll in ("A", "B", "either"):
        gains = values.gain(a, b, on_roll)
        assert gains == pytest.approx(all_of.gain(a, b, on_roll), abs=ROUNDING)
    weighed = values.mean_gain(a, b, np.array([3.0, 1.0]))
    assert weighed == pytest.approx((3 * gains[0] + gains[1]) / 4, abs=ROUNDING)
    assert values.mean_gain(a, b) == pytest.approx(gains.mean(), abs=ROUNDING)
    owned = values.perfect.equity(a, b, "A", "B") - values.equity(a, b, "A", "B")
    assert values.gain(a, b, "A", "B") == pytest.approx(owned, abs=ROUNDING)
    both = (values.gain(a, b, "A") + values.gain(a, b, "B")) / 2
    assert gains == pytest.approx(both, abs=ROUNDING)


@pytest.mark.slow
def test_single_precision_is_off_by_little():
    exact = strategy_values(*PLAYERS, checkers=5)
    values = strategy_values(*PLAYERS, checkers=5, dtype=np.float32)
    assert values.planes.dtype == np.float32
    # The limits allow for plays and actions that count as equal within 1e-6, and for the
    # rounding of float32 at each turn.
    assert np.abs(exact.perfect.planes - values.perfect.planes).max() < 3e-6
    assert abs(exact.mean_gain(*pairs(5)) - values.mean_gain(*pairs(5))) < 1e-6


def test_any_number_of_threads_gives_the_same():
    one, three = (strategy_values(*PLAYERS, checkers=4, workers=n) for n in (1, 3))
    assert np.array_equal(one.planes, three.planes)
