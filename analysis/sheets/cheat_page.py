"""The cheat sheet of a formula drawn on a page of A4."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import FormulaError
from analysis.output import GREY, INK, SHADES, style, text_layout, write_page
from analysis.plots import plot_board, width_to_height
from analysis.sheets.cheat import CheatSheet, Example
from analysis.sheets.draw import A4, MARGIN, add_box, draw_table, paper, write_text
from analysis.sheets.sheet import SheetTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = A4[0] - 2 * MARGIN
"""Inches between the margins."""

GUTTER = 0.25
"""Inches between two examples side by side."""

RULE_SIZES = (12.0, 11.0, 10.0, 9.0)
"""Points of the letters of the rule, the largest that fits."""

_LINE = 0.137
"""Inches from line to line of letters of 8 points."""

_BOARD = 1.6
"""Inches of a board's height."""

_WIDE = 1.4
"""Inches of a board's width from which the steps have no room beside it."""


def cheat_sheet_figure(sheet: CheatSheet) -> "Figure":
    """Draw the page: as many examples, all they count, the rule as large, as fit.

    Raises
    ------
    FormulaError
        If not even a small rule without an example fits on a page.
    """
    pairs = (len(sheet.examples) + 1) // 2
    for shown in range(2 * pairs, -1, -2):
        examples = sheet.examples[:shown]
        short = tuple(map(_without_zeros, examples))
        for chosen, size in product((examples, short), RULE_SIZES):
            figure, left = _drawn(replace(sheet, examples=chosen), size)
            if left >= 0:
                return figure
    raise FormulaError(f"the formula {sheet.rule.name!r} is too long for a page")


def _without_zeros(example: Example) -> Example:
    """Leave out adjustments that are 0 on both sides."""
    return replace(
        example, counting=tuple(row for row in example.counting if row[1:] != ("0", "0"))
    )


