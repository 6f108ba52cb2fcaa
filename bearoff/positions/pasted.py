"""Search for a position of both players in a text that a user has pasted.

Programs write the same position in several notations. The notation with cube and score is
used. A text with two different positions is an error.
"""

import re
from collections.abc import Callable, Iterable
from itertools import product
from typing import TypeVar

from bearoff.errors import PositionError
from bearoff.positions import match_id, ogid
from bearoff.positions.drawn import holds_board, parse_drawn
from bearoff.positions.position_id import decode_position_id, looks_like_position_id
from bearoff.positions.setup import Setup
from bearoff.positions.xgid import Xgid

Found = TypeVar("Found")

_START, _END = r"(?<![A-Za-z0-9+/=:-])", r"(?![A-Za-z0-9+/])"
_XGID = re.compile(
    rf"(?:(?i:XGID)\s*=\s*|{_START})([-A-Oa-o]{{26}}(?::[-0-9A-Za-z]{{0,9}}){{4,12}})"
)
_GNU_PAIR = re.compile(
    rf"{_START}([A-Za-z0-9+/]{{14}})={{0,2}}:([A-Za-z0-9+/]{{12}}){_END}(?!:[WBN?D][0-9])"
)
"""Regular expression of GNU Backgammon's position ID and match ID. Its lookahead excludes
an OGID that begins in the same way."""
_POSITION = re.compile(rf"Position\s+ID\s*:?\s*([A-Za-z0-9+/]{{14}}){_END}", re.IGNORECASE)
_MATCH = re.compile(r"Match\s+ID\s*:?\s*([A-Za-z0-9+/]+)", re.IGNORECASE)
_OGID = re.compile(rf"(?:(?i:OGID)\s*[=:]\s*|(?<![A-Za-z0-9:]))({ogid.PATTERN})")


_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_DAMAGED = re.compile(
    rf"(XGID\s*=\s*)((?:[-A-Oa-o{_DASHES}]\s{{0,4}}){{5,27}})"
    rf"((?:\s{{0,4}}(?::|%3A)\s{{0,4}}[-{_DASHES}\w]{{1,4}}){{8,9}})",
    re.IGNORECASE,
)
_WIDTHS = {"\u2013": (2, 1), "\u2014": (3, 2, 1)}
"""Numbers of hyphens for which a word processor may have written an en dash or an em dash,
the most common number first."""

_SQUARES = 26


def find_setup(text: str) -> Setup | None:
    """Return the position of both players in a text; None if there is none.

    Raises
    ------
    PositionError, ScoreError
        If the text has several positions, or a damaged position.

    Examples
    --------
    >>> find_setup("see xgid=-CBA-------------------ad-:0:0:1:52:0:0:0:0:10 !").dice
    (5, 2)
    """
    text = as_written(text)
    rest = text if (first := _xgid(text)) is None else _XGID.sub("", text).strip()
    others = (_gnu(rest), _ogid(rest)) if rest else ()
    found = [setup for setup in (first, *others) if setup is not None]
    for other in found[1:]:
        # After an offered double, one notation may begin with the doubler and the other
        # with the opponent. The order of the sides is therefore ignored.
        if {found[0].roller, found[0].opponent} != {other.roller, other.opponent}:
            raise PositionError(
                "the text contains different positions in two notations: "
                f"{Xgid.of(found[0])} and {Xgid.of(other)}; pass one of them"
            )
    return found[0] if found else _drawn(text)


def as_written(text: str) -> str:
    """Restore XGIDs in a text that other programs, such as word processors, have damaged.

    Web addresses contain ``%3D`` and ``%3A`` instead of ``=`` and ``:``, mail programs
    break lines, and word processors replace one to three hyphens with a dash. The number of
    hyphens can be restored because the board has 26 characters.

    Examples
    --------
    >>> as_written("XGID%3D-BB" + 6 * "\u2014" + "-bbb-:0:0:1:00:0:0:0:0")
    'XGID=-BB-------------------bbb-:0:0:1:00:0:0:0:0'
    """
    if "XGID" not in text.upper():
        return text
    text = re.sub(r"(?<=XGID)%3D", "=", text, flags=re.IGNORECASE)
    return _DAMAGED.sub(_mended, text)


def _mended(found: re.Match[str]) -> str:
    board, fields = ("".join(found[part].split()) for part in (2, 3))
    fields = re.sub(r"%3A", ":", fields, flags=re.IGNORECASE)
    fields = re.sub(f"[{_DASHES}]", "-", fields)
    for widths in product(*_WIDTHS.values()):
        whole = board
        for dash, width in zip(_WIDTHS, widths, strict=True):
            whole = whole.replace(dash, width * "-")
        whole = re.sub(f"[{_DASHES}]", "-", whole)
        if len(whole) == _SQUARES:
            return f"{found[1]}{whole}{fields}"
    return found[0]


def _xgid(text: str) -> Setup | None:
    found = _XGID.findall(text)
    if not found and (named := re.search(r"\bXGID\s*=\s*\S{0,120}", text, re.IGNORECASE)):
        found = [named[0]]  # The parser of XGIDs raises an error that says what is wrong.
    return _only(found, lambda one: Xgid.parse(one).setup)


def _gnu(text: str) -> Setup | None:
    pairs = _GNU_PAIR.findall(text)
    if not pairs:
        positions, matches = _POSITION.findall(text), _MATCH.findall(text)
        alone = text.strip().removesuffix("==")
        if looks_like_position_id(alone) and not alone.isdigit():
            positions = [alone]
        if matches and len(matches) != len(positions):
            raise PositionError(
                f"the text contains {len(positions)} position IDs and {len(matches)} match "
                "IDs; pass one of each"
            )
        pairs = list(zip(positions, matches or len(positions) * [""], strict=True))
    return _only(pairs, _of_gnu)


def _of_gnu(pair: tuple[str, str]) -> Setup:
    boards = decode_position_id(pair[0])
    return match_id.setup_of(pair[1], *boards) if pair[1] else Setup(*boards)


def _ogid(text: str) -> Setup | None:
    return _only(_OGID.findall(text), ogid.parse_ogid)


def _drawn(text: str) -> Setup | None:
    return parse_drawn(text) if holds_board(text) else None


def _only(found: Iterable[Found], read: Callable[[Found], Setup]) -> Setup | None:
    different = list(dict.fromkeys(found))
    if len(different) > 1:
        raise PositionError(
            f"the text contains {len(different)} positions, such as {different[0]!r} and "
            f"{different[1]!r}; pass one at a time"
        )
    return read(different[0]) if different else None
