"""Workers of every backend return all results, also on a cluster that loses workers."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from itertools import count

import psutil
import pytest
from joblib import delayed
from joblib.externals.loky import get_reusable_executor

from bearoff.sim.engine import cluster
from bearoff.sim.engine.workers import run_tasks, worker_count
from bearoff.sim.storage.files import RunError
from tests.refusals import refused
from tests.sim import batches
from tests.sim.batches import batch


def tasks_of(function, count):
    """Return the calls of a function with each of the first whole numbers."""
    return (delayed(function)(number) for number in range(count))


def square(number):
    return number**2, os.getpid()


PARENT = """
import os, sys, time
from bearoff.sim.engine.workers import run_tasks
from tests.sim.engine.test_workers import square, tasks_of
stopped = run_tasks(tasks_of(lambda number: time.sleep(number / 5), 3), "threading", 2)
next(stopped)
stopped.close()
for found in run_tasks(tasks_of(square, 4), "loky", 2):
    print(found[1], flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by signals")
def test_workers_end_when_their_parent_is_killed_and_stopping_early_warns_of_nothing():
    command = [sys.executable, "-c", PARENT]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, **streams) as parent:
        workers = {psutil.Process(int(parent.stdout.readline())) for _ in range(4)}
        parent.kill()
    _, alive = psutil.wait_procs(workers, timeout=60)
    assert not alive


def fail(number):
    if number == 3:
        raise ZeroDivisionError("three")
    return number


@pytest.mark.parametrize("backend", ["sequential", "threading", "loky"])
def test_every_task_gives_its_result_or_its_error(backend):
    results = list(run_tasks(tasks_of(square, 20), backend, 2))
    assert sorted(square for square, _ in results) == [n**2 for n in range(20)]
    assert {pid == os.getpid() for _, pid in results} == {backend != "loky"}
    with refused(ZeroDivisionError, "three"):
        list(run_tasks(tasks_of(fail, 6), backend, 2))


def deaf_to(number):
    return signal.pthread_sigmask(signal.SIG_BLOCK, []), number


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has none")
def test_worker_processes_do_not_hear_ctrl_c_and_this_one_does():
    get_reusable_executor(max_workers=2).shutdown(wait=True)
    found = list(run_tasks(tasks_of(deaf_to, 4), "loky", 2))
    assert all(signal.SIGINT in deaf for deaf, _ in found)
    assert signal.SIGINT not in deaf_to(0)[0]


@pytest.mark.parametrize("backend", ["sequential", "threading"])
def test_tasks_are_taken_as_workers_fall_free(backend):
    taken, may_end = [], threading.Semaphore(0)

    def endless():
        for number in count():
            taken.append(number)
            yield delayed(may_end.acquire)()

    results = run_tasks(endless(), backend, 2)
    for _ in range(10):
        may_end.release()
        next(results)
    assert 10 <= len(taken) < 30  # joblib takes some tasks in advance
    may_end.release(1000)
    results.close()


def test_workers_are_counted_and_dask_is_asked_for_if_it_is_missing(monkeypatch):
    assert worker_count(3) == 3
    assert worker_count("auto") == len(os.sched_getaffinity(0))
    monkeypatch.setitem(sys.modules, "distributed", None)
    with refused(RunError, ".[cluster]"):
        list(run_tasks([], "dask", 2))


@pytest.mark.slow
def test_a_run_on_a_running_scheduler(tmp_path, small):
    from distributed import Client, LocalCluster

    alone = batches.parts_of(batches.run(batch(tmp_path / "a")).path)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options) as made, Client(made) as client:
        pids = client.run(os.getpid)
        assert len(pids) == 2
        assert os.getpid() not in pids.values()
        address = {"backend": "dask", "scheduler": made.scheduler_address}
        batches.finish(batch(tmp_path / "b", **address), alone)
        results = run(made, tasks_of(square, 8), workers=2)
        assert {pid for _, pid in results} <= set(pids.values())
        # Both workers of the cluster keep running.
        assert len(client.scheduler_info()["workers"]) == 2


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
    results = run(scheduler, tasks_of(here, 9), workers=1)
    assert sorted(number for number, _ in results) == list(range(9))
    assert {name for _, name in results}.isdisjoint({threading.current_thread().name})


@pytest.mark.slow
def test_errors_of_tasks_and_of_their_source_are_raised(scheduler):
    with refused(ZeroDivisionError, "three"):
        run(scheduler, tasks_of(fail, 6))

    def source():
        yield from tasks_of(slow, 300)
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
    assert ours == pickle.loads(pickle.dumps(ours))
    assert len(ours["source code"]) == 12
    cluster._compare("tcp://w:1", cluster.environment(), ours)


@pytest.mark.slow
def test_a_block_that_kills_its_workers_ends_the_run():
    with refused(RunError, "killed"):
        list(run_tasks(tasks_of(die, 2), "dask", 2))


@pytest.mark.slow
def test_a_scheduler_that_is_lost_midway_is_one_sentence(scheduler):
    results = run_tasks(tasks_of(slow, 500), "dask", "auto", scheduler.scheduler_address)
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
