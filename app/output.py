"""Output of the command: data to stdout, messages to stderr.

Characters that the terminal cannot encode are replaced by ASCII characters.
"""

import codecs
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import zip_longest
from shlex import quote
from typing import Any

BAD_INPUT = 2
"""Exit code after bad input, even if the rest of the input was answered."""

WIDTH = 80
"""Maximum number of columns of printed text."""

_layout: dict[str, int | None] = {"indent": 2}
"""Formatting options of the JSON output."""

LONGEST = 1000
"""Maximum length of a message on stderr, in characters. The middle of a longer message is
omitted."""

_ASCII = str.maketrans(
    {
        "┌": "+",
        "┐": "+",
        "└": "+",
        "┘": "+",
        "─": "-",
        "━": "-",
        "│": "|",
        "●": "X",
        "○": "O",
        "×": "x",
        "±": "+/-",
        "–": "-",
        "…": "...",
        "½": ".5",
        "⅓": ".33",
        "⅔": ".67",
        "−": "-",
        "≤": "<=",
        "≥": ">=",
    }
)


def _write_in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Write text, with ASCII characters in place of those that cannot be encoded."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return "".join(c if c.isascii() else "?" for c in text), error.end


codecs.register_error("bearoff.ascii", _write_in_ascii)


def prepare_streams() -> None:
    """Make stdout and stderr accept any text, even if they are closed.

    If a stream is closed when Python starts, Python replaces the stream by None, and the
    next opened file would get the stream's file descriptor. Writing to a closed stdout
    raises an error, as if the disk were full. Output to a closed stderr is ignored.
    """
    if sys.stdout is None:
        sys.stdout = _null_stream(1, os.O_RDONLY)
    if sys.stderr is None:
        sys.stderr = _null_stream(2, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="bearoff.ascii")


def _null_stream(number: int, flags: int) -> TextIOWrapper:
    """Open the null device in place of a closed standard stream."""
    opened = os.open(os.devnull, flags)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    return open(number, "w", encoding="utf-8", closefd=False)


def note(sentence: str) -> None:
    """Write one line to stderr: an error, a warning or a notice.

    Control characters in the sentence are escaped.
    """
    line = sentence
    if not line.isprintable() or "  " in line:
        # `bearoff.errors` is slow to import, and the help text does not need the module.
        from bearoff.errors import printable

        line = printable(line)
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 4 :]}"
    print(f"bearoff: {line}", file=sys.stderr)


def say(text: str = "") -> None:
    """Write text to stdout, with non-printable characters escaped."""
    print("\n".join(map(_harmless, text.split("\n"))))


def say_json(value: Any) -> None:
    """Write a value to stdout as JSON; NaN is an error."""
    say(json.dumps(value, indent=_layout["indent"], allow_nan=False, ensure_ascii=False))


def set_compact(compact: bool) -> None:
    """Choose whether JSON is written on one line or indented."""
    _layout["indent"] = None if compact else 2


def for_shell(text: str) -> str:
    r"""Quote text for a shell, in printable characters.

    Examples
    --------
    >>> print(for_shell("results/quick"), for_shell("two words"), for_shell("a\nb's"))
    results/quick 'two words' $'a\U0000000ab\'s'
    """
    if text.isprintable():
        return quote(text)
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + _escaped(escaped, lambda c: f"\\U{ord(c):08x}") + "'"


def amount(number: int, units: str) -> str:
    """Format a number with its unit, given in the plural.

    Examples
    --------
    >>> amount(1, "checkers"), amount(2000, "pairs")
    ('1 checker', '2,000 pairs')
    """
    return f"{number:,} {units.removesuffix('s') if number == 1 else units}"


def duration(seconds: float) -> str:
    """Format an approximate duration.

    Examples
    --------
    >>> [duration(seconds) for seconds in (0.2, 119, 500, 20_000)]
    ['0 s', '119 s', '8 min', '5.6 h']
    """
    if seconds < 7200:
        return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _harmless(line: str) -> str:
    """Return a line in which non-printable characters are escaped as in JSON."""
    if line.isprintable():
        return line
    # `json.dumps` does not escape the control character DEL.
    return _escaped(line, lambda c: "\\u007f" if c == "\x7f" else json.dumps(c)[1:-1])


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    return "".join(c if c.isprintable() else escape(c) for c in text)


def say_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table to stdout; its first column is left-aligned, others right-aligned.

    A column whose heading starts with ``<`` is left-aligned too.
    """
    left = [not place or heading.startswith("<") for place, heading in enumerate(headings)]
    cells = [[heading.removeprefix("<") for heading in headings], *map(list, rows)]
    lines = _narrow_table(left, cells) or _wrapped_table(left, cells)
    # Trailing blanks are removed, because a user who copies the table would copy the
    # blanks.
    say("\n".join(line.rstrip() for line in lines).rstrip())


def _narrow_table(left: Sequence[bool], cells: Sequence[Sequence[str]]) -> list[str]:
    """Return a table's lines if all cells are plain and fit the screen, otherwise []."""
    if not all(_is_plain(cell) for row in cells for cell in row):
        return []
    if not str(sys.stdout.encoding).lower().startswith("utf"):
        return []
    split = [[cell.split("\n") for cell in row] for row in cells]
    columns = zip(*split, strict=True)
    widths = [max(len(line) for cell in column for line in cell) for column in columns]
    if sum(widths) + len(_GAP) * (len(widths) - 1) > _columns():
        return []
    lines = []
    for row in split:
        for one in zip_longest(*row, fillvalue=""):
            set_out = (
                text.ljust(width) if to_left else text.rjust(width)
                for text, width, to_left in zip(one, widths, left, strict=True)
            )
            lines.append(_GAP.join(set_out))
    height = max(map(len, split[0]))
    rule = "─" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    return [*lines[:height], rule, *lines[height:]]


_GAP = "   "
"""Gap between two columns of a table."""


def _is_plain(cell: str) -> bool:
    """Return whether a cell has no outer blanks, and only characters of width 1."""
    return cell.translate(_ONE_WIDE).isascii() and all(
        line.isprintable() and line == line.strip() for line in cell.split("\n")
    )


_ONE_WIDE = str.maketrans("±×–−", "    ")


def _columns() -> int:
    """Return the width of the screen, at most `WIDTH`."""
    widths = [WIDTH]
    if os.environ.get("COLUMNS", "").isdigit():
        widths.append(int(os.environ["COLUMNS"]))
    for stream in range(3):
        with suppress(OSError, ValueError):
            widths.append(os.get_terminal_size(stream).columns or WIDTH)
    return min(widths)


_SHORT = 10
"""Maximum length, in characters, of the cells in a column that is never wrapped."""


def _wrapped_table(left: Sequence[bool], cells: Sequence[Sequence[str]]) -> list[str]:
    """Format a table, wrapping its cells if it is wider than the screen."""
    from rich import box  # `rich` is slow to import.
    from rich.console import Console
    from rich.table import Table

    headings, *rows = cells
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, (heading, to_left) in enumerate(zip(headings, left, strict=True)):
        # Only columns with long cells are made narrower. Short cells, such as dates and
        # numbers, are never wrapped.
        short = all(len(row[place]) <= _SHORT and " " not in row[place] for row in rows)
        table.add_column(heading, justify="left" if to_left else "right", no_wrap=short)
    for row in rows:
        table.add_row(*row)
    console = Console(markup=False, highlight=False, emoji=False, color_system=None)
    with console.capture() as captured:
        console.print(table)
    return captured.get().splitlines()