def _drawn(sheet: CheatSheet, size: float) -> tuple["Figure", float]:
    """Draw the page with letters of a size for the rule; also the inches left below."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=A4)
        ax = paper(figure)
        y = A4[1] - 0.36
        ax.text(MARGIN, y, sheet.rule.name, fontsize=22, fontweight="bold", va="top")
        ax.text(
            A4[0] - MARGIN, y - 0.13, "when to double, redouble and take in a race",
            fontsize=9, color=GREY, ha="right", va="top",
        )  # fmt: skip
        y = _rule(ax, sheet.rule.text, size, y - 0.42)
        left = _counting(ax, sheet.counting, y - 0.13)
        right = _thresholds(ax, sheet, y - 0.13)
        y = min(left, right) - 0.07
        ax.text(
            MARGIN, y, "The opponent's count at which to act, by yours; both adjusted",
            fontsize=8, color=GREY, va="top",
        )  # fmt: skip
        table = SheetTable(
            "",
            sheet.table_head,
            sheet.table_rows,
            (2.0, *[1.0] * (len(sheet.table_head) - 1)),
        )
        y = draw_table(ax, table, MARGIN, y - 0.13, WIDTH)
        if sheet.examples:
            y = write_text(
                ax,
                "Examples: you are dark, on roll, and bear off at the lower right. "
                "Equities and errors are in points at a cube of 1.",
                MARGIN, y - 0.1, size=8, colour=GREY,
            )  # fmt: skip
        y = _examples(figure, ax, sheet.examples, y - 0.04)
        for sentence in sheet.footing:
            y = (
                write_text(ax, sentence, MARGIN, y, size=8, colour=GREY, spacing=1.25)
                - 0.02
            )
    return figure, y - 0.2


def write_cheat_sheet(sheet: CheatSheet, folder: str | Path) -> list[Path]:
    """Draw the page as PDF and PNG into a folder; return their paths."""
    return write_page(
        cheat_sheet_figure(sheet), Path(folder), f"cheat-sheet-{sheet.rule.name}"
    )


def _rule(ax: "Axes", text: str, size: float, y: float) -> float:
    """Write the rule large in a shaded box."""
    lines = text_layout.wrapped(text, WIDTH - 0.3, size)
    height = len(lines) * size * text_layout.POINT * 1.35 + 0.18
    add_box(ax, MARGIN, y, WIDTH, height, SHADES[0])
    add_box(ax, MARGIN, y, 0.06, height, SHADES[3])
    for k, line in enumerate(lines):
        ax.text(
            MARGIN + 0.18,
            y - 0.1 - k * size * text_layout.POINT * 1.35,
            line,
            fontsize=size,
            va="top",
        )
    return y - height


def _counting(ax: "Axes", steps: tuple[str, ...], y: float) -> float:
    """Write how to count as a numbered list in the left column."""
    ax.text(MARGIN, y, "Step by step", fontsize=10.5, fontweight="bold", va="top")
    y -= 0.25
    for k, step in enumerate(steps, start=1):
        ax.text(
            MARGIN + 0.12, y, str(k), fontsize=9, fontweight="bold", va="top", ha="right"
        )
        y = write_text(ax, step, MARGIN + 0.22, y, width=4.1, spacing=1.25) - 0.03
    return y


def _thresholds(ax: "Axes", sheet: CheatSheet, y: float) -> float:
    """Draw a box for each decision in the right column."""
    left, width, height = MARGIN + 4.6, WIDTH - 4.6, 0.36
    raised = sheet.rule.shared is not None
    title = "Your count against theirs" if raised else "Your lead"
    ax.text(left, y, title, fontsize=10.5, fontweight="bold", va="top")
    y -= 0.25
    for (name, when), shade in zip(
        sheet.thresholds, (SHADES[1], SHADES[2], "#ffffff"), strict=True
    ):
        add_box(ax, left, y, width, height, shade, INK, 0.7)
        middle = y - height / 2
        ax.text(left + 0.1, middle, name, fontsize=10, fontweight="bold", va="center")
        size, lines = 11.0, [when]
        if text_layout.text_width(when, size) > width - 1.0:
            size, lines = 8.0, text_layout.wrapped(when, width - 1.0, 8.0)
        ax.text(
            left + width - 0.1, middle, "\n".join(lines), fontsize=size, va="center",
            ha="right", linespacing=1.1,
        )  # fmt: skip
        y -= height + 0.05
    return y


def _examples(
    figure: "Figure", ax: "Axes", examples: tuple[Example, ...], y: float
) -> float:
    """Draw the examples, two side by side."""
    width = (WIDTH - GUTTER) / 2
    for first in range(0, len(examples), 2):
        ends = [
            _example(
                figure, ax, first + k + 1, example, MARGIN + k * (width + GUTTER), y, width
            )
            for k, example in enumerate(examples[first : first + 2])
        ]
        y = min(ends) - 0.1
    return y


def _example(
    figure: "Figure",
    ax: "Axes",
    number: int,
    example: Example,
    x: float,
    y: float,
    width: float,
) -> float:
    """Draw a board, how it is counted beside it, and the decisions below."""
    loss = example.loss
    title = f"Example {number}"
    if loss is not None:
        title += f"  exact: {_action(example)}"
    ax.plot([x, x + width], [y, y], color=INK, linewidth=0.8)
    ax.text(x, y - 0.06, title, fontsize=9, fontweight="bold", va="top")
    top = y - 0.22
    board_width = _BOARD * width_to_height(example.race)
    board = figure.add_axes(
        (x / A4[0], (top - _BOARD) / A4[1], board_width / A4[0], _BOARD / A4[1])
    )
    plot_board(example.race, ax=board)
    left = x + board_width + 0.05
    yours_at, theirs_at = x + width - 0.36, x + width
    line = y - 0.06
    for text, at in (("you", yours_at), ("opp.", theirs_at)):
        ax.text(at, line, text, fontsize=8, color=GREY, ha="right", va="top")
    line -= _LINE * 1.2
    for k, (what, yours, theirs) in enumerate(example.counting):
        total = k == len(example.counting) - 1 and k > 0
        if total:
            ax.plot([left, x + width], [line + 0.012] * 2, color=INK, linewidth=0.5)
        weight = "bold" if total else "normal"
        for text, at in ((yours, yours_at), (theirs, theirs_at)):
            ax.text(
                at, line - 0.01, text, fontsize=8, ha="right", va="top", fontweight=weight
            )
        for part in text_layout.wrapped(what, yours_at - 0.22 - left, 8, weight):
            ax.text(left, line - 0.01, part, fontsize=8, va="top", fontweight=weight)
            line -= _LINE
    line -= 0.05
    if board_width > _WIDE:
        left, line = x, min(line, top - _BOARD) - 0.02
    for words, arithmetic in example.steps:
        room = x + width - text_layout.text_width(arithmetic, 8) - 0.08 - left
        ax.text(x + width, line, arithmetic, fontsize=8, va="top", ha="right")
        for part in text_layout.wrapped(words, room, 8):
            ax.text(left, line, part, fontsize=8, va="top")
            line -= _LINE
    line = min(line, top - _BOARD) - 0.02
    heads = ("", "by the rule", "exact", "error")
    edges = (x, x + 1.3, x + 2.3, x + width)
    shown = [heads, *example.decisions] if loss else list(example.decisions)
    for row, cells in enumerate(shown):
        for cell, at, align in zip(
            cells, edges, ("left", "left", "left", "right"), strict=True
        ):
            head = loss is not None and row == 0
            ax.text(
                at, line, cell, fontsize=8, va="top", ha=align,
                color=GREY if head else INK,
                fontweight="bold" if at == edges[1] and not head else "normal",
            )  # fmt: skip
        line -= _LINE
    equities = "No exact answer: no built table holds the race."
    if loss is not None:
        centred, owned = loss.centred, loss.owned
        equities = (
            f"No double {centred.no_double:+.3f} (your cube {owned.no_double:+.3f}), "
            f"double/take {centred.double_take:+.3f}"
        )
    ax.text(x, line, equities, fontsize=8, color=GREY, va="top")
    return line - _LINE


def _action(example: Example) -> str:
    """Return the exact cube action, with your cube where that is a redouble."""
    loss = example.loss
    assert loss is not None
    if loss.owned.action.startswith("redouble"):
        return loss.owned.action
    return loss.centred.action
