"""The parts and values of populations of races, compared with tables, brute force and
rollouts.
"""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

import bearoff
from bearoff.bear_in.model import bear_in
from bearoff.race_model import race_model
from bearoff.sim.play.draws import uniforms
from bearoff.sim.populations import SPLITS
from bearoff.sim.rollouts.estimate import Goal, rollout, truncation_table
from bearoff.sim.storage.files import RunError
from tests.refusals import refused
from tests.sim.populations.conftest import CHECKERS, built_population
from tests.two_sided_tables import built

ROUNDING = 1e-12
"""Tolerance for rounding errors of sums."""


def each_of(*columns):
    """Return the rows of some arrays as tuples."""
    return zip(*(column.tolist() for column in columns), strict=True)


def test_races_are_the_visits_of_their_games(races, harvest):
    visits, met = harvest.home, races.decisions
    held = bearoff.position_count(6, CHECKERS)
    kept = (visits.games < 1500) & (visits.rollers < held) & (visits.opponents < held)
    splits = np.maximum(visits.games % 5 - 2, 0)
    wanted = Counter(each_of(splits[kept], visits.rollers[kept], visits.opponents[kept]))
    keys = list(each_of(met.splits, met.rollers, met.opponents))
    assert len(set(keys)) == len(keys)
    assert dict(zip(keys, met.weights.tolist(), strict=True)) == wanted
    assert met.weights.sum() == kept.sum() == races.about["visits"]
    assert sum(races.about["games"].values()) == (harvest.races < 1500).sum()


def test_parts_share_no_games(races):
    games = [set(races.split(name).decisions.games.tolist()) for name in SPLITS]
    assert sum(map(len, games)) == len(set.union(*games))
    assert all(games)
    assert sum(len(races.split(name)) for name in SPLITS) == len(races)
    alone, train = races.split("test", only_here=True), races.split("train")
    pairs = set(each_of(alone.decisions.rollers, alone.decisions.opponents))
    assert pairs
    assert pairs.isdisjoint(each_of(train.decisions.rollers, train.decisions.opponents))
    with refused(RunError, "tset"):
        races.split("tset")


def test_values_are_the_tables_one_by_one(races, table):
    met, values = races.decisions, races.values
    rng = np.random.default_rng(1)
    for row in rng.choice(len(met), 200, replace=False):
        x, y = int(met.rollers[row]), int(met.opponents[row])
        assert values.win_probability[row] == table.win_probability(x, y)
        assert values.double_take[row] == 2 * table.equity(x, y, "opponent")
        for found, cube in ((values.no_double, "centred"), (values.no_redouble, "owned")):
            assert found[row] == pytest.approx(table.no_double(x, y, cube), abs=ROUNDING)
        for side, number in (("roller", x), ("opponent", y)):
            counts = getattr(races, f"{side}_counts")[row]
            assert counts.tolist() == bearoff.unrank(number).tolist()
            epc = getattr(races, f"{side}_epc")[row]
            assert epc == bearoff.one_sided_table().epc[number]
    assert (values.error == max(table.error("centred"), 2 * table.error("opponent"))).all()
    assert not values.sources.any()


def test_near_is_what_lies_within_the_bounds_of_races(races, folder):
    wanted = {"size": 1500, "seed": 4, "checkers": CHECKERS, "bounds": (0.5, 0.9)}
    near = built_population(folder, "near", **wanted)
    chance = races.values.win_probability
    rows = (chance >= 0.5) & (chance <= 0.9)
    assert 0 < rows.sum() < len(races)
    assert near.decisions.digest() == races.decisions.chosen(rows).digest()
    assert near.about["games"] == races.about["games"]
    assert np.array_equal(near.values.no_double, races.values.no_double[rows])


