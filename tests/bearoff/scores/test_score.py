"""Scores: what there can be, and how they are written."""

import pytest
from hypothesis import given, strategies as st

from bearoff import Score, ScoreError

AWAY = st.integers(2, 25)


@pytest.mark.parametrize(
    ("text", "length", "away", "game"),
    [
        ("3-5", None, (3, 5), "normal"),
        ("3 5", None, (3, 5), "normal"),
        (" 3-away 5-away ", None, (3, 5), "normal"),
        ("3a-5a", None, (3, 5), "normal"),
        ("2-4 to 7", None, (5, 3), "normal"),
        ("2-4/7", None, (5, 3), "normal"),
        ("2-4", 7, (5, 3), "normal"),
        ("2-away 4-away", 7, (2, 4), "normal"),
        ("2-6 to 7 Crawford", None, (5, 1), "crawford"),
        ("1-3, post-Crawford", None, (1, 3), "post-crawford"),
        ("1-3 postcrawford", None, (1, 3), "post-crawford"),
        ("DMP", None, (1, 1), "normal"),
        ("dmp", 5, (1, 1), "normal"),
    ],
)
def test_a_score_is_read(
    text: str, length: int | None, away: tuple[int, int], game: str
) -> None:
    score = Score.parse(text, length)
    assert (score.away, score.game) == (away, game)


@pytest.mark.parametrize(
    ("text", "length", "sentence"),
    [
        ("", None, "a score is written as"),
        ("3", None, "a score is written as"),
        ("3-away 5", None, "a score is written as"),
        ("3-5 Jacoby", None, "a score is written as"),
        ("0-5", None, "points the roller needs must be from 1 to 64, got 0"),
        ("3-65", None, "points the opponent needs must be from 1 to 64, got 65"),
        ("1-3", None, "say 'crawford' or 'post-crawford'"),
        ("6-3 to 7", None, "say 'crawford' or 'post-crawford'"),
        ("3-5 Crawford", None, "needs a side that is 1 point away, got 3-away 5-away"),
        ("7-3 to 7", None, "has won of 7 must be from 0 to 6, got 7"),
        ("2-4 to 7", 9, "a match to 9 points cannot be at"),
        ("3-away 5-away", 4, "the match's length must be from 5"),
    ],
)
def test_what_no_match_has_is_refused(text: str, length: int | None, sentence: str) -> None:
    with pytest.raises(ScoreError, match=sentence):
        Score.parse(text, length)


@pytest.mark.parametrize("bad", [None, 3, (3,), (3, 5, 1), (3.0, 5), (True, 5), "35"])
def test_away_is_two_whole_numbers(bad: object) -> None:
    with pytest.raises(ScoreError):
        Score(bad)  # type: ignore[arg-type]


@given(AWAY, AWAY)
def test_a_score_reads_what_it_writes(a: int, b: int) -> None:
    score = Score((a, b))
    assert Score.parse(str(score)) == score
    assert score.exchanged().away == (b, a)
    assert score.exchanged().exchanged() == score


def test_both_a_point_away_is_one_score_however_it_is_called() -> None:
    for game in ("normal", "crawford", "post-crawford"):
        assert Score((1, 1), game).away == (1, 1)
