"""Parser of boards that GNU Backgammon or eXtreme Gammon has drawn as text.

X's home board is at the bottom right, and O's home board above it. GNU Backgammon numbers
the points from the viewpoint of the player on roll, eXtreme Gammon always from X's
viewpoint. In eXtreme Gammon's boards, X is on roll unless a line says otherwise. The
innermost cell of a tall stack shows the number of checkers, as digits or as ``A`` to ``F``
for 10 to 15.
"""

import re

from bearoff.errors import PositionError
from bearoff.positions.setup import Board, Setup, dice_from, match_score
from bearoff.stakes import CubeOwner

_X_BELOW = "+13-14-15-16-17-18------19-20-21-22-23-24-+"
_X_ABOVE = "+12-11-10--9--8--7-------6--5--4--3--2--1-+"
_ROW = re.compile(r"^[^|]{0,8}\|(.{18})\|(.{3})\|(.{18})\|(.*)$")


def holds_board(text: str) -> bool:
    """Return whether a text contains a board that is drawn with characters."""
    return _X_BELOW in text and _X_ABOVE in text


def parse_drawn(text: str) -> Setup:
    """Parse a drawn board, together with the dice, cube and score written next to it.

    Raises `PositionError` if the text has several boards or a damaged board, and
    `ScoreError` if the score is impossible.
    """
    if text.count(_X_BELOW) > 1 or text.count(_X_ABOVE) > 1:
        raise PositionError(
            "the text contains more than one board; pass one position at a time"
        )
    lines = text.splitlines()
    top, bottom = sorted(
        next(i for i, line in enumerate(lines) if edge in line)
        for edge in (_X_BELOW, _X_ABOVE)
    )
    rows = [_ROW.match(line.expandtabs()) for line in lines[top + 1 : bottom]]
    middle = next((i for i, row in enumerate(rows) if row and "BAR" in row[2]), None)
    if None in rows or middle is None:
        raise PositionError(
            "the drawn board is damaged: each row must have 6 points, the bar and 6 "
            "points between vertical lines, and the middle row must contain BAR"
        )
    sides: dict[str, list[int]] = {"X": [0] * 25, "O": [0] * 25}
    for squares, half in ((rows[:middle], "top"), (rows[middle + 1 :], "bottom")):
        for column in range(12):
            cells = [_cell(row, column) for row in squares if row]
            owner, count = _stack(cells)
            if count:
                place = 13 + column if half == "top" else 12 - column
                sides[owner][(place if owner == "X" else 25 - place) - 1] = count
        owner, count = _stack([row[2].strip() for row in squares if row])
        if count:
            sides[owner][24] = count
    for owner, board in sides.items():
        if sum(board) > 15:
            raise PositionError(
                f"a side may have at most 15 checkers, but {owner} has {sum(board)} on the "
                "drawn board"
            )
    x_rolls = _x_rolls(text, lines[top])
    return _with_state(text, lines[top : bottom + 1], sides, x_rolls=x_rolls)


def _cell(row: re.Match[str], column: int) -> str:
    half, place = divmod(column, 6)
    return row[1 if half == 0 else 3][3 * place : 3 * place + 3].strip()


def _stack(cells: list[str]) -> tuple[str, int]:
    """Return who owns the checkers on a point of a drawn board, and their number."""
    owners = {cell for cell in cells if cell in ("X", "O")}
    stated = [cell for cell in cells if cell not in ("", "X", "O")]
    if not owners and not stated:
        return "", 0
    if len(owners) != 1 or len(stated) > 1:
        raise PositionError(
            "a point of the drawn board may contain checkers of only one side, got "
            f"{' '.join(filter(None, cells))}"
        )
    if not stated:
        return owners.pop(), sum(cell != "" for cell in cells)
    if not re.fullmatch(r"1[0-5]|[2-9]|[A-F]", stated[0]):
        raise PositionError(
            "the number of checkers on a point of the drawn board must be from 2 to 15, "
            f"got {stated[0]!r}"
        )
    return owners.pop(), int(stated[0], 16 if stated[0].isalpha() else 10)


def _x_rolls(text: str, top_edge: str) -> bool:
    if _X_ABOVE in top_edge:
        return False
    said = re.search(r"^\s*([XO])[: ]+(?:to play|on roll|to roll)", text, re.MULTILINE)
    return said is None or said[1] == "X"


def _with_state(
    text: str, board: list[str], sides: dict[str, list[int]], *, x_rolls: bool
) -> Setup:
    boards: tuple[Board, Board] = tuple(sides["X"]), tuple(sides["O"])
    turn = 1 if x_rolls else -1
    value, owner = _cube(text, board, turn)
    length, won = _score(text, board)
    crawford = "crawford" in text.lower().replace("post-crawford", "")
    dice = re.search(r"(?:Rolled|to play:?)\s+([1-6])-?([1-6])\b", text)
    return Setup(
        *boards[::turn],
        cube=CubeOwner(owner * turn).cube,
        cube_value=value,
        score=match_score(
            length,
            (won[0], won[1]) if x_rolls else (won[1], won[0]),
            crawford=crawford,
            text="the drawing",
        ),
        dice=dice_from(dice[1] + dice[2]) if dice else None,
        jacoby=length == 0 and "Jacoby" in text,
    )


def _cube(text: str, board: list[str], turn: int) -> tuple[int, int]:
    """Return the cube value and its owner: 1 for player X, -1 for O, 0 if centred."""
    if offered := re.search(r"Cube offered at (\d+)", text):
        value = int(offered[1]) // 2
        # Before the double, a cube at 1 was in the centre, and a higher cube belonged to
        # the player who doubled.
        return value, turn if value > 1 else 0
    if found := re.search(r"Cube: (\d+)(?:, ([XO]) own)?", text):
        owner = {"X": 1, "O": -1}.get(found[2] or "", 0)
        for line in (board[0], board[-1]):
            if own := re.search(r"\b([XO]): .*\(Cube: \d+\)", line):
                owner = 1 if own[1] == "X" else -1
        return _power(int(found[1])), owner
    return 1, 0


def _power(value: int) -> int:
    if value < 1 or value & (value - 1):
        raise PositionError(
            f"the cube value must be a power of 2 (1, 2, 4, ...), got {value}"
        )
    return value


def _score(text: str, board: list[str]) -> tuple[int, tuple[int, int]]:
    """Return the match length (0 for money) and the points that X and O have won."""
    if said := re.search(r"X:(\d+) O:(\d+)[ ,]+(\d+) p(?:oin)?t", text):
        return int(said[3]), (int(said[1]), int(said[2]))
    length = re.search(r"(\d+) points? match", text)
    points = [
        int(n) for line in board for n in re.findall(r"\| .*?(\d+) points?\s*$", line)
    ]
    if length is None or len(points) != 2:
        return 0, (0, 0)
    return int(length[1]), (points[1], points[0])
