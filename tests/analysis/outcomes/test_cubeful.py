"""Runs of games with the cube are read, averaged and scored; runs without a cube are
refused.
"""

import dataclasses

import numpy as np
import pytest

import bearoff
from bearoff import sim
from bearoff.analysis import Outcomes, RunError, open_run
from bearoff.analysis.outcomes.cubeful import CubefulOutcomes, calibrate, standard_error
from bearoff.analysis.reports.cubeful_page import pair_table, strategy_name
from bearoff.analysis.reports.cubeful_report import write_cubeful_report
from bearoff.analysis.reports.tables import spread
from bearoff.matchup.strategies import JanowskiCube
from tests.analysis.make_run import write_run

CHECKERS = 4
PERFECT = {"roller": "perfect", "opponent": "perfect"}


def play(folder, **changes):
    config = {"run": "cube", "games": 4000, "seed": 5, "output": str(folder)}
    config |= {"table": {"checkers": CHECKERS}, "players": PERFECT}
    config |= {"pairs": [{"random": {"pairs": 40, "checkers": {"from": 3, "to": 4}}}]}
    config |= {"cube": PERFECT | {"value": 2}}
    sim.run(config | changes, strategies={"his": JanowskiCube(0.6)}, progress=False)
    return open_run(folder / "cube")


@pytest.fixture(scope="module")
def perfect(tmp_path_factory):
    bearoff.build_two_sided_table(CHECKERS)
    return play(tmp_path_factory.mktemp("perfect"))


@pytest.fixture(scope="module")
def rivals(tmp_path_factory):
    """Return a run that compares two cube strategies, without expected equities."""
    bearoff.build_two_sided_table(CHECKERS)
    cube = {"roller": "perfect", "opponent": "his", "rival": "never"}
    return play(tmp_path_factory.mktemp("rivals"), cube=cube)


def test_what_is_read(rivals):
    outcomes, rows = CubefulOutcomes.of(rivals), rivals.table().to_pylist()
    assert len(outcomes) == len(rows) == 40
    assert outcomes.has_rival
    for i, row in enumerate(rows):
        assert outcomes.roller[i] == row["roller"]
        assert outcomes.equity[i] == row["points_mean"]
        assert outcomes.seen_error[i] == (row["points_variance"] / 4000) ** 0.5
        both = row["points_variance"] / 4000 + (3 / 4000) ** 2
        assert outcomes.error[i] == pytest.approx(both**0.5, rel=1e-12)
        both = row["difference_variance"] / 4000 + (3 / 4000) ** 2
        assert outcomes.difference_error[i] == pytest.approx(both**0.5, rel=1e-12)
        assert outcomes.cubes[i].tolist() == row["cube"]
        for name in ("doubles", "passes"):
            both = [row[f"roller_{name}"], row[f"opponent_{name}"]]
            assert getattr(outcomes, name)[i].tolist() == both
        assert outcomes.difference[i] == row["difference_mean"]
        assert outcomes.counts(outcomes.opponent)[i].tolist() == row["opponent_counts"]
    assert np.isnan(outcomes.expected).all()
    calibration = calibrate(outcomes)  # Without expected values, no pair is compared.
    assert (calibration.pairs, calibration.agrees) == (0, None)


def test_averages_go_by_weight(rivals):
    weights = np.arange(40.0)
    outcomes = dataclasses.replace(CubefulOutcomes.of(rivals), weight=weights)
    shares = weights / weights.sum()
    mean = outcomes.mean_equity()
    assert mean.value == pytest.approx(shares @ outcomes.equity, rel=1e-12)
    # The error also allows for results that no game had. Such results matter most in the
    # pair with the largest weight.
    seen = shares**2 @ outcomes.seen_error**2
    unseen = (3 * 39 / 780 / 4000) ** 2
    assert mean.error == pytest.approx(np.sqrt(seen + unseen), rel=1e-12)
    gain = outcomes.mean_difference()
    assert gain.value == pytest.approx(shares @ outcomes.difference, rel=1e-12)
    assert outcomes.share(outcomes.cubes).sum() == pytest.approx(1, rel=1e-12)
    by_hand = shares @ (outcomes.doubles[:, 1] / 4000)
    assert outcomes.share(outcomes.doubles)[1] == pytest.approx(by_hand, rel=1e-12)


