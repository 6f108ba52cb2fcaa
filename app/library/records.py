"""Records of matches: what tells one from all others, and how they are stored."""

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from bearoff import BearoffError
from bearoff.analysis.review import Decision
from bearoff.game import Board
from bearoff.game.records import (
    Action,
    GameRecord,
    MatchRecord,
    Moment,
    RecordedDecision,
    RecordError,
    decisions_at,
    moments,
)

_LEVEL = 6  # Of compression: a record has a fifth of its size.

_LARGEST = 1 << 28
"""Bytes of a match, unpacked; a library may be restored from what a stranger sent."""


def digest_of(record: MatchRecord) -> str:
    """Return what tells a match from all others, whatever file it is read from.

    That is its length, how each game begins, and what was rolled, played and decided, seen
    by whoever did it: files differ in how they write plays, which player is the first, and
    whether they say that a roll could not be played.
    """
    return digests_of(record).games[-1]


class Digests(NamedTuple):
    """Digests of a match and of its beginnings: one that goes on begins as it was kept.

    Attributes
    ----------
    games : list of str
        After each game; the last is of the whole.
    actions : list of str
        After each action, as of files that break off there.
    """

    games: list[str]
    actions: list[str]


def digests_of(record: MatchRecord) -> Digests:
    """Return the digests of a match and of its beginnings."""
    whole = hashlib.sha256(repr(record.length).encode())
    if not any(game.actions for game in record.games):
        whole.update(repr((record.players, record.source)).encode())
        return Digests([whole.hexdigest()], [])
    found = Digests([], [])
    for game in record.games:
        try:
            played = [said for moment in moments(record, game) for said in _done(moment)]
        except BearoffError:
            # What nobody can follow is written as each program likes; its rolls are not.
            played = [said for action in game.actions for said in _rolled(action)]
        bare = whole.copy()
        bare.update(repr([*_beginning(record, replace(game, actions=()))]).encode())
        found.actions.append(bare.hexdigest())
        whole.update(b"[")
        for place, said in enumerate([*_beginning(record, game), *played]):
            whole.update((", " * (place > 0) + repr(said)).encode())
            broken_off = whole.copy()
            broken_off.update(b"]")
            found.actions.append(broken_off.hexdigest())
        whole.update(b"]")
        found.games.append(whole.hexdigest())
    return found


def _beginning(record: MatchRecord, game: GameRecord) -> Iterator[object]:
    """Score, board and cube before a game, seen by whoever acts first."""
    first = game.actions[0].player if game.actions else 0
    if record.length:
        yield game.won if first == 0 else game.won[::-1]
        yield game.crawford
    if game.board is not None and game.board != Board.start():
        yield (game.board if first == 0 else game.board.turned).points
    if game.cube_value > 1:
        yield game.cube_value, game.cube_owner == first


def _done(moment: Moment) -> Iterator[object]:
    """An action as it is on the board; a roll that could not be played is none."""
    action = moment.action
    if moment.after is None:
        yield from _rolled(action)
    elif moment.after != moment.board:
        assert action.roll is not None
        yield sorted(action.roll)
        yield moment.after.points


def _rolled(action: Action) -> Iterator[object]:
    """An action without where checkers went; resigning is not in every file."""
    if action.roll is None:
        yield from [action.kind] * (action.kind != "resign")
    elif action.text:
        yield sorted(action.roll)


def places_of(record: MatchRecord) -> dict[int, RecordedDecision]:
    """Return the decisions of a match's races by their places, from 1.

    A roll before which who may double could gain nothing has a place for that, too: the
    library numbered it once, and what it keeps must not change its number.
    """
    found: dict[int, RecordedDecision] = {}
    place = 0
    for game in record.games:
        with suppress(RecordError):
            for moment in moments(record, game):
                decisions = [one for one in decisions_at(moment) if one.in_race]
                rolls = moment.race is not None and moment.action.kind == "play"
                place += rolls and moment.may_double and not moment.can_gain
                for decision in decisions:
                    place += 1
                    found[place] = decision
    return found


def digest_of_list(judged: Sequence[Decision]) -> str:
    """Return what tells a list of positions from all others."""
    said = [(one.race.xgid, one.kind, one.decided) for one in judged]
    return hashlib.sha256(repr(said).encode()).hexdigest()


def packed(record: MatchRecord) -> bytes:
    """Return a match as it is stored."""
    return zlib.compress(_records().dump_json(record), _LEVEL)


def record_of(packed: bytes) -> MatchRecord:
    """Return a match as it was read from its file."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(packed, _LARGEST)
    except zlib.error as error:
        raise ValueError(f"a match in it cannot be unpacked: {error}") from error
    if not unpacking.eof:
        raise ValueError(f"a match in it unpacks to more than {_LARGEST:,} bytes")
    record: MatchRecord = _records().validate_json(text)
    return record


@lru_cache
def _records() -> Any:
    from pydantic import TypeAdapter  # Slow to import.

    return TypeAdapter(MatchRecord)
