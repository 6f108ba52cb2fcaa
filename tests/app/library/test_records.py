"""Files of the same match in different formats are recognised as one match."""

from dataclasses import replace
from functools import cache

import pytest

from bearoff import Judge
from bearoff.analysis import formulas
from bearoff.analysis.review import review
from bearoff.app.library.library import Library
from bearoff.app.library.records import digest_of, places_of
from bearoff.app.library.sealed import put, rows
from bearoff.app.library.tables import decision_number
from bearoff.app.library.wanted import Wanted
from bearoff.game import Board
from bearoff.game.records import parse_match, read_match
from research.public_matches import by_match, contents
from tests.app.library.conftest import DATA, as_of, reviewed


def with_first_game(record, **changes):
    first, *others = record.games
    return replace(record, games=(replace(first, **changes), *others))  # type: ignore[arg-type]


def test_a_match_is_known_in_every_format_and_thirteen_are_thirteen():
    """Games that cannot be replayed are written differently by each program."""
    found = {}
    for name, files in by_match().items():
        records = (parse_match(data, name + suffix) for suffix, data in files.items())
        found[name] = set(map(digest_of, records))
    assert all(len(digests) == 1 for digests in found.values())
    assert len(set.union(*found.values())) == len(found) == 13


@pytest.mark.parametrize(
    ("changes", "for_money"),
    [
        ({"won": (5, 0)}, False),
        ({"won": (4, 4), "crawford": True}, False),
        ({"cube_value": 2, "cube_owner": 0}, True),
        ({"cube_value": 2, "cube_owner": 1}, True),
        ({"cube_value": 2}, True),
    ],
)
def test_a_games_beginning_counts(changes, for_money):
    record = replace(read_match(DATA / "gnubg_session.mat"), length=0 if for_money else 7)
    assert digest_of(with_first_game(record, **changes)) != digest_of(record)
    same = with_first_game(record, board=Board.start())
    assert digest_of(same) == digest_of(record)


def exchanged(game):
    actions = tuple(replace(one, player=1 - one.player) for one in game.actions)
    return replace(game, won=game.won[::-1], actions=actions)


def test_which_player_is_the_first_makes_no_difference():
    record = replace(read_match(DATA / "gnubg_session.mat"), length=7)
    record = with_first_game(record, won=(5, 2))
    other = replace(record, games=tuple(map(exchanged, record.games)))
    assert digest_of(other) == digest_of(record)


def test_digests_and_obsolete_decisions_are_brought_up_to_date_but_notes_stay(tmp_path):
    record, found = reviewed("gnubg_match.mat")
    now = Library(tmp_path / "now.sqlite")
    now.keep(record, found)
    places = [place for place, one in places_of(record).items() if one.in_race]
    assert len(places) == len(found.judged)
    free = min(set(range(1, max(places))) - set(places))
    with now.file.writing() as connection:
        for table in ("decisions", "details"):
            first = next(rows(connection, f"SELECT * FROM {table}", table))
            put(connection, table, first | {"id": decision_number(1, free)})
    now.notes.add(f"1.{free}", "oddly quiet")
    old = as_of(4, now, tmp_path / "old.sqlite", matches=lambda row: row | {"digest": "?"})
    assert not old.keep(record, found).new
    assert len(old.matches()) == 1
    kept = old.decisions_of(1)
    assert [one.reference for one in kept] == [f"1.{place}" for place in sorted(places)]
    assert len(old.search(Wanted(text="quiet"))) == len(kept)
    old.file.check()


@cache
def of_three():
    """Return a match of several games, and its review by the fast model."""
    name = "eXBNG5wZHS5Alu3P.mat"
    record = parse_match(contents()[name], name)
    return record, review(record, Judge([], patience=0.0), formulas.get("ladder"))


def test_a_continued_match_completes_the_stored_one(tmp_path):
    record, found = of_three()
    *games, last = record.games
    first = [one for one in found.judged if one.game != last.number]
    assert 0 < len(first) < len(found.judged)
    begun = replace(record, games=tuple(games)), replace(found, judged=first)
    library, whole = Library(tmp_path / "one.sqlite"), Library(tmp_path / "whole.sqlite")
    assert library.keep(*begun).new
    kept = library.keep(record, found)
    assert (kept.match, kept.new) == (1, False)
    assert kept.decisions == len(found.judged) - len(first)
    whole.keep(record, found)
    (one,), (other,) = library.matches(), whole.matches()
    assert (one.won, one.decisions) == (other.won, other.decisions)
    assert library.decisions_of(1) == whole.decisions_of(1)
    assert library.record(1) == record
    assert library.keep(record, found).decisions == 0
    library.file.check()


def test_a_match_reviewed_during_a_game_is_completed_later_and_others_are_others(tmp_path):
    record, found = of_three()

    def part(games, actions):
        *before, last = record.games[:games]
        last = replace(last, actions=last.actions[:actions], winner=None, points=0)
        return replace(record, games=(*before, last))

    library, nothing = Library(tmp_path / "library.sqlite"), replace(found, judged=[])
    assert library.keep(part(1, 9), nothing).new
    for games, actions in ((1, 10), (1, 1000), (2, 0), (2, 1), (3, 5)):
        kept = library.keep(part(games, actions), nothing)
        assert (kept.match, kept.new) == (1, False), (games, actions)
    assert library.keep(replace(record, source="other.mat"), found).new
    library = Library(tmp_path / "second.sqlite")
    library.keep(part(3, 5), nothing)
    assert library.keep(record, found).match == 1
    assert library.record(1) == record
    assert len(library.decisions_of(1)) == len(found.judged)
    library.file.check()
    others = replace(record, games=record.games[:1], players=("Ann", "Bob"))
    library = Library(tmp_path / "third.sqlite")
    assert library.keep(others, nothing).new
    assert library.keep(record, nothing).new
    assert len(library.matches()) == 2
