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
    tasks: Iterable[Task],
    backend: str,
    workers: int | str,
    scheduler: str | None = None,
) -> Generator[Any, None, None]:
    """Run tasks and yield their results as they come, in any order.

    Parameters
    ----------
    tasks : iterable
        As `joblib.delayed` makes them; taken as workers fall free.
    backend : str
        A backend of joblib.
    workers : int or str
        Tasks under way at a time; ``auto`` for one a processor, or with a scheduler one
        a thread of its workers.
    scheduler : str, optional
        With the backend dask, the address of a running scheduler; without it, a cluster
        of `workers` processes is started on this machine.

    Raises
    ------
    RunError
        If the backend needs a package that is not installed, a scheduler cannot be
        reached or is lost, a worker has other versions than this process, or workers
        were killed.
    """
    count = worker_count(workers)
    with (
        _backend(backend, count, scheduler) as chosen,
        parallel_config(backend=chosen, n_jobs=count),
    ):
        at_once: int | str = "2*n_jobs"
        if scheduler is not None:
            # Of a cluster that grows, more than it has threads at the start.
            at_once = "4*n_jobs+200" if workers == "auto" else count
        parallel = Parallel(
            n_jobs=count, return_as="generator_unordered", pre_dispatch=at_once
        )
        results = parallel(tasks)
        try:
            # Not `yield from`: that would close the results before the warning is off.
            for result in results:  # noqa: UP028
                yield result
        except BrokenExecutor as error:
            raise RunError(
                "a worker was killed, perhaps for want of memory; what is done is kept "
                "and the same command resumes, with fewer workers if you ask for them"
            ) from error
        finally:
            with warnings.catch_warnings():
                # Whoever stops early means to drop what is under way.
                warnings.filterwarnings("ignore", ".* tasks ", UserWarning)
                results.close()


@contextmanager
def _backend(backend: str, workers: int, scheduler: str | None) -> Iterator[Any]:
    """Yield what joblib takes for a backend, connected and checked."""
    if backend != "dask":
        yield backend
        return
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise RunError(
            "the backend dask needs the extra cluster; in a clone of the same commit: "
            "pip install -c requirements.lock '.[cluster]'"
        ) from error
    from sim.cluster import cluster_backend

    with cluster_backend(workers, scheduler) as connected:
        yield connected
