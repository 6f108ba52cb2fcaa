"""The measurement of systematic errors on few checkers, and stated errors."""

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge
from bearoff.bear_in import widen
from bearoff.sim.rollouts.systematic import MEASURED
from research.comparisons import systematic


@pytest.fixture(scope="module")
def setting():
    return systematic.Kept.load(systematic.RACES)


@pytest.fixture(scope="module")
def judging():
    return systematic.Kept.load(systematic.JUDGING)


def test_rollouts_into_the_table_that_holds_a_race_are_exact(monkeypatch):
    monkeypatch.setattr(systematic, "TABLES", (0, 3))
    bearoff.build_two_sided_table(3)
    off, error = systematic.differences(
        widen([[0, 1, 0, 0, 1, 1], [1, 0, 1, 0, 1, 0]]), Judge((), patience=3)
    )
    assert np.abs(off[1]).max() < 1e-5  # the table's rounding
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


@pytest.mark.parametrize("way", range(2))
@pytest.mark.parametrize("place", range(2))
def test_few_races_are_beyond_two_stated_errors(judging, place, way):
    at = (judging.zones[0] == place) & ~np.isnan(judging.error[:, way, 0])
    shares = systematic.beyond_stated(judging.of(at), way, 2).mean(axis=0)
    assert shares.max() <= 0.05


def test_no_race_that_judges_sets_an_error(setting, judging):
    known = {one.tobytes() for one in setting.sides}
    assert not any(one.tobytes() in known for one in judging.sides)


def test_the_page_has_every_zone(setting, judging):
    page = systematic.page(setting, judging)
    for where in MEASURED:
        assert page.count(f"| {where} | ") >= len(systematic.EPC)


def test_races_beyond_home_are_drawn_beyond():
    exact = bearoff.match_table(3, systematic.FEW_SCORES[0], points=8)
    beyond = systematic.draw(systematic.Kind(8, 3, 3, 3), exact, 3)
    assert beyond.shape == (3, 2, 24)
    assert beyond.sum(axis=2).tolist() == [[3, 3]] * 3
    assert beyond[:, :, 6:].any(axis=(1, 2)).all()
