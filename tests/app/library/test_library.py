"""Library of reviews: every judged decision is stored once."""

import os
import re
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace

import pytest

from bearoff import Judge, Race
from bearoff.analysis import formulas
from bearoff.analysis.review import (
    Estimates,
    Review,
    Reviewing,
    judge_question,
    totals,
    verdict_json,
)
from bearoff.answers import Question
from bearoff.app.library import fetching
from bearoff.app.library.keeper import Keeper
from bearoff.app.library.library import Library
from bearoff.app.library.questions import own_questions
from bearoff.app.library.sealed import StoreError, put, rows
from bearoff.app.library.tables import read_reference
from bearoff.app.library.wanted import Wanted
from tests.app.library.conftest import as_of, reviewed
from tests.decisions import costing

MATCHES = ("gnubg_match", "gnubg_session")


@pytest.mark.parametrize("name", MATCHES)
def test_what_is_kept_is_what_was_judged(library, name):
    record, review = reviewed(f"{name}.mat")
    kept = library.keep(record, review)
    assert (kept.new, kept.decisions) == (True, len(review.judged))
    for one, other in zip(library.decisions_of(kept.match), review.judged, strict=True):
        race, meant = one.judged.race, other.race
        assert replace(one.judged, position=other.position) == other
        assert race == meant.on_points(race.roller.points)
    assert library.record(kept.match) == record
    size = library.count()
    for again in (f"{name}.sgf", f"{name}.mat"):  # both files contain the same match
        same = library.keep(*reviewed(again))
        assert (same.match, same.new, same.decisions) == (kept.match, False, 0)
    assert (library.count(), len(library.matches())) == (size, 1)


def test_of_two_answers_the_better_stays_and_another_roll_is_another_match(library):
    record, review = reviewed("gnubg_session.mat")
    library.keep(record, review)
    place = next(n for n, one in enumerate(review.judged) if one.kind == "play")
    better = list(review.judged)
    better[place] = replace(costing(better[place], 0.25, 0.01), method="rollout")
    kept = library.keep(record, replace(review, judged=better))
    assert (kept.new, kept.decisions) == (False, 1)
    (worst,) = library.search(Wanted(cost=0.2))
    assert (worst.judged.cost, worst.judged.method) == (0.25, "rollout")
    assert library.keep(record, review).decisions == 0
    assert library.count(Wanted(cost=0.2)) == 1
    (game,) = record.games
    last = max(n for n, action in enumerate(game.actions) if action.roll is not None)
    shorter = replace(record, games=(replace(game, actions=game.actions[:last]),))
    assert library.keep(shorter, Review([], [])).new


def test_a_keeper_keeps_what_is_answered_better_after_the_last(library):
    record, review = reviewed("gnubg_session.mat")
    place = next(k for k, one in enumerate(review.judged) if one.method != "exact")
    better = list(review.judged)
    better[place] = replace(costing(better[place], 0.25), method="exact")
    keeper = Keeper(library)
    keeper.keep(record, review)
    keeper.keep(record, replace(review, judged=better))
    assert [one.judged.method for one in library.search(Wanted(cost=0.2))] == ["exact"]
    assert "1 new" in keeper.sentence()
    size = library.file.path.stat().st_mtime_ns
    keeper.keep(record, replace(review, judged=list(better)))  # this review adds nothing
    assert library.file.path.stat().st_mtime_ns == size


def test_what_another_file_says_beyond_is_added(library):
    record, review = reviewed("gnubg_session.mat")
    library.keep(replace(record, date=""), review)
    assert not library.match(1).dated
    said = replace(record, date="2024.05.17", event="Club night", comment="cold")
    library.keep(said, review)
    found = library.match(1)
    assert (found.day, found.dated, found.event) == ("2024-05-17", True, "Club night")
    assert {one.day for one in library.decisions_of(1)} == {"2024-05-17"}
    assert library.count(Wanted(text="club", until="2024")) == len(review.judged)


