"""Execution of tasks on a dask cluster, with recovery from lost workers.

Unlike joblib's dask backend, this module sends a task together with all its data. If a
machine is lost, dask can therefore repeat the task on another machine. Every task ends with
a result or an error, whereas joblib waits forever for a task that dask has given up.
Workers with other versions of the code are rejected, because only the same code gives
identical results.
"""

import logging
import os
import platform
import zlib
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, as_completed, get_worker
from distributed.comm.core import CommClosedError
from distributed.protocol import pickle

import bearoff
from bearoff.sim.storage import RunError, provenance

REACH = 10
"""Timeout for contacting the scheduler, in seconds."""

FIRST_WORKER = 60
"""Timeout for the first worker of a cluster, in seconds."""

_DOORS = "app"
"""Subpackage that does not affect simulated games, so its files may differ between
machines."""

RESUME = "finished games are stored, so run the same command again to continue"


def thread_count(client: Client) -> int:
    """Return the number of tasks that a cluster runs at the same time."""
    return sum(client.nthreads().values())


def play_on(
    client: Client, tasks: Iterable[Any], under_way: int
) -> Generator[Any, None, None]:
    """Send tasks to a cluster, at most `under_way` at once; yield results on arrival."""
    expected = environment()
    rest = iter(tasks)
    done = as_completed(loop=client.loop, with_results=True)
    sent = set()
    try:
        room = under_way
        while True:
            for task in islice(rest, room):
                # Dask would transfer the arrays of a task separately, so the task is
                # serialised to bytes here.
                future = client.submit(_play, _pack(task), expected, pure=False)
                sent.add(future)
                done.add(future)
            try:
                future, result = next(done)
            except StopIteration:
                return
            room = 1
            sent.discard(future)
            if isinstance(result, Exception):  # The scheduler is lost.
                raise result
            yield _unpack(result)
    finally:
        if client.status == "running":
            client.cancel(list(sent), reason="stopped")


@contextmanager
def cluster_client(workers: int, scheduler: str | None) -> Iterator[Client]:
    """Connect to a running dask scheduler, or start a dask cluster on this machine."""
    try:
        if scheduler is None:
            with (
                _silenced(),
                _own_cluster(workers) as cluster,
                _connected(cluster) as client,
            ):
                yield client
        else:
            with _silenced(), _connected(scheduler) as client:
                _check_workers(client, scheduler)
                yield client
    except KilledWorker as error:
        raise RunError(
            "several dask workers were killed while playing the same games, perhaps for "
            f"lack of memory; the last one was {error.last_worker}; {RESUME}"
        ) from BrokenExecutor(str(error))
    except (CancelledError, CommClosedError) as error:
        where = scheduler or "on this machine"
        raise RunError(
            f"the connection to the dask scheduler {where} was lost; {RESUME}"
        ) from BrokenExecutor(str(error))


@contextmanager
def _own_cluster(workers: int) -> Iterator[LocalCluster]:
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
    """Return the versions and settings of this machine that may affect results, by name.

    Examples
    --------
    >>> sorted(environment())
    ['bearoff', 'joblib', 'machine', 'numba', 'numpy', 'pyarrow', 'python', 'source code']
    """
    code = sha256()
    root = Path(bearoff.__file__).parent
    # In a git clone, subpackages such as `bearoff/sim` are symbolic links, which
    # `Path.rglob` would not follow.
    for folder, within, names in os.walk(root, followlinks=True):
        within[:] = sorted(set(within) - {_DOORS})
        for file in (Path(folder, name) for name in sorted(names)):
            if file.suffix in (".py", ".npz"):
                code.update(f"{file.relative_to(root)} ".encode())
                code.update(sha256(file.read_bytes()).digest())
    return provenance.versions() | {
        "source code": code.hexdigest()[:12],
        "machine": platform.machine(),
    }


@contextmanager
def _silenced() -> Iterator[None]:
    """Suppress the log messages of dask within a ``with`` block."""
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
    """Check that a cluster has workers, all with the same environment as this process."""
    try:
        client.wait_for_workers(1, timeout=FIRST_WORKER)
    except TimeoutError as error:
        raise RunError(
            f"the dask scheduler {scheduler} has had no workers for {FIRST_WORKER} s; "
            "start some as shown in docs/batches.md#many-machines"
        ) from error
    found = client.run(environment, on_error="return")
    for worker, theirs in sorted(found.items()):
        _compare(worker, theirs, environment())


def _compare(worker: str, theirs: Any, ours: dict[str, str]) -> None:
    """Raise an error if a worker's environment differs from that of this process."""
    if isinstance(theirs, Exception):
        raise RunError(
            f"the dask worker {worker} cannot play games: {theirs}; install this version "
            "of bearoff there"
        )
    other = [
        f"{name} {theirs.get(name)} instead of {value}"
        for name, value in ours.items()
        if theirs.get(name) != value
    ]
    if other:
        raise RunError(
            f"the dask worker {worker} has {', '.join(other)}; outcomes are reproducible "
            "only with the same versions on all machines"
        )


def _play(sent: bytes, expected: dict[str, str]) -> bytes:
    """Run a serialised task if this worker has the expected versions and settings."""
    if environment() != expected:
        _compare(get_worker().address, environment(), expected)
    task, arguments, named = _unpack(sent)
    return _pack(task(*arguments, **named))


def _pack(value: Any) -> bytes:
    return zlib.compress(pickle.dumps(value), 1)


def _unpack(packed: bytes) -> Any:
    # The user chose the scheduler, and dask unpickles its own data anyway.
    return pickle.loads(zlib.decompress(packed))
