"""Locks between processes, where the file system knows any."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock


@contextmanager
def locked(path: Path, timeout: float = -1) -> Iterator[None]:
    """Hold a lock while whoever else asks for it waits.

    Some shared file systems know no locks; what is done there is done without. It is for
    work that then takes longer or stops, if two processes are at it, and spoils nothing.

    Parameters
    ----------
    path : Path
        Of the lock's file, which stays: whoever removed it might let two processes hold it.
    timeout : float
        Seconds to wait for it; less than 0 for ever.

    Raises
    ------
    filelock.Timeout
        If another process holds it for so long.
    OSError
        If the file cannot be written.
    """
    lock = FileLock(path, timeout=timeout)
    with suppress(NotImplementedError):  # As it reports a file system without locks.
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
