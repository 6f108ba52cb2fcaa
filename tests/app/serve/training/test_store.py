"""What is kept, what is asked again and when, with a clock of our own."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from app.library.sealed import StoreError
from app.serve.drills.kinds import DRILLS
from app.serve.training.session import Trainer
from app.serve.training.store import Store, store_path

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
THREE, FOUR, FIVE = (f"n-rolls centred {n} {n}" for n in (3, 4, 5))
RIGHT = {key: DRILLS.mark(key, "no double").answer for key in (THREE, FOUR, FIVE)}


class Clock:
    """Goes when it is told."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def trainer(tmp_path: Path, clock: Clock) -> Trainer:
    return Trainer(Store(tmp_path / "data" / "training.sqlite"), Random(3), clock)


def wrong(key: str) -> str:
    return "no double" if RIGHT[key] != "no double" else "double, pass"


def test_only_mistakes_are_asked_again_the_longest_due_first(
    trainer: Trainer, clock: Clock
) -> None:
    trainer.answer(THREE, RIGHT[THREE], 4)
    trainer.answer(FOUR, wrong(FOUR), 4)
    clock.forward(seconds=10)
    trainer.answer(FIVE, wrong(FIVE), 4)
    assert trainer.store.due(clock.now) == []
    # The first steps of the algorithm are a minute and ten.
    clock.forward(seconds=49)
    assert trainer.store.due(clock.now) == []
    clock.forward(seconds=1)
    assert trainer.store.due(clock.now) == [FOUR]
    clock.forward(minutes=1)
    assert trainer.store.due(clock.now) == [FOUR, FIVE]
    asked = trainer.next_question()
    assert (asked.key, asked.again) == (FOUR, True)
    assert trainer.next_question(last=FOUR).key == FIVE
    assert trainer.next_question(["pips"]).kind == "pips"


def test_intervals_grow_with_right_answers_and_shrink_with_a_wrong_one(
    trainer: Trainer, clock: Clock
) -> None:
    _, due = trainer.answer(FOUR, wrong(FOUR), 4)
    waits = []
    for _ in range(5):
        assert due is not None
        clock.now = datetime.fromisoformat(due)
        _, due = trainer.answer(FOUR, RIGHT[FOUR], 4)
        assert due is not None
        waits.append(datetime.fromisoformat(due) - clock.now)
    assert waits[0] == timedelta(minutes=10)
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=10)
    _, due = trainer.answer(FOUR, wrong(FOUR), 4)
    assert due is not None
    assert datetime.fromisoformat(due) - clock.now == timedelta(minutes=10)


def test_questions_are_new_while_there_are_any(trainer: Trainer) -> None:
    seen = set()
    for _ in range(12):
        asked = trainer.next_question(["n-rolls"], "easy", "")
        assert asked.key not in seen
        seen.add(asked.key)
        trainer.answer(asked.key, "1" if asked.form == "number" else asked.choices[0], 1)


def test_when_all_were_asked_it_goes_on(trainer: Trainer) -> None:
    last = ""
    for _ in range(30):
        asked = trainer.next_question(["n-rolls"], "hard", last)
        assert asked.key != last
        right = DRILLS.mark(asked.key, asked.choices[0]).answer
        trainer.answer(last := asked.key, right, 1)
    assert len(trainer.store.answers()) == 30


def test_what_is_kept_is_read_again(tmp_path: Path, trainer: Trainer) -> None:
    trainer.answer("pips LwAAwC0AAAAAAA", "12", 1e9)
    trainer.answer(FOUR, wrong(FOUR), -3)
    pips, rolls = Store(trainer.store.path).answers()
    assert (pips.at, pips.kind, pips.given, pips.answer) == (START, "pips", "12", "10")
    assert (pips.right, pips.error, pips.cost, pips.seconds) == (False, 2.0, None, 3600)
    assert (rolls.error, rolls.seconds) == (None, 0)
    assert rolls.cost is not None
    assert rolls.cost > 0


def test_nothing_is_written_before_an_answer(trainer: Trainer) -> None:
    trainer.next_question()
    assert trainer.store.answers() == []
    assert not trainer.store.path.parent.exists()


def _later(path: Path) -> None:
    Store(path).keep(*_kept())
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def _other(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()


def _damaged(path: Path) -> None:
    Store(path).keep(*_kept())
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)


def _kept():  # type: ignore[no-untyped-def]
    from app.serve.training.store import Answered

    marked = DRILLS.mark(FOUR, "no double")
    return (
        Answered(START, FOUR, "n-rolls", 1.0, marked.given, marked.answer, True, None, 0.0),
        None,
    )


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (
            lambda path: path.write_text("no database, but a text of some length" * 40),
            "not",
        ),
        (_other, "another program"),
        (_later, "version 99"),
        (_damaged, "cannot use"),
        (lambda path: path.mkdir(), "cannot use"),
    ],
)
def test_another_file_is_refused_and_left_as_it_is(
    tmp_path: Path,
    spoil,
    named: str,  # type: ignore[no-untyped-def]
) -> None:
    path = tmp_path / "training.sqlite"
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    trainer = Trainer(Store(path), Random(1), lambda: START)
    for ask in (
        trainer.store.answers,
        trainer.next_question,
        lambda: trainer.answer(FOUR, "no double", 1),
    ):
        with pytest.raises(StoreError, match=named) as refused:
            ask()
        assert str(path) in str(refused.value)
        assert "\n" not in str(refused.value)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_file_that_another_program_holds_is_no_damaged_one(
    trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer.store.keep(*_kept())
    monkeypatch.setattr("app.library.sealed._WAIT", 0.05)
    other = sqlite3.connect(trainer.store.path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked") as refused:
        trainer.answer(FOUR, "no double", 1)
    assert "move" not in str(refused.value)
    other.close()
    assert len(trainer.store.answers()) == 1


def test_two_programs_keep_at_once(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    path = tmp_path / "training.sqlite"

    def keep(_: int) -> None:
        Store(path).keep(*_kept())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(keep, range(40)))
    assert len(Store(path).answers()) == 40


def test_the_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BEAROFF_DATA", str(tmp_path))
    assert store_path() == tmp_path / "training.sqlite"
    monkeypatch.delenv("BEAROFF_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert store_path().name == "training.sqlite"


def test_drills_that_are_gone_are_passed_over(trainer: Trainer, clock: Clock) -> None:
    """A card of a question that the shipped sample no longer has."""
    from app.serve.training.repetition import next_card

    answered, _ = _kept()
    gone = type(answered)(**vars(answered) | {"key": "chance LwAAwC0AAAAAAA"})
    trainer.store.keep(gone, next_card(None, right=False, now=START))
    clock.forward(days=1)
    assert trainer.store.due(clock.now) == [gone.key]
    assert trainer.next_question().kind in DRILLS
