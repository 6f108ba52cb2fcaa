"""The trainer's database of answers and of dates for repetitions."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from random import Random

import pytest

from bearoff.app.library.sealed import StoreError, seal_of
from bearoff.app.serve.drills.kinds import DRILLS
from bearoff.app.serve.training.repetition import next_card
from bearoff.app.serve.training.session import NothingLeft, Trainer
from bearoff.app.serve.training.store import Answered, AnsweredAlready, Store, store_path
from bearoff.app.serve.training.summary import summary_of
from tests.app.library.test_sealed import OLD
from tests.app.serve.asking import LOW

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
PIPS = f"pips {LOW}"
THREE, FOUR, FIVE = (f"n-rolls centred {n} {n}" for n in (3, 4, 5))
RIGHT = {key: DRILLS.mark(key, "no double").answer for key in (THREE, FOUR, FIVE)}


class Clock:
    now = START

    def __call__(self):
        return self.now

    def forward(self, **by):
        self.now += timedelta(**by)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def trainer(tmp_path, clock):
    return Trainer(Store(tmp_path / "data" / "training.sqlite"), Random(3), clock)


def wrong(key):
    return "no double" if RIGHT[key] != "no double" else "double, pass"


def test_mistakes_alone_are_asked_again(trainer, clock):
    trainer.answer(f"0 {THREE}", RIGHT[THREE], 4)
    trainer.answer(f"0 {FOUR}", wrong(FOUR), 4)
    clock.forward(seconds=10)
    trainer.answer(f"0 {FIVE}", wrong(FIVE), 4)
    # After a wrong answer, the scheduler repeats the question in one minute.
    for passed, due in ((0, []), (49, []), (1, [FOUR]), (60, [FOUR, FIVE])):
        clock.forward(seconds=passed)
        assert trainer.store.due(clock.now) == due
    asked = trainer.next_question()
    assert (asked.key, asked.again) == (FOUR, True)
    assert trainer.next_question(passed=[asked.id]).key == FIVE
    assert trainer.next_question(passed=[asked.id], due_only=True).key == FIVE
    with pytest.raises(NothingLeft, match="due"):
        trainer.next_question(["pips"], due_only=True)
    assert trainer.next_question(["pips"]).kind == "pips"


def test_intervals_grow_after_right_answers_and_shrink_after_a_wrong_one(trainer, clock):
    def wait(times, given):
        due = trainer.answer(f"{times} {FOUR}", given, 4).due
        return datetime.fromisoformat(str(due)) - clock.now

    waits = [wait(0, wrong(FOUR))]
    for times in range(1, 6):
        clock.now += waits[-1]
        waits.append(wait(times, RIGHT[FOUR]))
    assert waits[1] == timedelta(minutes=10)
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=10)
    assert wait(6, wrong(FOUR)) == timedelta(minutes=10)


def test_questions_are_new_while_there_are_any_and_go_on_when_all_were_asked(trainer):
    last, asked_keys = "", []
    trainer.next_question()
    assert trainer.store.answers() == []  # nothing is written before an answer
    assert not trainer.store.path.parent.exists()
    for _ in range(30):
        asked = trainer.next_question(["n-rolls"], "hard", [last])
        assert asked.key != last.partition(" ")[2]
        right = DRILLS.mark(asked.key, asked.choices[0]).answer
        trainer.answer(last := asked.id, right, 1)
        asked_keys.append(asked.key)
    count = len(set(asked_keys))
    assert len(set(asked_keys[:count])) == count > 5
    assert len(trainer.store.answers()) == 30


def test_what_is_kept_is_read_again(tmp_path, trainer):
    trainer.answer(f"0 {PIPS}", "12", 1e9)
    trainer.answer(f"0 {FOUR}", wrong(FOUR), -3)
    pips, rolls = Store(trainer.store.path).answers()
    assert (pips.at, pips.kind, pips.given, pips.answer) == (START, "pips", "12", "10")
    assert (pips.right, pips.error, pips.cost, pips.seconds) == (False, 2.0, None, 3600)
    assert (rolls.error, rolls.seconds) == (None, 0)
    assert (rolls.cost or 0) > 0


def _later(path):
    Store(path).keep(*_kept(), 0)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")


def _damaged(path):
    Store(path).keep(*_kept(), 0)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)


def _kept(key=FOUR):
    given, right = DRILLS.mark(FOUR, "no double").given, RIGHT[FOUR]
    return Answered(START, key, "n-rolls", 1.0, given, right, True, None, 0.0, key), None


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda path: path.write_text("a text of some length" * 80), ""),
        (_later, "99"),
        (_damaged, ""),
        (lambda path: path.mkdir(), ""),
    ],
)
def test_another_file_is_left_as_it_is(tmp_path, spoil, named):
    path = tmp_path / "training.sqlite"
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    trainer = Trainer(Store(path), Random(1), lambda: START)
    for ask in (
        trainer.store.answers,
        trainer.next_question,
        lambda: trainer.answer(f"0 {FOUR}", "no double", 1),
    ):
        with pytest.raises(StoreError, match=named or None) as refused:
            ask()
        assert str(path) in str(refused.value)
        assert "\n" not in str(refused.value)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_file_that_is_held(trainer, monkeypatch):
    trainer.store.keep(*_kept(), 0)
    monkeypatch.setattr("bearoff.app.library.sealed._WAIT", 0.05)
    with closing(sqlite3.connect(trainer.store.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            trainer.answer(f"0 {FOUR}", "no double", 1)
    assert len(trainer.store.answers()) == 1


def test_two_programs_keep_at_once(tmp_path):
    path = tmp_path / "training.sqlite"

    def keep(number):
        answered, card = _kept()
        Store(path).keep(replace(answered, card=f"pips {number}"), card, 0)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(keep, range(40)))
    assert len(Store(path).answers()) == 40


def test_the_place(monkeypatch, tmp_path):
    monkeypatch.setenv("BEAROFF_DATA", str(tmp_path))
    assert store_path() == tmp_path / "training.sqlite"


def test_questions_that_the_sample_no_longer_holds_are_skipped(trainer, clock):
    gone, _ = _kept(f"chance {LOW}")
    trainer.store.keep(gone, next_card(None, right=False, now=START), 0)
    clock.forward(days=1)
    assert trainer.store.due(clock.now) == [gone.key]
    assert trainer.next_question().kind in DRILLS


def state(trainer):
    """Return the whole content of the trainer's database, column by column."""
    tables = ("SELECT * FROM answers ORDER BY id", "SELECT * FROM cards ORDER BY key")
    with closing(sqlite3.connect(trainer.store.path)) as connection:
        return [connection.execute(query).fetchall() for query in tables]


