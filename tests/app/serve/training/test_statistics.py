"""Statistics of answers in training, compared with calculations by hand and with scipy."""

import re
from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np
import pytest
from scipy import stats

from bearoff import Position, Race
from bearoff.analysis.progress import holm
from bearoff.app.serve.drills.kinds import DRILLS
from bearoff.app.serve.drills.sample import shipped_sample
from bearoff.app.serve.training.features import FEATURES, features_of
from bearoff.app.serve.training.statistics import regress, statistics_of
from bearoff.app.serve.training.store import Answered

START = datetime(2026, 1, 5, tzinfo=UTC)


def answered(key, place, error=None, cost=None, **more):
    values = {"given": "", "answer": "", "right": not error and not cost} | more
    asked = START + timedelta(minutes=place), key, key.partition(" ")[0], float(place % 7)
    return Answered(*asked, error=error, cost=cost, **values)


def sides(count):
    races = shipped_sample().race
    home = np.flatnonzero(~races.rollers[:, 6:].any(axis=1))[:count]
    both = ((races.rollers[row], races.opponents[row]) for row in home)
    pairs = ([Position(tuple(side.tolist())) for side in pair] for pair in both)
    return [f"epc {Race(*pair).position_id}" for pair in pairs]


def test_totals_count_first_answers():
    found = statistics_of(
        [
            answered("pips a", 1, error=2.0),
            answered("pips a", 2, error=0.0),
            answered("pips b", 3, error=-4.0),
            answered("double c", 4, cost=0.3),
            answered("double d", 5, cost=0.0),
        ]
    )
    assert (found.answers, found.again) == (5, 1)
    pips, double = found.totals
    assert (pips.kind, pips.whole.answers, pips.whole.mistakes) == ("pips", 2, 2)
    assert (pips.whole.error, pips.whole.off, pips.whole.cost) == (-1.0, 3.0, None)
    assert (double.whole.mistakes, double.whole.cost) == (1, pytest.approx(0.15))
    assert found.findings == []


def test_blocks_hold_all_answers_in_order():
    found = statistics_of([answered(f"pips {k}", k, error=float(k % 2)) for k in range(83)])
    blocks = found.totals[0].blocks
    assert len(blocks) == 12
    assert sum(block.answers for block in blocks) == 83
    assert sum(block.mistakes for block in blocks) == 41
    assert [block.since for block in blocks] == sorted(block.since for block in blocks)


def test_a_regression_on_one_feature_is_scipys():
    rng = np.random.default_rng(2)
    x, noise = rng.integers(0, 5, 40).astype(float), rng.normal(size=40)
    y = 0.3 * x + noise
    (mean, slope), (_, half), (_, p) = regress(y, x[:, None])
    found = stats.linregress(x, y)
    assert mean == pytest.approx(y.mean())
    assert slope == pytest.approx(found.slope)
    assert p == pytest.approx(found.pvalue)
    assert half == pytest.approx(stats.t.ppf(0.975, 38) * found.stderr)


def test_who_overestimates_gaps_is_told_so():
    rng = np.random.default_rng(4)
    keys = sides(150)
    place = list(FEATURES["epc"]).index("gap on the 4, 5 and 6 points")
    answers = [
        answered(key, k, error=0.8 * features_of(key)[place] - 0.5 + rng.normal())  # type: ignore[index]
        for k, key in enumerate(keys)
    ]
    (gaps,) = (one for one in statistics_of(answers).findings if "gap " in one.text)
    assert gaps.text.endswith("too high.")
    assert (gaps.low or 1) < 0.8 < (gaps.high or 0)


def test_players_without_a_leaning_are_seldom_told_of_one():
    """The nominal rate is 5%; the limit is exceeded once in 1,000."""
    keys = sides(60)
    rng = np.random.default_rng(5)
    told = 0
    for _ in range(200):
        answers = [answered(key, k, error=rng.normal()) for k, key in enumerate(keys)]
        told += bool(statistics_of(answers).findings)
    assert 0 < told <= stats.binom.ppf(0.999, 200, 0.05)


def test_who_doubles_late_is_told_so():
    answers = []
    for k in range(40):
        right = "redouble" if k % 4 < 2 else "double"
        answers.append(answered(f"double {k}", k, cost=0.1 * (k % 2), answer=right))
        answers.append(answered(f"double n{k}", k, cost=0.0, answer="no redouble"))
    found = statistics_of(answers).findings
    assert [one.kind for one in found] == ["double"]
    assert re.search(r"late\D+ 50%", found[0].text)
    p = stats.fisher_exact([[20, 20], [0, 40]]).pvalue
    assert found[0].probability == pytest.approx(p)


def test_holm_by_hand():
    assert holm([0.03, 0.01, 0.04]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_features_of_every_drill_that_has_some():
    for name in FEATURES:
        key = DRILLS[name].key(DRILLS[name].draw(Random(1), "medium"))
        assert len(features_of(key) or ()) == len(FEATURES[name]) > 0
    assert features_of("n-rolls centred 3 3") is None