def test_an_interrupted_review_is_kept_and_completed(library):
    record, review = reviewed("gnubg_session.mat")
    done = []
    ladder = formulas.get("ladder")
    ended = lambda match, found: done.append(match)  # noqa: E731
    reviewing = Reviewing([record], Judge([]), ladder, on_match=ended)
    steps = reviewing.run()
    for _ in range(5):
        next(steps)
    assert done == []
    ((match, known),) = reviewing.by_match()
    assert library.keep(match, known).decisions == len(known.judged) < len(review.judged)
    places = [one.reference for one in library.decisions_of(1)]
    for _ in steps:
        pass
    assert done == [record]
    library.keep(record, reviewing.review())
    whole = [one.reference for one in library.decisions_of(1)]
    assert len(whole) == len(review.judged)
    assert set(places) <= set(whole)


def test_a_list_is_kept_as_positions(library):
    judge, formula = Judge([]), formulas.get("ladder")
    race = Race.parse("XGID=-CBA-------------------ad-:0:0:1:21:0:0:0:0:10")
    asked = Question(race, "3/1 1/off"), Question(replace(race, dice=None), decided="take")
    lines = enumerate(asked, 2)
    found = [judge_question(one, judge, formula, "mine.csv", n) for n, one in lines]
    numbered = dict(enumerate(found, 1))
    assert library.keep_list("mine.csv", "digest", numbered).new
    assert not library.keep_list("again.csv", "digest", numbered).new
    play, take = library.decisions_of(1)
    assert (play.judged.decided, play.judged.line) == ("3/off", 2)
    assert play.judged.cost == found[0].cost > 1
    assert (take.judged.kind, take.judged.decided) == ("take", "take")
    assert library.matches()[0].format == "positions"
    with pytest.raises(StoreError):
        library.record(1)


def test_notes_tags_and_saved_positions(filled):
    notes = filled.notes
    notes.add("1", "The club's final", ["Club"])
    notes.add("2.3", "", ["gap"])
    saved = notes.save("1.4", "two gaps", ["gap", "50%_"])
    alone = notes.save("LwAAwC0AAAAAAA", "short")
    assert saved.xgid == filled.search(Wanted(tag="50%_"))[0].judged.race.xgid
    assert [one.about for one in notes.saved(tag="GAP")] == ["1.4"]
    assert [one.about for one in notes.saved(text="SHORT")] == [""]
    tagged = filled.search(Wanted(tag="gap"), "pips")
    assert [one.reference for one in tagged] == ["1.4", "2.3"]
    assert filled.count(Wanted(tag="club")) == len(filled.decisions_of(1))
    assert filled.count(Wanted(tag="5")) == filled.count(Wanted(tag="50_")) == 0
    assert [one.reference for one in filled.search(Wanted(text="gaps"))] == ["1.4"]
    notes.delete(saved.id)
    assert filled.count(Wanted(text="gaps")) == 0
    assert notes.saved() == [alone]


def test_a_note_to_nothing(filled):
    for about in ("3", "1.99", "x", "1.", "1.9999999", "1.٣", "1." + "9" * 5000):
        with pytest.raises(StoreError, match=re.escape(about[:40])):
            filled.notes.add(about, "text")
    with pytest.raises(StoreError):
        filled.notes.add("1", "  ")
    with pytest.raises(StoreError, match="1"):
        filled.notes.save("1")
    assert filled.notes.of() == []


def test_a_match_is_deleted_with_all_that_is_about_it(filled):
    filled.notes.add("1", "gone")
    filled.notes.save("1.3")
    left = filled.decisions_of(2)
    filled.delete(1)
    assert filled.search() == sorted(left, key=lambda one: (-one.judged.cost, one.id))
    assert filled.notes.of() == []
    assert filled.matches(Wanted(text="gone")) == []
    assert {one.unit for one in filled.races()} == {"points"}
    filled.file.check()
    assert filled.keep(*reviewed("gnubg_match.sgf")).new


