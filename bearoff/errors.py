"""The errors of the package: each names the value, the rule it breaks and what to do."""

import errno

_FAULTS = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.ENOMEM,
    errno.EMFILE,
    errno.ENFILE,
    errno.EROFS,
    errno.EBUSY,
    errno.EPERM,
}
"""Errors of the operating system that no other input would have avoided."""

_SQLITE_FAULTS = {7, 10, 13}
"""SQLite's numbers for no memory, a failed read or write, and a full disk."""


def is_machine_fault(error: BaseException) -> bool:
    """Whether the machine is at fault: no memory, disk, file descriptors or rights.

    Examples
    --------
    >>> is_machine_fault(OSError(errno.EMFILE, "too many open files"))
    True
    >>> is_machine_fault(FileNotFoundError(errno.ENOENT, "no such file"))
    False
    """
    if isinstance(error, OSError):
        return error.errno in _FAULTS
    sqlite = getattr(error, "sqlite_errorcode", None)  # The low byte says which kind.
    fault = sqlite is not None and sqlite & 0xFF in _SQLITE_FAULTS
    return fault or isinstance(error, MemoryError)


def printable(text: str) -> str:
    r"""Return `text` on one line, with escapes for what a terminal would obey.

    Examples
    --------
    >>> printable("a name\n\x1b[31mof two lines")
    'a name \\x1b[31mof two lines'
    """
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)


class BearoffError(ValueError):
    """Base of every error that bad input can cause; commands print it as one sentence."""


class PositionError(BearoffError):
    """A text, number or array that is no position of the stated points and checkers."""


class RollError(BearoffError):
    """A text or pair of numbers that is no roll of two dice."""


class ScoreError(BearoffError):
    """A score, cube or match equity table that no match can have."""


class TableError(BearoffError):
    """A table that cannot be built, read or stored."""


class MissingTableError(TableError):
    """A table that is not built."""


class LockedError(BearoffError):
    """A lock that another process holds."""
