"""Exceptions of the package. Each message states the value, the rule and the remedy."""

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
"""Error numbers of the operating system for errors that the user's input does not cause."""

_SQLITE_FAULTS = {7, 10, 13}
"""SQLite error codes for a lack of memory, for failed input or output, and for a full disk.
"""


def is_machine_fault(error: BaseException) -> bool:
    """Return whether an error comes from memory, disk, file handles or permissions.

    Examples
    --------
    >>> is_machine_fault(OSError(errno.EMFILE, "too many open files"))
    True
    >>> is_machine_fault(FileNotFoundError(errno.ENOENT, "no such file"))
    False
    """
    if isinstance(error, OSError):
        return error.errno in _FAULTS
    # The lowest eight bits of an SQLite error code state the kind of error.
    sqlite = getattr(error, "sqlite_errorcode", None)
    fault = sqlite is not None and sqlite & 0xFF in _SQLITE_FAULTS
    return fault or isinstance(error, MemoryError)


def printable(text: str) -> str:
    r"""Return `text` on one line, with control characters escaped.

    Examples
    --------
    >>> printable("a name\n\x1b[31mof two lines")
    'a name \\x1b[31mof two lines'
    """
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)


class BearoffError(ValueError):
    """Base class of all errors caused by bad input; commands print them as one sentence."""


class PositionError(BearoffError):
    """Raised if a text, number or array is not a valid position."""


class ContactError(PositionError):
    """Raised if a position is not a race, because of contact or a checker on the bar."""


class RollError(BearoffError):
    """Raised if a text or a pair of numbers is not a roll of two dice."""


class ScoreError(BearoffError):
    """Raised if a score, a cube value or a match equity table is impossible."""


class TableError(BearoffError):
    """Raised if a table cannot be built, read or stored."""


class MissingTableError(TableError):
    """Raised if a table has not been built."""


class LockedError(BearoffError):
    """Raised if another process has locked a file or folder."""
