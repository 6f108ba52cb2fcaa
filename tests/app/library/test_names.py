"""The names under which the user plays in the matches of the library."""

import pytest

from bearoff import BearoffError
from bearoff.app.library.names import LONGEST, MOST, MyNames
from bearoff.app.library.questions import own_questions
from bearoff.app.library.sealed import StoreError
from tests.refusals import refused


def test_names_are_kept_as_they_are_given(tmp_path):
    names = MyNames(tmp_path / "new" / "my-names.txt")
    assert names.read() == ()
    assert names.write([" Ann Lee ", "ann lee", "Ännchen"]) == ("Ann Lee", "Ännchen")
    assert names.read() == ("Ann Lee", "Ännchen")
    names.path.write_text("\nAnn\n\n")  # a file that was edited by hand, with blank lines
    assert names.read() == ("Ann",)
    assert names.write([]) == names.read() == ()
    names.path.write_bytes(b"\xff\xfe")  # this file is no text
    with refused(StoreError, "my-names.txt"):
        names.read()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["a\nb"], "a"),
        (["Bob", " "], "''"),
        (["x" * 201], LONGEST),
        ([*map(str, range(21))], MOST),
    ],
)
def test_what_is_no_name_changes_nothing(tmp_path, given, named):
    names = MyNames(tmp_path / "my-names.txt")
    names.write(["Ann"])
    with refused(BearoffError, str(named)):
        names.write(given)
    assert names.read() == ("Ann",)


def test_all_names_are_one_player(filled):
    (most, its), (other, others), *_ = filled.players()
    assert filled.mine() == (most,)
    assert filled.progress().player == most
    filled.names.write(["Nobody", other.upper()])
    assert filled.mine() == (other,)
    alone = filled.progress()
    assert (alone.player, alone.whole.errors.decisions) == (other, others)
    filled.names.write([other, most])
    assert filled.progress().whole.errors.decisions == its + others
    questions = [len(own_questions(filled, [name])) for name in filled.mine()]
    assert len(own_questions(filled, filled.mine())) == sum(questions)
