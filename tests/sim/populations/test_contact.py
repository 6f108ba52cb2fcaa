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
    played = dict(zip(starts.games.tolist(), range(len(starts.games)), strict=True))
    for game in (0, 1, 2, BLOCK - 1):
        race = twin.race_of_game(SEED, game)
        if race is None:
            assert game not in played
            continue
        row = played[game]
        assert starts.rollers[row].tolist() == list(race[0][1:25])
        assert starts.opponents[row].tolist() == list(race[1][1:25])


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
    points = np.arange(1, 25)
    rears = [(side * points > 0) * points for side in (starts.rollers, starts.opponents)]
    assert (rears[0].max(axis=1) + rears[1].max(axis=1) <= 24).all()
    for side in (starts.rollers, starts.opponents):
        assert (side >= 0).all()
        on_board = side.sum(axis=1)
        assert ((on_board >= 1) & (on_board <= 15)).all()
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
    """Play a game by the documentation; return the last board, and whether it is a race."""
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
                if board.points_won:
                    return board, False
                if board.race is not None:
                    return board, True
    raise AssertionError("no end")


def test_games_are_those_played_step_by_step():
    starts = net_starts(SEED, 0)
    rows = {int(game): row for row, game in enumerate(starts.games)}
    for game in (0, 1, BLOCK - 1):
        board, race = played_step_by_step(SEED, game)
        assert (game in rows) == race
        if race:
            assert starts.rollers[rows[game]].tolist() == list(board.roller[:24])
            assert starts.opponents[rows[game]].tolist() == list(board.opponent[:24])
    top = [24 - (s[:, ::-1] > 0).argmax(axis=1) for s in (starts.rollers, starts.opponents)]
    assert (sum(top) <= 24).all()  # the two sides have passed each other
    assert starts.rollers.any(axis=1).all()
    assert starts.opponents.any(axis=1).all()
