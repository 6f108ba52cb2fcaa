"""Drawings of boards for printing, with triangular points and round checkers.

The roller's checkers are dark, and the roller's home board is at the lower right. The
opponent's checkers are light, with the home board at the upper right. If all checkers are
within twelve points of home, only this half of the board is drawn.
"""

from typing import TYPE_CHECKING

from bearoff import Position, Race
from bearoff.analysis.output import GREY, INK, SHADES

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

HALF = 12
"""Number of points in each of the two rows of a full board."""

HOME_WIDTH = 6
"""Number of points in a home board."""

HEIGHT = 10.5
"""Height of the board in widths of a point: two stacks of five checkers and a gap."""

NAMED = (1, 6, 12, 13, 18, 24)
"""Points that are labelled with their numbers on a full board."""

TALLEST = 5
"""Maximum number of checkers drawn in a stack; a taller stack is labelled with its
number."""

DARK, LIGHT = "#2b2b2b", "#ffffff"
"""Colours of the roller's and the opponent's checkers."""

_LEGEND = 0.85
"""Height of the strip of point numbers above and below the board, in widths of a point."""

_TRAY = 1.8
"""Width of the area beside the board for checkers borne off, in widths of a point."""


def columns_of(race: Race) -> int:
    """Return the number of points in each row of the drawing of a race: 6 or 12.

    Examples
    --------
    >>> columns_of(Race(Position((0, 0, 2)), Position((1, 0, 0))))
    6
    """
    farthest = max(race.roller.highest, race.opponent.highest)
    return HOME_WIDTH if farthest <= HOME_WIDTH else HALF


def width_to_height(race: Race) -> float:
    """Return the ratio of width to height of the drawing of a race."""
    return (columns_of(race) + _TRAY + 0.2) / (HEIGHT + 2 * _LEGEND)


def place_of(point: int, columns: int, *, roller: bool) -> tuple[float, bool]:
    """Return the x coordinate of a board point, and whether it is in the lower row.

    Examples
    --------
    On a full board, the roller's ace point is in the lower row, and the midpoint in the
    upper row:

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
        Race with checkers on up to 24 points per side.
    ax : Axes
        Axes to draw on. Both axes get the same scale, and ticks and frame are removed.
    size : float
        Font size in points.

    Returns
    -------
    list of Artist
        Circles of the checkers, beginning with the roller's.
    """
    from matplotlib.patches import Polygon, Rectangle

    columns = columns_of(race)
    ax.set_xlim(-0.1, columns + _TRAY + 0.1)
    ax.set_ylim(-_LEGEND, HEIGHT + _LEGEND)
    ax.set_aspect("equal")
    ax.axis("off")
    # `add_patch` would take three times as long as `add_artist`, and would update data
    # limits, which are fixed here.
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
    # On a full board, the two-digit numbers of adjacent points would overlap, so only some
    # points are numbered.
    for point in range(1, 2 * columns + 1) if columns == HOME_WIDTH else NAMED:
        x, below = place_of(point, columns, roller=True)
        if columns == HOME_WIDTH:
            # If only the home boards are drawn, the upper row is the opponent's home board.
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
    """Draw the number of checkers borne off beside the board."""
    if not side.off:
        return
    ax.text(
        columns + 0.35, 0.12 * HEIGHT if roller else 0.88 * HEIGHT, f"{side.off}\noff",
        fontsize=size, color=INK, ha="left", va="center", linespacing=1.1,
    )  # fmt: skip
