"""Execution of tasks by joblib on this machine, or by dask on a cluster."""

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import Any

import psutil
from joblib import Parallel, parallel_config

from bearoff.runtime import cores
from bearoff.sim.storage import RunError

# Joblib warns about tasks that it cancels if the caller stops reading the results. The
# warning is ignored for the whole process, because a filter within a with block would not
# be safe with threads.
warnings.filterwarnings("ignore", ".* tasks ", UserWarning)

Task = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def worker_count(workers: int | str) -> int:
    """Return the number of workers; ``auto`` means one for each processor."""
    if workers != "auto":
        return int(workers)
    return cores()


def run_tasks(
    tasks: Iterable[Task],
    backend: str,
    workers: int | str,
    scheduler: str | None = None,
) -> Generator[Any, None, None]:
    """Run tasks and yield their results as they arrive, in any order.

    A caller that may stop reading closes the generator, which cancels the remaining tasks.

    Parameters
    ----------
    tasks : iterable
        Tasks created by `joblib.delayed`. An iterator advances only when a worker is free.
    backend : str
        Name of a joblib backend, or ``dask``.
    workers : int or str
        Number of concurrent tasks. With ``auto``, one for each processor or, with a
        scheduler, one for each thread of its workers.
    scheduler : str, optional
        Address of a running dask scheduler. By default, a cluster of `workers` processes is
        started on this machine.

    Raises
    ------
    RunError
        If the backend needs a package that is not installed, a scheduler cannot be reached
        or is lost, a worker has other versions than this process, or workers were killed.
    """
    if backend == "dask":
        yield from _on_a_cluster(tasks, workers, scheduler)
        return
    count = worker_count(workers)
    if backend == "loky":
        tasks = ((_while_alive, (os.getpid(), *task), {}) for task in tasks)
    with parallel_config(backend=backend, n_jobs=count):
        with _deaf_to_ctrl_c() if backend == "loky" else nullcontext():
            results = Parallel(n_jobs=count, return_as="generator_unordered")(tasks)
        try:
            yield from results
        except BrokenExecutor as error:
            raise RunError(
                "a worker process was killed, perhaps for lack of memory; finished games "
                "are stored, so run the same command again, with fewer workers if "
                "necessary"
            ) from error


LOOKING = 1.0
"""Interval in seconds at which a worker checks that its parent process is alive."""


def _while_alive(
    parent: int, run: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    """Run a task in a worker process that exits if its parent process dies."""
    _watch(parent)
    return run(*arguments, **named)


@lru_cache(maxsize=1)
def _watch(parent: int) -> None:
    threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: int) -> None:
    def alive() -> bool:
        # A killed parent process may stay in the process list, but on POSIX systems its
        # worker process then has another parent ID.
        return os.getppid() == parent if os.name == "posix" else psutil.pid_exists(parent)

    while alive():
        time.sleep(LOOKING)
    os._exit(1)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Make worker processes that start within the ``with`` block ignore Ctrl-C.

    On Ctrl-C, this process stops the worker processes itself. A worker process that was
    just starting would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    from multiprocessing import resource_tracker

    # Starting the resource tracker later would unblock the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _on_a_cluster(
    tasks: Iterable[Task], workers: int | str, scheduler: str | None
) -> Generator[Any, None, None]:
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise RunError(
            "the backend dask needs an additional package; in a clone of the same commit, "
            "run: pip install -c requirements.lock '.[cluster]'"
        ) from error
    from bearoff.sim.engine.cluster import cluster_client, play_on, thread_count

    count = worker_count(workers)
    with cluster_client(count, scheduler) as client:
        if scheduler is None:
            count *= 2
        elif workers == "auto":
            # More tasks than threads are sent, because further workers may join the cluster
            # later.
            count = 4 * thread_count(client) + 200
        yield from play_on(client, tasks, count)