def test_two_tabs_count_a_question_once_and_undo_puts_answer_and_schedule_back(
    trainer, clock
):
    trainer.answer(f"0 {FOUR}", wrong(FOUR), 4)
    clock.forward(minutes=2)
    before = state(trainer)
    tabs = [trainer.next_question(due_only=True) for _ in range(2)]
    assert tabs[0] == tabs[1]
    for given in (RIGHT[FOUR], wrong(FOUR)):
        trainer.answer(tabs[0].id, given, 4)
        after = state(trainer)
        with pytest.raises(AnsweredAlready):
            trainer.answer(tabs[1].id, RIGHT[FOUR], 4)
        assert state(trainer) == after != before
        asked = trainer.undo(f"1 {FOUR}")
        assert (asked.id, asked.again) == (f"1 {FOUR}", True)
        assert state(trainer) == before
    trainer.answer(f"0 {FIVE}", wrong(FIVE), 4)
    with pytest.raises(AnsweredAlready):
        trainer.undo(f"0 {FOUR}")  # only the latest answer can be undone
    trainer.undo(f"0 {FIVE}")
    trainer.undo(f"0 {FOUR}")
    assert state(trainer) == [[], []]


def test_what_was_mistyped_counts_as_known(trainer, clock):
    other = Trainer(Store(trainer.store.path.with_name("b.sqlite")), Random(3), clock)
    for one in (trainer, other):
        one.answer(f"0 {FOUR}", wrong(FOUR), 4)
    clock.forward(minutes=2)
    trainer.answer(f"1 {FOUR}", wrong(FOUR), 4)
    found = trainer.knew(f"1 {FOUR}")
    assert (found.marked.right, found.marked.given) == (True, wrong(FOUR))
    # The schedule and the rating are the same as if the answer had been correct.
    assert other.answer(f"1 {FOUR}", RIGHT[FOUR], 4).due == found.due
    last = trainer.store.answers()[-1]
    assert (last.knew, last.right, last.cost) == (True, True, None)
    # `knew` turns the latest wrong answer into a correct one.
    trainer.answer(f"0 {FIVE}", wrong(FIVE), 4)
    other.answer(f"0 {FIVE}", RIGHT[FIVE], 4)
    assert trainer.rating().value < other.rating().value
    trainer.knew(f"0 {FIVE}")
    assert trainer.rating() == other.rating()
    assert trainer.store.card(FIVE) is None


