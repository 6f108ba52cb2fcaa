"""Work in persistent threads: order of results, errors and nested calls."""

import os
import threading
import time

import pytest

from bearoff.runtime import in_threads, start_threads
from tests.refusals import refused


def test_parts_are_done_by_so_many_threads_and_come_back_in_order():
    met = threading.Barrier(3)

    def work(part):
        met.wait(timeout=30)  # returns when three threads are waiting
        return part * part, threading.get_ident()

    found = in_threads(3, work, range(6))
    assert [square for square, _ in found] == [0, 1, 4, 9, 16, 25]
    assert len({thread for _, thread in found}) == 3
    again = in_threads(3, work, range(3))
    assert {thread for _, thread in again} == {thread for _, thread in found}


def test_one_thread_is_the_callers():
    assert in_threads(1, lambda _: threading.get_ident(), [0]) == [threading.get_ident()]


def test_what_one_raises_comes_after_all_that_were_begun():
    ended = []

    def work(part):
        if part == 0:
            raise ValueError("the first")
        time.sleep(0.1)
        ended.append(part)

    with refused(ValueError, "first"):
        in_threads(2, work, range(50))
    seen = list(ended)
    time.sleep(0.3)
    assert ended == seen
    assert len(seen) < 49


def test_a_thread_that_calls_does_the_work_itself():
    def outer(part):
        return in_threads(2, lambda k: part + k, range(3))

    assert in_threads(2, outer, [0, 10]) == [[0, 1, 2], [10, 11, 12]]


def test_parts_that_are_done_are_told():
    done: list[int] = []
    in_threads(2, lambda part: part, range(4), done.append)
    assert done == [1, 2, 3, 4]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_starts_its_own():
    start_threads(2)
    child = os.fork()
    if child == 0:
        os._exit(0 if in_threads(2, lambda part: part + 1, [1, 2]) == [2, 3] else 1)
    assert os.waitpid(child, 0)[1] == 0