def test_uniform_draws_are_even(table, folder):
    built(2)
    wanted = {"size": 60_000, "seed": 2, "checkers": 2}
    found = built_population(folder / "two", "uniform", **wanted).decisions
    assert found.weights.sum() == 60_000
    # Each side has 6 positions of one checker and 21 of two, and position 0 has none.
    weights = np.zeros((28, 28))
    np.add.at(weights, (found.rollers, found.opponents), found.weights)
    assert weights[1:, 1:].sum() == 60_000
    assert weights[1:, 1:].all()
    assert stats.chisquare(weights[1:, 1:].ravel()).pvalue > 1e-4
    draws = (uniforms(2, 1 << 62, 120_000).reshape(-1, 2) * 27).astype(int) + 1
    again = Counter(map(tuple, draws.tolist()))
    assert again == {(x, y): int(weights[x, y]) for x, y in again}


def test_by_checkers(table, folder):
    every = bearoff.unrank(np.arange(bearoff.position_count(6, CHECKERS)))
    for name, sides in (("checkers-3", (3, 3)), ("checkers-4-2", (4, 2))):
        found = built_population(folder, name, size=4_000, checkers=CHECKERS)
        assert (found.roller_counts.sum(axis=1) == sides[0]).all()
        assert (found.opponent_counts.sum(axis=1) == sides[1]).all()
        # There are enough draws for every position with this number of checkers to occur.
        fit = np.flatnonzero(every.sum(axis=1) == sides[0])
        assert set(found.decisions.rollers) == set(fit)


@pytest.fixture(scope="module")
def long(folder):
    return built_population(folder, "long", size=1500, seed=4)


def test_long_is_what_games_meet_beyond_home(harvest, long):
    found, met = long, long.decisions
    assert met.weights.sum() == (harvest.beyond.games < 1500).sum()
    assert (found.roller_counts + found.opponent_counts)[:, 6:].any(axis=1).all()
    assert set(met.games.tolist()) <= set(harvest.races.tolist())
    model, sides = race_model(), bear_in()
    for row in np.random.default_rng(1).choice(len(met), 50, replace=False):
        counts = found.roller_counts[row], found.opponent_counts[row]
        epc = [float(sides.epc(c)) for c in counts]
        assert epc == [found.roller_epc[row], found.opponent_epc[row]]
        deviations = (float(sides.std_rolls(c)) for c in counts)
        typical = model.matching_std_rolls(*epc, *deviations)
        right = model.cube_actions(*typical)
        names = ("win_probability", "no_double", "double_take")
        known = {name: float(getattr(right, name)) for name in names}
        known["no_redouble"] = float(model.no_double(*typical, "owned"))
        stored = {name: getattr(found.values, name)[row] for name in known}
        assert stored == pytest.approx(known, abs=ROUNDING)
    assert (found.values.sources == 1).all()


@pytest.mark.slow
def test_rolled_out_decisions_are_rollouts(long, table, folder):
    found = built_population(folder / "rolled", "long", size=1500, seed=4, rollouts=2)
    assert found.about["digest"] == long.about["digest"]
    rolled = np.flatnonzero(found.values.sources == 2)
    assert 1 <= len(rolled) <= 2
    for row in rolled:
        numbers = int(found.decisions.rollers[row]), int(found.decisions.opponents[row])
        race = bearoff.Race(*(bearoff.Position.from_number(n, 24) for n in numbers))
        answer = rollout(race, Goal(0.001), seed=5, table=truncation_table(race))
        error = found.values.error[row]
        assert error < 0.01
        for estimated, name in (
            (answer.win_probability, "win_probability"),
            (answer.at("centred").no_double, "no_double"),
            (answer.at("owned").no_double, "no_redouble"),
            (answer.at("owned").double_take, "double_take"),
        ):
            # The tolerance is five standard errors of the shorter rollout.
            value = getattr(found.values, name)[row]
            assert value == pytest.approx(estimated.value, abs=5 * error), name
    rest = found.values.sources != 2
    assert np.array_equal(found.values.no_double[rest], long.values.no_double[rest])
