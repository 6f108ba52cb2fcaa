"""Short form of the trial of confidence intervals."""

import numpy as np
import pytest

import bearoff
from verify import coverage
from verify.chance import intervals


@pytest.mark.parametrize(
    "kind",
    [coverage.win_probabilities, coverage.equities, coverage.scores],
    ids=["win probabilities", "equities", "scores"],
)
def test_intervals_hold_the_truth(kind):
    found = list(kind(1, 200_000, 1000))
    assert len(found) > 5
    assert [one for one in found if not one.passed] == []
    share = sum(one.held for one in found) / sum(one.runs for one in found)
    assert share > 0.94
    if kind is coverage.equities:
        # Intervals that ignore part of the variance are detected.
        assert min(one.before for one in found) < 0.8


def test_a_sound_run_seldom_raises_an_alarm():
    alarms, runs = coverage.false_alarms(1, 200)
    # At an alarm rate of 1%, seven or more alarms in 200 runs occur once in 200 tests.
    assert runs == 200
    assert alarms < 7


def test_true_visits_are_those_of_games():
    """The total of expected visits is the mean number of rolls in a game."""
    starts = intervals.start_weights(6, intervals.CHECKERS)
    table = bearoff.one_sided_table(6, intervals.CHECKERS)
    law = np.array(starts @ table.distribution)
    left = law[::-1].cumsum()[::-1]  # probability of needing at least so many rolls
    # The roller makes the n-th roll if both sides need at least n rolls. The opponent makes
    # the n-th roll if the opponent needs at least n rolls and the roller needs more than n.
    rolls = (left[1:] * left[1:]).sum() + (left[1:-1] * left[2:]).sum()
    assert intervals.true_visits().sum() == pytest.approx(rolls, rel=1e-6)
