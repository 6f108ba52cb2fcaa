import numpy as np
import pytest
from scipy.stats import binom, binomtest

from analysis.intervals import normal_quantile, wilson_interval, z_scores
from bearoff import BearoffError


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("wins", "games"), [(0, 1), (1, 1), (3, 7), (50, 50), (789, 1000)])
def test_interval_is_scipys(wins, games, confidence):
    low, high = wilson_interval(wins, games, confidence)
    theirs = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    assert float(low) == pytest.approx(theirs.low, abs=1e-12)
    assert float(high) == pytest.approx(theirs.high, abs=1e-12)


def test_interval_takes_arrays_and_broadcasts():
    low, high = wilson_interval([[1, 2], [3, 4]], [10, 20])
    assert low.shape == high.shape == (2, 2)
    assert low[1, 1] == wilson_interval(4, 20)[0]


@pytest.mark.parametrize("games", [100, 1000])
def test_coverage_is_near_what_is_promised(games):
    wins = np.arange(games + 1)
    low, high = wilson_interval(wins, games)
    chances = np.linspace(0.02, 0.98, 193)
    covered = np.array(
        [binom.pmf(wins, games, p)[(low <= p) & (p <= high)].sum() for p in chances]
    )
    assert covered.mean() == pytest.approx(0.95, abs=0.005)
    assert covered.min() > 0.91


def test_sure_results_reach_the_ends():
    low, high = wilson_interval([0, 9], 9)
    assert low[0] == 0 < high[0] < 1
    assert 0 < low[1] < high[1] == 1


@pytest.mark.parametrize(("wins", "games"), [(0, 0), (-1, 5), (6, 5)])
def test_impossible_counts_are_refused(wins, games):
    with pytest.raises(BearoffError):
        wilson_interval(wins, games)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.1, float("nan")])
def test_impossible_confidence_is_refused(confidence):
    with pytest.raises(BearoffError, match="confidence must be above 0"):
        normal_quantile(confidence)


def test_z_scores_by_hand():
    # 60 of 100 where half is expected: 0.1 over sqrt(0.25 / 100).
    assert z_scores(60, 100, 0.5) == pytest.approx(2.0)
    assert z_scores(100, 100, 1.0) == 0
    assert z_scores(99, 100, 1.0) == -np.inf
    assert np.isnan(z_scores(99, 100, np.nan))
