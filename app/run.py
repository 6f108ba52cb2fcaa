"""One call of the command: every error becomes one sentence and an exit code.

0 is success, 2 is bad input, 1 is a fault of the machine (no memory, a full disk, a store
that does not answer), 130 is Ctrl-C, 143 SIGTERM.
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
from bearoff.app.output import note, prepare_streams, say_json

_BAD_INPUT = 2

_SLIP = 0.7
"""Likeness, 0 to 1, from which an option counts as another one mistyped."""

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


def run(
    argv: Sequence[str], program: typer.Typer | None = None, name: str = "bearoff"
) -> int:
    """Run the command `bearoff`, or another program, within this process.

    Parameters
    ----------
    argv : sequence of str
        The arguments after the command's name.
    program : typer.Typer, optional
        What reads them; `bearoff` if not given.
    name : str, optional
        How it is called.

    Returns
    -------
    int
        The exit code.

    Examples
    --------
    >>> run(["epc", "15", "--json"])  # doctest: +ELLIPSIS
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
    with warnings.catch_warnings():
        # Of the libraries' warnings, those for users are runtime warnings.
        warnings.simplefilter("ignore")
        warnings.simplefilter("default", RuntimeWarning)
        warnings.showwarning = _note_warning
        # An exception holds what was under way, such as bars of progress, which write
        # once more when they go; the last word is said after that.
        code, sentences = _outcome(argv, program or cli(argv), name)
        if sentences and "tqdm" in sys.modules:
            gc.collect()  # A bar may be held in a circle.
        for sentence in sentences:
            note(sentence)
        if code == _BAD_INPUT and "--json" in argv:
            say_json({"error": "\n".join(sentences)})
    return code


def _outcome(argv: Sequence[str], program: typer.Typer, name: str) -> tuple[int, list[str]]:
    """Run a command; return its exit code, and what is to be said of its end."""
    try:
        return _call(argv, program, name)
    except Interrupted as interruption:
        return CTRL_C, [str(interruption)]
    except KeyboardInterrupt:
        return CTRL_C, ["interrupted"]
    except BrokenPipeError:
        _drop_what_cannot_be_written()  # Nobody reads on.
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
        # Only problems of a file are several; nothing they quote breaks a line.
        many = hasattr(error, "problems")
        sentences = str(error).split("\n") if many else [_with_options(str(error))]
        return _code_of(error.__cause__), sentences


def _call(argv: Sequence[str], program: typer.Typer, name: str) -> tuple[int, list[str]]:
    for argument in argv:
        if reason := _unusable(argument):
            return 2, [f"{reason}, got {argument[:60]!r}"]
    try:
        status = program(args=list(argv), prog_name=name, standalone_mode=False)
    except typer.TyperException as error:  # An unknown command, option or value.
        _suggest_only_slips(error)
        command = getattr(getattr(error, "ctx", None), "command_path", name)
        return 2, [f"{error.format_message()} ({command} --help lists what there is)"]
    except SystemExit as error:  # Completion, and typer's answer to a closed pipe.
        status = error.code
    sys.stdout.flush()
    if status == CTRL_C:
        return CTRL_C, ["interrupted"]
    return status if isinstance(status, int) else 0, []


def _suggest_only_slips(error: typer.TyperException) -> None:
    """Leave out suggested options that are other words than what was typed."""
    from difflib import get_close_matches

    typed = getattr(error, "option_name", None)
    suggested = getattr(error, "possibilities", None)
    if typed and suggested:
        names = {option.lstrip("-"): option for option in suggested}
        close = get_close_matches(typed.lstrip("-"), names, cutoff=_SLIP)
        setattr(error, "possibilities", [names[name] for name in close])  # noqa: B010


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

    from bearoff.errors import is_machine_fault

    while cause is not None:
        # An executor is broken when a worker is killed, or a scheduler lost.
        if is_machine_fault(cause) or isinstance(cause, BrokenExecutor):
            return 1
        if isinstance(cause, OSError) and _unreachable(cause):
            return 1
        cause = cause.__cause__
    return 2


def _unreachable(error: OSError) -> bool:
    """Whether an object store did not answer; its errors have no number."""
    return error.errno is None and any(word in str(error) for word in _UNREACHABLE)


def _with_options(sentence: str) -> str:
    """Say which options choose a game, where a sentence names only the games."""
    games = "say 'crawford' or 'post-crawford'"
    return sentence.replace(games, "say which, by --crawford or --post-crawford")


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
