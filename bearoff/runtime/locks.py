"""Locks between processes: every wait ends, and is announced but among our own workers."""

import errno
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from bearoff.errors import LockedError

if TYPE_CHECKING:
    from filelock import FileLock

LONGEST_WAIT = 3600.0
"""Seconds; longer than a build that others wait for."""

_SILENT = 1.0
"""Seconds after which a wait is announced."""

_turns: dict[Path, Any] = {}
"""A lock of this process's threads by the lock's file; they take turns in silence."""

_NO_LOCKS = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}


@contextmanager
def locked(path: Path, timeout: float = LONGEST_WAIT) -> Iterator[None]:
    """Hold a lock that excludes other processes and threads.

    Some shared file systems have no locks; there the work is done without. Lock only work
    that two processes at once make slower, or stop, but do not spoil.

    Parameters
    ----------
    path : Path
        The lock's file. It stays: if it were removed, two processes might hold the lock.
    timeout : float
        Seconds to wait; 0 to fail at once if another process holds it.

    Raises
    ------
    LockedError
        If another process holds it for so long.
    OSError
        If the file cannot be written.
    """
    turn = _turns.setdefault(path.absolute(), RLock())
    if not turn.acquire(timeout=timeout):
        raise LockedError(f"another thread holds {path} for more than {timeout:g} s")
    try:
        with kept_locked(path, timeout):
            yield
    finally:
        turn.release()


@contextmanager
def kept_locked(path: Path, timeout: float = 0) -> Iterator[None]:
    """Hold a lock that excludes other processes, and that any thread may let go.

    So may what Python calls, in whatever thread, once nothing refers to an object.
    Parameters and errors are those of `locked`.
    """
    from filelock import FileLock  # Slow to import, and no look-up needs it.

    # filelock would retry for ever where a file system refuses new files with ENOENT.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o644))
    lock = FileLock(path, fallback_to_soft=False, thread_local=False)
    try:
        _acquire(lock, path, timeout)
    except NotImplementedError:
        pass
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    try:
        yield
    finally:
        lock.release()


def _acquire(lock: "FileLock", path: Path, timeout: float) -> None:
    from filelock import Timeout

    try:
        try:
            lock.acquire(timeout=min(timeout, _SILENT))
        except Timeout:
            if timeout <= _SILENT:
                raise
            if parent_process() is None:  # Else a worker, which waits for another.
                logging.getLogger("bearoff").warning(
                    "bearoff: waiting for another process, which holds %s", path
                )
            lock.acquire(timeout=timeout - _SILENT)
    except Timeout:
        raise LockedError(
            f"another process has held {path} for more than {timeout:g} s; wait for it"
        ) from None
