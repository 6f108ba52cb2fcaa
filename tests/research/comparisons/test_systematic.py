"""Systematic errors of rollouts: their measurement with few checkers, and stated errors."""

import math
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge
from bearoff.bear_in import widen
from bearoff.sim.rollouts.systematic import MEASURED
from research.comparisons import systematic


@pytest.fixture(scope="module")
def setting():
    return systematic.Kept.load(systematic.RACES).solved()


@pytest.fixture(scope="module")
def judging():
    return systematic.Kept.load(systematic.JUDGING).solved()


def test_rollouts_into_the_table_that_holds_a_race_are_exact(monkeypatch):
    monkeypatch.setattr(systematic, "TABLES", (0, 3))
    bearoff.build_two_sided_table(3)
    sides = widen([[0, 1, 0, 0, 1, 1], [1, 0, 1, 0, 1, 0]])
    off, error = systematic.differences(sides, Judge((), patience=3))
    assert np.abs(off[1]).max() < 1e-5  # the rounding error of the table
    assert not error[1].any()
    assert 1e-5 < np.abs(off[0]).max() < 0.05
    assert error[0].any()


def test_constants_are_those_measured(setting):
    measured = systematic.measured(setting)
    assert measured.keys() == MEASURED.keys()
    for where, errors in measured.items():
        assert errors.keys() == MEASURED[where].keys()
        for epc, error in errors.items():
            assert error == pytest.approx(MEASURED[where][epc], abs=1e-9)


@pytest.mark.parametrize(("place", "way"), systematic.places_and_ways())
def test_few_races_are_beyond_two_stated_errors(judging, place, way):
    some = judging.of(judging.places == place)
    assert len(some.sides) > systematic.FEWEST
    assert systematic.beyond_stated(some, way, 2).mean(axis=0).max() <= 0.05


def test_few_races_of_many_checkers_beyond_home_are_beyond_two_stated_errors(judging):
    many = judging.sides.sum(axis=2).max(axis=1) > 10
    some = judging.of((judging.places > 0) & many)
    assert len(some.sides) > 60
    assert systematic.beyond_stated(some, 0, 2).mean(axis=0).max() <= 0.05


def test_beyond_home_the_largest_error_of_both_groups_applies(monkeypatch, setting):
    monkeypatch.setattr(systematic, "LENGTHS", 1)
    for where, errors in systematic.measured(setting).items():
        if where.startswith("home"):
            assert errors == MEASURED[where]
            continue
        shorter, longer = errors.values()
        assert shorter != longer
        (stated,) = MEASURED[where].values()
        assert stated == tuple(max(pair) for pair in zip(shorter, longer, strict=True))


def test_a_stopped_measurement_goes_on_with_other_races(monkeypatch, tmp_path):
    def solved(sides, judge):
        if sides[0, 0] > limit:
            raise KeyboardInterrupt
        return np.full((2, 2, 4), float(sides[0, 0]))

    monkeypatch.setattr(systematic, "differences", solved)
    monkeypatch.setattr(systematic, "EVERY", 2)
    monkeypatch.setattr(systematic, "EXACT", 6)
    path = tmp_path / "races.npz"
    aces = widen([[n, 0, 0, 0, 0, 0] for n in range(1, 8)])
    sides = np.stack([aces, aces], axis=1)
    limit = 5
    with pytest.raises(KeyboardInterrupt):
        systematic.measure(path, (sides, np.zeros(7, dtype=np.int8)), math.inf)
    kept, limit = systematic.Kept.load(path), 7
    assert kept.off[:, 0, 0].tolist() == [1, 2, 3, 4]
    systematic.measure(path, (sides[4:], np.ones(3, dtype=np.int8)), math.inf)
    kept = systematic.Kept.load(path)
    assert kept.off[:, 1, 3].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert kept.population.tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_stored_races_are_not_drawn_again(monkeypatch):
    monkeypatch.setattr(systematic, "UNUSUAL", 60)
    nothing = systematic.Kept.load(Path("none.npz"))
    some, population = systematic.drawn(1, 3, nothing, nothing.sides)
    unsolved = np.full((len(some), 2, 4), np.nan, dtype=np.float32)
    kept = systematic.Kept(some, population, np.zeros_like(unsolved), unsolved)
    assert len({*zip(kept.places, kept.bands, population, strict=True)}) == len(some) > 15
    assert not len(systematic.drawn(1, 3, kept, nothing.sides)[0])
    again = systematic.drawn(1, 3, kept._replace(off=unsolved), nothing.sides)[0]
    known = {one.tobytes() for one in some}
    assert len(again) > 0
    assert not any(one.tobytes() in known for one in again)


def test_the_page_has_every_zone_and_no_race_that_judges_sets_an_error(setting, judging):
    known = {one.tobytes() for one in setting.sides}
    assert not any(one.tobytes() in known for one in judging.sides)
    page = systematic.page(setting, judging)
    for where, errors in MEASURED.items():
        assert page.count(f"| {where} | all | ") == 1
        for epc, error in errors.items():
            assert f"| {where} | {epc} | {error.win_probability:.4f} | " in page


def test_races_beyond_home_are_drawn_beyond():
    exact = bearoff.match_table(3, systematic.FEW_SCORES[0], points=8)
    beyond = systematic.draw(systematic.Kind(8, 3, 3, 3), exact, 3)
    assert beyond.shape == (3, 2, 24)
    assert beyond.sum(axis=2).tolist() == [[3, 3]] * 3
    assert beyond[:, :, 6:].any(axis=(1, 2)).all()
