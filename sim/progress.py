"""Progress of a run: a bar on a terminal, plain lines elsewhere."""

import re
import sys
from typing import TextIO

from tqdm import tqdm

# A rate that is never turned over: a few rollouts a minute are not "s/ rollouts".
_BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_noinv_fmt}]"
_LINE = "{desc}: {n_fmt} of {total_fmt}{unit}, {rate_noinv_fmt}, {remaining} left"

_UNKNOWN = re.compile(r", \?[^,]*")
"""Rate and time left before the first is done, at the end of a line."""


class _Lines:
    """A stream on which tqdm's redrawn bar becomes one line after the other."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        line = _UNKNOWN.sub("", text.strip("\r\n "))
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
    """Return a bar of games or the like: done, rate and time left.

    Parameters
    ----------
    name : str
        What is running.
    total : int
        Games in all.
    show : bool
        Whether to show anything.
    unit : str
        What is counted, in the plural.
    stream : file, optional
        Where; standard error if not given. A terminal gets a bar, redrawn; anything else
        a line every ten seconds.
    """
    stream = stream or sys.stderr
    terminal = stream.isatty()
    return tqdm(
        total=total,
        desc=name,
        disable=not show,
        unit=f" {unit}",
        unit_scale=total >= 1000,
        file=stream if terminal else _Lines(stream),
        mininterval=0.2 if terminal else 10.0,
        dynamic_ncols=terminal,
        bar_format=_BAR if terminal else _LINE,
    )


def skip(bar: "tqdm[None]", games: int) -> None:
    """Count so many games in all as played before, and say nothing of the rate."""
    if not bar.disable:
        more = games - bar.initial
        bar.initial += more
        bar.last_print_n += more
        bar.n += more
