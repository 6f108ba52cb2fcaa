"""Small runs of the real simulator, from the configuration to the report."""

import pytest

import bearoff
from bearoff import sim
from bearoff.analysis import Outcomes, analyse_run, open_run
from bearoff.analysis.reports.race_page import write_page


def played(folder, roller="fewest-rolls", points=6, checkers=15):
    """Play games between positions on a small grid of EPCs, and return the run's folder."""
    grid = {"by": "epc", "per_cell": 4, "draw": "uniform"}
    grid |= {"roller": {"from": 20, "to": 40, "step": 5}}
    grid |= {"lead": {"from": -4, "to": 8, "step": 2}}
    config = {"run": "small", "games": 2000, "seed": 5, "workers": 1}
    config |= {"pairs": [{"grid": grid}], "output": str(folder)}
    config |= {"table": {"points": points, "checkers": checkers}}
    config |= {"players": {"roller": roller, "opponent": "fewest-rolls"}}
    return sim.run(config, progress=False).path


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return played(tmp_path_factory.mktemp("results"))


def test_what_the_simulator_wrote_is_sound_and_teaches(small):
    run = open_run(small)
    run.verify()
    outcomes = Outcomes.of(run)
    table = bearoff.one_sided_table()
    expected = table.fewest_rolls_win_probability(outcomes.roller, outcomes.opponent)
    assert outcomes.expected == pytest.approx(expected, abs=1e-12)
    assert (outcomes.roller_epc == table.epc[outcomes.roller]).all()
    assert (outcomes.games == 2000).all()
    found = analyse_run(small)
    assert found.calibration.agrees, found.calibration.verdict
    assert found.fits is not None
    # The cells have the counts and leads of the grid in the configuration.
    assert set(found.cells["epc"].count) == {20, 25, 30, 35, 40}
    assert set(found.cells["epc"].lead) == {-4, -2, 0, 2, 4, 6, 8}


@pytest.mark.parametrize(
    ("changes", "same"),
    [({"roller": "random-play"}, False), ({"points": 8, "checkers": 6}, True)],
)
def test_other_players_and_tables_converge_to_their_own_value(tmp_path, changes, same):
    path = played(tmp_path, **changes)
    run, found = open_run(path), analyse_run(path)
    outcomes = Outcomes.of(run)
    assert found.calibration.agrees, found.calibration.verdict
    estimate = run.estimate(int(outcomes.roller[0]), int(outcomes.opponent[0]))
    if same:
        assert estimate.fewest_rolls == pytest.approx(estimate.expected, abs=1e-12)
        assert (run.points, run.checkers, outcomes.roller_counts.shape[1]) == (8, 6, 8)
    else:
        assert estimate.expected < estimate.fewest_rolls
        assert "random-play and fewest-rolls" in write_page(found, {})
