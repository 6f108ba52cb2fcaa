"""Drawings of boards in the terminal.

In a race, each side is drawn on its own points, with the ace point on the right. With
contact, one board shows both sides, and its points are numbered for the roller. The
opponent's checkers are at the top. If a point has more than five checkers, a number
replaces the fifth.
"""

from collections.abc import Sequence

from bearoff import Position
from bearoff.game import Board

ROLLER, OPPONENT = "●", "○"

TALLEST = 5
"""Maximum number of checkers drawn on a point; on a higher stack, a number replaces the
last one."""

_WIDE = 12
"""Maximum number of points of a board whose columns are 4 characters wide. The columns of
larger boards are narrower, so that 24 points fit into 80 characters."""


def draw_side(position: Position) -> str:
    """Draw the checkers of one side.

    Examples
    --------
    >>> print(draw_side(Position((7, 3, 2, 0, 2, 1))))
     ┌───────────────────────┐
     │                     7 │
     │                     ● │
     │                 ●   ● │
     │     ●       ●   ●   ● │
     │ ●   ●       ●   ●   ● │
     └─6───5───4───3───2───1─┘
    """
    lid = _edge("┌", [""] * position.points, "┐")
    floor = _numbers("└", "┘", position.points)
    return "\n".join((lid, *_stacks(position, ROLLER), floor))


def draw_race(roller: Position, opponent: Position) -> str:
    """Draw a race as two boards, the opponent's above the roller's.

    Examples
    --------
    >>> print(draw_race(Position((3, 2, 1, 0, 0, 0)), Position((4, 1, 0, 0, 0, 0))))
     ┌─6───5───4───3───2───1─┐
     │                 ○   ○ │
     │                     ○ │
     │                     ○ │
     │                     ○ │
     │                       │
     │                     ● │
     │                 ●   ● │
     │             ●   ●   ● │
     └─6───5───4───3───2───1─┘
    """
    points = roller.points
    rows = (
        _numbers("┌", "┐", points),
        *reversed(_stacks(opponent, OPPONENT)),
        _row([""] * points),
        *_stacks(roller, ROLLER),
        _numbers("└", "┘", points),
    )
    return "\n".join(rows)


def draw_board(board: Board) -> str:
    """Draw a whole board from the viewpoint of the player on roll.

    Examples
    --------
    >>> print(draw_board(Board.start()))
     ┌─13──14──15──16──17──18─┬─────┬─19──20──21──22──23──24─┬─────┐
     │  ●               ○     │     │  ○                   ● │     │
     │  ●               ○     │     │  ○                   ● │     │
     │  ●               ○     │     │  ○                     │     │
     │  ●                     │     │  ○                     │     │
     │  ●                     │     │  ○                     │     │
     │                        │ bar │                        │ off │
     │  ○                     │     │  ●                     │     │
     │  ○                     │     │  ●                     │     │
     │  ○               ●     │     │  ●                     │     │
     │  ○               ●     │     │  ●                   ○ │     │
     │  ○               ●     │     │  ●                   ○ │     │
     └─12──11──10───9───8───7─┴─────┴──6───5───4───3───2───1─┴─────┘
    """
    points, (own_off, their_off) = board.points, board.off
    upper = [*points[13:19], points[0], *points[19:25], -their_off]
    lower = [*points[12:6:-1], points[25], *points[6:0:-1], own_off]
    levels = range(1, TALLEST + 1)
    rows = [[_square(count, level) for count in upper] for level in levels]
    rows.append(["", "", "", "", "", "", "bar", "", "", "", "", "", "", "off"])
    rows += [[_square(count, level) for count in lower] for level in reversed(levels)]
    return "\n".join(
        (
            _board_edge("┌┬┬┬┐", range(13, 25)),
            *(_board_row(row) for row in rows),
            _board_edge("└┴┴┴┘", range(12, 0, -1)),
        )
    )


def _square(count: int, level: int) -> str:
    """Return the symbol at one level of a stack; the opponent's `count` is negative."""
    if level == TALLEST < abs(count):
        return str(abs(count))
    return "" if abs(count) < level else ROLLER if count > 0 else OPPONENT


def _board_edge(corners: str, points: Sequence[int]) -> str:
    halves = [
        "".join(str(p).rjust(4, "─") for p in half)[1:] for half in (points[:6], points[6:])
    ]
    parts = (halves[0] + "─", "─" * 5, halves[1] + "─", "─" * 5)
    line = "".join(corner + part for corner, part in zip(corners, parts, strict=False))
    return f" {line}{corners[-1]}"


def _board_row(cells: Sequence[str]) -> str:
    halves = [
        "".join(cell.rjust(4) for cell in half)[1:] for half in (cells[:6], cells[7:13])
    ]
    bar, off = (f" {cells[k].center(3)}" for k in (6, 13))
    return " │" + "".join(f"{part} │" for part in (halves[0], bar, halves[1], off))


def _stacks(position: Position, checker: str) -> list[str]:
    """Draw the stacks of one side's checkers, one line per level, the top level first."""
    height = max(1, min(TALLEST, max(position.counts)))

    sign = 1 if checker == ROLLER else -1
    counts = position.counts[::-1]
    return [
        _row([_square(sign * count, level) for count in counts])
        for level in range(height, 0, -1)
    ]


def _numbers(left: str, right: str, points: int) -> str:
    return _edge(left, [str(point) for point in range(points, 0, -1)], right)


def _edge(left: str, cells: Sequence[str], right: str) -> str:
    """Return the top or bottom edge of a board, with an optional label for each column."""
    return f" {left}{_join(cells, '─')}─{right}"


def _row(cells: Sequence[str]) -> str:
    return f" │{_join(cells, ' ')} │"


def _join(cells: Sequence[str], filler: str) -> str:
    width = 4 if len(cells) <= _WIDE else 3
    line = "".join(cell.rjust(width, filler) for cell in cells)
    return line[width - 2 :]
