"""Drawing of tables on a page, in black and grey."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bearoff.analysis.output import GREY, INK, SHADES, pages, style, text_layout
from bearoff.analysis.sheets.sheet import Sheet, SheetTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARGIN = 0.5
"""Page margin in inches."""

CELL_SIZE, TEXT_SIZE = 8.5, 9.0
"""Font sizes of table cells and of sentences, in points."""

ROWS = (0.155, 0.19, 0.25)
"""Minimum, usual and maximum height of a table row, in inches."""


class _Unseen:
    """Figure and axes of a page that is only measured; all their methods do nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: self


@dataclass(frozen=True)
class Page:
    """Page on which to draw; coordinates are inches from the lower left corner.

    Attributes
    ----------
    ax : Axes
        Axes that cover the whole page.
    width, height : float
        Paper size in inches.
    seen : bool
        Whether the page is drawn. Otherwise, it is only measured, which is faster.
    """

    figure: "Figure"
    ax: "Axes"
    width: float
    height: float
    seen: bool

    @classmethod
    def of(cls, width: float, height: float, *, seen: bool = True) -> "Page":
        if not seen:
            unseen: Any = _Unseen()
            return cls(unseen, unseen, width, height, seen)
        from matplotlib.figure import Figure

        figure = Figure(figsize=(width, height))
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_xlim(0, width)
        ax.set_ylim(0, height)
        ax.axis("off")
        return cls(figure, ax, width, height, seen)

    @property
    def room(self) -> float:
        return self.width - 2 * MARGIN


def sheet_figure(sheet: Sheet, paper: pages.Paper = pages.A4) -> "Figure":
    """Draw a sheet on a page, with rows as tall as the page allows."""
    least, _, most = ROWS
    _, end = _drawn(sheet, paper, least, seen=False)
    lines = sum(len(table.rows) for table in sheet.tables)
    row = min(least + (end - MARGIN) / lines, most)
    if row < least:
        raise ValueError(f"the sheet {sheet.name!r} does not fit on the page")
    return _drawn(sheet, paper, row)[0].figure


def _drawn(
    sheet: Sheet, paper: pages.Paper, row: float, *, seen: bool = True
) -> tuple[Page, float]:
    """Draw, or only measure, a sheet; return the page and the lowest y coordinate.

    All lengths, such as the height of a row, are in inches.
    """
    with style():
        page = Page.of(paper.width, paper.height, seen=seen)
        ax, y = page.ax, page.height - MARGIN
        ax.text(MARGIN, y, sheet.title, fontsize=16, fontweight="bold", va="top")
        y = write_text(ax, sheet.lead, MARGIN, y - 0.36, width=page.room)
        if sheet.legend:
            y = _legend(ax, sheet.legend, y - 0.08)
        for table in sheet.tables:
            y = draw_table(ax, table, MARGIN, y - 0.2, page.room, row)
        y -= 0.18
        for note in sheet.notes:
            y = write_text(ax, note, MARGIN, y, width=page.room, size=8, colour=GREY) - 0.05
    return page, y


def write_text(
    ax: "Axes",
    text: str,
    x: float,
    y: float,
    *,
    width: float,
    size: float = TEXT_SIZE,
    colour: str = INK,
    weight: str = "normal",
    spacing: float = 1.35,
) -> float:
    """Write a paragraph, wrapped to a width in inches; return the y coordinate below it."""
    for line in text_layout.wrapped(text, width, size, weight):
        ax.text(x, y, line, fontsize=size, color=colour, va="top", fontweight=weight)
        y -= size * text_layout.POINT * spacing
    return y


def draw_table(
    ax: "Axes", table: SheetTable, x: float, y: float, width: float, row: float = ROWS[1]
) -> float:
    """Draw a table with rows of a given height; return the y coordinate below it."""
    if table.title:
        ax.text(x, y, table.title, fontsize=10.5, fontweight="bold", va="top")
        y -= 0.26
    share = width / sum(table.widths)
    edges = [x]
    for column in table.widths:
        edges.append(edges[-1] + column * share)
    lines = max(name.count("\n") + 1 for name in table.head)
    bottom = y - ROWS[1] * lines * 0.85
    for left, right, name in zip(edges, edges[1:], table.head, strict=False):
        ax.text(
            (left + right) / 2, bottom + 0.07, name, fontsize=8, color=GREY,
            ha="center", va="baseline", linespacing=1.15,
        )  # fmt: skip
    ax.plot([x, edges[-1]], [bottom, bottom], color=INK, linewidth=0.8)
    y = bottom
    for at, cells in enumerate(table.rows):
        for column, (left, right, text) in enumerate(
            zip(edges, edges[1:], cells, strict=False)
        ):
            shade = -1
            if table.shades is not None and column:
                shade = table.shades[at][column - 1]
            if shade >= 0:
                add_box(ax, left, y, right - left, row, SHADES[shade], "white", 0.6)
            ax.text(
                (left + right) / 2, y - row / 2 - 0.005, text, fontsize=CELL_SIZE,
                ha="center", va="center",
                color="white" if shade == len(SHADES) - 1 else INK,
                fontweight="bold" if column == 0 else "normal",
            )  # fmt: skip
        y -= row
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
    from matplotlib.patches import Rectangle

    # `add_patch` would also update data limits, which are fixed here.
    ax.add_artist(
        Rectangle(
            (left, top - height), width, height, facecolor=face, edgecolor=edge, lw=line
        )
    )


def _legend(ax: "Axes", names: tuple[str, ...], y: float) -> float:
    x = MARGIN
    for shade, name in zip(SHADES, names, strict=True):
        add_box(ax, x, y, 0.26, 0.16, shade, GREY, 0.5)
        ax.text(x + 0.33, y - 0.08, name, fontsize=TEXT_SIZE, va="center")
        x += 0.55 + text_layout.text_width(name, TEXT_SIZE)
    return y - 0.18
