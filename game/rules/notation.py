"""Notation of plays, such as ``13/7 8/7``, ``bar/22*``, ``24/18*/13`` and ``6/off(2)``."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np

from bearoff import PositionError, RollError, checks
from bearoff.game.rules.board import BAR, Board
from bearoff.game.rules.plays import plays_of_numbers
from bearoff.plays import why_no_play, write_moves
from bearoff.rolls import check_roll, dice_of

Move = tuple[int, int, bool]
"""Move of a checker: its first point (25 for the bar), its last point (0 for off), and
whether it hits."""

_LONGEST = 200
"""Maximum number of characters of a play. It is twice the length of a double with all
intermediate points."""

_CANNOT = re.compile(r"(cannot|can't|can’t) move|no (legal )?moves?|dance[sd]?|-+", re.I)


def format_play(
    board: Board, after: Board, roll: tuple[int, int], *, highest: int = 6
) -> str:
    """Return the notation of the play of a roll that leads from one board to another.

    Parameters
    ----------
    board, after : Board
        Boards before and after the play, both from the roller's viewpoint.
    roll : tuple of int
        The two numbers of the roll, from 1 to `highest`.
    highest : int
        Largest number that can be thrown or named; 6 for dice.

    Returns
    -------
    str
        Moves from the highest point downwards. ``*`` marks a hit, ``(2)`` two equal moves,
        and ``cannot move`` means that no checker can move.

    Raises
    ------
    PositionError
        If no play of the roll leads from one board to the other.

    Examples
    --------
    >>> start = Board.start()
    >>> after = read_play(start, "8/5 6/5", (3, 1))
    >>> format_play(start, after, (1, 3))
    '8/5 6/5'
    """
    return write_moves(play_moves(board, after, roll, highest=highest)) or "cannot move"


def play_moves(
    board: Board, after: Board, roll: tuple[int, int], *, highest: int = 6
) -> tuple[Move, ...]:
    """Return the moves, one per number, that lead from one board to another.

    Parameters
    ----------
    board, after : Board
        Boards before and after the play, both from the roller's viewpoint.
    roll : tuple of int
        The two numbers of the roll, from 1 to `highest`.
    highest : int
        Largest number that can be thrown or named; 6 for dice.

    Returns
    -------
    tuple of (int, int, bool)
        First point (25 for the bar), last point (0 for off), and whether the checker hits,
        for each move.

    Raises
    ------
    PositionError
        If no play of the roll leads from one board to the other.

    Examples
    --------
    >>> start = Board.start()
    >>> play_moves(start, read_play(start, "24/13", (6, 5)), (6, 5))
    ((24, 18, False), (18, 13, False))
    """
    high, low = _checked(roll, highest)
    if (plays_of_numbers(board, high, low) == after.array).all(axis=1).any():
        dice = dice_of((high, low))
        for order in (dice, dice[::-1]):
            for count in range(len(dice), -1, -1):
                for moves in _ways(board.points, after.points, order[:count], BAR):
                    return moves
    raise PositionError(
        f"no legal play of {high}-{low} leads from {board.xgid} to {after.xgid}"
    )


def read_play(board: Board, text: str, roll: tuple[int, int], *, highest: int = 6) -> Board:
    """Parse a play, and return the board after it from the roller's viewpoint.

    Parameters
    ----------
    board : Board
        Board before the play, from the roller's viewpoint.
    text : str
        Play as written by `format_play` or in match files. A checker's moves may be
        separate or joined, in any order, with or without marks for hits. ``25`` is the bar,
        and ``0`` is off. The text is empty or ``cannot move`` if no checker can move.
    roll : tuple of int
        The two numbers of the roll, from 1 to `highest`.
    highest : int
        Largest number that can be thrown or named; 6 for dice.

    Raises
    ------
    PositionError
        If the text is not a play, or not a legal play of the roll, or marks a hit on a
        point where the play hits nothing.

    Examples
    --------
    >>> read_play(Board.start(), "13/7 13/8", (6, 5)).points[13]
    3
    """
    words = checks.instance(text, "a play", str).split()
    if (length := len(" ".join(words))) > _LONGEST:
        raise PositionError(
            f"a play may have at most {_LONGEST} characters, got {length}: {text[:20]!r}..."
        )
    high, low = _checked(roll, highest)
    legal = plays_of_numbers(board, high, low)
    said = f"{' '.join(words)!r}" if words else "no move"
    own = np.maximum(board.array, 0).astype(int)
    legs: list[tuple[int, int]] = []
    marked: set[int] = set()
    if words and not _CANNOT.fullmatch(" ".join(words)):
        legs, marked = _read_words(words)
    for source, target in legs:
        own[source] -= 1
        own[target] += target > 0
    ours = (np.maximum(legal, 0) == own).all(axis=1)
    found = legal[ours].tolist()
    if len(found) > 1:
        # Two paths of a checker to the same point may hit different blots. The intermediate
        # points in the notation tell which path is meant.
        hits = {target for _, target in legs if target and board.points[target] == -1}
        found = [row for row in found if _blots_hit(board, row) == hits]
    if len(found) != 1:
        most = max(board.pips[0] - Board(tuple(row)).pips[0] for row in legal.tolist())
        why = why_no_play(board.points, legs, (high, low), most)
        raise PositionError(f"{said} is not a legal play of {high}-{low}: {why}")
    _check_marks(said, marked, _blots_hit(board, found[0]))
    return Board(tuple(found[0]))


def move_checkers(board: Board, text: str) -> Board:
    """Return the board after the moves in a text, even if no roll allows them.

    Parameters
    ----------
    board : Board
        Board before the moves, from the roller's viewpoint.
    text : str
        Moves in a form that `read_play` reads.

    Raises
    ------
    PositionError
        If the text is not a play, a moved checker is missing, a point is blocked, or
        nothing is hit on a point that has a mark.

    Examples
    --------
    >>> move_checkers(Board.start(), "13/8 6/5").points[13]
    4
    """
    points, hits = list(board.points), set()
    legs, marked = _read_words(text.split(), backwards=True)
    for source, target in legs:
        if points[source] <= 0 or (target and points[target] < -1):
            raise PositionError(f"no checker can move {source}/{target} in {text[:60]!r}")
        points[source] -= 1
        if target and points[target] == -1:
            points[target] = 0
            points[0] -= 1
            hits.add(target)
        points[target] += target > 0
    _check_marks(repr(text[:60]), marked, hits)
    return Board(tuple(points))


def _check_marks(said: str, marked: set[int], hits: set[int]) -> None:
    """Raise an error if a play marks a hit where nothing is hit.

    Hits without a mark are accepted, because many files leave out all marks.
    """
    if wrong := sorted(marked - hits, reverse=True):
        raise PositionError(
            f"{said} marks a hit on point {wrong[0]}, but hits nothing there; omit the *"
        )


def _blots_hit(board: Board, after: list[int]) -> set[int]:
    return {p for p in range(1, BAR) if board.points[p] == -1 and after[p] != -1}


def _checked(roll: tuple[int, int], highest: int) -> tuple[int, int]:
    if highest == 6:
        return check_roll(roll)
    high, low = (checks.integer(n, "a number", 1, highest, RollError) for n in roll)
    return max(high, low), min(high, low)


def _read_words(
    words: Iterable[str], *, backwards: bool = False
) -> tuple[list[tuple[int, int]], set[int]]:
    """Return the moves of a play, and the points that are marked with ``*``."""
    read = [_read_word(word, backwards=backwards) for word in words]
    legs = [leg for moves, _ in read for leg in moves]
    return legs, {point for _, marked in read for point in marked}


@lru_cache(4096)
def _read_word(
    word: str, *, backwards: bool = False
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return the moves and the marked points of a word such as ``24/18*/13``."""
    found = re.fullmatch(
        r"((?:bar|\d{1,2}\*?)(?:[/-](?:\d{1,2}\*?|off))+)(?:\(([1-4])\))?", word, re.I
    )
    if found is None:
        raise PositionError(
            f"a play must be written like 13/7 8/7, bar/22* or 6/off(2), got {word!r}"
        )
    stops = re.split(r"[/-]", found[1].lower())
    places, marked = [], []
    for stop in stops:
        name = stop.rstrip("*")
        place = {"bar": BAR, "off": 0}.get(name)
        place = int(name) if place is None else place
        if place > BAR:
            raise PositionError(f"a point must be from 1 to 24, got {place} in {word!r}")
        places.append(place)
        if name != stop:
            marked.append(place)
    moves = tuple(pairwise(places))
    if not backwards and any(target >= source for source, target in moves):
        raise PositionError(f"checkers must move to lower points, got {word!r}")
    return moves * int(found[2] or 1), tuple(marked)


def _ways(
    board: tuple[int, ...], after: tuple[int, ...], dice: tuple[int, ...], last: int
) -> Iterator[tuple[Move, ...]]:
    """Yield the sequences of moves that play the dice in order and lead to a given board.

    For a double, only sequences are tried in which no move starts from a higher point than
    the move before.
    """
    if not dice:
        if board == after:
            yield ()
        return
    double = len(set(dice)) == 1
    for source in range(last if double else BAR, 0, -1):
        if board[source] <= 0 or (board[BAR] > 0 and source != BAR):
            continue
        target = max(source - dice[0], 0)
        points = list(board)
        points[source] -= 1
        hit = target > 0 and board[target] == -1
        if target and board[target] < -1:
            continue
        if target:
            points[target] = 1 if hit else board[target] + 1
            points[0] -= hit
        for moves in _ways(tuple(points), after, dice[1:], source):
            yield ((source, target, hit), *moves)
