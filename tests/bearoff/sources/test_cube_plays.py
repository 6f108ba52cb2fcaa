"""Best plays for each owner of the cube, compared with exact fractions and with the
table.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from bearoff import ROLLS, Position, Race
from bearoff.plays import Play, legal_plays
from bearoff.sources import Races, TableSource, play_values
from bearoff.stakes import CubeOwner, Money, Terms
from oracles.reference import all_positions, checkers_of, successors
from tests.bearoff.sources import cube_twin
from tests.two_sided_tables import built

CUBES = (None, "centred", "owned", "opponent")
THEIRS = {
    None: cube_twin.cubeless,
    "centred": cube_twin.centred,
    "owned": cube_twin.opponent_owns,
    "opponent": cube_twin.roller_owns,
}
PLANES = {None: "cubeless", "centred": "centred", "owned": "opponent", "opponent": "owned"}
"""Name of the plane with the opponent's values after a play, by owner of the cube."""


@dataclass(frozen=True)
class Valued:
    play: Play
    equity: float
    cost: float
    error: float


def value_plays(table, race, roll, cube, jacoby=False):
    """Return the plays of a roll by the table, best first.

    `play_values` is used with a cube. Without a cube, a play has the value in the table.
    """
    legal = sorted(legal_plays(race.roller, roll), key=lambda play: play.after.number)
    numbers = [play.after.number for play in legal]
    if cube is None:
        equities = -table.equity(race.opponent.number, numbers, None)
        costs = equities.max() - equities
        # An equity has twice the error of a win probability. A cost is a difference of two
        # equities, so its error is four times as large.
        errors = np.full(len(legal), 4 * table.error(PLANES[None]))
        order = np.argsort(costs, kind="stable")
    else:
        after, theirs = (
            np.array([[*side.counts, *18 * [0]] for side in some], dtype=np.int8)
            for some in ([play.after for play in legal], [race.opponent])
        )
        owner = np.array([CubeOwner.of(cube)], dtype=np.int8)
        races = Races(after[:1], theirs, owner, Terms(Money(jacoby)))
        rows = np.zeros(len(legal), dtype=np.int64)
        valued = play_values(TableSource(table), races, rows, after)
        equities, (costs, errors) = valued.equities, valued.cost_and_error()
        order = valued.ranking()
        # The error of the best play is the largest amount by which another play may be
        # better.
        others = order[1:]
        better = (errors[others] - costs[others]).max(initial=0)
        assert errors[order[0]] == pytest.approx(better, abs=1e-15)
        assert (errors >= 0).all()
        assert (errors[others] <= 2 * table.error(PLANES[cube])).all()
    return [
        Valued(legal[k], *(float(numbers[k]) for numbers in (equities, costs, errors)))
        for k in order
    ]


def race_of(table, pair):
    return Race(*(Position.from_number(int(n), 6, table.checkers) for n in pair))


@pytest.fixture(scope="module")
def small():
    return built(2)


@pytest.mark.parametrize("cube", CUBES)
def test_every_play_of_every_roll_against_fractions(small, cube):
    positions = [p for p in all_positions(6, 2) if p]
    error = small.error(PLANES[cube]) * (2 if cube is None else 1)
    for x in range(1, len(positions) + 1, 5):
        for y in range(1, len(positions) + 1, 7):
            for roll in ROLLS:
                valued = value_plays(small, race_of(small, (x, y)), roll, cube)
                found = {checkers_of(v.play.after.counts): v.equity for v in valued}
                assert set(found) == successors(positions[x - 1], *roll)
                truth = {
                    after: -float(THEIRS[cube](positions[y - 1], after)) for after in found
                }
                assert found == pytest.approx(truth, abs=error)
                most = max(truth.values())
                for one in valued:
                    lost = most - truth[checkers_of(one.play.after.counts)]
                    assert abs(one.cost - lost) <= one.error + 1e-12
                costs = [v.cost for v in valued]
                assert costs == sorted(costs)
                assert costs[0] == 0
                best = max(found.values())
                assert costs == [best - v.equity for v in valued]


@pytest.mark.parametrize("cube", CUBES)
def test_whole_arrays_agree_with_play_by_play(cube):
    table, rng = built(6), np.random.default_rng(20261121)
    rollers, opponents = rng.integers(1, 924, (2, 5))
    after = table.best_after(rollers, opponents, cube)
    assert after.shape == (5, 21)
    for k, pair in enumerate(zip(rollers.tolist(), opponents.tolist(), strict=True)):
        for roll, number in zip(ROLLS, after[k].tolist(), strict=True):
            valued = value_plays(table, race_of(table, pair), roll, cube)
            best = [one.play.after.number for one in valued if one.cost == 0]
            assert number == min(best)  # of plays of equal equity, the lowest number
