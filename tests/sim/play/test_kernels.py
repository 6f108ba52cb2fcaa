"""Compiled code plays the same games as a plain replay, and values pairs without games."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

import bearoff
from bearoff import PositionError
from bearoff.one_sided import gammons
from bearoff.positions.numbering import rank_terms
from bearoff.sim.play import RaceMatch, choice_kernels, kernels, pair_kernels, play_games
from bearoff.sim.play.arguments import PairGames, first_full
from bearoff.sim.play.players import PLAYERS, expected_wins, player
from bearoff.sim.play.tally import GAMMONS_LOST, GAMMONS_WON
from tests.refusals import refused
from tests.sim.play import replay

FIVES = int(bearoff.rank([0, 0, 0, 5, 5, 5]))
BOTH = ("fewest-rolls", "fewest-rolls")
RING = list(pairwise([*PLAYERS, "fewest-rolls"]))
"""Pairs of players in which each plays once on either side."""


def match_of(players=BOTH, seed=20261121, points=6, checkers=15):
    return RaceMatch(points, checkers, *players, seed)


def play_one(match, roller, opponent, first, games):
    columns = [np.array([value]) for value in (roller, opponent, first, games)]
    return play_games(match, *columns)[0]


LONG = match_of(seed=2**64 - 1)
OTHER_TABLE = match_of(("fewest-rolls", "random-play"), points=8, checkers=4)


@pytest.mark.parametrize(
    ("match", "roller", "opponent", "first", "games"),
    [
        # There are more games than lanes, and the last games do not fill all lanes.
        (LONG, FIVES, FIVES, 0, 1500), (LONG, 8887, 54263, 1000, 1024),
        # Some gammons, in games longer than one draw of dice.
        (LONG, 10, 54263, 0, 1100), (LONG, 38760, 9, 0, 300),
        # 38760 is the lowest position number with all checkers on the board.
        (LONG, 1, 38760, 0, 3), (LONG, 1, 1, 0, 3),
        (LONG, 7, 54263, 2**32 - 40, 80),  # game numbers that exceed 32 bits
        (LONG, 300, 200, 2**40 - 30, 30), (OTHER_TABLE, 494, 300, 0, 200),
        *((match_of(players, seed=0), *pair, 60)
          for players in (*RING, ("random-play",) * 2)
          for pair in ((FIVES, 40000, 2**32 - 10), (8887, 3000, 5))),
    ],
)  # fmt: skip
def test_counts_are_those_of_a_replay(match, roller, opponent, first, games):
    expected = replay.count(match, roller, opponent, range(first, first + games))
    assert np.array_equal(play_one(match, roller, opponent, first, games), expected)


@pytest.mark.parametrize("players", [BOTH, ("random-play", "fewest-pips")])
def test_games_add_however_they_are_cut(players):
    match = match_of(players)
    cuts = pairwise([0, 1, 1023, 1024, 1025, 2049, 4095, 5000])
    parts = [play_one(match, FIVES, 8887, first, end - first) for first, end in cuts]
    assert np.array_equal(sum(parts), play_one(match, FIVES, 8887, 0, 5000))


def test_pairs_do_not_touch_each_other():
    match = match_of()
    rollers, opponents = np.array([[FIVES, 8887, 1, FIVES], [8887, FIVES, 7, 8887]])
    firsts, games = np.array([0, 3, 0, 500]), np.array([500, 1030, 0, 200])
    asked = rollers, opponents, firsts, games
    together = play_games(match, *asked)
    alone = [play_one(match, *one) for one in zip(*asked, strict=True)]
    assert np.array_equal(together, alone)
    assert not together[2].any()


def test_the_kernel_of_choices_agrees_with_that_of_policies():
    """They agree, also about gammons after the first draw of dice, as in the last pair."""
    roller, opponent = (player(name, 6, 15) for name in ("fewest-rolls", "fewest-pips"))
    aces = int(bearoff.rank([14, 0, 0, 0, 0, 0]))
    rollers = np.array([FIVES, 8887, 1, 54263, 9, aces])
    opponents = np.array([FIVES, 54000, 1, 10, 54100, 54263])
    firsts = np.array([3, 2**32 - 5, 0, 7, 0, 0])
    games = np.array([1500, 1200, 5, 300, 1100, 100_000])
    by_policy, by_choice = np.zeros((2, 6, kernels.WIDTH), dtype=np.int64)
    asked = PairGames(np.uint64(9), rollers, opponents, firsts, games, first_full(6, 15))
    kernels.play_policies(roller.places, opponent.places, asked, by_policy)
    choice_kernels.play_choices(roller.choices, opponent.choices, asked, by_choice)
    assert np.array_equal(by_policy, by_choice)


def test_gammons_converge_to_the_one_sided_chances():
    few = [2, 0, 0, 0, 0, 0], [0, 2, 0, 0, 2, 0], [3, 2, 1, 0, 0, 0], [4, 3, 0, 1, 0, 0]
    full = [0, 0, 0, 0, 0, 15], [1, 2, 3, 3, 3, 3], [0, 0, 0, 5, 5, 5]
    x, y = (side.ravel() for side in np.meshgrid(bearoff.rank(few), bearoff.rank(full)))
    rollers, opponents = np.concatenate([x, y]), np.concatenate([y, x])
    games, firsts = 200_000, np.zeros(24, int)
    counts = play_games(match_of(), rollers, opponents, firsts, firsts + games)
    expected = gammons.gammon_chance(rollers, opponents)
    for column, chance in ((GAMMONS_WON, expected.wins), (GAMMONS_LOST, expected.losses)):
        found = counts[:, column] / games
        error = np.sqrt(chance * (1 - chance) / games)
        assert np.all(np.abs(found - chance) <= 4.5 * error)
        assert (chance > 0.001).sum() >= 6


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        *(((*pair, 0, 1), 54263) for pair in ((0, 1), (1, 0), (-1, 1), (1, 54264))),
        *(((1, 1, *games), 0) for games in ((-1, 1), (0, -1), (2**40, 1))),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, named):
    with refused(PositionError, named):
        play_one(match_of(), *arguments)


@pytest.mark.parametrize(
    ("place", "bad"),
    [
        *((0, bad) for bad in (None, [6.0], [True], [[5]], [1, 2], np.ma.array([5]))),
        *((place, [6.0]) for place in (1, 2, 3)),
    ],
)
def test_what_is_no_array_of_whole_numbers_is_refused(place, bad):
    arguments = [np.array([5]), np.array([5]), np.array([0]), np.array([1])]
    arguments[place] = bad
    with pytest.raises(PositionError):
        play_games(match_of(), *arguments)


@pytest.mark.parametrize(("points", "checkers"), [(6, 15), (1, 15), (12, 3), (24, 15)])
def test_positions_are_those_of_their_numbers(points, checkers):
    size = bearoff.position_count(points, checkers)
    numbers = np.random.default_rng(1).integers(0, size, 3000)
    numbers[:2] = 0, size - 1
    counts = np.full((len(numbers), points), 99, dtype=np.int8)
    pair_kernels.unrank(rank_terms(points, checkers), numbers, counts)
    assert (counts == bearoff.unrank(numbers, points, checkers)).all()


@pytest.mark.parametrize("names", [("fewest-rolls",) * 2, ("random-play", "fewest-pips")])
def test_wins_are_by_convolution(names):
    roller, opponent = (player(name, 4, 5) for name in names)
    # The longest games of two players differ, so their distributions differ in length.
    widths = {side.distribution.shape[1] for side in (roller, opponent)}
    assert len(widths) == len(set(names))
    numbers = np.arange(bearoff.position_count(4, 5))
    x, y = (side.ravel() for side in np.meshgrid(numbers, numbers))
    for sides in ((roller, opponent), (opponent, roller)):
        rows = (side.distribution for side in sides)
        known = bearoff.one_sided.first_off_probability(*rows, x, y)
        # The last digit may differ, because the terms are summed in different orders.
        assert expected_wins(*sides, x, y) == pytest.approx(known, abs=1e-14)
        assert expected_wins(*sides, x, y).max() <= 1.0


weights = st.lists(
    st.floats(0, 1e6) | st.just(0.0) | st.integers(0, 3).map(float), min_size=1, max_size=40
).filter(any)


@given(weights, st.lists(st.floats(0, 1, exclude_max=True), max_size=20))
@example([0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0], [])
@example([5e-324, 1.0], [0.0, 0.5])
def test_the_first_above_is_what_a_search_finds(given_weights, draws):
    ends = np.cumsum(given_weights)
    # Besides random values, the edges of intervals and the nearest numbers are tested.
    edges = [ends, np.nextafter(ends, 0), np.nextafter(ends, 1e9)]
    values = np.concatenate([np.array(draws) * ends[-1], *edges])
    chosen = np.empty(len(values), dtype=np.int64)
    pair_kernels.first_above(ends, values, chosen)
    assert (chosen == np.searchsorted(ends, values, side="right")).all()
