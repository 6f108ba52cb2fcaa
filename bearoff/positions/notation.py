"""Parsers of all position notations, and writers of the notations with both players."""

import re
from dataclasses import replace

from bearoff import checks
from bearoff.errors import ContactError, PositionError
from bearoff.positions.match_id import format_match_id
from bearoff.positions.numbering import (
    POINTS,
    check_size,
    position_count,
    unrank_one,
)
from bearoff.positions.ogid import format_ogid
from bearoff.positions.pasted import find_setup
from bearoff.positions.position_id import encode_position_id
from bearoff.positions.setup import Board, Setup
from bearoff.positions.xgid import Xgid

Counts = tuple[int, ...]

LONGEST = 200
"""Maximum number of characters in a text with the position of one player. Valid texts need
up to 80."""

LONGEST_PASTED = 5000
"""Maximum number of characters in a pasted text with the positions of both players."""

BOARD = 24
"""Number of points on a backgammon board."""

_FORMS = (
    "a number (8887), the checkers on ace to six (3,3,2,0,2,1), the checkers off and on "
    "ace to six ((4,3,3,2,0,2,1)), a list of points ([1,1,6]), a position ID or an XGID"
)

_PLAIN = re.compile(r"\d{1,2}(?:,\d{1,2}){5,23}", re.ASCII)
_BETWEEN = re.compile(r"\s*,\s*|\s+|-")
_NUMBER = re.compile(r"\d{1,3}", re.ASCII)
ONE_SIDED = re.compile(r"[\d\s,()\[\]-]*", re.ASCII)
"""Regular expression for texts that contain only characters of one-player notations."""


def parse_position(text: str, points: int | None, checkers: int) -> Counts:
    """Parse one player's checkers from any notation; see `bearoff.Position.parse`."""
    text = _clean(text)
    if points is None:
        if is_two_sided(text):
            return parse_setup(text, None, checkers).roller
        points = points_of(text)
    check_size(points, checkers)
    if re.fullmatch(r"\d+", text, flags=re.ASCII):
        return _from_number(text, points, checkers)
    if is_two_sided(text):
        return parse_setup(text, points, checkers).roller
    if len(text) > LONGEST:
        raise PositionError(
            f"the position of one side may have at most {LONGEST} characters, got "
            f"{len(text)}: {_shown(text)}"
        )
    if text[0] == "[" and text[-1] == "]":
        return _from_list(text, _numbers(text[1:-1], text), points, checkers)
    bare = text[1:-1] if text[0] == "(" and text[-1] == ")" else text
    numbers = _numbers(bare, text)
    if len(numbers) == points:
        return _check_total(numbers, checkers, text)
    if len(numbers) == points + 1:
        if sum(numbers) != checkers:
            raise PositionError(
                f"the checkers off and on the points must add up to {checkers}, but those "
                f"in {text!r} add up to {sum(numbers)}"
            )
        return numbers[1:]
    raise PositionError(
        f"{points} numbers are read as the checkers on each point, {points + 1} as the "
        f"checkers off and on each point; got {len(numbers)} numbers in {text!r}"
    )


def parse_setup(text: str, points: int | None, checkers: int) -> Setup:
    """Parse both players' checkers and the game's state; see `bearoff.Race.parse`."""
    check_size(POINTS if points is None else points, checkers)
    text = _clean(text)
    found = parse_board(text)
    _check_no_contact(found.roller, found.opponent, text)
    if points is None:
        points = max(_farthest(found.roller), _farthest(found.opponent), POINTS)
    return replace(
        found,
        roller=_within(found.roller, points, checkers, text),
        opponent=_within(found.opponent, points, checkers, text),
    )


def parse_board(text: str) -> Setup:
    """Parse both players' checkers and the state of the game, even if there is contact.

    Raises
    ------
    PositionError, ScoreError
        If the text does not contain both players' positions, contains several different
        positions, or has an impossible score.
    """
    text = _clean(text)
    found = find_setup(text)
    if found is None and ":" in text and len(text) <= LONGEST:
        # `Xgid.parse` raises an error that says what is wrong with the text.
        found = Xgid.parse(text).setup
    if found is None:
        raise PositionError(
            "a position of both sides must be an XGID, an OGID, a position ID or a board "
            f"drawn in text, got {_shown(text)}"
        )
    return found


