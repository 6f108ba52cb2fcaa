"""Games until contact is over, compared with the rules and played step by step."""

import random

import numpy as np
import pytest

from bearoff import ROLLS
from bearoff.game import Board, legal_plays
from bearoff.game.contact import kernels
from bearoff.game.evaluation import Net
from bearoff.sim.play import dice_kernels, race_key
from bearoff.sim.populations.contact import (
    BLOCK,
    MOST_SLACK,
    lots_of,
    race_starts,
    urges_of,
)
from bearoff.sim.populations.harvest import LEAD_PERCENT, LEAD_PIPS, worth_racing
from bearoff.sim.populations.net_games import DICE_OF_NET, net_starts
from tests.sim.populations import contact_twin as twin

SEED = 5


@pytest.fixture(scope="module")
def starts():
    return race_starts(SEED, 0)


def test_games_are_those_of_plain_python(starts):
    for game in (0, 1, 2, BLOCK - 1):
        race = twin.race_of_game(SEED, game)
        assert_started(starts, game, race and [side[1:25] for side in race])


def assert_started(starts, game, sides):
    """Check that a game led to a race with these checkers, or to none."""
    rows = np.flatnonzero(starts.games == game)
    found = [[starts.rollers[row].tolist(), starts.opponents[row].tolist()] for row in rows]
    assert found == ([list(map(list, sides))] if sides else []), game


def assert_races(starts):
    """Check that both sides have checkers, and have passed each other."""
    sides = np.stack([starts.rollers, starts.opponents])
    assert sides.min() >= 0
    assert 1 <= sides.sum(axis=2).min() <= sides.sum(axis=2).max() <= 15
    rears = 24 - (sides[:, :, ::-1] > 0).argmax(axis=2)
    assert (rears.sum(axis=0) <= 24).all()


def _random_board(rng):
    """Return two sides on different points, with some checkers on the bar or off."""
    own, other = [0] * 26, [0] * 26
    for side, rival in ((own, other), (other, own)):
        span = rng.choice((6, 12, 24))
        for _ in range(15):
            kind = rng.random()
            if kind < 0.06:
                side[25] += 1
                continue
            free = [p for p in range(1, span + 1) if not rival[25 - p]]
            side[0 if kind < 0.15 or not free else rng.choice(free)] += 1
    return tuple(own), tuple(other)


def test_scores_are_those_of_the_words():
    rng = random.Random(4)
    for _ in range(300):
        sides, urge = _random_board(rng), rng.randrange(kernels.MOST_URGE)
        board = Board.of_sides(*(side[1:] for side in sides))
        assert kernels.score(board.array, urge) == twin.score(sides, urge)


def test_starts_are_free_of_contact_and_worth_racing_by_the_lead_alone(starts):
    assert_races(starts)
    points = np.arange(1, 25)
    assert (np.diff(starts.games) > 0).all()
    kept = worth_racing(starts)
    # About 45% of random starts have a small enough lead and are kept.
    assert 0.3 < kept.mean() < 0.6
    for x, y, keep in zip(starts.rollers, starts.opponents, kept, strict=True):
        pips = sorted((int(x @ points), int(y @ points)))
        assert keep == (pips[1] - pips[0] <= LEAD_PERCENT / 100 * pips[0] + LEAD_PIPS)


def test_lots_are_as_stated_and_seeds_and_blocks_give_other_games(starts):
    slacks, lots = lots_of(1, 0, 0)
    assert slacks.shape == lots.shape == (2, 6, BLOCK)
    assert slacks.min() == 0
    assert slacks.max() == MOST_SLACK - 1
    # A slack is the amount by which a chosen play may be worse than the best. Half of the
    # slacks are below a quarter of the maximum. The limit is four standard errors.
    assert abs((slacks < MOST_SLACK / 4).mean() - 0.5) < 4 * 0.5 / 12288**0.5
    urges = urges_of(1, 0)
    assert urges.shape == (2, BLOCK)
    assert 0 <= urges.min() <= urges.max() < kernels.MOST_URGE
    other, later = race_starts(SEED + 1, 0), race_starts(SEED, 1)
    assert not np.array_equal(starts.rollers[:100], other.rollers[:100])
    assert not np.array_equal(starts.rollers[:100], later.rollers[:100])
    assert later.games[0] >= BLOCK


def played_step_by_step(seed, game):
    """Play a game by the documentation; return the board of its race, or None."""
    net, board, opened = Net.load(), Board.start(), False
    rolls = np.empty((2, dice_kernels.THROWS_PER_DRAW, 1), np.uint8)
    for draw in range(64):
        key, zero = np.uint64(race_key(seed, DICE_OF_NET, 0)), np.uint64(0)
        number = np.array([game], np.uint64)
        dice_kernels.throw_lanes(key, zero, zero, number, np.uint64(draw), rolls)
        for turn in range(dice_kernels.THROWS_PER_DRAW):
            for side in range(2):
                roll = ROLLS[rolls[side, turn, 0]]
                if not opened and roll[0] == roll[1]:
                    break
                opened = True
                plays = [Board(tuple(p)).turned for p in legal_plays(board, roll).tolist()]
                board = min(plays, key=net.equity)
                if board.points_won or board.race is not None:
                    return None if board.points_won else board
    raise AssertionError("no end")


def test_games_are_those_played_step_by_step(monkeypatch):
    monkeypatch.setattr("bearoff.sim.populations.net_games.BLOCK", 64)
    starts = net_starts(SEED, 1)
    for game in (64, 65, 127):
        board = played_step_by_step(SEED, game)
        assert_started(starts, game, board and (board.roller[:24], board.opponent[:24]))
    assert_races(starts)
