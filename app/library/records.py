"""Digests that identify recorded matches, and the library's storage format of matches."""

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from bearoff import BearoffError
from bearoff.analysis.review import ContactQuestion
from bearoff.answers import Question
from bearoff.app.position_lists import Listed
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
from bearoff.positions import Setup, format_xgid

_LEVEL = 6
"""Compression level of zlib, which reduces match records to a fifth of their size."""

BEFORE_RACES = 1 << 19
"""Offset of the numbers of a match's decisions before the races: the first is this plus 1.
"""

_LARGEST = 1 << 28
"""Maximum size of an unpacked match, in bytes."""


def digest_of(record: MatchRecord) -> str:
    """Return a digest that identifies a match, whatever its file format.

    The digest depends on the match length, the beginning of each game, and all rolls, plays
    and decisions. It does not depend on the notation of plays, the order of the players, or
    whether a file lists rolls without a legal play.
    """
    return digests_of(record).games[-1]


class Digests(NamedTuple):
    """Digests that identify a match and each of its beginnings.

    A match that was stored unfinished is recognised as the beginning of a longer match.

    Attributes
    ----------
    games : list of str
        Digest of the match up to the end of each game.
    actions : list of str
        Digest of the match up to each action.
    """

    games: list[str]
    actions: list[str]


def digests_of(record: MatchRecord) -> Digests:
    """Return the digests of a match and of each of its beginnings."""
    whole = hashlib.sha256(repr(record.length).encode())
    if not any(game.actions for game in record.games):
        whole.update(repr((record.players, record.source)).encode())
        return Digests([whole.hexdigest()], [])
    found = Digests([], [])
    for game in record.games:
        try:
            played = [said for moment in moments(record, game) for said in _done(moment)]
        except BearoffError:
            # The notation of a play that cannot be replayed differs between programs, but
            # the notation of rolls does not.
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
    """Yield score, board and cube before a game, from the first player's viewpoint."""
    first = game.actions[0].player if game.actions else 0
    if record.length:
        yield game.won if first == 0 else game.won[::-1]
        yield game.crawford
    if game.board is not None and game.board != Board.start():
        yield (game.board if first == 0 else game.board.turned).points
    if game.cube_value > 1:
        yield game.cube_value, game.cube_owner == first


def _done(moment: Moment) -> Iterator[object]:
    """Yield the effect of an action on the board, or nothing if no play is legal."""
    action = moment.action
    if moment.after is None:
        yield from _rolled(action)
    elif moment.after != moment.board:
        assert action.roll is not None
        yield sorted(action.roll)
        yield moment.after.points


def _rolled(action: Action) -> Iterator[object]:
    """Yield the dice of a roll, or the kind of another action except a resignation."""
    if action.roll is None:
        yield from [action.kind] * (action.kind != "resign")
    elif action.text:
        yield sorted(action.roll)


def places_of(record: MatchRecord) -> dict[int, RecordedDecision]:
    """Return the decisions of a match, keyed by number.

    Decisions in races are numbered from 1, and decisions before the races from
    `BEFORE_RACES` + 1. A roll before which a double would gain nothing takes a number too,
    so that the numbers of stored decisions never change.
    """
    found: dict[int, RecordedDecision] = {}
    place, before = 0, BEFORE_RACES
    for game in record.games:
        with suppress(RecordError):
            for moment in moments(record, game):
                decisions = decisions_at(moment)
                rolls = moment.race is not None and moment.action.kind == "play"
                place += rolls and moment.may_double and not moment.can_gain
                for decision in decisions:
                    if decision.in_race:
                        place += 1
                        found[place] = decision
                    else:
                        before += 1
                        found[before] = decision
    return found


def places_of_list(listed: Sequence[Listed]) -> dict[int, list[int]]:
    """Return, for each line of a list, its position's number in the library.

    If several files have the same name, a line number may have several positions.
    """
    races, before = count(1), count(BEFORE_RACES + 1)
    found: dict[int, list[int]] = {}
    for _, line, question in listed:
        if not isinstance(question, str):
            place = next(races if isinstance(question, Question) else before)
            found.setdefault(line, []).append(place)
    return found


def digest_of_list(listed: Sequence[Listed]) -> str:
    """Return a digest of all positions of a list, whether they have been judged or not."""
    said = [
        (format_xgid(_setup(question)), _after(question), question.decided)
        for _, _, question in listed
        if not isinstance(question, str)
    ]
    return hashlib.sha256(repr(said).encode()).hexdigest()


def _setup(question: Question | ContactQuestion) -> Setup:
    return question.race.setup if isinstance(question, Question) else question.setup


def _after(question: Question | ContactQuestion) -> tuple[int, ...] | None:
    """Return the checkers on each point after the play that a question names, or None."""
    if isinstance(question, ContactQuestion):
        return None if question.after is None else question.after.points
    with suppress(BearoffError):
        after = question.after()
        return None if after is None else after.counts
    return None


def packed(record: MatchRecord) -> bytes:
    """Return a match as compressed JSON, as the library stores it."""
    return zlib.compress(_records().dump_json(record), _LEVEL)


def record_of(packed: bytes) -> MatchRecord:
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(packed, _LARGEST)
    except zlib.error as error:
        raise ValueError(
            f"the compressed record of a match in the library cannot be read: {error}"
        ) from error
    if not unpacking.eof:
        raise ValueError(f"a match in the library unpacks to more than {_LARGEST:,} bytes")
    record: MatchRecord = _records().validate_json(text)
    return record


@lru_cache
def _records() -> Any:
    from pydantic import TypeAdapter  # The import of pydantic is slow.

    return TypeAdapter(MatchRecord)
