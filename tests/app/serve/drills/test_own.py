"""Questions of the trainer that come from mistakes and saved positions in a library."""

from random import Random

import pytest

from bearoff import BearoffError, Race
from bearoff.analysis import formulas
from bearoff.analysis.review import judge_question
from bearoff.answers import Judge, Question
from bearoff.app.library.library import open_library
from bearoff.app.serve.drills.kinds import DRILLS
from bearoff.app.serve.drills.own import Own
from bearoff.app.serve.judges import Judges
from bearoff.app.serve.training.session import NothingLeft, Trainer
from bearoff.app.serve.training.store import Store
from tests.app.serve.asking import LOW
from tests.two_sided_tables import built

DECISIONS = (
    (LOW, "take"),
    (LOW, "double"),
    ("XGID=-BB--------------------bb-:0:0:1:00:0:0:0:0:10", "no double"),
    ("XGID=-BB--------------------bb-:1:1:1:00:0:0:0:0:10", "no double"),
)


@pytest.fixture
def library(tmp_path):
    """Return a library of reviewed matches with some mistakes."""
    found, judge = open_library(tmp_path / "library.sqlite"), Judge([built(5)])
    ladder = formulas.get("ladder")
    judged = [
        judge_question(Question(Race.parse(at), decided=said), judge, ladder, "list", line)
        for line, (at, said) in enumerate(DECISIONS, 1)
    ]
    found.keep_list("list", "digest", dict(enumerate(judged, 1)))
    return found


def test_mistakes_are_asked_the_costliest_first(library, tmp_path):
    own = Own(library, Judges([built(5)]))
    wrong = [one for one in library.find()[0] if one.judged.is_mistake]
    keys = own.keys("")
    assert len(wrong) >= 2
    assert keys == [one.reference for one in wrong]
    for one in wrong:
        question, named = own.question(one.reference), one.judged.decided
        assert question.of == one.judged.kind
        if "redouble" in str(question.choices):
            named = named.replace("double", "redouble")
        assert named in question.choices
        marked = own.mark(one.reference, named)
        assert not marked.right
        assert marked.cost == pytest.approx(one.judged.cost, abs=1e-6)
        assert own.mark(one.reference, marked.answer).right
        assert one.judged.done in marked.steps[0].words
    trainer = Trainer(Store(tmp_path / "t"), Random(1), drills=DRILLS.plus(own))
    for key in keys:
        asked = trainer.next_question(["own"])
        assert asked.id == f"0 own {key}"
        trainer.answer(asked.id, asked.choices[0], 1)
    with pytest.raises(NothingLeft):
        trainer.next_question(["own"])


@pytest.mark.parametrize("patience", [60.0, 0.0])
def test_saved_positions_come_first_exact_or_by_the_model(library, patience, monkeypatch):
    monkeypatch.setattr("bearoff.app.serve.drills.own.SOON", patience)
    library.notes.save(LOW, "look at the cube")
    own = Own(library, Judges([built(5)]))
    key = own.keys("nobody")[0]
    assert own.keys("nobody") == [key]
    assert own.question(key).choices == ["no double", "double"]
    answer = Judge([built(5)], patience=patience).answer(own.race(key))
    assert answer.kind == ("exact" if patience else "model")
    for choice in ("no double", "double"):
        marked = own.mark(key, choice)
        assert marked.cost == pytest.approx(answer.decided(choice).cost, abs=1e-9)
        assert marked.right == (marked.cost == 0)
        away = max(answer.decided(one).cost for one in ("no double", "double"))
        assert f"costs {away:.3f}" in marked.notes[0]
        assert marked.answer in marked.notes[0]
        error = 0.0 if patience else float(marked.method.rpartition(" ")[2])
        assert (len(marked.notes) == 2) == (away < error)
    assert marked.steps[-1].arithmetic == "look at the cube"
    library.notes.delete(int(key[1:]))
    with pytest.raises(BearoffError):
        own.question(key)


def test_an_empty_library_and_what_nobody_can_answer_are_passed_over(tmp_path, monkeypatch):
    """Positions of very long matches cannot be answered."""
    monkeypatch.setattr("bearoff.scores.equities.FARTHEST", 25)
    library = open_library(tmp_path / "library.sqlite")
    own = Own(library, Judges([built(5)]))
    trainer = Trainer(Store(tmp_path / "t"), Random(1), drills=DRILLS.plus(own))
    with pytest.raises(NothingLeft, match="bearoff review"):  # the library is empty
        trainer.next_question(["own"])
    assert trainer.next_question().kind != "own"
    library.notes.save("XGID=-ABBABC------------cbbcba-:0:0:1:00:3:5:0:40:10")
    with pytest.raises(NothingLeft, match=r"n1.*37-away"):
        trainer.next_question(["own"])
    assert trainer.next_question(["own", "pips"]).kind == "pips"
    library.notes.save(LOW)
    assert {trainer.next_question(["own"]).key for _ in range(5)} == {"own n2"}