def test_own_mistakes_and_saved_positions_as_questions(library):
    record, review = reviewed("gnubg_session.mat")
    judged = list(review.judged)
    for place, cost in ((1, 0.2), (2, 0.4)):
        judged[place] = costing(judged[place], cost)
    library.keep(record, replace(review, judged=judged))
    library.notes.save("LwAAwC0AAAAAAA", "short")
    library.notes.save("1.3", "mine")
    mine, *others = own_questions(library, [judged[1].player])
    asked = [others[0], mine, others[1]]
    assert [one.key for one in asked] == ["n1", "1.3", "1.2"]
    assert (asked[0].kind, asked[0].judged, asked[0].note) == ("double", None, "short")
    assert asked[1].race.xgid == judged[2].race.xgid
    known = [(one.judged.alternatives, one.judged.cost) for one in asked[1:]]
    assert known == [(one.alternatives, one.cost) for one in (judged[2], judged[1])]
    assert [one.key for one in own_questions(library, ["nobody"])] == ["1.3", "n1"]


def test_a_row_that_is_damaged_is_not_shown(filled):
    with closing(sqlite3.connect(filled.file.path)) as connection, connection:
        connection.execute("UPDATE details SET alternatives = '[]' WHERE game = 1")
    with pytest.raises(StoreError, match="details"):
        filled.decisions_of(1)
    with pytest.raises(StoreError, match=str(filled.file.path)):
        filled.file.check()


def test_nothing_is_written_by_looking(library):
    assert library.matches() == library.search() == library.notes.of() == []
    assert library.players() == library.races() == []
    assert not library.file.path.parent.exists()


@pytest.mark.parametrize("packed", [zlib.compress(bytes(3000)), b"none"])
def test_records_too_large_or_impossible_to_unpack_are_refused(filled, monkeypatch, packed):
    monkeypatch.setattr("bearoff.app.library.records._LARGEST", 1000)
    with filled.file.writing() as connection:
        (row,) = rows(connection, "SELECT * FROM matches WHERE id = 1", "matches")
        put(connection, "matches", row | {"record": packed})
    assert filled.match(1).id == 1
    with pytest.raises(StoreError):
        filled.record(1)


def test_a_lost_page_never_hides_decisions(library):
    kept, path = library.keep(*reviewed("gnubg_session.mat")).match, library.file.path

    def said():
        again = Library(path)
        return again.matches(), again.match(kept), again.decisions_of(kept)

    whole, before, refused = path.read_bytes(), said(), 0
    size = int.from_bytes(whole[16:18], "big")
    for start in range(size, len(whole), size):
        # The header of this SQLite page now states zero cells.
        path.write_bytes(whole[: start + 3] + bytes(2) + whole[start + 5 :])
        try:
            assert said() == before
        except StoreError:
            refused += 1
    assert refused > 2
    path.write_bytes(whole)
    assert said() == before


