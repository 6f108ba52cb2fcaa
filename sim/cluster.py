"""A dask cluster for joblib: what goes over the network, and what becomes of losses.

joblib's own dask backend spreads large arguments over the workers, and what a machine
held is gone with it; and it waits for ever for a task that dask has given up. Here a
task carries all it needs, so that dask can play it again elsewhere, and every task ends
in a result or an error. Workers of other versions are refused, for a run's outcomes are
the same bytes wherever they are played only if the same code plays them.
"""

import logging
import platform
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Future,
    ThreadPoolExecutor,
)
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, get_worker
from distributed.comm.core import CommClosedError
from distributed.protocol import pickle
from joblib._dask import DaskDistributedBackend

from sim.files import RunError
from sim.provenance import versions

REACH = 10
"""Seconds after which a scheduler does not answer."""

FIRST_WORKER = 60
"""Seconds that a run waits for a cluster's first worker."""

_CODE = ("bearoff", "sim", "analysis")
"""Packages that outcomes depend on; cube strategies may be of the last."""

RESUME = "what is done is kept, and the same command resumes"


class ClusterBackend(DaskDistributedBackend):  # type: ignore[misc]
    """joblib's dask backend, with tasks that survive their workers and errors that end.

    Parameters
    ----------
    client : distributed.Client
        Of the cluster.
    """

    def __init__(self, client: Client) -> None:
        super().__init__(client=client)
        self._environment = environment()
        self._sent: set[Any] = set()

    def effective_n_jobs(self, n_jobs: int) -> int:
        """Return how many tasks the cluster plays at once; two at least.

        With one, joblib would play all of them in this process.
        """
        threads: int = sum(self.client.nthreads().values())
        return max(threads, 2)

    def start_call(self) -> None:
        """Make ready for tasks."""
        self._callers = ThreadPoolExecutor(1, thread_name_prefix="dask-results")

    def stop_call(self) -> None:
        """Draw no more tasks and hand out no more results."""
        self._callers.shutdown(wait=False, cancel_futures=True)

    def submit(self, func: Any, callback: Callable[[Any], None]) -> "Future[Any]":
        """Send tasks to the cluster; the callback gets what they gave, or an error."""
        # Bytes stay with their task, where arrays would be given to some worker to keep.
        sent = _pack(func.items)
        job: Future[Any] = Future()

        async def play() -> None:
            try:
                future = self.client.submit(_play, sent, self._environment, pure=False)
                self._sent.add(future)
                outcome = await future
                self._sent.discard(future)
            except Exception as error:
                outcome = error
            with suppress(RuntimeError):  # After `stop_call` nobody waits for it.
                # It draws the next tasks, which must not hold up the client's loop.
                self._callers.submit(callback, outcome)

        self.client.loop.add_callback(play)
        return job

    def retrieve_result_callback(self, out: Any) -> Any:
        """Return the results of tasks, or raise what ended them."""
        if isinstance(out, BaseException):
            raise out
        return _unpack(out)

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Take back what was sent and is not played."""
        if self.client.status == "running":
            self.client.cancel(list(self._sent), reason="stopped")


@contextmanager
def cluster_backend(workers: int, scheduler: str | None) -> Iterator[ClusterBackend]:
    """Connect to a scheduler, or start a cluster of processes on this machine.

    Parameters
    ----------
    workers : int
        Processes to start where no scheduler is given.
    scheduler : str, optional
        Address of a running one, which is left running.

    Raises
    ------
    RunError
        If the scheduler cannot be reached, has no workers, or some have another
        environment; and within the context, if the cluster was lost.
    """
    try:
        if scheduler is None:
            with (
                _silenced(),
                _own_cluster(workers) as cluster,
                _connected(cluster) as client,
            ):
                yield ClusterBackend(client)
        else:
            with _silenced(), _connected(scheduler) as client:
                _check_workers(client, scheduler)
                yield ClusterBackend(client)
    except KilledWorker as error:
        raise RunError(
            f"the workers that were given a block died one after the other, perhaps for "
            f"want of memory: {error.last_worker} last; {RESUME}"
        ) from BrokenExecutor(str(error))
    except (CancelledError, CommClosedError) as error:
        where = scheduler or "on this machine"
        raise RunError(
            f"the dask scheduler {where} was lost; {RESUME}"
        ) from BrokenExecutor(str(error))


@contextmanager
def _own_cluster(workers: int) -> Iterator[LocalCluster]:
    """Start worker processes on this machine, and end them."""
    try:
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0"
        )
    except RuntimeError as error:
        raise RunError(
            f"the workers of a dask cluster on this machine did not start ({error}); "
            f"{RESUME}"
        ) from BrokenExecutor(str(error))
    with cluster:
        yield cluster


@lru_cache(maxsize=1)
def environment() -> dict[str, str]:
    """Return what the outcomes of a worker's games may depend on, by name.

    Examples
    --------
    >>> sorted(environment())
    ['bearoff', 'joblib', 'machine', 'numba', 'numpy', 'pyarrow', 'python', 'source code']
    """
    code = sha256()
    root = Path(__file__).resolve().parent.parent
    for package in _CODE:
        for file in sorted((root / package).rglob("*.*")):
            if file.suffix in (".py", ".npz"):
                code.update(f"{file.relative_to(root)} ".encode())
                code.update(sha256(file.read_bytes()).digest())
    return versions() | {
        "source code": code.hexdigest()[:12],
        "machine": platform.machine(),
    }


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep dask from saying what the error that ends a run says in one sentence."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _connected(to: Any) -> Iterator[Client]:
    try:
        client = Client(to, timeout=REACH, set_as_default=False)
    except ValueError as error:
        raise RunError(f"cannot reach the dask scheduler {to}: {error}") from error
    except OSError as error:
        raise RunError(
            f"cannot reach the dask scheduler {to}: {error}"
        ) from BrokenExecutor(str(error))
    try:
        yield client
    finally:
        client.close(timeout=REACH)


def _check_workers(client: Client, scheduler: str) -> None:
    """Refuse a cluster without workers, or with some that are not as this process is."""
    try:
        client.wait_for_workers(1, timeout=FIRST_WORKER)
    except TimeoutError as error:
        raise RunError(
            f"the dask scheduler {scheduler} has had no worker for {FIRST_WORKER} s; start "
            "some, as docs/cluster.md shows"
        ) from error
    found = client.run(environment, on_error="return")
    for worker, theirs in sorted(found.items()):
        _compare(worker, theirs, environment())


def _compare(worker: str, theirs: Any, ours: dict[str, str]) -> None:
    """Refuse a worker whose environment is another one."""
    if isinstance(theirs, Exception):
        raise RunError(
            f"the dask worker {worker} cannot play: {theirs}; install this version of "
            "bearoff there"
        )
    other = [
        f"{name} {theirs.get(name)} instead of {value}"
        for name, value in ours.items()
        if theirs.get(name) != value
    ]
    if other:
        raise RunError(
            f"the dask worker {worker} has {', '.join(other)}; outcomes are the same only "
            "with the same versions everywhere"
        )


def _play(sent: bytes, expected: dict[str, str]) -> bytes:
    """Play tasks; what a worker does, one that joined late being checked here."""
    if environment() != expected:
        _compare(get_worker().address, environment(), expected)
    return _pack([task(*arguments, **named) for task, arguments, named in _unpack(sent)])


def _pack(value: Any) -> bytes:
    return zlib.compress(pickle.dumps(value), 1)


def _unpack(packed: bytes) -> Any:
    # From the cluster whose scheduler the user named: dask itself unpickles what it sends.
    return pickle.loads(zlib.decompress(packed))
