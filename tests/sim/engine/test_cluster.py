"""Work on a dask cluster: messages to and from the workers, and lost workers."""

import os
import pickle
import threading
import time
from concurrent.futures import BrokenExecutor

import pytest
from joblib import delayed

from bearoff.sim.engine import cluster, run_tasks
from bearoff.sim.storage.files import RunError
from tests.refusals import refused
from tests.sim.engine.test_workers import fail


def here(number):
    return number, threading.current_thread().name


def slow(number):
    time.sleep(0.05)
    return number


def die(number):
    os._exit(1)


@pytest.fixture
def scheduler():
    """Start a scheduler and one worker of one thread in this process."""
    from distributed import LocalCluster

    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(processes=False, protocol="tcp://", **options) as made:
        yield made


def run(made, tasks, workers="auto"):
    return list(run_tasks(tasks, "dask", workers, made.scheduler_address))


@pytest.mark.slow
def test_a_cluster_of_one_thread_plays_all(scheduler):
    results = run(scheduler, (delayed(here)(n) for n in range(9)), workers=1)
    assert sorted(number for number, _ in results) == list(range(9))
    assert {name for _, name in results}.isdisjoint({threading.current_thread().name})


@pytest.mark.slow
def test_errors_of_tasks_and_of_their_source_are_raised(scheduler):
    with refused(ZeroDivisionError, "three"):
        run(scheduler, (delayed(fail)(n) for n in range(6)))

    def source():
        yield from (delayed(slow)(n) for n in range(300))
        raise LookupError("no more pairs")

    with refused(LookupError, "pairs"):
        run(scheduler, source())


@pytest.mark.slow
def test_a_number_of_workers_limits_the_tasks_under_way(scheduler):
    taken = []

    def endless():
        while True:
            taken.append(len(taken))
            yield delayed(slow)(len(taken))

    results = run_tasks(endless(), "dask", 3, scheduler.scheduler_address)
    assert next(results)
    assert len(taken) <= 8
    results.close()


def test_a_worker_of_another_environment_is_named():
    ours = cluster.environment()
    missing = ModuleNotFoundError("No module named 'sim'")
    for theirs, fault in ((ours | {"numpy": "1.0"}, "numpy 1.0"), (missing, "'sim'")):
        with refused(RunError, "tcp://w:1", fault):
            cluster._compare("tcp://w:1", theirs, ours)
    known = cluster.environment()
    assert known == pickle.loads(pickle.dumps(known))
    assert len(known["source code"]) == 12
    cluster._compare("tcp://w:1", dict(known), known)


@pytest.mark.slow
def test_a_block_that_kills_its_workers_ends_the_run():
    tasks = (delayed(die)(n) for n in range(2))
    with refused(RunError, "killed"):
        list(run_tasks(tasks, "dask", 2))


@pytest.mark.slow
def test_a_scheduler_that_is_lost_midway_is_one_sentence(scheduler):
    results = run_tasks(
        (delayed(slow)(n) for n in range(500)), "dask", "auto", scheduler.scheduler_address
    )
    next(results)
    scheduler.close()
    with pytest.raises(RunError, match="tcp://") as lost:
        list(results)
    # A lost worker is not bad input.
    assert isinstance(lost.value.__cause__, BrokenExecutor)


def test_a_scheduler_out_of_reach_is_no_bad_input_and_a_wrong_address_is(monkeypatch):
    monkeypatch.setattr(cluster, "REACH", 0.5)
    for address, machine in (("tcp://127.0.0.1:9", True), ("nowhere://x", False)):
        with pytest.raises(RunError, match=address) as refusal:
            list(run_tasks([], "dask", 1, address))
        assert isinstance(refusal.value.__cause__, BrokenExecutor) == machine
