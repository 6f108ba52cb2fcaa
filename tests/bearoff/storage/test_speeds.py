"""Speeds of the machine are measured once and stored."""

import json
import time
from unittest.mock import Mock

import pytest

from bearoff.storage import seconds_of, speeds

pytestmark = pytest.mark.usefixtures("cache")

in_another_process = speeds._measured.clear


def use_processor(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.fixture
def work():
    """Return a task that takes some milliseconds, and counts its calls."""
    return Mock(side_effect=lambda: use_processor(0.004))


def test_a_task_is_measured_once_in_a_cache(work, cache):
    cache.mkdir()
    left, others = cache / "speeds.json.123.new", cache / "other.json.123.new"
    for path in (left, others):
        path.touch()
    first = seconds_of("turns", 1, work)
    assert 0.004 <= first < 0.1
    asked = work.call_count
    assert seconds_of("turns", 1, work) == first
    in_another_process()
    assert seconds_of("turns", 1, work) == first
    assert work.call_count == asked
    # What a killed process left of this file is removed.
    assert [path.exists() for path in (left, others)] == [False, True]


def test_waiting_is_not_work():
    assert seconds_of("sleep", 1, lambda: time.sleep(0.05)) < 0.02


@pytest.mark.parametrize("waits", [(0.1, 0.0, 0.0, 0.0), (0.0, 0.1, 0.02, 0.1)])
def test_the_first_call_which_compiles_is_not_counted_and_the_shortest_other_is(waits):
    calls = iter(waits)
    found = seconds_of("compiled", 1, lambda: use_processor(next(calls)))
    assert min(waits[1:]) <= found < min(waits[1:]) + 0.05


def test_another_version_task_or_processor_is_measured_anew(work, monkeypatch, cache):
    seconds_of("turns", 1, work)
    asked = work.call_count
    seconds_of("turns", 2, work)
    seconds_of("plays", 1, work)
    in_another_process()
    monkeypatch.setattr(speeds, "processor", lambda: "another")
    seconds_of("turns", 1, work)
    assert work.call_count == 4 * asked
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
def test_a_file_that_is_no_such_is_measured_anew(work, monkeypatch, cache, text):
    cache.mkdir()
    (cache / "speeds.json").write_text(text)
    monkeypatch.setattr(speeds, "processor", lambda: "this")
    found = seconds_of("turns", 1, work)
    assert work.call_count > 1
    in_another_process()
    assert seconds_of("turns", 1, work) == found


def test_where_nothing_can_be_kept_a_process_measures_once(work, cache):
    cache.write_text("a file where the folder would be")
    found = seconds_of("turns", 1, work)
    asked = work.call_count
    assert seconds_of("turns", 1, work) == found
    assert work.call_count == asked
