"""Drawing of a cheat sheet on one page, or on half a page without examples."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas import recommended_for
from bearoff.analysis.output import GREY, INK, SHADES, pages, style, text_layout
from bearoff.analysis.plots import plot_board, width_to_height
from bearoff.analysis.sheets.cheat import CheatSheet, WorkedExample
from bearoff.analysis.sheets.draw import MARGIN, Page, add_box, draw_table, write_text
from bearoff.analysis.sheets.sheet import SheetTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GUTTER = 0.25
"""Gap between two examples side by side, in inches."""

BOARDS = (2.0, 1.7)
"""Preferred and minimum height of a board on a cheat sheet, in inches."""

MOST = 2.4
"""Maximum height of a board on a cheat sheet, in inches."""

_LINE = 0.137
"""Line spacing of text with a font size of 8 points, in inches."""

_BESIDE = 1.5
"""Width in inches that the table of counts needs next to a board. If there is less space,
the table is placed below the board."""


def cheat_sheet_figure(sheet: CheatSheet, paper: pages.Paper = pages.A4) -> "Figure":
    """Draw a cheat sheet with as many examples, and boards as large, as fit on the page."""
    pairs = (len(sheet.examples) + 1) // 2
    for shown in range(2 * pairs, -1, -2):
        examples = sheet.examples[:shown]
        short = tuple(map(_without_zeros, examples))
        half = pages.Paper(paper.width, paper.height / 2)
        for board, (chosen, of) in product(
            BOARDS, ((examples, paper if examples else half), (short, paper))
        ):
            tried = replace(sheet, examples=chosen)
            if (height := _largest(tried, of, board)) is not None:
                return _drawn(tried, of, height)[0].figure
    raise FormulaError(f"the formula {sheet.rule.name!r} does not fit on one page")


def _without_zeros(example: WorkedExample) -> WorkedExample:
    return replace(
        example, counting=tuple(row for row in example.counting if row[1:] != ("0", "0"))
    )


def _largest(sheet: CheatSheet, paper: pages.Paper, board: float) -> float | None:
    """Return the largest height of boards that fits on the page; None if none does."""
    left = _drawn(sheet, paper, board, seen=False)[1]
    if left < 0:
        return None
    for _ in range(2 if sheet.examples else 0):
        # A row of examples may be higher than its boards because of its text. The second
        # pass enlarges the boards to fill the page.
        higher = min(board + left / ((len(sheet.examples) + 1) // 2), MOST)
        left = _drawn(sheet, paper, higher, seen=False)[1]
        if left < 0:
            break
        board = higher
    return board


def _heading(sheet: CheatSheet) -> str:
    recommended = recommended_for(sheet.rule.name)
    start = f"{recommended}: " if recommended else ""
    return f"{start}when to double, redouble and take in a race"


def _drawn(
    sheet: CheatSheet, paper: pages.Paper, board: float, *, seen: bool = True
) -> tuple[Page, float]:
    """Draw, or only measure, the page; return it and the free height.

    Both heights, of a board and of the free space, are in inches.
    """
    with style():
        page = Page.of(paper.width, paper.height, seen=seen)
        ax, y = page.ax, page.height - 0.36
        ax.text(MARGIN, y, sheet.rule.name, fontsize=22, fontweight="bold", va="top")
        ax.text(
            page.width - MARGIN, y - 0.13, _heading(sheet),
            fontsize=9, color=GREY, ha="right", va="top",
        )  # fmt: skip
        left = _counting(ax, sheet.counting, y - 0.5)
        right = _thresholds(page, sheet, y - 0.5)
        y = min(left, right) - 0.07
        ax.text(
            MARGIN, y,
            "Opponent's adjusted count from which to act, by your adjusted count",
            fontsize=8, color=GREY, va="top",
        )  # fmt: skip
        table = SheetTable(
            "",
            sheet.table_head,
            sheet.table_rows,
            (2.0, *[1.0] * (len(sheet.table_head) - 1)),
        )
        y = draw_table(ax, table, MARGIN, y - 0.13, page.room) - 0.1
        if sheet.examples:
            y = write_text(
                ax,
                "Examples: you are on roll with the dark checkers, and bear off at the "
                "lower right. "
                f"Equities and errors are in points at a cube of 1. {sheet.drawn}".strip(),
                MARGIN, y, width=page.room, size=8, colour=GREY, spacing=1.25,
            )  # fmt: skip
        y = _examples(page, sheet.examples, y - 0.04, board)
        for sentence in sheet.footing:
            y = (
                write_text(
                    ax, sentence, MARGIN, y, width=page.room, size=8, colour=GREY,
                    spacing=1.25,
                )
                - 0.02
            )  # fmt: skip
    return page, y - 0.2


def write_cheat_sheet(
    sheet: CheatSheet, folder: str | Path, paper: pages.Paper = pages.A4
) -> list[Path]:
    """Write a cheat sheet as PDF and PNG into a folder; return their paths."""
    return pages.write_page(
        cheat_sheet_figure(sheet, paper), Path(folder), f"cheat-sheet-{sheet.rule.name}"
    )


def _counting(ax: "Axes", steps: tuple[str, ...], y: float) -> float:
    ax.text(MARGIN, y, "Step by step", fontsize=10.5, fontweight="bold", va="top")
    y -= 0.27
    for k, step in enumerate(steps, start=1):
        ax.text(
            MARGIN + 0.14, y, str(k), fontsize=10, fontweight="bold", va="top", ha="right"
        )
        y = write_text(ax, step, MARGIN + 0.25, y, width=4.1, size=10, spacing=1.3) - 0.04
    return y


def _thresholds(page: Page, sheet: CheatSheet, y: float) -> float:
    """Draw a box for each cube action, in the right column."""
    ax, left, width, height = page.ax, MARGIN + 4.6, page.room - 4.6, 0.4
    raised = sheet.rule.shared is not None
    title = "Roller's minus opponent's" if raised else "Your lead"
    ax.text(left, y, title, fontsize=10.5, fontweight="bold", va="top")
    y -= 0.27
    for (name, when), shade in zip(
        sheet.thresholds, (SHADES[1], SHADES[2], "#ffffff"), strict=True
    ):
        add_box(ax, left, y, width, height, shade, INK, 0.7)
        middle = y - height / 2
        ax.text(
            left + 0.1, middle - 0.01, name, fontsize=10, fontweight="bold",
            va="center_baseline",
        )  # fmt: skip
        size, lines = 11.0, [when]
        if text_layout.text_width(when, size) > width - 1.0:
            size, lines = 8.0, text_layout.wrapped(when, width - 1.0, 8.0)
        ax.text(
            left + width - 0.1, middle - 0.01, "\n".join(lines), fontsize=size,
            va="center_baseline" if len(lines) == 1 else "center", ha="right",
            linespacing=1.1,
        )  # fmt: skip
        y -= height + 0.05
    return y


def _examples(
    page: Page, examples: tuple[WorkedExample, ...], y: float, board: float
) -> float:
    width = (page.room - GUTTER) / 2
    for first in range(0, len(examples), 2):
        ends = [
            _example(
                page, f"Example {first + k + 1}", example,
                (MARGIN + k * (width + GUTTER), y, width), board,
            )
            for k, example in enumerate(examples[first : first + 2])
        ]  # fmt: skip
        y = min(ends) - 0.1
    return y


def _example(
    page: Page,
    title: str,
    example: WorkedExample,
    place: tuple[float, float, float],
    board: float,
) -> float:
    """Draw an example race: the board, and beside it the counts and cube decisions."""
    ax, (x, y, width) = page.ax, place
    if example.loss is not None:
        title += f"  exact: {_action(example)}"
    ax.plot([x, x + width], [y, y], color=INK, linewidth=0.8)
    ax.text(x, y - 0.06, title, fontsize=9, fontweight="bold", va="top")
    top = y - 0.22
    board_width = board * width_to_height(example.race)
    if page.seen:
        corner = (x / page.width, (top - board) / page.height)
        size = (board_width / page.width, board / page.height)
        plot_board(example.race, ax=page.figure.add_axes((*corner, *size)))
    beside = width - board_width > _BESIDE
    left, line = (x + board_width, y - 0.06) if beside else (x, top - board)
    line = _work(ax, example, left, line, x + width)
    return min(_judge(ax, example, left, line - 0.05, x + width), top - board)


def _work(
    ax: "Axes", example: WorkedExample, left: float, line: float, right: float
) -> float:
    """Write the counts of both sides as a table, and the steps after counting."""
    yours_at, theirs_at = right - 0.36, right
    for text, at in (("you", yours_at), ("opp.", theirs_at)):
        ax.text(at, line, text, fontsize=8, color=GREY, ha="right", va="top")
    line -= _LINE * 1.2
    for k, (what, yours, theirs) in enumerate(example.counting):
        total = k == len(example.counting) - 1 and k > 0
        if total:
            ax.plot([left, right], [line + 0.012] * 2, color=INK, linewidth=0.5)
        weight = "bold" if total else "normal"
        for text, at in ((yours, yours_at), (theirs, theirs_at)):
            ax.text(
                at, line - 0.01, text, fontsize=8, ha="right", va="top", fontweight=weight
            )
        for part in text_layout.wrapped(what, yours_at - 0.3 - left, 8, weight):
            ax.text(left, line - 0.01, part, fontsize=8, va="top", fontweight=weight)
            line -= _LINE
    line -= 0.05
    for words, arithmetic in example.steps:
        room = right - text_layout.text_width(arithmetic, 8) - 0.08 - left
        ax.text(right, line, arithmetic, fontsize=8, va="top", ha="right")
        for part in text_layout.wrapped(words, room, 8):
            ax.text(left, line, part, fontsize=8, va="top")
            line -= _LINE
    return line


def _judge(
    ax: "Axes", example: WorkedExample, left: float, line: float, right: float
) -> float:
    """Write each cube decision of the rule, with its loss in points."""
    loss = example.loss
    edges = ((left, "left"), (left + 0.75, "left"), (right, "right"))
    heads = ("", "by the rule", "error" if loss else "")
    for row, cells in enumerate((heads, *example.decisions)):
        for cell, (at, align) in zip(cells, edges, strict=True):
            ax.text(
                at, line, cell, fontsize=8, va="top", ha=align,
                color=INK if row else GREY,
                fontweight="bold" if row and cell and at == left + 0.75 else "normal",
            )  # fmt: skip
        line -= _LINE
    equities = "No exact answer: no stored table contains this race."
    if loss is not None:
        centred, owned = loss.centred, loss.owned
        equities = (
            f"Equity without a double {centred.no_double:+.3f} (if you own the cube "
            f"{owned.no_double:+.3f}), after a double and a take {centred.double_take:+.3f}"
        )
    width = right - left
    return write_text(
        ax, equities, left, line - 0.03, width=width, size=8, colour=GREY, spacing=1.25
    )


def _action(example: WorkedExample) -> str:
    loss = example.loss
    assert loss is not None
    again = str(loss.owned.action)
    return again if again.startswith("redouble") else str(loss.centred.action)
