"""Locks between processes: every wait is announced and ends."""

import errno
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from bearoff.errors import LockedError

LONGEST_WAIT = 3600.0
"""Seconds; longer than a build that others wait for."""

_SILENT = 1.0
"""Seconds after which a wait is announced."""

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
    # filelock would retry for ever where a file system refuses new files with ENOENT.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o644))
    lock = FileLock(path, fallback_to_soft=False)
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


def _acquire(lock: FileLock, path: Path, timeout: float) -> None:
    try:
        try:
            lock.acquire(timeout=min(timeout, _SILENT))
        except Timeout:
            if timeout <= _SILENT:
                raise
            logging.getLogger("bearoff").warning(
                "bearoff: waiting for another process, which holds %s", path
            )
            lock.acquire(timeout=timeout - _SILENT)
    except Timeout:
        raise LockedError(
            f"another process holds {path} for more than {timeout:g} s; wait for it"
        ) from None