def test_a_pip_count_comes_back_with_another_board(trainer, clock):
    first = trainer.next_question(["pips"], "hard")
    trainer.answer(first.id, "0", 4)
    seen = {first.key}
    for times in range(1, 4):
        clock.forward(days=400)
        asked = trainer.next_question(["pips"])
        assert asked.id == f"{times} {first.key}"
        assert asked.again
        assert asked.key not in seen
        seen.add(asked.key)
        right = trainer.drills.mark(asked.key, "0").answer
        # All later boards for this pip count have more than 60 pips, like the first board.
        assert int(right) > 60
        assert trainer.answer(asked.id, right, 4).answered.card == first.key


def test_hints_come_back_and_count_half(trainer):
    kept = trainer.answer(f"0 {FOUR}", RIGHT[FOUR], 4, hints=9)
    assert kept.answered.hints == 3
    assert kept.due is not None
    # A half-right answer moves a rating of 1500 towards the rating of the question.
    question = trainer._rated(FOUR).value
    assert (trainer.rating().value - 1500) * (question - 1500) >= 0
    with pytest.raises(ValueError, match="3"):
        trainer.hint(f"0 {FOUR}", 4)


def test_what_came_too_late_is_wrong(trainer):
    kept = trainer.answer(f"0 {PIPS}", "", 20)
    assert (kept.marked.right, kept.marked.answer, kept.due is None) == (False, "10", False)
    found = summary_of(trainer, None)
    assert (found.late, found.right, found.given[0].given) == (1, 0, "")


def test_days_streaks_and_sums(trainer, clock):
    trainer.zone = timezone(timedelta(hours=9))  # START is 21:00 in this time zone
    for day in range(3):
        for count in range(10 if day < 2 else 11):
            given = RIGHT[FOUR] if count % 2 else ""
            trainer.answer(f"{10 * day + count} {FOUR}", given, 1 + count)
        found = summary_of(trainer, None)
        assert (found.standing.streak, found.standing.longest) == (day + 1, day + 1)
        clock.forward(days=1)
    assert (found.answers, found.right, found.late, found.slowest) == (10, 5, 5, 9)
    assert found.seconds == 5.5  # the 11th answer of the day is not part of its set
    assert [kind.answers for kind in found.kinds] == [10]
    found = summary_of(trainer, None)
    assert (found.standing.streak, found.answers) == (3, 0)
    clock.forward(hours=3)  # midnight in this time zone
    standing = summary_of(trainer, None).standing
    assert (standing.streak, standing.longest) == (0, 3)
    assert summary_of(trainer, START).answers == 31


def older(path, seal=None):
    """Write a database of the trainer as version 2 did, and return its bytes."""
    sealed = """
        PRAGMA application_id = 1650814822; PRAGMA user_version = 2;
        ALTER TABLE answers ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE cards ADD COLUMN seal INTEGER NOT NULL DEFAULT 0;
    """
    at = START.isoformat(timespec="microseconds")
    row = {"id": 1, "at": at, "key": PIPS, "kind": "pips", "seconds": 3.5, "given": "12"}
    row |= {"answer": "10", "right": 0, "error": 2.0, "cost": None}
    row["seal"] = seal or seal_of(row)
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(OLD + sealed)
        marks = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO answers VALUES ({marks})", [*row.values()])
    return path.read_bytes()


def test_rows_of_an_older_version_are_read_and_counted_unless_they_are_damaged(trainer):
    path = trainer.store.path
    before = older(path, seal=7)
    with pytest.raises(StoreError, match=str(path)):
        trainer.store.answers()
    assert path.read_bytes() == before
    path.unlink()
    older(path)
    (one,) = trainer.store.answers()
    assert (one.at, one.key, one.card) == (START, PIPS, PIPS)
    assert (one.given, one.error) == ("12", 2.0)
    assert (one.hints, one.knew, one.rating) == (0, False, None)
    with pytest.raises(AnsweredAlready):
        trainer.answer(f"0 {PIPS}", "10", 1)
    with pytest.raises(AnsweredAlready):
        trainer.undo(f"0 {PIPS}")  # the row does not state the schedule before the answer
    trainer.answer(f"1 {PIPS}", "", 1)
    assert [a.key == PIPS for a in trainer.store.answers()] == [True, False]
    assert trainer.store._file.check() == 3
