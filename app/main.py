"""The entry point: every error becomes one sentence and an exit code.

0 is success, 2 is bad input, 1 is a fault of the machine (no memory, a full disk, a store
that does not answer), 130 is Ctrl-C, 143 SIGTERM.
"""

import errno
import gc
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

import typer

from app.cli import cli
from app.interruption import CTRL_C, Interrupted, stopped_by_termination
from app.output import note, prepare_streams

_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOMEM)
"""Errors of the operating system that no other input would have avoided."""

_UNREACHABLE = (
    "NETWORK_CONNECTION",
    "REQUEST_TIMEOUT",
    "INTERNAL_FAILURE",
    "SLOW_DOWN",
    "UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "HTTP status 5",
)
"""Parts of pyarrow's messages about object stores that do not answer."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command `bearoff`.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the command's name; those of the process by default.

    Returns
    -------
    int
        The exit code.

    Examples
    --------
    >>> main(["epc", "15", "--json"])  # doctest: +ELLIPSIS
    [
      {
        "counts": [
    ...
    0
    """
    # Imports make many objects that stay; collecting among them takes a tenth of the
    # time of a query.
    gc.set_threshold(50_000)
    prepare_streams()
    with warnings.catch_warnings(), stopped_by_termination() as stops:
        # Of the libraries' warnings, those for users are runtime warnings.
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", RuntimeWarning)
        warnings.showwarning = _note_warning
        try:
            code = _run(sys.argv[1:] if argv is None else argv)
            return stops.code if code == CTRL_C else code
        except Interrupted as interruption:
            note(str(interruption))
            return stops.code
        except BrokenPipeError:
            _drop_what_cannot_be_written()  # Nobody reads on.
            return 1
        except OSError as error:
            unwritable = _drop_what_cannot_be_written()
            place = error.filename or ("stdout" if unwritable else "")
            note(f"{place and f'{place}: '}{error.strerror or error}")
            return 1 if unwritable else _code_of(error)
        except MemoryError as error:
            note(f"not enough memory: {error}")
            return 1
        except Exception as error:
            if "can't start new thread" in str(error):
                note(f"not enough memory, or too many processes: {error}")
                return 1
            if not _is_bad_input(error):
                raise
            # Only problems of a file are several; nothing they quote breaks a line.
            many = hasattr(error, "problems")
            for sentence in str(error).split("\n") if many else [str(error)]:
                note(sentence)
            return _code_of(error.__cause__)


def _run(argv: Sequence[str]) -> int:
    for argument in argv:
        if reason := _unusable(argument):
            note(f"{reason}, got {argument[:60]!r}")
            return 2
    try:
        status = cli(args=list(argv), prog_name="bearoff", standalone_mode=False)
    except typer.TyperException as error:  # An unknown command, option or value.
        command = getattr(getattr(error, "ctx", None), "command_path", "bearoff")
        note(f"{error.format_message()} ({command} --help lists what there is)")
        status = 2
    except SystemExit as error:  # Completion, and typer's answer to a closed pipe.
        status = error.code
    sys.stdout.flush()
    if status == CTRL_C:
        note("interrupted")
    return status if isinstance(status, int) else 0


def _unusable(argument: str) -> str:
    """Return why no command can use an argument; empty if one may."""
    if "\0" in argument:
        return "an argument holds no NUL character"
    try:
        argument.encode()
    except UnicodeEncodeError:  # Bytes that Python could not decode.
        return "arguments are text in UTF-8, and so are names of files"
    return ""


def _drop_what_cannot_be_written() -> bool:
    """Discard what stdout refuses, so that exit does not try again; return if it did."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _code_of(cause: BaseException | None) -> int:
    """Return 1 for a fault of the machine, 2 for bad input."""
    from concurrent.futures import BrokenExecutor  # Too slow for a help text.

    # The latter when a worker is killed, or a scheduler lost.
    faults = (MemoryError, BrokenExecutor)
    while cause is not None:
        if isinstance(cause, faults):
            return 1
        if isinstance(cause, OSError) and (cause.errno in _FAULTS or _unreachable(cause)):
            return 1
        cause = cause.__cause__
    return 2


def _unreachable(error: OSError) -> bool:
    """Whether an object store did not answer; its errors have no number."""
    return error.errno is None and any(word in str(error) for word in _UNREACHABLE)


def _is_bad_input(error: Exception) -> bool:
    """Whether `error` is one that the input can cause."""
    from bearoff import BearoffError  # Too slow for a help text, so not above.

    kinds: tuple[type[Exception], ...] = (BearoffError,)
    if "pyarrow" in sys.modules:
        kinds += (sys.modules["pyarrow"].ArrowException,)
    return isinstance(error, kinds)


def _note_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    note(f"warning: {message}")


if __name__ == "__main__":
    sys.exit(main())
