"""Plays of the optimal player, and the player's games compared with exact values."""

from functools import cache

import numpy as np
import pytest

import bearoff
from bearoff import sim
from bearoff.sim import RaceMatch, play_games, throws_of_game
from bearoff.sim.play import tally
from bearoff.sim.play.optimal import expected
from tests.sim.batches import batch, outcomes_of, run
from tests.sim.play import replay

CHECKERS = 3
MIXED = [("fewest-rolls", "optimal"), ("optimal", "fewest-pips")]
BOTH = ("optimal", "optimal")


@pytest.fixture(scope="module", autouse=True)
def table():
    bearoff.build_two_sided_table(CHECKERS, cube=False)
    return bearoff.two_sided_table(CHECKERS)


@pytest.fixture(scope="module")
def pairs():
    """Return sixty pairs with two or three checkers a side."""
    rng = np.random.default_rng(20261121)
    return tuple(rng.integers(20, bearoff.position_count(6, CHECKERS), (2, 60)))


@cache
def next_of(name, position, other):
    """Return the positions after a player's plays of all rolls, for a given opponent."""
    if name == "optimal" and other:
        table = bearoff.two_sided_table(CHECKERS)
        return table.best_after(position, other, None).tolist()
    name = "fewest-rolls" if name == "optimal" else name
    return sim.player(name, 6, CHECKERS).policy[position].tolist()


def games_of(names, pairs, games, first=0, seed=20261121):
    firsts = np.full(len(pairs[0]), first, dtype=np.int64)
    match = RaceMatch(6, CHECKERS, *names, seed)
    return play_games(match, *pairs, firsts, np.full_like(firsts, games))


def test_games_between_optimal_players_agree_with_the_table(table, pairs):
    # The rounding error of the table is far below the standard error of 10,000 games.
    counts, chances = games_of(BOTH, pairs, 10_000), table.win_probability(*pairs)
    spread = np.where((chances > 1e-9) & (chances < 1 - 1e-9), chances * (1 - chances), 0)
    replay.assert_agrees(counts[:, tally.WINS] / 10_000, spread / 10_000, chances, 5, 1e-9)


def test_a_plane_read_as_it_is_stored_makes_the_same_games(pairs, monkeypatch):
    unpacked = games_of(BOTH, pairs, 100)
    monkeypatch.setattr("bearoff.pair_planes.plane._UNPACKED_BYTES", 0)
    monkeypatch.setattr("bearoff.pair_planes.plane._UNPACKED_SHARE", 1 << 60)
    assert np.array_equal(games_of(BOTH, pairs, 100), unpacked)


@pytest.mark.parametrize("names", [BOTH, *MIXED])
def test_every_game_is_the_one_replayed(names, pairs):
    for x, y in zip(*(side.tolist() for side in pairs), strict=True):
        row = np.zeros(tally.WIDTH, dtype=np.int64)
        for game in range(10):
            sides, needed = [x, y], [0, 0]
            dice = throws_of_game(7, x, y, game)
            while any(sides):
                throws = next(dice)
                for side in (0, 1):
                    needed[side] += sides[side] > 0
                    ways = next_of(names[side], sides[side], sides[1 - side])
                    sides[side] = ways[replay.ROLL_OF_THROW[throws[side]]]
            replay.add(row, needed)
        (found,) = games_of(names, (np.array([x]), np.array([y])), 10, seed=7)
        np.testing.assert_array_equal(found, row)


def test_what_games_converge_to_is_told_where_it_is_known(table, pairs):
    size = 6, CHECKERS
    known = table.win_probability(*pairs)
    np.testing.assert_array_equal(expected(BOTH, *size, *pairs), known)
    assert np.isnan(expected(("optimal", "random-play"), *size, *pairs)).all()
    fewest = expected(("fewest-rolls",) * 2, *size, *pairs)
    assert np.abs(fewest - known).max() < 0.05


def test_runs_have_the_value_of_the_table_or_none(tmp_path, table):
    listed = [{"list": [{"roller": "0,0,1,1,1,0", "opponent": "0,2,0,0,1,0"}]}]
    changes = {"table": {"checkers": CHECKERS}, "pairs": listed, "games": 10_000}
    optimal = {"roller": "optimal", "opponent": "optimal"}
    config = batch(tmp_path, players=optimal, **changes)
    (row,) = outcomes_of(run(config).path).to_pylist()
    value = table.win_probability(row["roller"], row["opponent"])
    assert row["expected"] == value
    error = np.sqrt(value * (1 - value) / row["games"])
    assert row["wins"] / row["games"] == pytest.approx(float(value), abs=4 * error)
    error = {"target": 0.002, "at_most": 10**6}
    mixed = config | {"run": "mixed", "games": None, "standard_error": error}
    mixed["players"] = optimal | {"opponent": "random-play"}
    (row,) = outcomes_of(run(mixed).path).to_pylist()
    assert row["expected"] is None
    assert row["games"] == 0.25 / 0.002**2
