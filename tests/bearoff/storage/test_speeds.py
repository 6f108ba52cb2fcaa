"""Speeds of the machine are measured once and stored."""

import json
import time

import pytest

from bearoff.storage import seconds_of, speeds


@pytest.fixture(autouse=True)
def unmeasured(cache, monkeypatch):
    monkeypatch.setattr(speeds, "_measured", {})


class Work:
    """Task that takes some milliseconds, and counts its calls."""

    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        end = time.thread_time() + 0.004
        while time.thread_time() < end:
            pass


def in_another_process(monkeypatch):
    monkeypatch.setattr(speeds, "_measured", {})


def test_a_task_is_measured_once_in_a_cache(monkeypatch, cache):
    cache.mkdir()
    left, others = cache / "speeds.json.123.new", cache / "other.json.123.new"
    for path in (left, others):
        path.touch()
    work = Work()
    first = seconds_of("turns", 1, work)
    assert 0.004 <= first < 0.1
    asked = work.times
    assert seconds_of("turns", 1, work) == first
    in_another_process(monkeypatch)
    assert seconds_of("turns", 1, work) == first
    assert work.times == asked
    # What a killed process left of this file is removed.
    assert [path.exists() for path in (left, others)] == [False, True]


def test_waiting_is_not_work():
    assert seconds_of("sleep", 1, lambda: time.sleep(0.05)) < 0.02


def test_the_first_call_which_compiles_is_not_counted():
    waits = iter([0.1, 0.0, 0.0, 0.0])

    def work():
        end = time.thread_time() + next(waits)
        while time.thread_time() < end:
            pass

    assert seconds_of("compiled", 1, work) < 0.05


def test_another_version_task_or_processor_is_measured_anew(monkeypatch, cache):
    work = Work()
    seconds_of("turns", 1, work)
    asked = work.times
    seconds_of("turns", 2, work)
    seconds_of("plays", 1, work)
    in_another_process(monkeypatch)
    monkeypatch.setattr(speeds, "processor", lambda: "another")
    seconds_of("turns", 1, work)
    assert work.times == 4 * asked
    known = json.loads((cache / "speeds.json").read_text())
    assert {len(tasks) for tasks in known.values()} == {3, 1}


ENTRIES = ("NaN", "-1.0", "0.0", "Infinity", '"3"', "null")


@pytest.mark.parametrize(
    "text",
    [
        *("", "[1]", '{"this": 3}', "[" * 10**5),
        *(f'{{"this": {{"turns 1": {entry}}}}}' for entry in ENTRIES),
    ],
)
def test_a_file_that_is_no_such_is_measured_anew(monkeypatch, cache, text):
    cache.mkdir()
    (cache / "speeds.json").write_text(text)
    monkeypatch.setattr(speeds, "processor", lambda: "this")
    work = Work()
    found = seconds_of("turns", 1, work)
    assert work.times > 1
    in_another_process(monkeypatch)
    assert seconds_of("turns", 1, work) == found


def test_where_nothing_can_be_kept_a_process_measures_once(cache):
    cache.write_text("a file where the folder would be")
    work = Work()
    found = seconds_of("turns", 1, work)
    asked = work.times
    assert seconds_of("turns", 1, work) == found
    assert work.times == asked
