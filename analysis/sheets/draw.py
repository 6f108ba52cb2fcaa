"""Sheets of tables drawn on A4: letters of 8 points and more, black and grey."""

from typing import TYPE_CHECKING

from analysis.output import GREY, INK, SHADES, style, text_layout
from analysis.sheets.sheet import Sheet, SheetTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

A4 = (8.27, 11.69)
"""Inches of a standing sheet."""

MARGIN = 0.5
"""Inches left white around a page."""

CELL_SIZE, TEXT_SIZE = 8.5, 9.0
"""Points of the letters in cells and sentences."""

ROW = 0.19
"""Inches from row to row."""


def sheet_figure(sheet: Sheet) -> "Figure":
    """Draw a sheet; the page is as high as A4, its content stands at the top."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=A4)
        ax = paper(figure)
        y = A4[1] - MARGIN
        ax.text(MARGIN, y, sheet.title, fontsize=16, fontweight="bold", va="top")
        y = write_text(ax, sheet.lead, MARGIN, y - 0.36)
        if sheet.legend:
            y = _legend(ax, sheet.legend, y - 0.08)
        for table in sheet.tables:
            y = draw_table(ax, table, MARGIN, y - 0.2, A4[0] - 2 * MARGIN)
        y -= 0.18
        for note in sheet.notes:
            y = write_text(ax, note, MARGIN, y, size=8, colour=GREY) - 0.05
        if y < MARGIN / 2:
            raise ValueError(f"the sheet {sheet.name!r} is higher than the page")
    return figure


def paper(figure: "Figure") -> "Axes":
    """Lay axes in inches over the whole page, the origin at the lower left."""
    width, height = figure.get_size_inches()
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_xlim(0, width)
    ax.set_ylim(0, height)
    ax.axis("off")
    return ax


def write_text(
    ax: "Axes",
    text: str,
    x: float,
    y: float,
    *,
    width: float = A4[0] - 2 * MARGIN,
    size: float = TEXT_SIZE,
    colour: str = INK,
    weight: str = "normal",
    spacing: float = 1.35,
) -> float:
    """Write a paragraph below `y`, broken to a width in inches; return where it ends."""
    for line in text_layout.wrapped(text, width, size, weight):
        ax.text(x, y, line, fontsize=size, color=colour, va="top", fontweight=weight)
        y -= size * text_layout.POINT * spacing
    return y


def draw_table(ax: "Axes", table: SheetTable, x: float, y: float, width: float) -> float:
    """Draw a table below `y`; return where it ends."""
    if table.title:
        ax.text(x, y, table.title, fontsize=10.5, fontweight="bold", va="top")
        y -= 0.26
    share = width / sum(table.widths)
    edges = [x]
    for column in table.widths:
        edges.append(edges[-1] + column * share)
    lines = max(name.count("\n") + 1 for name in table.head)
    bottom = y - ROW * lines * 0.85
    for left, right, name in zip(edges, edges[1:], table.head, strict=False):
        ax.text(
            (left + right) / 2, bottom + 0.05, name, fontsize=8, color=GREY,
            ha="center", va="bottom", linespacing=1.15,
        )  # fmt: skip
    ax.plot([x, edges[-1]], [bottom, bottom], color=INK, linewidth=0.8)
    y = bottom
    for at, row in enumerate(table.rows):
        for column, (left, right, text) in enumerate(
            zip(edges, edges[1:], row, strict=False)
        ):
            shade = -1
            if table.shades is not None and column:
                shade = table.shades[at][column - 1]
            if shade >= 0:
                add_box(ax, left, y, right - left, ROW, SHADES[shade], "white", 0.6)
            ax.text(
                (left + right) / 2, y - ROW / 2 - 0.005, text, fontsize=CELL_SIZE,
                ha="center", va="center",
                color="white" if shade == len(SHADES) - 1 else INK,
                fontweight="bold" if column == 0 else "normal",
            )  # fmt: skip
        y -= ROW
        if table.shades is None and (at + 1) % 5 == 0 and at + 1 < len(table.rows):
            ax.plot([x, edges[-1]], [y, y], color=GREY, linewidth=0.3)
    ax.plot([x, edges[-1]], [y, y], color=INK, linewidth=0.8)
    return y


def add_box(
    ax: "Axes",
    left: float,
    top: float,
    width: float,
    height: float,
    face: str,
    edge: str = "none",
    line: float = 0.0,
) -> None:
    """Draw a filled box, `top` its upper edge, with an edge `line` points wide."""
    from matplotlib.patches import Rectangle

    ax.add_patch(
        Rectangle(
            (left, top - height), width, height, facecolor=face, edgecolor=edge, lw=line
        )
    )


def _legend(ax: "Axes", names: tuple[str, ...], y: float) -> float:
    """Draw what the shades mean."""
    x = MARGIN
    for shade, name in zip(SHADES, names, strict=True):
        add_box(ax, x, y, 0.26, 0.16, shade, GREY, 0.5)
        ax.text(x + 0.33, y - 0.08, name, fontsize=TEXT_SIZE, va="center")
        x += 0.55 + text_layout.text_width(name, TEXT_SIZE)
    return y - 0.18
