"""Stored answers at match scores are used after a restart, unless they are damaged."""

import sqlite3

import pytest

from bearoff.app.answer_cache import AnswerCache
from bearoff.app.serve.judges import Judges
from tests.app.serve.asking import client_of

SCORE = {"position": "-AB--------------------ab-:0:0:1:00:2:0:0:5:10", "patience": 30}


@pytest.fixture
def cache(tmp_path):
    return AnswerCache(tmp_path / "answers.sqlite", most=1000)


def test_an_answer_is_found_again_and_the_oldest_go(cache):
    assert cache.get("a") is None
    for name in "abcd":
        cache.put(name, name.encode() * 200)
    # `a` is now the most recently used entry, so it is kept.
    assert cache.get("a") == b"a" * 200
    # 1,100 bytes exceed the limit, so the oldest entries are deleted down to 750 bytes.
    cache.put("e", b"e" * 300)
    kept = {name for name in "abcde" if AnswerCache(cache.path, 1000).get(name)}
    assert kept == {"a", "d", "e"}


def test_what_is_damaged_is_not_answered(cache):
    cache.put("a", b"right")
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE answers SET text = ?", [b"wrong"])
    assert cache.get("a") is None
    cache.path.write_bytes(b"no database" * 100)
    assert cache.get("a") is None
    cache.put("a", b"right")  # the damaged file is deleted
    cache.put("a", b"right")  # the answer is stored in a new file
    assert cache.get("a") == b"right"


def served(cache):
    return client_of(Judges([], cache), names=("races.example",))


def test_the_same_score_is_answered_at_once_after_a_restart(tmp_path, monkeypatch):
    path = tmp_path / "answers.sqlite"
    exact = served(AnswerCache(path)).post("/api/v1/race", json=SCORE).json()
    assert exact["kind"] == "exact"
    again = served(AnswerCache(path))
    monkeypatch.setattr(Judges, "answer", None)  # any new evaluation would raise an error
    for patience in (30, 0):
        asked = SCORE | {"patience": patience}
        assert again.post("/api/v1/race", json=asked).json() == exact