def test_few_games_are_not_certain_and_strategies_have_short_names():
    error = standard_error(np.array([0.0, 0.0, np.nan]), np.array([10, 100, 10]), value=2)
    # If all games have the same result, the standard error is the effect of three games
    # with another result.
    assert error[:2].tolist() == pytest.approx([0.6, 0.06])
    assert np.isnan(error[2])
    thresholds = {"thresholds": {"double": 0.7, "redouble": 0.72, "take": 0.22}}
    assert strategy_name(thresholds) == "thresholds 0.7, 0.72, 0.22"
    assert strategy_name("keith") == "keith"


def test_perfect_games_agree_and_others_disagree(perfect):
    outcomes = CubefulOutcomes.of(perfect)
    calibration = calibrate(outcomes)
    assert calibration.agrees
    assert calibration.pairs + calibration.skipped == 40
    assert calibration.pairs > 15
    assert 0.6 < calibration.rms < 1.4

    def expecting(values, at=slice(None)):
        expected = outcomes.expected.copy()
        expected[at] = values
        return calibrate(dataclasses.replace(outcomes, expected=expected))

    assert expecting(outcomes.expected + 2 * outcomes.seen_error).agrees is False
    rarer = np.minimum(outcomes.wins, outcomes.games - outcomes.wins)
    far = int(np.flatnonzero(rarer > 100)[0])
    calibration = expecting(outcomes.equity[far] + 5 * outcomes.seen_error[far], far)
    assert calibration.worst == pytest.approx(-5, rel=1e-12)
    assert calibration.worst_pair == (outcomes.roller[far], outcomes.opponent[far])
    # The constant is the probability of a normal value beyond five standard errors on
    # either side.
    assert calibration.worst_chance == pytest.approx(5.733e-7 * calibration.pairs, rel=1e-3)
    assert calibration.agrees is False
    sure = np.flatnonzero(outcomes.seen_error == 0)[0]
    calibration = expecting(outcomes.expected[sure] - 1e-3, sure)
    assert calibration.agrees is False
    assert calibration.worst_pair == (outcomes.roller[sure], outcomes.opponent[sure])


def test_runs_are_not_taken_for_another_kind(perfect, tmp_path):
    races = open_run(write_run(tmp_path / "races", [1, 2], [3, 4]))
    for read in (
        lambda: Outcomes.of(perfect),
        lambda: perfect.estimate(1, 1),
        lambda: CubefulOutcomes.of(races),
    ):
        with pytest.raises(RunError, match=r"races.*cubeful|cubeful.*races"):
            read()


def test_the_report(perfect, rivals, tmp_path):
    report = write_cubeful_report(perfect.path, tmp_path / "a")
    assert [path.name for path in report.charts] == ["equities.png", "equities.svg"]
    page = report.page.read_text("utf-8")
    assert "| roller | perfect, cube perfect |" in page
    assert "![equities](equities.png)" in page
    mean = report.outcomes.mean_equity()
    assert f"| equity | {mean.value:+.4f} ± {mean.error:.4f} |" in page
    again = write_cubeful_report(perfect.path, tmp_path / "b")
    both = ((each.page, *each.charts) for each in (report, again))
    first, second = ([path.read_bytes() for path in files] for files in both)
    assert first == second
    unknown = write_cubeful_report(rivals.path, tmp_path / "c")
    assert unknown.charts == ()
    page = unknown.page.read_text("utf-8")
    gain = unknown.outcomes.mean_difference()
    assert f"rival strategy, cube never | {gain.value:+.4f} ± {gain.error:.4f} |" in page


def test_pairs_are_spread_over_the_equity(perfect):
    outcomes = CubefulOutcomes.of(perfect)
    chosen = spread(outcomes.equity, 7)
    equities = outcomes.equity[chosen]
    assert (np.diff(equities) >= 0).all()
    assert (equities[0], equities[-1]) == (outcomes.equity.min(), outcomes.equity.max())
    head, rows = pair_table(outcomes, chosen)
    assert (len(head), len(rows), len(rows[0])) == (6, 7, 6)
    assert spread(outcomes.equity, 100).tolist() == list(range(40))
