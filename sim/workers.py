"""Workers: the joblib backends a run may name, and what each needs set up."""

import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any

from joblib import Parallel, parallel_config

from sim.files import RunError

Task = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def worker_count(workers: int | str) -> int:
    """Return how many workers are meant: a number, or every processor for ``auto``."""
    if workers != "auto":
        return int(workers)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_tasks(
    tasks: Iterable[Task], backend: str, workers: int, scheduler: str | None = None
) -> Generator[Any, None, None]:
    """Run tasks and yield their results as they come, in any order.

    Parameters
    ----------
    tasks : iterable
        As `joblib.delayed` makes them; taken as workers fall free.
    backend : str
        A backend of joblib.
    workers : int
        Tasks under way at a time.
    scheduler : str, optional
        With the backend dask, the address of a running scheduler; without it, a cluster
        of `workers` processes is started on this machine.

    Raises
    ------
    RunError
        If the backend needs a package that is not installed, a scheduler cannot be
        reached, or a worker was killed.
    """
    with _backend(backend, workers, scheduler):
        parallel = Parallel(
            n_jobs=workers, return_as="generator_unordered", pre_dispatch="2*n_jobs"
        )
        results = parallel(tasks)
        try:
            # Not `yield from`: that would close the results before the warning is off.
            for result in results:  # noqa: UP028
                yield result
        except BrokenExecutor as error:
            raise RunError(
                "a worker was killed, perhaps for want of memory; what is done is kept and "
                "the same command resumes, with fewer workers if you ask for them"
            ) from error
        finally:
            with warnings.catch_warnings():
                # Whoever stops early means to drop what is under way.
                warnings.filterwarnings("ignore", ".* tasks ", UserWarning)
                results.close()


@contextmanager
def _backend(backend: str, workers: int, scheduler: str | None) -> Iterator[None]:
    if backend != "dask":
        with parallel_config(backend=backend, n_jobs=workers):
            yield
        return
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise RunError(
            "the backend dask needs the extra [cluster]: pip install 'bearoff[cluster]'"
        ) from error
    if scheduler is None:
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None
        )
        with cluster, Client(cluster) as client, _joblib_on(client, workers):
            yield
        return
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise RunError(f"cannot reach the dask scheduler {scheduler}: {error}") from error
    with client, _joblib_on(client, workers):
        yield


@contextmanager
def _joblib_on(client: Any, workers: int) -> Iterator[None]:
    with parallel_config(backend="dask", client=client, n_jobs=workers):
        yield