def test_a_library_of_no_bytes_is_a_lost_one(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.file.path.touch()
    for asks in (library.matches, library.file.check, lambda: library.match(1)):
        with pytest.raises(StoreError, match=str(library.file.path)):
            asks()
    with pytest.raises(StoreError):
        library.keep(*reviewed("gnubg_match.mat"))
    assert library.file.size == 0


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_library_is_its_owners_alone(library, tmp_path):
    path, copy = library.file.path, tmp_path / "backup.sqlite"
    library.keep(*reviewed("gnubg_match.mat"))
    library.file.back_up(copy)
    before = library.file.restore(copy)
    for one, mode in ((path, 0o600), (before, 0o600), (copy, 0o600), (path.parent, 0o700)):
        assert one.stat().st_mode & 0o777 == mode, one


def test_decisions_are_read_in_few_queries_and_matches_summed_in_one(filled):
    asked = []
    with filled.file.reading() as connection:
        found = [fetching.row_of(connection, "matches", number) for number in (2, 1)]
        connection.set_trace_callback(asked.append)
        matches = fetching.matches_of(connection, found)
        assert len(asked) == 1
        assert len(fetching.decisions_of(connection, 1)) > len(asked) - 1 == 6
    assert sum(match.lost for match in matches) > 0
    # The final scores equal those in GNU Backgammon's files.
    assert {match.players for match in matches} == {("gnubg", "root")}
    assert [(match.length, match.won) for match in matches] == [(0, (2, 0)), (5, (4, 5))]
    for number, match in zip((2, 1), matches, strict=True):
        judged = [one.judged for one in filled.decisions_of(number)]
        assert (match.id, match.decisions) == (number, len(judged))
        assert match.mistakes == sum(one.is_mistake for one in judged)
        assert match.lost == pytest.approx(sum(one.cost for one in judged), abs=1e-12)


def test_a_library_that_kept_what_is_right_is_brought_up_to_date(filled, tmp_path):
    unknown = {"decisions": lambda row: row | {"best": "?"}}
    old = as_of(3, filled, tmp_path / "old.sqlite", **unknown)
    # Version 3 of the library stores an error only for the choice that the player made.
    both = (library.decisions_of(1) for library in (old, filled))
    for one, other in zip(*both, strict=True):
        then, again = one.judged, other.judged
        for name in ("best", "made", "right_index"):
            assert getattr(then, name) == getattr(again, name)
        assert then.error == again.error or not again.is_seen
        costs = [[each.cost for each in side.alternatives] for side in (then, again)]
        # At a match score, costs below the rounding error of the table may become 0.
        assert costs[0] == pytest.approx(costs[1], abs=1e-4)
    old.file.check()


def test_a_library_without_ratings_is_brought_up_to_date(library, tmp_path):
    library.keep(*reviewed("gnubg_session.mat", Estimates()))
    old = as_of(8, library, tmp_path / "old.sqlite")
    assert old.matches() == library.matches()
    assert None not in old.matches()[0].ratings
    assert old.progress("gnubg").ratings == library.progress("gnubg").ratings
    old.file.check()


def test_a_whole_match_leaves_the_numbers_and_sums_of_its_races(library):
    record, alone = reviewed("gnubg_session.mat")
    library.keep(record, alone)
    numbers = [one.id for one in library.decisions_of(1)]
    (before,), progress = library.matches(), library.progress("root")
    whole = reviewed("gnubg_session.mat", Estimates())[1]
    library.keep(record, whole)
    kept = library.decisions_of(1)
    assert [one.judged.line for one in kept] == sorted(one.judged.line for one in kept)
    assert [one.id for one in kept if one.judged.in_race] == numbers
    # XGIDs may differ, because the library stores positions on as few points as possible.
    told = [verdict_json(one) | {"xgid": ""} for one in whole.judged]
    same = [verdict_json(one.judged) | {"xgid": ""} for one in kept]
    assert sorted(same, key=repr) == sorted(told, key=repr)
    found = library.search(Wanted(phase="contact"))
    assert {one.judged.method for one in found} == {"search"}
    assert len(found) + len(library.search(Wanted(phase="race"))) == len(kept) == 70
    (match,) = library.matches()
    assert (match.decisions, match.lost) == (before.decisions, before.lost)
    assert match.estimates == len(found) == 50
    assert match.estimated == pytest.approx(sum(one.judged.cost for one in found))
    after = library.progress("root")
    assert replace(after, ratings=progress.ratings) == progress
    # Performance ratings are stored for all decisions and for decisions in races.
    for of, rated, judged in (
        ("whole matches", match.ratings, whole.judged),
        ("races alone", match.race_ratings, alone.judged),
    ):
        summed = totals(judged, lambda one: (one.player,))
        by_player = {total.name[0]: total for total in summed}
        assert rated == pytest.approx([by_player[name].rating for name in match.players])
        (one,) = (one for one in after.ratings if one.of == of)
        assert one.rating.value == pytest.approx(by_player["root"].rating)
        assert one.rating.decisions == by_player["root"].counted
    assert before.ratings == (None, None)
    assert before.race_ratings == match.race_ratings
    assert [one.of for one in progress.ratings] == ["races alone"]
    one = max(found, key=lambda one: one.judged.cost)
    with pytest.raises(StoreError, match=re.escape(one.reference)):
        library.notes.save(one.reference)  # the trainer asks only about races
    assert library.notes.saved() == []
    assert library.decision(read_reference(one.reference)[1]) == one
    assert all("c" not in one.key for one in own_questions(library))
