"""Progress of runs and builds: a bar on a terminal, or plain lines elsewhere."""

import re
import sys
from time import monotonic
from typing import Any, TextIO

from tqdm import tqdm

# These tqdm formats show low rates, too, in games per second rather than seconds per game.
_BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_noinv_fmt}]"
_LINE = "{desc}: {n_fmt} of {total_fmt}{unit}, {rate_noinv_fmt}, {remaining} left"

_SHARE_BAR = "{l_bar}{bar}| [{elapsed}<{remaining}]"
_SHARE_LINE = "bearoff: {desc}: {percentage:.0f}%, {remaining} left"

_UNKNOWN = re.compile(r", \?[^,]*|(?<=0%), 00:00 left")
"""Regular expression for parts of a tqdm progress line that are not yet known: the rate, or
the remaining time."""

_ONE = re.compile(r"(: 1 of [^,]*),.*")
"""Regular expression for a progress line after the first game or step. The rate in this
line has no meaning yet."""


class _Lines:
    """Output stream that prints each update of a progress bar on a separate line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        line = _ONE.sub(r"\1", _UNKNOWN.sub("", text.strip("\r\n ")))
        if line:
            self._stream.write(line + "\n")

    def flush(self) -> None:
        self._stream.flush()


def progress_bar(
    name: str,
    total: int,
    *,
    show: bool,
    unit: str = "games",
    stream: TextIO | None = None,
) -> "tqdm[None]":
    """Return a progress bar with the number of finished games, the rate and the time left.

    Parameters
    ----------
    name : str
        Name of the task.
    total : int
        Total number of games, or of other units.
    show : bool
        Whether to show the progress.
    unit : str
        Name of the units that are counted, in the plural.
    stream : file, optional
        Output stream; standard error by default. On a terminal, the progress bar is
        redrawn. On any other stream, a progress line is written every ten seconds.
    """
    return _bar(
        (_BAR, _LINE), name, total, show, stream, unit=f" {unit}", unit_scale=total >= 1000
    )


def _bar(
    formats: tuple[str, str],
    name: str,
    total: float,
    show: bool,
    stream: TextIO | None = None,
    **options: Any,
) -> "tqdm[None]":
    if stream is None and "ipykernel" in sys.modules:
        from tqdm.auto import tqdm as in_notebook

        notebook: tqdm[None] = in_notebook(
            total=total, desc=name, disable=not show, **options
        )
        return notebook
    stream = stream or sys.stderr
    terminal = stream.isatty()
    tqdm.monitor_interval = 0  # 0 starts no thread that could still write after the command
    return tqdm(
        total=total,
        desc=name,
        disable=not show,
        file=stream if terminal else _Lines(stream),
        mininterval=0.2 if terminal else 10.0,
        miniters=0,
        dynamic_ncols=terminal,
        # Several tqdm bars would move the cursor, which writes control characters to a
        # file.
        position=None if terminal else 0,
        bar_format=formats[0] if terminal else formats[1],
        **options,
    )


class PassProgress:
    """Progress bars on standard error for the passes in which a table is built.

    Parameters
    ----------
    show : bool
        Whether to show the progress.

    Attributes
    ----------
    seconds : dict of str to float
        Duration of each pass in seconds, without compile time.
    """

    def __init__(self, *, show: bool = True) -> None:
        self._show = show
        self.seconds: dict[str, float] = {}
        self._name = ""
        self._start = self._last = _solving_clock()
        self._shown: tqdm[None] | None = None

    def __call__(self, name: str, done: float) -> None:
        """Show the completed fraction, from 0 to 1, of a pass over the table."""
        now = _solving_clock()
        if name != self._name:
            self._name, self._start = name, self._last
            self._shown = _bar((_SHARE_BAR, _SHARE_LINE), name, 1.0, self._show)
        self._last = now
        self.seconds[name] = now - self._start
        if self._shown is not None:
            self._shown.update(done - self._shown.n)
            if done >= 1:
                self._shown.close()
                self._shown = None


def _solving_clock() -> float:
    """Return the time in seconds of a clock that does not run during compilation."""
    from bearoff.runtime import compile_seconds

    return monotonic() - compile_seconds()


def skip(bar: "tqdm[None]", games: int) -> None:
    """Count games of an earlier call as done, but not in the displayed rate."""
    if not bar.disable:
        more = games - bar.initial
        bar.initial += more
        bar.last_print_n += more
        bar.n += more
