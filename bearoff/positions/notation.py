"""One reader of every notation of positions, and the printers of the two-sided ones."""

import re

from bearoff import checks
from bearoff.errors import PositionError
from bearoff.positions.numbering import check_size, position_count, unrank_one
from bearoff.positions.position_id import (
    Board,
    decode_position_id,
    encode_position_id,
    looks_like_position_id,
)
from bearoff.positions.xgid import Xgid

Counts = tuple[int, ...]

LONGEST = 200
"""Characters that a position may have; the longest notation needs about 80."""

_FORMS = (
    "a number (8887), the checkers on ace to six (3,3,2,0,2,1), a vector with those off "
    "first ((4,3,3,2,0,2,1)), a list of points ([1,1,6]), a position ID or an XGID"
)


def parse_position(text: str, points: int, checkers: int) -> Counts:
    """Read one side; see `bearoff.Position.parse`."""
    check_size(points, checkers)
    text = _clean(text)
    if re.fullmatch(r"\d+", text, flags=re.ASCII):
        return _from_number(text, points, checkers)
    if is_two_sided(text):
        return parse_race(text, points, checkers)[0]
    if text[0] == "[" and text[-1] == "]":
        return _from_list(text, _numbers(text[1:-1], text), points, checkers)
    bare = text[1:-1] if text[0] == "(" and text[-1] == ")" else text
    numbers = _numbers(bare, text)
    if len(numbers) == points:
        return _check_total(numbers, checkers, text)
    if len(numbers) == points + 1:
        if sum(numbers) != checkers:
            raise PositionError(
                f"a vector's numbers add up to {checkers} checkers, those of {text!r} to "
                f"{sum(numbers)}"
            )
        return numbers[1:]
    raise PositionError(
        f"{points} numbers are the checkers on each point and {points + 1} a vector, got "
        f"{len(numbers)} in {text!r}"
    )


def parse_race(text: str, points: int, checkers: int) -> tuple[Counts, Counts]:
    """Read both sides, the one on roll first; see `bearoff.Race.parse`."""
    check_size(points, checkers)
    text = _clean(text)
    if ":" in text:
        roller, opponent = Xgid.parse(text).sides
    elif looks_like_position_id(text):
        roller, opponent = decode_position_id(text)
    else:
        raise PositionError(
            f"two sides are given by a position ID or an XGID, got {text!r}"
        )
    _check_no_contact(roller, opponent, text)
    return (
        _within(roller, points, checkers, text),
        _within(opponent, points, checkers, text),
    )


def is_two_sided(text: str) -> bool:
    """Whether `text` has the form of a notation that carries both sides."""
    text = checks.instance(text, "a position", str).strip()
    if text.isdigit():
        return False
    return text.startswith("XGID=") or ":" in text or looks_like_position_id(text)


def format_position_id(roller: Counts, opponent: Counts) -> str:
    """Write the position ID of a race."""
    return encode_position_id(_board(roller), _board(opponent))


def format_xgid(roller: Counts, opponent: Counts) -> str:
    """Write the XGID of a race: money play, cube centred, the lower player on roll."""
    return str(Xgid(_board(roller), _board(opponent)))


def _clean(text: str) -> str:
    text = checks.instance(text, "a position", str).strip()
    if not text:
        raise PositionError(f"a position is needed: {_FORMS}")
    if len(text) > LONGEST:
        raise PositionError(
            f"a position has at most {LONGEST} characters, got {len(text)}: "
            f"{text[:20]!r}..."
        )
    return text


def _numbers(text: str, whole: str) -> Counts:
    """Read whole numbers separated by a comma, a space or a dash."""
    if text.strip() == "":
        return ()
    # A dash after a space would be a sign: "2 -1" is no 2-1.
    parts = re.split(r"\s*,\s*|\s+|-", text.strip())
    if not all(re.fullmatch(r"\d{1,3}", part, flags=re.ASCII) for part in parts):
        raise PositionError(f"cannot read {whole!r} as a position; write {_FORMS}")
    return tuple(map(int, parts))


def _from_number(text: str, points: int, checkers: int) -> Counts:
    size = position_count(points, checkers)
    if len(text) > 12 or int(text) >= size:
        raise PositionError(f"position numbers run from 0 to {size - 1}, got {text}")
    return unrank_one(int(text), points)


def _from_list(text: str, numbers: Counts, points: int, checkers: int) -> Counts:
    if len(numbers) > checkers:
        raise PositionError(
            f"a side has at most {checkers} checkers, got {len(numbers)} in {text!r}"
        )
    beyond = [point for point in numbers if point > points]
    if beyond:
        raise PositionError(
            f"checkers stand on points 1 to {points}, or 0 for off; got {beyond[0]} in "
            f"{text!r}"
        )
    return tuple(numbers.count(point) for point in range(1, points + 1))


def _check_total(counts: Counts, checkers: int, text: str) -> Counts:
    if sum(counts) > checkers:
        raise PositionError(
            f"a side has at most {checkers} checkers, got {sum(counts)} in {text!r}"
        )
    return counts


def _check_no_contact(roller: Board, opponent: Board, text: str) -> None:
    if roller[24] or opponent[24]:
        raise PositionError(f"a race has no checker on the bar, got one in {text!r}")
    farthest = [
        max((p for p, n in enumerate(side, 1) if n), default=0)
        for side in (roller, opponent)
    ]
    if sum(farthest) > 24:
        raise PositionError(
            f"a race has no contact, but in {text!r} the sides' farthest checkers stand "
            f"on points {farthest[0]} and {farthest[1]}, more than 24 together"
        )


def _within(board: Board, points: int, checkers: int, text: str) -> Counts:
    if any(board[points:24]):
        farthest = max(p for p, n in enumerate(board, 1) if n)
        raise PositionError(
            f"the table has {points} points and {text!r} has a checker on point {farthest}"
        )
    return _check_total(board[:points], checkers, text)


def _board(counts: Counts) -> Board:
    return (*counts, *[0] * (25 - len(counts)))
