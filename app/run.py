"""Execution of a command; every error becomes one sentence and an exit code.

Exit codes: 0 success; 2 bad input, in whole or in part; 1 machine fault (no memory, a full
disk, an unreachable store); 130 Ctrl-C; 143 SIGTERM.
"""

import gc
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

import typer

from bearoff.app.cli import cli
from bearoff.app.interruption import CTRL_C, Interrupted, came_of_an_interruption
from bearoff.app.output import BAD_INPUT, note, prepare_streams, say_json

_SLIP = 0.7
"""Minimum similarity, from 0 to 1, between a misspelled option and the option suggested
instead."""

_UNREACHABLE = (
    "NETWORK_CONNECTION",
    "REQUEST_TIMEOUT",
    "INTERNAL_FAILURE",
    "SLOW_DOWN",
    "UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "HTTP status 5",
)
"""Texts by which an error message of pyarrow shows that an object store is unreachable."""


def run(
    argv: Sequence[str], program: typer.Typer | None = None, name: str = "bearoff"
) -> int:
    """Run the command `bearoff`, or another program, within this process.

    Parameters
    ----------
    argv : sequence of str
        Command-line arguments, without the program's name.
    program : typer.Typer, optional
        Program that parses the arguments; by default `bearoff`.
    name : str, optional
        Name of the program in messages.

    Returns
    -------
    int
        Exit code.

    Examples
    --------
    >>> run(["epc", "15", "--json"])  # doctest: +ELLIPSIS
    [
      {
        "counts": [
    ...
    0
    """
    prepare_streams()
    with warnings.catch_warnings():
        # Users see the runtime warnings of libraries, and no other warnings.
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", RuntimeWarning)
        warnings.showwarning = _note_warning
        # An exception keeps progress bars in memory, and a progress bar prints once more
        # when Python deletes the bar. The exception must therefore be deleted before the
        # final message.
        code, sentences = _outcome(argv, program or cli(argv), name)
        if sentences and "tqdm" in sys.modules:
            gc.collect()  # Deletes progress bars in reference cycles.
        for sentence in sentences:
            note(sentence)
        # Without a sentence, JSON with the answers to valid parts of the input is already
        # printed.
        if code == BAD_INPUT and sentences and "--json" in argv:
            say_json({"error": "\n".join(sentences)})
    return code


def _outcome(argv: Sequence[str], program: typer.Typer, name: str) -> tuple[int, list[str]]:
    """Run a command; return its exit code and the messages to print at the end."""
    try:
        return _call(argv, program, name)
    except Interrupted as interruption:
        return CTRL_C, [str(interruption)]
    except KeyboardInterrupt:
        return CTRL_C, ["interrupted"]
    except BrokenPipeError:
        _drop_what_cannot_be_written()  # The process that reads the output has ended.
        return 1, []
    except OSError as error:
        unwritable = _drop_what_cannot_be_written()
        place = error.filename or ("stdout" if unwritable else "")
        code = 1 if unwritable else _code_of(error)
        return code, [f"{place and f'{place}: '}{error.strerror or error}"]
    except MemoryError as error:
        return 1, [f"not enough memory: {error}"]
    except Exception as error:
        if "can't start new thread" in str(error):
            return 1, [f"not enough memory, or too many processes: {error}"]
        if came_of_an_interruption(error):
            return CTRL_C, ["interrupted"]
        if not _is_bad_input(error):
            raise
        # An error about a whole file may have several lines, one for each problem. All
        # other messages have one line, because quoted input contains no line breaks.
        many = hasattr(error, "problems")
        sentences = str(error).split("\n") if many else [_with_options(str(error))]
        return _code_of(error.__cause__), sentences


def _call(argv: Sequence[str], program: typer.Typer, name: str) -> tuple[int, list[str]]:
    for argument in argv:
        if reason := _unusable(argument):
            return BAD_INPUT, [f"{reason}, got {argument[:60]!r}"]
    try:
        status = program(args=list(argv), prog_name=name, standalone_mode=False)
    except typer.TyperException as error:  # The command, an option or a value is unknown.
        _suggest_only_slips(error)
        command = getattr(getattr(error, "ctx", None), "command_path", name)
        return BAD_INPUT, [
            f"{error.format_message()} ({command} --help lists all commands and options)"
        ]
    # Shell completion raises `SystemExit`, and so does typer after a pipe was closed.
    except SystemExit as error:
        status = error.code
    sys.stdout.flush()
    if status == CTRL_C:
        return CTRL_C, ["interrupted"]
    return status if isinstance(status, int) else 0, []


def _suggest_only_slips(error: typer.TyperException) -> None:
    """Remove suggested options that differ too much from the mistyped option."""
    from difflib import get_close_matches

    typed = getattr(error, "option_name", None)
    suggested = getattr(error, "possibilities", None)
    if typed and suggested:
        names = {option.lstrip("-"): option for option in suggested}
        close = get_close_matches(typed.lstrip("-"), names, cutoff=_SLIP)
        setattr(error, "possibilities", [names[name] for name in close])  # noqa: B010


def _unusable(argument: str) -> str:
    """Return why an argument is invalid for every command, or "" if it is valid."""
    if "\0" in argument:
        return "an argument must not contain a NUL character"
    try:
        argument.encode()
    except UnicodeEncodeError:  # Python could not decode some bytes of the argument.
        return "arguments and file names must be text in UTF-8"
    return ""


def _drop_what_cannot_be_written() -> bool:
    """Discard output that stdout rejected, and return whether there was any."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _code_of(cause: BaseException | None) -> int:
    """Return exit code 1 if a machine fault caused an error, otherwise 2 (bad input)."""
    from concurrent.futures import (
        BrokenExecutor,
    )  # `concurrent.futures` is slow to import.

    from bearoff.errors import is_machine_fault

    while cause is not None:
        # A process pool fails if a worker is killed. A scheduler fails if its connection is
        # lost.
        if is_machine_fault(cause) or isinstance(cause, BrokenExecutor):
            return 1
        if isinstance(cause, OSError) and _unreachable(cause):
            return 1
        cause = cause.__cause__
    return 2


def _unreachable(error: OSError) -> bool:
    """Return whether an error means that an object store is unreachable."""
    return error.errno is None and any(word in str(error) for word in _UNREACHABLE)


def _with_options(sentence: str) -> str:
    """Replace values of a file's field in an error message by command-line options."""
    games = "use 'crawford' or 'post-crawford'"
    return sentence.replace(games, "use --crawford or --post-crawford")


def _is_bad_input(error: Exception) -> bool:
    """Return whether bad input can cause an error of this type."""
    from bearoff import BearoffError  # `concurrent.futures` is slow to import.

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
