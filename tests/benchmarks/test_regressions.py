"""Benchmarks that have become slower are reported."""

from pathlib import Path

import pytest

from benchmarks.history.records import Ratio, committed
from benchmarks.history.regressions import compare_to_history, is_worse
from benchmarks.suite import measure
from benchmarks.suite.measure import Benchmark, Measured, Setting, compare, ratio_of, timed
from tests.benchmarks.records import HERE, THERE, ratio, record


@pytest.mark.parametrize(
    ("found", "before", "spread", "worse"),
    [
        (8.0, 10.0, 0.0, False),  # a change of exactly a fifth is not flagged
        (2.4, 3.0, 0.0, False),  # 2.4 / 3 is slightly below 0.8 in binary
        (0.072, 0.09, 0.0, False),
        (7.99, 10.0, 0.0, True),
        (0.0718, 0.09, 0.0, True),
        (100.0, 10.0, 0.0, False),
        (7.0, 10.0, 1.4, True),
        (7.0, 10.0, 1.5, False),  # the spreads of both ratios meet
    ],
)
def test_more_than_a_fifth_beyond_the_spreads_is_worse(found, before, spread, worse):
    assert is_worse(ratio(found, spread), ratio(before, spread)) is worse


BENCHMARK = Benchmark("made-up", "piece", "ours", "baseline", lambda setting: ())


def measured(value):
    return Measured(BENCHMARK, 1.0, value, ratio(value))


def test_the_figure_of_the_same_kind_of_machine_counts():
    history = [
        record(HERE, made_up=10.0),
        record(HERE, made_up=12.0),
        record(HERE, other=1.0),  # this record lacks the benchmark `made-up`
        record(THERE, made_up=50.0),
    ]
    before = committed("made-up", history, HERE)
    assert before.ratio == ratio(12.0)
    assert not compare_to_history(lambda: measured(11.0), before, HERE).worse
    assert compare_to_history(lambda: measured(9.0), before, HERE).worse


def test_sides_take_turns_and_the_first_piece_does_not_count():
    order = []

    def side(name, seconds):
        order.append(name)
        return seconds.pop(0)

    ours, theirs = [9.0, 1.0, 2.0, 1.0], [9.0, 3.0, 8.0, 5.0]
    sides = lambda: side("a", ours), lambda: side("b", theirs)
    benchmark = Benchmark("made-up", "piece", "", "", lambda setting: sides, rounds=3)
    found = compare(benchmark, Setting(Path()))
    assert "".join(order) == "ababbaab"
    assert found.ratio == Ratio(value=4.0, low=3.5, high=4.5, rounds=3)
    assert (found.ours, found.baseline) == (1.0, 5.0)


def test_no_round_but_two_starts_when_the_time_is_up(monkeypatch):
    clock = [0.0]
    # The function in the module `time` stays, because servers in other threads of this
    # process need it.
    monkeypatch.setattr(measure, "monotonic", lambda: clock[0])

    def side(seconds):
        clock[0] += seconds
        return seconds

    # If a run takes a fifth of the time budget, a warm-up and two measured rounds fit into
    # the budget.
    for seconds, rounds in ((measure.BUDGET / 5, 2), (measure.BUDGET, 2), (0.0, 7)):
        sides = lambda s=seconds: side(s), lambda s=seconds: side(s)
        benchmark = Benchmark("made-up", "piece", "", "", lambda setting, s=sides: s)
        monkeypatch.setattr(measure, "ratio_of", lambda pairs: len(pairs))
        assert compare(benchmark, Setting(Path())).ratio == rounds


def test_one_round_has_no_spread_and_short_work_is_repeated():
    assert ratio_of([(2.0, 3.0)]) == Ratio(value=1.5, low=1.5, high=1.5, rounds=1)
    ticks = iter(range(0, 1000, 3))
    done = []
    side = timed(lambda: done.append(1), 10, at_least=7, clock=lambda: float(next(ticks)))
    assert side() == 9 / (3 * 10)  # 9 seconds for three rounds of 10 units each
    assert len(done) == 3
