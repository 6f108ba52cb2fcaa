"""Match scores: which are valid, and how they are written."""

import pytest
from hypothesis import given, strategies as st

from bearoff import Score, ScoreError
from tests.refusals import refused

AWAY = st.integers(2, 25)


@pytest.mark.parametrize(
    ("text", "length", "away", "game"),
    [
        *((text, None, (3, 5), "normal")
          for text in ("3-5", "3 5", " 3-away 5-away ", "3a-5a")),
        *((text, None, (5, 3), "normal") for text in ("2-4 to 7", "2-4/7")),
        ("2-4", 7, (5, 3), "normal"), ("2-away 4-away", 7, (2, 4), "normal"),
        ("2-6 to 7 Crawford", None, (5, 1), "crawford"),
        ("1-3, post-Crawford", None, (1, 3), "post-crawford"),
        ("1-3 postcrawford", None, (1, 3), "post-crawford"),
        ("DMP", None, (1, 1), "normal"), ("dmp", 5, (1, 1), "normal"),
    ],
)  # fmt: skip
def test_a_score_is_read(text, length, away, game):
    score = Score.parse(text, length)
    assert (score.away, score.game) == (away, game)


@pytest.mark.parametrize(
    ("text", "length", "named"),
    [
        *((text, None, (f"'{text}'",)) for text in ("", "3", "3-away 5", "3-5 Jacoby")),
        ("0-5", None, ("roller", 64, 0)), ("3-65", None, ("opponent", 64, 65)),
        ("99999 4", None, ("roller", 64, 99999)),
        ("1-3", None, ("crawford", "post-crawford")), ("2-4 to 7", 9, (9,)),
        ("6-3 to 7", None, ("crawford", "post-crawford")), ("7-3 to 7", None, (7, 6)),
        ("3-5 Crawford", None, ("3-away 5-away",)), ("3-away 5-away", 4, ("length", 5)),
    ],
)  # fmt: skip
def test_what_no_match_has_is_refused(text, length, named):
    with refused(ScoreError, *named):
        Score.parse(text, length)


@given(AWAY, AWAY)
def test_a_score_reads_what_it_writes(a, b):
    score = Score((a, b))
    assert Score.parse(str(score)) == score
    assert score.exchanged().away == (b, a)
    assert score.exchanged().exchanged() == score


def test_crawfords_game_is_over_once_both_need_one_point_and_their_score_is_one():
    for game in ("normal", "crawford", "post-crawford"):
        assert Score((1, 1), game).away == (1, 1)
    assert Score.of_match(1, (0, 0), "crawford").away == (1, 1)
    with refused(ScoreError, 7):
        Score.of_match(7, (6, 6), "crawford")