def is_two_sided(text: str) -> bool:
    """Return whether a text looks like a notation for the checkers of both players."""
    text = checks.instance(text, "a position", str).strip()
    if ONE_SIDED.fullmatch(text):
        return False
    try:
        return ":" in text or find_setup(text) is not None
    except ValueError:
        return True  # The text describes both players, but contains an error.


def plain_counts(text: str) -> Counts | None:
    """Return the checkers in a text such as ``3,3,2,0,2,1``; None for other texts."""
    return tuple(map(int, text.split(","))) if _PLAIN.fullmatch(text) else None


def points_of(text: str) -> int:
    """Return the number of points in a notation for one player, at least 6."""
    text = text.strip()
    if text.startswith("[") or is_two_sided(text):
        return BOARD
    numbers = len(re.findall(r"\d+", text)) - text.startswith("(")
    return POINTS if numbers <= 1 else min(numbers, BOARD)


def format_xgid(setup: Setup) -> str:
    """Return the XGID of a race, with the roller as the lower player."""
    return str(Xgid.of(setup))


def format_gnu_id(setup: Setup) -> str:
    """Return GNU Backgammon's position ID and match ID, joined by a colon."""
    return f"{encode_position_id(setup.roller, setup.opponent)}:{format_match_id(setup)}"


def write_ogid(setup: Setup) -> str:
    """Return the OGID of a race, with the roller as White."""
    return format_ogid(setup)


def _clean(text: str) -> str:
    text = checks.instance(text, "a position", str).strip()
    if not text:
        raise PositionError(f"a position is required: {_FORMS}")
    most = LONGEST if ONE_SIDED.fullmatch(text) else LONGEST_PASTED
    if len(text) > most:
        raise PositionError(
            f"a position may have at most {most} characters, got {len(text)}: "
            f"{_shown(text)}"
        )
    return text


def _shown(text: str) -> str:
    return repr(text) if len(text) <= LONGEST else f"{text[:20]!r}..."


def _numbers(text: str, whole: str) -> Counts:
    """Parse integers that are separated by commas, spaces or hyphens."""
    if text.strip() == "":
        return ()
    # A dash after a space is a minus sign, so "2 -1" differs from "2-1".
    parts = _BETWEEN.split(text.strip())
    if not all(map(_NUMBER.fullmatch, parts)):
        raise PositionError(f"cannot read {whole!r} as a position; use {_FORMS}")
    return tuple(map(int, parts))


def _from_number(text: str, points: int, checkers: int) -> Counts:
    size = position_count(points, checkers)
    if len(text) > 12 or int(text) >= size:
        raise PositionError(f"a position number must be from 0 to {size - 1}, got {text}")
    return unrank_one(int(text), points)


def _from_list(text: str, numbers: Counts, points: int, checkers: int) -> Counts:
    if len(numbers) > checkers:
        raise PositionError(
            f"a side may have at most {checkers} checkers, got {len(numbers)} in {text!r}"
        )
    beyond = [point for point in numbers if point > points]
    if beyond:
        raise PositionError(
            f"points must be from 1 to {points}, or 0 for a checker off, got {beyond[0]} "
            f"in {text!r}"
        )
    return tuple(numbers.count(point) for point in range(1, points + 1))


def _check_total(counts: Counts, checkers: int, text: str) -> Counts:
    if sum(counts) > checkers:
        raise PositionError(
            f"a side may have at most {checkers} checkers, got {sum(counts)} in "
            f"{_shown(text)}"
        )
    return counts


def _check_no_contact(roller: Board, opponent: Board, text: str) -> None:
    if roller[24] or opponent[24]:
        raise ContactError(
            f"a race must have no checker on the bar, but {_shown(text)} has one"
        )
    farthest = _farthest(roller), _farthest(opponent)
    if sum(farthest) > BOARD:
        raise ContactError(
            f"a race must have no contact, but in {_shown(text)} the rearmost checkers are "
            f"on points {farthest[0]} and {farthest[1]}, whose sum exceeds 24"
        )


def _farthest(board: Board) -> int:
    return max((p for p, n in enumerate(board[:BOARD], 1) if n), default=0)


def _within(board: Board, points: int, checkers: int, text: str) -> Counts:
    if any(board[points:BOARD]):
        raise PositionError(
            f"all checkers must be on the {points} points of the table, but {_shown(text)} "
            f"has one on point {_farthest(board)}"
        )
    return _check_total(board[:points], checkers, text)
