import numpy as np
import pytest
from scipy.stats import binom, binomtest

from bearoff import BearoffError
from bearoff.analysis import wilson_interval
from bearoff.analysis.outcomes.intervals import normal_quantile, percent, z_scores


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("wins", "games"), [(0, 1), (1, 1), (4, 8), (50, 50), (789, 1000)])
def test_interval_is_scipys(wins, games, confidence):
    low, high = wilson_interval(wins, games, confidence)
    theirs = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    assert np.array([low, high]) == pytest.approx([theirs.low, theirs.high], abs=1e-12)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("wins", "games"), [(1, 100), (2, 30), (3, 7), (3, 10**6), (1, 2)])
def test_few_wins_or_losses_lengthen_it(wins, games, confidence):
    """With at most three wins or losses, Wilson's interval is extended to the
    Clopper-Pearson limit.
    """
    low, high = wilson_interval(wins, games, confidence)
    theirs = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    # A one-sided limit corresponds to a two-sided interval of lower confidence.
    ends = binomtest(wins, games).proportion_ci(2 * confidence - 1, method="exact")
    assert float(low) == pytest.approx(min(theirs.low, ends.low), abs=1e-12)
    if games - wins > 3:
        assert float(high) == pytest.approx(theirs.high, abs=1e-12)
    other = wilson_interval(games - wins, games, confidence)
    assert np.allclose([low, high], [1 - other[1], 1 - other[0]], atol=1e-12)


@pytest.mark.parametrize("games", [10, 1000])
def test_no_chance_is_missed_often(games):
    """At small win rates, the confidence interval contains the true rate often enough."""
    chances = np.geomspace(1e-3, 20, 2000) / games
    wins = np.arange(min(games, 80) + 1)
    low, high = wilson_interval(wins, games)
    law = binom.pmf(wins, games, chances[:, None].clip(max=0.5))
    within = (low <= chances[:, None]) & (chances[:, None] <= high)
    covered = (law * within).sum(axis=1)[chances < 0.5]
    # The lowest coverage, 0.9193, occurs with 10 games.
    assert covered.min() > 0.919


def test_sure_results_reach_the_ends_and_impossible_ones_are_refused():
    low, high = wilson_interval([0, 9], 9)
    assert low[0] == 0 < high[0] < 1
    assert 0 < low[1] < high[1] == 1
    low, high = wilson_interval([[1, 2], [3, 4]], [10, 20])  # arrays are broadcast
    assert low.shape == high.shape == (2, 2)
    assert low[1, 1] == wilson_interval(4, 20)[0]
    for wins, games in ((0, 0), (-1, 5), (6, 5)):
        with pytest.raises(BearoffError):
            wilson_interval(wins, games)
    for confidence in (0, 1, 95, -0.1, float("nan")):
        with pytest.raises(BearoffError, match=f"confidence.* {confidence}"):
            normal_quantile(confidence)
    # 60 wins in 100 games are two standard errors more than expected.
    assert z_scores(60, 100, 0.5) == pytest.approx(2.0)
    assert z_scores(100, 100, 1.0) == 0
    assert z_scores(99, 100, 1.0) == -np.inf
    assert np.isnan(z_scores(99, 100, np.nan))


@pytest.mark.parametrize(
    ("probability", "digits", "written"),
    [
        (0.5, 2, "50.00%"),
        (299_998 / 300_000, 2, "99.999%"),
        (1 - 299_998 / 300_000, 3, "0.001%"),
        (1 - 1e-8, 2, "99.999999%"),
        (0.0, 3, "0.000%"),
        (1.0, 2, "100.00%"),
        (1 - 1e-14, 2, "100.00%"),  # 1, with a rounding error
    ],
)
def test_only_what_is_sure_is_written_as_sure(probability, digits, written):
    assert percent(probability, digits) == written
