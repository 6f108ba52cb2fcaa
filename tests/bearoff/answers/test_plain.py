"""Fast reading of races from plain texts, compared with the general reader and with single
answers.
"""

import numpy as np
import pytest

from bearoff import BearoffError
from bearoff.answers import NUMBERS, Judge, Question, answer_many, read_question
from bearoff.answers.plain import answer_plain, read_plain
from bearoff.sources import Races
from tests.refusals import refused
from tests.two_sided_tables import built

STRANGE = [
    *("", "8887", "1,2,3,4,5", "0,0,0,0,0,0", "9,0,0,0,0,9", "1,0,0,0,0,0,"),
    *("1,,0,0,0,0,0", "1,0,0,0,0,-1", "\ud800,0,0,0,0,0", "001,0,0,0,0,0"),
    *("1,0,0,0,0,0.0", " 1,0,0,0,0,0", "\u0663,0,0,0,0,0", "[1,2,3,4,5,6]"),
    *("99999999999999999999,0,0,0,0,0", "0," * 24 + "1", "1,0,0,0,0,0,0,0,0,0,0,2"),
]


def random_texts(count):
    """Return random sides, each as a text of 6 to 24 numbers."""
    rng = np.random.default_rng(2)
    shapes = zip(rng.integers(1, 16, count), rng.integers(6, 25, count), strict=True)
    some = [rng.multinomial(n, [1 / points] * points) for n, points in shapes]
    return [",".join(map(str, one)) for one in some]


def test_what_is_read_is_read_alike():
    texts = [*STRANGE, *random_texts(150)]
    pairs = [(a, b) for a in texts for b in ("0,1,0,0,0,0", a)]
    mine, theirs, read = read_plain(*map(list, zip(*pairs, strict=True)))
    assert 150 < read.sum() < len(read) - 30
    for place in np.flatnonzero(read):
        a, b = pairs[place]
        right = Races.of([read_question({"roller": a, "opponent": b}).race])
        assert mine[place].tolist() == right.rollers[0].tolist()
        assert theirs[place].tolist() == right.opponents[0].tolist()
    # The plain reader accepts every text of at most 12 numbers.
    for text in random_texts(30):
        if text.count(",") < 12:
            assert read_plain([text], ["1,0,0,0,0,0"])[2].all()


def test_texts_with_lines_of_their_own_shift_no_other():
    plain = "1,0,0,0,0,0"
    assert not read_plain([f"{plain}\n{plain}", plain], [plain, plain])[2].any()


def test_answers_are_those_of_questions():
    judge = Judge([built(3), built(4)], patience=0)
    half = [text for text in random_texts(200) if text.count(",") < 9]
    mine, theirs, read = read_plain(half, half[::-1])
    assert read.all()
    found = answer_plain(judge, mine, theirs)
    questions = [
        Question(read_question({"roller": a, "opponent": b}).race)
        for a, b in zip(half, half[::-1], strict=True)
    ]
    right = answer_many(judge, questions)
    assert set(found.kind) == {"exact", "model"}
    for name in NUMBERS:
        np.testing.assert_array_equal(found[name], right[name], name)
    for name in ("kind", "action", "too_close"):
        assert found.field(name).tolist() == right.field(name).tolist()


@pytest.mark.parametrize(("point", "checkers"), [(0, 0), (0, -1), (0, 16), (23, 1)])
def test_what_is_no_race_is_refused(point, checkers):
    sides = np.zeros((2, 24), dtype=np.int8)
    sides[:, 2] = 1
    wrong = np.zeros_like(sides)
    wrong[1, point] = checkers
    wrong[0, 0] = 1
    with refused(BearoffError, "row 1"):
        answer_plain(Judge(()), sides, wrong)
