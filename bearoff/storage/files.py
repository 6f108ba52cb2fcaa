"""Write files and folders atomically: complete and on the disk, or not at all."""

import os
import platform
import re
import secrets
import shutil
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

from bearoff.errors import LockedError
from bearoff.runtime import locked

_UNFINISHED = re.compile(r"\.(\d+)\.(new|old)")

_PROCESSES = 10**7
"""More than the largest process number of any system."""

_WRITES = 10**4
"""Random numbers that tell apart what one process writes at the same time."""
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def require_regular(path: Path) -> None:
    """Refuse a path without a file; opening a pipe or a device might wait for ever.

    Raises
    ------
    OSError
        If there is nothing, or something else than a file, or it may not be read; the
        message says which.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise FileNotFoundError("there is no such file") from None
    if not stat.S_ISREG(mode):
        raise OSError(f"this is {_KINDS.get(stat.S_IFMT(mode), 'no file')}; name a file")
    if not os.access(path, os.R_OK):
        raise PermissionError("the file may not be read; change its permissions")


def write_atomic(path: Path, data: bytes | memoryview) -> None:
    """Write a file so that no reader ever sees a part of it, even after a crash.

    Raises
    ------
    OSError
        If it cannot be written; what was there stays.
    """
    with _replacing(path) as fresh:
        fresh.write_bytes(data)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a path in a private folder, and put what is written there in place at the end.

    Write a file or make a folder at the path that is yielded; nothing exists there, and no
    other user can put a link there. The result is flushed to the disk and renamed; after an
    exception it is removed. A folder that it replaces is first renamed too, so for a moment
    there is none; see `put_back`. A link stays a link: its target is replaced. What killed
    processes of this machine left of the same file is removed first.

    Raises
    ------
    OSError
        If it cannot be written; what was there stays.
    """
    path = _target(path)
    for leftover in _unfinished(path.parent, path.name, "new"):
        if _is_dead(leftover):
            _remove(leftover)
    with _replacing(path) as fresh:
        yield fresh


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    path = _target(path)
    number = _WRITES * _writer() + secrets.randbelow(_WRITES)
    private = path.with_name(f"{path.name}.{number}.new")
    fresh, old = private / path.name, private.with_suffix(".old")
    made = False
    try:
        private.mkdir(mode=0o700)  # Fails where anything is, even a link to nothing.
        made = True
        yield fresh
        for written in [*fresh.rglob("*"), fresh]:
            sync(written)
        try:
            if fresh.is_dir() and path.exists():
                path.replace(old)
            fresh.replace(path)
        except BaseException:
            if old.exists() and not path.exists():
                old.replace(path)
            raise
        _remove(old)
        with suppress(OSError):  # It is in place; not every file system syncs folders.
            sync(path.parent)
    except OSError as error:
        # A full disk names no file, and users do not know the private folder.
        if error.filename is None or str(error.filename) in (str(fresh), str(private)):
            error.filename = str(path)
        raise
    finally:
        if made:
            _remove(private)


def _target(path: Path) -> Path:
    """Return the file that a link leads to, and any other path as it is."""
    return path.resolve() if path.is_symlink() else path


def _writer() -> int:
    """Return the number of this process among those of all machines, for names of files."""
    return zlib.crc32(platform.node().encode()) * _PROCESSES + os.getpid()


def _is_dead(leftover: Path) -> bool:
    """Whether the process of this machine that made a private folder has ended."""
    found = _UNFINISHED.search(leftover.name)
    machine, process = divmod(int(found[1]) // _WRITES if found else 0, _PROCESSES)
    return machine == _writer() // _PROCESSES and not psutil.pid_exists(process)


def _unfinished(folder: Path, name: str, *suffixes: str) -> list[Path]:
    """Return what processes have begun to write in a folder; any file's if not `name`."""
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        stem = path.stem.rpartition(".")[0]
        ending = _UNFINISHED.fullmatch(path.name[len(stem) :])
        if ending and ending[2] in suffixes and (stem == name or (stem and not name)):
            found.append(path)
    return found


def remove_unfinished(folder: Path, name: str = "") -> None:
    """Remove what killed processes left of `atomic_path` in a folder.

    Call it only while no other process writes there: under a lock.

    Parameters
    ----------
    folder : Path
        Where; other files of users stay, even if their names end alike.
    name : str
        Name of the file or folder that was to be written; any if empty.
    """
    for leftover in _unfinished(folder, name, "new", "old"):
        _remove(leftover)


@contextmanager
def claimed(
    folder: Path,
    lock: Path,
    refused: Callable[[str], Exception],
    busy: Callable[[], str],
    advice: str = "",
) -> Iterator[None]:
    """Hold a folder, made where it is missing, against other processes of this machine.

    Parameters
    ----------
    folder : Path
        Folder to write to.
    lock : Path
        File of the lock; it may lie in the folder.
    refused : callable
        Makes the error of a sentence.
    busy : callable
        Returns what to say if another process holds the folder.
    advice : str
        What to do where the folder cannot be written, after a semicolon.

    Raises
    ------
    Exception
        What `refused` makes, if another process holds the folder, or it cannot be written.
    """
    with ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(locked(lock, timeout=0))
        except LockedError:
            raise refused(busy()) from None
        except OSError as error:
            raise refused(f"cannot write to {folder}: {error}{advice}") from error
        yield


def put_back(folder: Path) -> None:
    """Put back a folder that a process moved away and was killed before it replaced it.

    Call it only while no other process writes there: under a lock.
    """
    if folder.exists():
        return
    for left in _unfinished(folder.parent, folder.name, "old"):
        if left.is_dir():
            left.replace(folder)
            return


def _remove(path: Path) -> None:
    """Remove a folder or a file, if it is there and can be removed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can open, as are the missing ones above it.

    Raises
    ------
    OSError
        If it cannot be made. A folder that exists stays as it is.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def sync(path: Path) -> None:
    """Wait until what was written to a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
