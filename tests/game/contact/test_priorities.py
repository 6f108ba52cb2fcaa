"""The player that follows priorities, compared with a second implementation."""

import itertools
from functools import cache

import numpy as np
import pytest

from bearoff import ROLLS, WEIGHTS
from bearoff.game import Board, legal_plays, read_play
from bearoff.game.contact import PriorityMover, priority_kernels as kernels
from bearoff.game.rules import play_moves

START = Board.start()

POINTS = {5: 20.0, 4: 14.0}


def worth(point, bringing, barred):
    """Return the value of holding a point, as documented for this player."""
    outside = 16.0 if point == 7 and bringing else 5.0
    return POINTS.get(point, outside if point > 6 else 12.0 if barred else 8.0)


def standing(side, bringing, barred):
    """Return the value of one side's position by a second implementation."""
    on = {p: n for p, n in enumerate(side, start=1) if n}
    held = {p for p, n in on.items() if n > 1 and p < 25}
    blots = {p for p, n in on.items() if n == 1 and p < 25}
    groups = itertools.groupby(range(1, 25), held.__contains__)
    runs = [len(list(run)) for yes, run in groups if yes]
    steps = itertools.pairwise(sorted(on))
    off = 15 - sum(side)
    return (
        12.0 * off
        + 4.0 * (off + sum(side[:6]))
        + 8.0 * (15 - sum(side[18:]))
        + sum(worth(p, bringing, barred) for p in held)
        - 0.4 * sum(worth(p, bringing, barred) for p in blots)
        - 4.0 * sum(n - 5 for n in on.values() if n > 5)
        - 3.0 * sum(b - a > 6 for a, b in steps)
        + 3.0 * max(runs, default=0)
    )  # fmt: skip


def gain(before, after, roll):
    """Return a play's value to the player that follows priorities, computed plainly."""
    if before.race is not None:
        home, there = sum(before.roller[:6]), sum(after.roller[:6])
        off = sum(before.roller) - sum(after.roller)
        return before.pips[0] - after.pips[0] + 12.0 * off + 4.0 * (there + off - home)
    bringing = any(before.roller[7:])
    barred = after.points[0] < 0
    hits = [to for _, to, hit in play_moves(before, after, roll) if hit]
    return (
        standing(after.roller, bringing, barred)
        - standing(before.roller, bringing, barred)
        + sum(18.0 if point > 18 else 10.0 for point in hits)
    )


@cache
def plays(board, roll):
    rows = [Board(tuple(row)) for row in legal_plays(board, roll).tolist()]
    return [(gain(board, after, roll), after) for after in rows]


def mean(board):
    """Return the value of the best play, averaged over all rolls."""
    best = [max(worth for worth, _ in plays(board, roll)) for roll in ROLLS]
    return np.average(best, weights=WEIGHTS)


@pytest.mark.parametrize(
    ("roll", "point"), [((3, 1), 5), ((4, 2), 4), ((6, 1), 7), ((5, 3), 3), ((6, 4), 2)]
)
def test_it_makes_points(roll, point):
    assert PriorityMover().rate(START, roll)[0][0].points[point] == 2


def test_all_rolls_give_the_mean_and_a_bound_may_end_it_after_some():
    mover = PriorityMover()
    for written, roll in (
        ("8/5 6/5", (3, 1)),
        ("13/8 24/23", (5, 1)),
        ("24/18 13/10", (6, 3)),
    ):
        board = read_play(START, written, roll).turned
        args = (mover._room, board.array, 1, 8)
        assert kernels.mean_gain(*args, 21, 1e9) == pytest.approx(mean(board))
        assert kernels.mean_gain(*args, 1, 1e9) == pytest.approx(mean(board))
        cut = kernels.mean_gain(*args, 14, -1e9)
        assert cut != pytest.approx(mean(board))
        assert cut == kernels.mean_gain(*args, 14, -1e9)


def test_plays_are_rated_by_the_best_answer():
    roll = (6, 2)
    rated = PriorityMover().rate(START, roll)
    first = sorted(plays(START, roll), key=lambda each: -each[0])[:8]
    worths = {after: worth - mean(after.turned) for worth, after in first}
    assert {after for after, _ in rated} == set(worths)
    best, value = rated[0]
    assert value == pytest.approx(max(worths.values()))
    assert worths[best] == pytest.approx(value)


def test_late_it_looks_at_two_plays_and_in_a_race_for_progress():
    side = np.zeros(25, int)
    side[[4, 5, 7, 13]] = 4, 5, 3, 3
    late = Board.of_sides(side, side)
    rated = PriorityMover().rate(late, (6, 5))
    assert len(rated) == 2
    race = Board.of_sides((1, 0, 0, 0, 1, 1, 1) + (0,) * 18, (5,) + (0,) * 24)
    best = PriorityMover().rate(race, (6, 1))[0][0]
    assert best.off[0] == 12
