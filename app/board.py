"""Home boards drawn in the terminal, the opponent's above and the roller's below.

Each side is drawn on its own points, the ace to the right, where it bears off. Stacks
grow from the edge; of more than five checkers the innermost square says how many.
"""

from collections.abc import Sequence

from bearoff import Position

ROLLER, OPPONENT = "●", "○"

TALLEST = 5
"""Squares of a stack; a taller one shows its number."""

_WIDE = 12
"""Points up to which columns stand four apart; 24 points stay within 80 columns."""


def draw_side(position: Position) -> str:
    """Draw one side.

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
    """Draw both sides, the opponent's stacks hanging from the upper edge.

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


def _stacks(position: Position, checker: str) -> list[str]:
    """Rows of one side from the innermost squares to the edge, at least one."""
    height = max(1, min(TALLEST, max(position.counts)))

    def square(count: int, level: int) -> str:
        if level == TALLEST < count:
            return str(count)
        return checker if count >= level else ""

    counts = position.counts[::-1]
    return [
        _row([square(count, level) for count in counts]) for level in range(height, 0, -1)
    ]


def _numbers(left: str, right: str, points: int) -> str:
    return _edge(left, [str(point) for point in range(points, 0, -1)], right)


def _edge(left: str, cells: Sequence[str], right: str) -> str:
    """Join `cells` by a line, each ending where its column stands."""
    return f" {left}{_join(cells, '─')}─{right}"


def _row(cells: Sequence[str]) -> str:
    return f" │{_join(cells, ' ')} │"


def _join(cells: Sequence[str], filler: str) -> str:
    width = 4 if len(cells) <= _WIDE else 3
    line = "".join(cell.rjust(width, filler) for cell in cells)
    return line[width - 2 :]
