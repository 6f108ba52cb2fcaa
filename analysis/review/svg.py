"""Boards as SVG, for web pages and flashcards.

The roller's checkers are dark and move towards the lower right; the opponent's are light.
Colours are CSS variables with default values, so a page can replace them for dark mode.
"""

from dataclasses import dataclass
from typing import Protocol

from bearoff import Race
from bearoff.game import Board
from bearoff.game.state import GameState

WIDTH, HEIGHT = 324, 252
"""Width and height of the SVG view box."""

_STEP = 22
_RADIUS = 10
_LEFT, _TOP, _BOTTOM = 6, 18, 234
_BAR = 14
_TRAY = _LEFT + 12 * _STEP + _BAR + 6
_TALLEST = 5
"""Maximum number of checkers drawn in a stack; a taller stack is labelled with its
number."""


class DrawableSide(Protocol):
    """Interface of the checkers of one side in the drawing of a board."""

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of checkers on each point from the ace point on, and on the bar if any."""

    @property
    def off(self) -> int:
        """Number of checkers borne off."""

    @property
    def pips(self) -> int:
        """Pip count of the side."""


@dataclass(frozen=True)
class BoardSide:
    """Checkers of one side on a board.

    Attributes
    ----------
    counts : tuple of int, 25 of them
        Checkers on the side's points, beginning with the ace point, and on the bar.
    off, pips : int
        Number of checkers borne off, and pip count.
    """

    counts: tuple[int, ...]
    off: int
    pips: int


def sides_of(position: Race | Board | GameState) -> tuple[DrawableSide, DrawableSide]:
    """Return the roller's and the opponent's checkers, including those on the bar."""
    if isinstance(position, Race):
        return position.roller, position.opponent
    board = position.board if isinstance(position, GameState) else position
    roller, opponent = zip(
        (board.roller, board.opponent), board.off, board.pips, strict=True
    )
    return BoardSide(*roller), BoardSide(*opponent)


def board_svg(
    roller: DrawableSide,
    opponent: DrawableSide,
    *,
    cube_value: int = 1,
    cube: str = "centred",
    dice: tuple[int, int] | None = None,
    title: str = "",
    label: str = "",
) -> str:
    """Draw a board as SVG.

    Parameters
    ----------
    roller, opponent : DrawableSide
        Checkers of the roller and of the opponent, each by the point numbers of its own
        side.
    cube_value : int
        Value of the cube.
    cube : {"centred", "owned", "opponent"}
        Owner of the cube, from the roller's viewpoint.
    dice : tuple of int or None
        Roll to draw; None without dice.
    title : str
        Text for screen readers, which is read after the pip counts.
    label : str
        Text for screen readers that replaces the title and pip counts, which could reveal
        the answer.

    Returns
    -------
    str
        SVG element as text.

    Examples
    --------
    >>> from bearoff import Position
    >>> text = board_svg(Position((0, 2, 0, 0, 0, 1)), Position((3,)))
    >>> text.count("class='r'"), text.count("class='o'")
    (3, 3)
    """
    label = label or (
        f"roller {roller.pips} pips, opponent {opponent.pips} pips; {title}".rstrip("; ")
    )
    parts = [
        f"<svg class='board' viewBox='0 0 {WIDTH} {HEIGHT}' role='img' "
        f"aria-label='{label}' xmlns='http://www.w3.org/2000/svg'>",
        f"<rect class='frame' x='{_LEFT - 2}' y='{_TOP - 2}' "
        f"width='{12 * _STEP + _BAR + 4}' "
        f"height='{_BOTTOM - _TOP + 4}'/>",
        f"<rect class='bar' x='{_LEFT + 6 * _STEP}' y='{_TOP}' width='{_BAR}' "
        f"height='{_BOTTOM - _TOP}'/>",
    ]
    parts += [_triangle(point) for point in range(1, 25)]
    for side, name, turn in ((roller, "r", False), (opponent, "o", True)):
        for point, count in enumerate(side.counts, start=1):
            if count:
                parts.append(_stack(25 - point if turn else point, count, name))
        if side.off:
            y = _TOP + 12 if turn else _BOTTOM - 4
            parts.append(f"<text x='{_TRAY}' y='{y}' class='off'>{side.off} off</text>")
    parts.append(_cube(cube_value, cube))
    if dice is not None:
        parts += [_die(value, k) for k, value in enumerate(dice)]
    return "".join((*parts, "</svg>"))


STYLE = """\
.board{--frame:#8a8578;--dark:#2b2b2b;--light:#fff;--odd:#d9d2c1;--even:#efe9dc;--ink:#222;
--ground:#f7f3ea;font:9px system-ui,sans-serif;max-width:24rem;width:100%;height:auto}
.board .frame{fill:var(--ground);stroke:var(--frame);stroke-width:2}
.board .bar{fill:var(--frame);opacity:.35}
.board .odd{fill:var(--odd)}.board .even{fill:var(--even)}
.board .r{fill:var(--dark);stroke:#000}.board .o{fill:var(--light);stroke:#444}
.board text{fill:var(--ink)}.board .n{text-anchor:middle;fill:var(--frame)}
.board .rn{fill:#fff;text-anchor:middle;font-weight:bold}
.board .on{fill:#222;text-anchor:middle;font-weight:bold}
.board .cube,.board .die{fill:#fff;stroke:#222}
.board .value{text-anchor:middle;font-weight:bold;fill:#222}
"""
"""CSS rules for pages that show boards."""


def _x(point: int) -> float:
    column = 12 - point if point <= 12 else point - 13
    return _LEFT + (column + 0.5) * _STEP + (_BAR if column >= 6 else 0)


def _triangle(point: int) -> str:
    x, low = _x(point), point <= 12
    base, tip = (_BOTTOM, _BOTTOM - 92) if low else (_TOP, _TOP + 92)
    kind = "odd" if point % 2 else "even"
    number = _BOTTOM + 12 if low else _TOP - 6
    return (
        f"<path class='{kind}' d='M{x - 10} {base}L{x} {tip}L{x + 10} {base}z'/>"
        f"<text class='n' x='{x}' y='{number}'>{point}</text>"
    )


def _stack(point: int, count: int, name: str) -> str:
    # Checkers on the bar are drawn in the middle of the board, the roller's in the lower
    # half.
    if point in (0, 25):
        x, y = _LEFT + 6 * _STEP + _BAR / 2, 156 if point else 96
        number = f"<text class='{name}n' x='{x}' y='{y + 3}'>{count}</text>"
        return f"<circle class='{name}' cx='{x}' cy='{y}' r='{_RADIUS - 0.5}'/>" + number
    x, low = _x(point), point <= 12
    parts = []
    for k in range(min(count, _TALLEST)):
        y = (_BOTTOM - _RADIUS - 2 * _RADIUS * k) if low else _TOP + _RADIUS * (2 * k + 1)
        parts.append(f"<circle class='{name}' cx='{x}' cy='{y}' r='{_RADIUS - 0.5}'/>")
    if count > _TALLEST:
        parts.append(f"<text class='{name}n' x='{x}' y='{y + 3}'>{count}</text>")
    return "".join(parts)


def _cube(value: int, place: str) -> str:
    y = {"centred": 126, "owned": _BOTTOM - 28, "opponent": _TOP + 28}[place]
    shown = 64 if value == 1 else value
    return (
        f"<rect class='cube' x='{_TRAY}' y='{y - 9}' width='18' height='18' rx='2'/>"
        f"<text class='value' x='{_TRAY + 9}' y='{y + 3}'>{shown}</text>"
    )


def _die(value: int, k: int) -> str:
    x = _x(9) + 24 * k
    return (
        f"<rect class='die' x='{x}' y='117' width='18' height='18' rx='3'/>"
        f"<text class='value' x='{x + 9}' y='129'>{value}</text>"
    )


def position_svg(position: Race | GameState, label: str = "") -> str:
    """Draw a position with its cube and dice as SVG."""
    return board_svg(
        *sides_of(position),
        cube_value=position.cube_value,
        cube=position.cube,
        dice=position.dice,
        label=label,
    )


def as_picture(board: str, width: int = 3 * WIDTH) -> str:
    """Return a board as a self-contained SVG file.

    Parameters
    ----------
    board : str
        Board as returned by `board_svg`.
    width : int
        Width in pixels.
    """
    size = f"width='{width}' height='{width * HEIGHT // WIDTH}' "
    style = f"<style>{STYLE}.board{{max-width:none;background:#fff}}</style>"
    head, rest = board.split(">", 1)
    return f"{head.replace('<svg ', f'<svg {size}', 1)}>{style}{rest}"
