"""Boards drawn for print: points as triangles, checkers as discs, both sides at once.

The roller's checkers are dark, with home at the lower right; the opponent's are
light, with home at the upper right. With all checkers within twelve points of home
only the half board that holds them is drawn.
"""

from typing import TYPE_CHECKING

from bearoff import Position, Race
from bearoff.analysis.output import GREY, INK, SHADES

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

HALF = 12
"""Points on each long side of the board."""

HOME_WIDTH = 6
"""Points of a quarter of the board."""

HEIGHT = 10.5
"""Of the board, in widths of a point: two stacks of five and a strip between."""

NAMED = (1, 6, 12, 13, 18, 24)
"""Points of the whole board whose numbers are drawn."""

TALLEST = 5
"""Checkers of a stack; a taller one says its number."""

DARK, LIGHT = "#2b2b2b", "#ffffff"
"""The checkers of the roller and of the opponent."""

_LEGEND = 0.85
"""Height of the strip of point numbers, above and below."""

_TRAY = 1.8
"""Width of the strip that says how many checkers are off."""


def columns_of(race: Race) -> int:
    """Return the columns of points that a race needs, 6 or 12.

    Examples
    --------
    >>> columns_of(Race(Position((0, 0, 2)), Position((1, 0, 0))))
    6
    """
    farthest = max(race.roller.highest, race.opponent.highest)
    return HOME_WIDTH if farthest <= HOME_WIDTH else HALF


def width_to_height(race: Race) -> float:
    """Return how wide the drawing of a race is to its height."""
    return (columns_of(race) + _TRAY + 0.2) / (HEIGHT + 2 * _LEGEND)


def place_of(point: int, columns: int, *, roller: bool) -> tuple[float, bool]:
    """Return where a side's point is: the middle from the left, and whether below.

    Examples
    --------
    The roller's ace point on a full board, and the midpoint, which is above:

    >>> place_of(1, 12, roller=True), place_of(13, 12, roller=True)
    ((11.5, True), (0.5, False))
    """
    near = point <= HALF
    column = columns - point if near else point - HALF - 1
    return column + 0.5, near == roller


def plot_board(race: Race, *, ax: "Axes", size: float = 8.0) -> list["Artist"]:
    """Draw a race on a board.

    Parameters
    ----------
    race : Race
        Checkers of both sides on up to 24 points.
    ax : Axes
        Given an equal scale, with its own ticks and frame taken away.
    size : float
        Points of the letters.

    Returns
    -------
    list of Artist
        The discs of the checkers, those of the roller first.
    """
    from matplotlib.patches import Polygon, Rectangle

    columns = columns_of(race)
    ax.set_xlim(-0.1, columns + _TRAY + 0.1)
    ax.set_ylim(-_LEGEND, HEIGHT + _LEGEND)
    ax.set_aspect("equal")
    ax.axis("off")
    # As patches they would be measured for limits, which are set: three times as long.
    for k in range(columns):
        shade = SHADES[1] if k % 2 else "#e9e6de"
        for base, tip in ((0.0, 0.43 * HEIGHT), (HEIGHT, 0.57 * HEIGHT)):
            ax.add_artist(
                Polygon(
                    [(k, base), (k + 1, base), (k + 0.5, tip)],
                    facecolor=shade,
                    edgecolor=GREY,
                    linewidth=0.3,
                )
            )
    ax.add_artist(
        Rectangle(
            (0, 0), columns, HEIGHT, fill=False, edgecolor=INK, linewidth=1.1, zorder=4
        )
    )
    if columns == HALF:
        ax.plot([HOME_WIDTH] * 2, [0, HEIGHT], color=INK, linewidth=2.2, zorder=1)
    # On a whole board neighbours of two digits would run together.
    for point in range(1, 2 * columns + 1) if columns == HOME_WIDTH else NAMED:
        x, below = place_of(point, columns, roller=True)
        if columns == HOME_WIDTH:
            # The upper row shows the opponent's own home points.
            below = point <= HOME_WIDTH
            x = columns - (point if below else point - HOME_WIDTH) + 0.5
        ax.text(
            x,
            -0.12 if below else HEIGHT + 0.08,
            str(point if columns == HALF else (point - 1) % HOME_WIDTH + 1),
            fontsize=size,
            color=GREY,
            ha="center",
            va="top" if below else "bottom",
        )
    discs: list[Artist] = []
    for side, roller in ((race.roller, True), (race.opponent, False)):
        discs += _plot_side(side, columns, roller=roller, size=size, ax=ax)
        _plot_tray(side, columns, roller=roller, size=size, ax=ax)
    return discs


def _plot_side(
    side: Position, columns: int, *, roller: bool, size: float, ax: "Axes"
) -> list["Artist"]:
    from matplotlib.patches import Circle

    face, edge = (DARK, "#ffffff") if roller else (LIGHT, INK)
    discs: list[Artist] = []
    for point, checkers in enumerate(side.counts, start=1):
        x, below = place_of(point, columns, roller=roller)
        for level in range(min(checkers, TALLEST)):
            y = level + 0.5 if below else HEIGHT - level - 0.5
            disc = Circle(
                (x, y), 0.46, facecolor=face, edgecolor=edge, linewidth=0.9, zorder=3
            )
            ax.add_artist(disc)
            discs.append(disc)
        if checkers > TALLEST:
            level = TALLEST - 1
            ax.text(
                x, level + 0.47 if below else HEIGHT - level - 0.53, str(checkers),
                fontsize=size, color="white" if roller else INK, fontweight="bold",
                ha="center", va="center", zorder=5,
            )  # fmt: skip
    return discs


def _plot_tray(
    side: Position, columns: int, *, roller: bool, size: float, ax: "Axes"
) -> None:
    """Say how many checkers are off, beside the board."""
    if not side.off:
        return
    ax.text(
        columns + 0.35, 0.12 * HEIGHT if roller else 0.88 * HEIGHT, f"{side.off}\noff",
        fontsize=size, color=INK, ha="left", va="center", linespacing=1.1,
    )  # fmt: skip
