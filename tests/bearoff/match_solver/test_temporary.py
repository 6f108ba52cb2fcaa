"""Races are solved in temporary files, which are removed afterwards."""

import gc
import itertools
import pickle

import numpy as np
import pytest

import bearoff
from bearoff.match_solver import opening
from bearoff.two_sided import at_score
from tests.refusals import refused

CUBES = [
    (1, "centred"), (1, "owned"), (1, "opponent"), (2, "centred"),
    (2, "owned"), (4, "opponent"), (64, "owned"),
]  # fmt: skip
"""Values and owners of the cube, including some that do not occur in matches."""

SCORES = [
    ((3, 5), "normal"), ((4, 4), "normal"), ((1, 4), "post-crawford"), ((3, 1), "crawford")
]  # fmt: skip


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    monkeypatch.setattr(opening, "MOST_CHECKERS", 2)
    monkeypatch.setattr(opening, "MOST_IN_FLOAT64", 4)
    monkeypatch.setattr(opening, "MOST_IN_MEMORY", 4)
    return tmp_path


def same(ours, right, x, y):
    """Check that two solutions give the same values of pairs, within the stated error."""
    assert right.error < 1e-11 < ours.error < 6e-6
    cubes = CUBES if ours.score.has_cube else CUBES[:1]
    for cube in cubes:
        seen = [(t.value(x, y, *cube), t.no_double(x, y, *cube)) for t in (ours, right)]
        np.testing.assert_allclose(*seen, rtol=0, atol=ours.error)
        if ours.score.has_cube and cube[1] != "opponent":
            doubled = [t.double_take(x, y, *cube) for t in (ours, right)]
            np.testing.assert_allclose(*doubled, rtol=0, atol=ours.error)
    wins = [t.win_probability(x, y) for t in (ours, right)]
    np.testing.assert_allclose(*wins, rtol=0, atol=ours.error)


@pytest.mark.parametrize(("away", "game"), SCORES[1:])
def test_every_pair_of_a_size(away, game, monkeypatch):
    ours = bearoff.match_table(3, away, game)
    monkeypatch.setattr(opening, "MOST_CHECKERS", 3)
    right = bearoff.match_table(3, away, game, exact=True)
    assert (ours.folder, ours.checkers) == (None, 3)
    x, y = np.array(list(itertools.product(range(1, 84, 5), range(1, 84, 3)))).T
    same(ours, right, x, y)
    same(ours.exchanged(), right.exchanged(), x, y)


def solved_twice(monkeypatch, *texts):
    """Return a race solved in integers and in float64, and the numbers of its sides."""
    race = bearoff.Race(*texts)
    ours = bearoff.match_race(race, (3, 5))
    monkeypatch.setattr(opening, "MOST_IN_FLOAT64", 1 << 20)
    return (
        ours,
        bearoff.match_race(race, (3, 5)),
        [race.roller.number, race.opponent.number],
    )


def test_what_a_race_can_come_to(monkeypatch):
    ours, right, pair = solved_twice(monkeypatch, "1,0,2,0,0,1", "0,2,0,0,1,0")
    same(ours, right, *pair)
    same(ours.exchanged(), right.exchanged(), *pair[::-1])
    assert np.array_equal(ours.best_after(*pair), right.best_after(*pair))
    # `checkers` is the largest n for which a table has all pairs of up to n checkers.
    assert (ours.checkers, right.checkers) == (1, 0)
    other = bearoff.Position.parse("0,0,0,4,0,0").number
    with refused(bearoff.PositionError, other):
        ours.value(pair[0], other)


def test_fifteen_checkers_lose_gammons(monkeypatch):
    ours, right, pair = solved_twice(monkeypatch, "14,1,0,0,0,0", "13,2,0,0,0,0")
    same(ours, right, *pair)
    few, all_but_one = (bearoff.Position.parse(f"{n},0,0,0,0,0").number for n in (2, 13))
    same(ours, right, few, pair[1])
    same(ours.exchanged(), right.exchanged(), all_but_one, pair[0])


def test_more_points_than_six():
    ours = bearoff.match_table(2, (2, 4), points=8)
    pairs = np.arange(1, 45)[:, None], np.arange(1, 45)
    found = ours.no_double(*pairs)
    bearoff.build_match_table(2, (2, 4), points=8, workers=1)
    kept = bearoff.match_table(2, (2, 4), points=8)
    assert kept.folder
    assert np.array_equal(kept.no_double(*pairs), found)


def test_nothing_is_left(cache):
    killed = cache / "solving-killed"
    killed.mkdir()
    (killed / "planes").touch()
    first = bearoff.match_table(3, (2, 4))
    assert not killed.exists()
    assert 0 < first.estimate_seconds() < 10
    assert first.estimate_disk() > 0
    value = first.value(5, 7)
    assert (first.estimate_seconds(), first.estimate_disk()) == (0.0, 0)
    second = bearoff.match_table(3, (2, 4))
    # The temporary files of both tables are still in use.
    assert len(list(cache.glob("solving-*"))) == 2
    sent = pickle.loads(pickle.dumps(first))
    assert sent.value(5, 7) == second.value(5, 7) == value
    del first, second, sent
    gc.collect()
    assert not list(cache.glob("solving-*"))


def test_progress_of_what_was_asked(monkeypatch):
    done: list[float] = []
    race = bearoff.Race("1,0,2,0,0,1", "1,0,2,0,0,1")
    table = bearoff.match_race(race, (3, 5), progress=done.append)
    table.value(1, 1)
    assert done == sorted(done)
    assert (done[0] > 0, done[-1]) == (True, 1.0)
    count = len(done)
    table.double_take(1, 1)
    assert len(done) == count  # these equities were solved by the previous call


def test_planes_of_a_match_come_first():
    for away, game in SCORES:
        payoffs = bearoff.match_equities().payoffs(bearoff.Score(away, game))
        planes = at_score.score_planes(payoffs)
        names = [one.planes for one in planes.every_pass]
        assert names[: len(planes.passes)] == [one.planes for one in planes.passes]
        seen: set[str] = set()
        for one in planes.every_pass:
            assert set(one.reads) <= seen
            seen |= set(one.planes)
