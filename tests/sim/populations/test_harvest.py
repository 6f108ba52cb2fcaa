"""Races collected from simulated games, compared with replays and exact probabilities."""

from collections import Counter
from fractions import Fraction
from itertools import count

import numpy as np
from scipy import stats

import bearoff
from bearoff.bear_in.model import bear_in
from bearoff.sim.play.replay import race_key, throws_of_game
from bearoff.sim.populations.contact import Starts
from bearoff.sim.populations.decisions import merge
from bearoff.sim.populations.harvest import race_pairs
from tests.sim.play.replay import ROLL_OF_THROW


def home_start(roller, opponent, games=1):
    sides = [np.zeros((games, 24), np.int8) for _ in range(2)]
    for side, counts in zip(sides, (roller, opponent), strict=True):
        side[:, :6] = counts
    return Starts(np.arange(games, dtype=np.int64), *sides)


def replayed(seed, game, roller, opponent):
    """Replay one race; return all pairs of positions that occur in it."""
    policy, model = bearoff.one_sided_table().policy, bear_in()
    sides = [bearoff.Position(tuple(map(int, side))) for side in (roller, opponent)]
    dice = throws_of_game(race_key(seed, 2, 0), 0, 0, game)
    met = []
    for _ in count():
        for side, throw in zip((0, 1), next(dice), strict=True):
            met.append((sides[side].counts, sides[1 - side].counts))
            roll = ROLL_OF_THROW[throw]
            counts = np.array(sides[side].counts, np.int8)
            if counts[6:].any():
                after = model.expand(counts[None])[0][0, roll]
            else:
                after = (*bearoff.unrank(policy[bearoff.rank(counts[:6]), roll]), *[0] * 18)
            plays = bearoff.legal_plays(sides[side], bearoff.ROLLS[roll])
            legal = {play.after.counts: play.after for play in plays}
            sides[side] = legal[tuple(after)]
            if not sides[side].on_board:
                return met
    raise AssertionError


def test_a_game_is_harvested_as_it_is_replayed(harvest):
    game = int(harvest.races[3])
    found = []
    for visits, points in ((harvest.home, 6), (harvest.beyond, 24)):
        for row in np.flatnonzero(visits.games == game):
            sides = (visits.rollers[row], visits.opponents[row])
            counts = ((*bearoff.unrank(s, points), *[0] * (24 - points)) for s in sides)
            found.append((int(visits.plies[row]), *counts))
    found.sort()
    assert [ply for ply, _, _ in found] == list(range(len(found)))
    start = found[0][1:]
    assert [pair[1:] for pair in found] == replayed(4, game, *start)
    # The race began with checkers outside home.
    assert any(any(side[6:]) for side in start)


def visit_chances(roller, opponent):
    """Return the probability that each pair of positions occurs in a race."""
    policy = bearoff.one_sided_table().policy.tolist()
    met: Counter[tuple[int, int]] = Counter()

    def follow(x, y, chance):
        met[x, y] += chance
        for roll, weight in enumerate(bearoff.WEIGHTS):
            after = policy[x][roll]
            if after:
                follow(y, after, chance * Fraction(weight, 36))

    follow(roller, opponent, Fraction(1))
    return met


def test_frequencies_are_those_of_every_roll_followed():
    sides = [0, 1, 1, 1, 0, 0], [1, 0, 1, 0, 1, 0]
    games = 40_000
    found = race_pairs(3, home_start(*sides, games), bear_in()).home
    expected = visit_chances(*(int(bearoff.rank(side)) for side in sides))
    met = Counter(zip(found.rollers.tolist(), found.opponents.tolist(), strict=True))
    assert set(met) <= set(expected)
    # A race visits a pair at most once, so the number of visits is binomial.
    often = [(met[pair], float(c)) for pair, c in expected.items() if c * games > 20]
    assert len(often) > 30
    z = [(n - games * c) / np.sqrt(games * c * (1 - c)) for n, c in often if c < 1]
    assert np.abs(z).max() < 4.5
    assert stats.chi2.sf(np.square(z).sum(), len(z)) > 1e-5


def test_merging_counts_each_part_by_itself():
    rng = np.random.default_rng(8)
    x, y = rng.integers(1, 6, (2, 400))
    games, plies = rng.integers(0, 40, 400), rng.integers(0, 30, 400).astype(np.int16)
    met = merge(x, y, games, plies)
    rest = {0: 0, 1: 0, 2: 0, 3: 1, 4: 2}
    visits = list(zip(x.tolist(), y.tolist(), games.tolist(), plies.tolist(), strict=True))
    weights = Counter((rest[g % 5], a, b) for a, b, g, _ in visits)
    keys = list(zip(met.splits.tolist(), met.rollers.tolist(), met.opponents.tolist(),
                    strict=True))  # fmt: skip
    assert keys == sorted(weights)
    assert dict(zip(keys, met.weights.tolist(), strict=True)) == weights
    for row, (part, a, b) in enumerate(keys):
        mine = [(g, p) for c, d, g, p in visits if (c, d) == (a, b) and rest[g % 5] == part]
        assert (met.games[row], met.plies[row]) == min(mine)
        others = {rest[g % 5] for c, d, g, _ in visits if (c, d) == (a, b)} - {part}
        assert met.elsewhere[row] == bool(others)
