"""Quick versions of the full-scale tests of confidence intervals and of dice."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import bearoff
from verify import coverage, dice
from verify.chance import intervals, streams


@pytest.mark.parametrize("kind", ["win_probabilities", "equities", "scores"])
def test_intervals_hold_the_truth(kind):
    found = list(getattr(coverage, kind)(1, 200_000, 1000))
    assert len(found) > 5
    assert [one for one in found if not one.passed] == []
    share = sum(one.held for one in found) / sum(one.runs for one in found)
    assert share > 0.94
    if kind == "equities":
        # The check detects intervals that ignore part of the variance.
        assert min(one.before for one in found) < 0.8


def test_a_sound_run_seldom_raises_an_alarm():
    alarms, runs = coverage.false_alarms(1, 200)
    # Seven alarms in 200 runs are very unlikely at the promised alarm rate of 1%.
    assert runs == 200
    assert alarms < 7


def test_the_total_of_true_visits_is_the_mean_number_of_rolls_in_a_game():
    table = bearoff.one_sided_table(6, intervals.CHECKERS)
    law = np.array(intervals.start_weights(6, intervals.CHECKERS) @ table.distribution)
    left = law[::-1].cumsum()[::-1]  # left[k]: probability of needing at least k rolls
    # A player makes a roll only if neither side has borne off all its checkers before.
    rolls = (left[1:] * left[1:]).sum() + (left[1:-1] * left[2:]).sum()
    assert intervals.true_visits().sum() == pytest.approx(rolls, rel=1e-6)


def test_every_thrower_throws_the_same_dice_and_streams_do_not_overlap():
    same = dice.same_dice(seed=3)
    assert same == dict.fromkeys(same, True)
    overlap = dice.look_for_overlap(seed=1, scale=1)
    assert overlap.passed, overlap


def test_an_overlap_of_streams_is_detected(monkeypatch):
    draw = streams._stream_words
    monkeypatch.setattr(streams, "_stream_words", lambda s, *rest: draw(0 * s, *rest))
    assert not dice.look_for_overlap(seed=1, scale=1).passed


@given(st.tuples(*(st.integers(0, 2**bits - 1) for bits in streams.FIELDS.values())))
def test_every_address_has_dice_of_its_own(address):
    at = np.array([address], dtype=np.uint64)
    assert (streams.addresses(streams.words_at(at), at[:, 0]) == at).all()
