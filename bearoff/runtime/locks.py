"""Locks between processes; every wait has a limit, and long waits are announced."""

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
"""Maximum wait for a lock in seconds, which is longer than any build of a table."""

_SILENT = 1.0
"""Number of seconds of waiting for a lock after which a notice is printed."""

_turns: dict[Path, Any] = {}
"""Locks between the threads of this process, by the path of the lock file."""

_NO_LOCKS = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}


@contextmanager
def locked(path: Path, timeout: float = LONGEST_WAIT) -> Iterator[None]:
    """Hold a lock against other processes and threads during a ``with`` block.

    Some shared file systems have no locks; the work is then done without a lock. Without
    the lock, processes may slow each other down, but must not cause damage.

    Parameters
    ----------
    path : Path
        Lock file. It is never removed, because two processes might then hold the lock.
    timeout : float
        Maximum wait in seconds. With 0, an error is raised at once if another process holds
        the lock.

    Raises
    ------
    LockedError
        If another process still holds the lock after the timeout.
    OSError
        If the file cannot be written.
    """
    turn = _turns.setdefault(path.absolute(), RLock())
    if not turn.acquire(timeout=timeout):
        raise LockedError(f"another thread has locked {path} for more than {timeout:g} s")
    try:
        with kept_locked(path, timeout):
            yield
    finally:
        turn.release()


@contextmanager
def kept_locked(path: Path, timeout: float = 0) -> Iterator[None]:
    """Hold a lock against other processes, which any thread of this process may release.

    Finalizers need this function, because Python may run a finalizer in any thread. The
    parameters and errors are those of `locked`.
    """
    # The package filelock is slow to import, and reading tables does not need it.
    from filelock import FileLock

    # If the file system refuses new files with ENOENT, filelock would retry forever, so the
    # file is created first.
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
            if parent_process() is None:  # Worker processes log no message.
                logging.getLogger("bearoff").warning(
                    "bearoff: waiting for another process, which has locked %s", path
                )
            lock.acquire(timeout=timeout - _SILENT)
    except Timeout:
        raise LockedError(
            f"another process has locked {path} for more than {timeout:g} s; try again "
            "when it has finished"
        ) from None
