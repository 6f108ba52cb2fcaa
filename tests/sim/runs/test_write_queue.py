"""Parts of a run are stored while games are played."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bearoff.sim.runs.write_queue import WriteQueue
from tests.refusals import refused
from tests.sim.batches import Stopped


@pytest.fixture
def ctrl_c():
    """Restore Python's own handler of Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("threads", [0, 3])
def test_leaving_waits_for_every_call(threads):
    done, callers = [], set()

    def call(number):
        done.append(number)
        callers.add(threading.current_thread())

    with WriteQueue(threads) as queue:
        for number in range(20):
            queue.wait_for_room()
            queue.submit(lambda number=number: call(number))
    assert sorted(done) == list(range(20))
    assert (threading.current_thread() in callers) == (threads == 0)


def test_room_is_waited_for():
    may_end = threading.Event()
    with WriteQueue(1) as queue:
        queue.submit(may_end.wait)
        queue.wait_for_room()  # returns, because one call runs and one more may wait
        queue.submit(may_end.wait)
        waiting = threading.Thread(target=queue.wait_for_room)
        waiting.start()
        waiting.join(0.05)
        assert waiting.is_alive()
        may_end.set()
        waiting.join(10)
        assert not waiting.is_alive()


FULL = OSError("full")


def fail(error=FULL):
    raise error


@pytest.mark.parametrize("threads", [0, 2])
@pytest.mark.parametrize("error", [FULL, Stopped()])
def test_what_fails_is_raised(threads, error):
    def use(more=lambda: None):
        with WriteQueue(threads) as queue:
            queue.submit(lambda: fail(error))
            queue.wait_for_room()
            more()

    with pytest.raises(type(error)):
        use()
    if threads:  # an error inside the `with` block is not replaced
        with pytest.raises(ZeroDivisionError):
            use(lambda: 1 / 0)


def test_after_a_failure_no_call_is_taken():
    known_late: list[bool] = []
    with refused(OSError, "full"), WriteQueue(1) as queue:
        queue.submit(fail)
        may_take = time.monotonic() + 300
        while time.monotonic() < may_take:
            queue.submit(lambda: None)
        known_late.append(True)  # reached only if the loop raises no error
    assert not known_late


def test_after_a_failure_nothing_that_waits_is_begun():
    may_fail, made = threading.Event(), []
    with refused(OSError, "full"), WriteQueue(1) as queue:
        queue.submit(lambda: may_fail.wait() and fail())
        for number in range(3):
            queue.submit(lambda number=number: made.append(number))
        may_fail.set()
    assert made == []


@pytest.mark.parametrize(("error", "still_made"), [(FULL, []), (KeyboardInterrupt(), [1])])
def test_a_call_made_at_once_ends_the_others_if_it_fails(error, still_made):
    may_end, made = threading.Event(), []

    def use():
        with WriteQueue(1) as queue:
            assert queue.make(lambda: 7) == 7
            queue.submit(may_end.wait)
            queue.submit(lambda: made.append(1))
            try:
                queue.make(lambda: fail(error))
            finally:
                may_end.set()

    with pytest.raises(type(error)):
        use()
    assert made == still_made


def test_interruptions_of_leaving_wait_all_the_same(ctrl_c):
    begun, may_end, made = threading.Event(), threading.Event(), []

    def call():
        begun.set()
        may_end.wait()
        made.append(1)

    def interrupt():
        begun.wait()
        time.sleep(0.1)  # by now, the queue is being closed and waits
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.1)
        may_end.set()

    def use():
        with WriteQueue(1) as queue:
            queue.submit(call)
            queue.submit(call)
            threading.Thread(target=interrupt).start()

    with pytest.raises(KeyboardInterrupt):
        use()
    assert made == [1, 1]


def test_a_call_that_the_pool_does_not_know_is_made(monkeypatch):
    """A call is not lost if Ctrl-C arrives while it is submitted to the pool of threads."""
    made = []

    def interrupted(self, call):
        raise KeyboardInterrupt

    def use():
        with WriteQueue(1) as queue, monkeypatch.context() as patch:
            patch.setattr(ThreadPoolExecutor, "submit", interrupted)
            queue.submit(lambda: made.append(1))

    with pytest.raises(KeyboardInterrupt):
        use()
    assert made == [1]
