"""Output of the command: data to stdout, messages to stderr.

Every terminal is served: characters it cannot encode are written in ASCII.
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

WIDTH = 80
"""Columns that nothing printed exceeds."""

_layout: dict[str, int | None] = {"indent": 2}
"""How JSON is written."""

LONGEST = 1000
"""Characters of a sentence on stderr; of a longer one the middle is left out."""

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
    """Codec error handler: the nearest ASCII, a question mark where there is none."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return "".join(c if c.isascii() else "?" for c in text), error.end


codecs.register_error("bearoff.ascii", _write_in_ascii)


def prepare_streams() -> None:
    """Let stdout and stderr take any text, whatever their encoding, even if closed.

    Where the process was started without one of them, Python has None in its place, and
    the next file opened would get its number. A closed stdout refuses what is written,
    as a full disk does; a closed stderr swallows it.
    """
    if sys.stdout is None:
        sys.stdout = _null_stream(1, os.O_RDONLY)
    if sys.stderr is None:
        sys.stderr = _null_stream(2, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="bearoff.ascii")


def _null_stream(number: int, flags: int) -> TextIOWrapper:
    """Open the null device under the number of a standard stream."""
    opened = os.open(os.devnull, flags)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    return open(number, "w", encoding="utf-8", closefd=False)


def note(sentence: str) -> None:
    """Write one line to stderr: an error, a warning or what the command does.

    What it quotes of the input can neither break the line, nor steer the terminal, nor
    fill it.
    """
    line = sentence
    if not line.isprintable() or "  " in line:
        from bearoff.errors import printable  # Too slow for a help text, so not above.

        line = printable(line)
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 4 :]}"
    print(f"bearoff: {line}", file=sys.stderr)


def say(text: str = "") -> None:
    """Write text to stdout; names that it quotes cannot steer the terminal."""
    print("\n".join(map(_harmless, text.split("\n"))))


def say_json(value: Any) -> None:
    """Write `value` to stdout as JSON; not-a-number is refused, pass None instead."""
    say(json.dumps(value, indent=_layout["indent"], allow_nan=False, ensure_ascii=False))


def set_compact(compact: bool) -> None:
    """Choose whether JSON is written in one line."""
    _layout["indent"] = None if compact else 2


def for_shell(text: str) -> str:
    r"""Quote `text` for a shell, in printable characters.

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
    """Say how many there are of what is given in the plural.

    Examples
    --------
    >>> amount(1, "checkers"), amount(2000, "pairs")
    ('1 checker', '2,000 pairs')
    """
    return f"{number:,} {units.removesuffix('s') if number == 1 else units}"


def duration(seconds: float) -> str:
    """Write a time that is known roughly.

    Examples
    --------
    >>> [duration(seconds) for seconds in (0.2, 119, 500, 20_000)]
    ['0 s', '119 s', '8 min', '5.6 h']
    """
    if seconds < 7200:
        return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _harmless(line: str) -> str:
    """Return a line with JSON's escapes of all that is not printable."""
    if line.isprintable():
        return line
    # JSON itself has none for DEL.
    return _escaped(line, lambda c: "\\u007f" if c == "\x7f" else json.dumps(c)[1:-1])


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    return "".join(c if c.isprintable() else escape(c) for c in text)


def say_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a table to stdout, the first column to the left and the others to the right.

    A heading that starts with ``<`` puts its column to the left too.
    """
    left = [not place or heading.startswith("<") for place, heading in enumerate(headings)]
    cells = [[heading.removeprefix("<") for heading in headings], *map(list, rows)]
    lines = _narrow_table(left, cells) or _wrapped_table(left, cells)
    # Nobody wants the blanks behind the last column in a copied table.
    say("\n".join(line.rstrip() for line in lines).rstrip())


def _narrow_table(left: Sequence[bool], cells: Sequence[Sequence[str]]) -> list[str]:
    """Set a table of plain cells that fits on any screen; return nothing of another."""
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
"""Between two columns."""


def _is_plain(cell: str) -> bool:
    """Whether each character of a cell takes one column, and none is blank at an end."""
    return cell.translate(_ONE_WIDE).isascii() and all(
        line.isprintable() and line == line.strip() for line in cell.split("\n")
    )


_ONE_WIDE = str.maketrans("±×–−", "    ")


def _columns() -> int:
    """Return the columns of the screen, if there is one, but no more than `WIDTH`."""
    widths = [WIDTH]
    if os.environ.get("COLUMNS", "").isdigit():
        widths.append(int(os.environ["COLUMNS"]))
    for stream in range(3):
        with suppress(OSError, ValueError):
            widths.append(os.get_terminal_size(stream).columns or WIDTH)
    return min(widths)


_SHORT = 10
"""Signs of a word that is not broken."""


def _wrapped_table(left: Sequence[bool], cells: Sequence[Sequence[str]]) -> list[str]:
    """Set a table, its cells wrapped where it is wider than the screen."""
    from rich import box  # Slow to import, and few tables need it.
    from rich.console import Console
    from rich.table import Table

    headings, *rows = cells
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, (heading, to_left) in enumerate(zip(headings, left, strict=True)):
        # Days and numbers stay whole, as long as others have room to give.
        short = all(len(row[place]) <= _SHORT and " " not in row[place] for row in rows)
        table.add_column(heading, justify="left" if to_left else "right", no_wrap=short)
    for row in rows:
        table.add_row(*row)
    console = Console(markup=False, highlight=False, emoji=False, color_system=None)
    with console.capture() as captured:
        console.print(table)
    return captured.get().splitlines()
