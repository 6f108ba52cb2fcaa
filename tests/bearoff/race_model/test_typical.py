"""Values of typical races for money and at scores, compared with a plain recursion."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from bearoff import Match, Money, Score
from bearoff.race_model import race_model, typical
from bearoff.race_model.chain import typical_falls
from bearoff.race_model.typical import StatePlanes, TypicalRaces, typical_races
from bearoff.stakes import MONEY
from oracles.match_twin import ONE, At
from tests.bearoff.sources.cube_twin import SEEN

BINS = 28
FLOAT32 = 1e-6
"""Rounding error of float32 values of a few points."""


@cache
def falls():
    """Return the distribution of the number of bins that a roll saves, by EPC bin."""
    rows = typical_falls(BINS)[0].tolist()
    return [{fall: chance for fall, chance in enumerate(row) if chance} for row in rows]


@dataclass(frozen=True)
class ForMoney:
    """State of the cube in a money game; values are in points per cube value."""

    place: str
    jacoby: bool = False
    cube = 1
    scale = 2.0
    single = 1.0

    @property
    def stakes(self):
        return Money(self.jacoby)

    @property
    def gammon(self):
        """Return the value of a gammon beyond that of a single game."""
        return 0.0 if self.jacoby and self.place == "centred" else 1.0

    def other(self):
        return replace(self, place=SEEN[self.place])

    def taken(self):
        return None if self.place == "opponent" else replace(self, place="opponent")


class AtScore(At):
    """State of the cube at a match score; values are twice the match-winning chance, minus
    1.
    """

    scale = 1.0

    def _won(self, points):
        return 2 * self.won(points) / ONE - 1

    @property
    def stakes(self):
        return Match(Score((self.us, self.them), self.game))

    @property
    def single(self):
        return self._won(self.cube)

    @property
    def gammon(self):
        return self._won(2 * self.cube) - self.single

    def taken(self):
        """Return the state of the cube after a take, or None without a sensible double."""
        dead = self.game == "crawford" or self.place == "opponent" or self.us <= self.cube
        return None if dead else super().taken()


class Worth(NamedTuple):
    """Value of a race for the roller, and the parts of the value that gammons add."""

    value: float
    won: float = 0.0
    lost: float = 0.0


@cache
def waiting(cube, x, y):
    value = won = lost = 0.0
    for fall, chance in falls()[x].items():
        if fall == x:
            value += chance * cube.single
            won += chance * cube.gammon
            continue
        theirs = decided(cube.other(), y, x - fall)
        value -= chance * theirs.value
        won += chance * theirs.lost
        lost += chance * theirs.won
    return Worth(value, won, lost)


@cache
def decided(cube, x, y):
    kept, turned = waiting(cube, x, y), cube.taken()
    if turned is None:
        return kept
    after = waiting(turned, x, y)
    taken = cube.scale * after.value
    if min(taken, cube.single) < kept.value:
        return kept
    if taken > cube.single:
        return Worth(cube.single)  # after a pass, nobody bears off
    return Worth(taken, cube.scale * after.won, cube.scale * after.lost)


CUBES = [
    *map(ForMoney, ("centred", "owned", "opponent")),
    *(ForMoney(place, jacoby=True) for place in ("centred", "owned")),
    AtScore(2, 4, "normal", 1, "centred"),
    AtScore(5, 3, "normal", 2, "owned"),
    AtScore(1, 1, "normal", 1, "centred"),
    AtScore(3, 1, "crawford", 1, "centred"),
    AtScore(4, 1, "post-crawford", 1, "centred"),
]


@pytest.mark.parametrize("cube", CUBES, ids=str)
def test_every_plane_is_the_game_trees(cube):
    races = TypicalRaces(cube.stakes, BINS)
    for player, seen in enumerate((cube, cube.other())):
        planes = races.planes(cube.cube, seen.place, player)
        bins = range(1, BINS)
        right = [[(*decided(seen, x, y), *waiting(seen, x, y)) for y in bins] for x in bins]
        found = (
            planes.value, planes.won, planes.lost,
            planes.no_double, planes.waiting_won, planes.waiting_lost,
        )  # fmt: skip
        told = np.stack(found, axis=-1)[1:BINS, 1:BINS]
        np.testing.assert_allclose(told, right, rtol=0, atol=FLOAT32)


def assert_same(plane, right):
    """Check that two arrays of values are equal, except of two sides without checkers."""
    np.testing.assert_allclose(plane.ravel()[1:], right.ravel()[1:], rtol=0, atol=FLOAT32)


def test_for_money_they_are_the_race_models():
    model, races = race_model(), typical_races(MONEY, 60.0)
    size = races.bins
    assert size > BINS
    for k, cube in enumerate(("opponent", "owned", "centred")):
        found = races.planes(1, cube, 0)
        assert_same(found.value, model.planes[1 + k, :size, :size])
        if cube != "opponent":
            assert_same(found.no_double, model.no_double_values[k - 1, :size, :size])


@pytest.mark.parametrize(
    ("score", "cube_value"),
    [
        (Score((1, 1)), 1), (Score((3, 1), "crawford"), 1), (Score((2, 4)), 4),
        (Score((5, 3)), 8),
    ],
    ids=str,
)  # fmt: skip
def test_a_dead_cube_is_worth_the_chance_to_win(score, cube_value):
    stakes = Match(score)
    races = typical_races(stakes, 60.0)
    cubeless = race_model().planes[0, : races.bins, : races.bins].astype(np.float64)
    for player, seen in enumerate((stakes, stakes.exchanged())):
        won, lost = (seen.equities.after(seen.score, n * cube_value) for n in (1, -1))
        planes = races.planes(cube_value, "centred", player)
        right = won + lost + cubeless * (won - lost) - 1
        for plane in (planes.value, planes.no_double):
            assert_same(plane, right)


def test_races_are_kept_by_what_they_are_played_for():
    long = typical_races(Match(Score((3, 5), "normal", 7)), 60.0)
    assert typical_races(Match(Score((3, 5), "normal", 9)), 61.0) is long
    assert typical_races(Match(Score((5, 3))), 60.0) is not long
    assert typical_races(Match(Score((3, 5))), 300.0).bins > long.bins
    planes = long.planes(1, "centred", 0)
    assert isinstance(planes, StatePlanes)
    assert long.planes(1, "centred", 0) is planes


def test_races_that_are_kept_take_no_more_than_so_many_bytes(monkeypatch):
    monkeypatch.setattr(typical, "_met", OrderedDict())
    races = [typical_races(stakes, 60.0) for stakes in (MONEY, Match(Score((2, 3))))]
    for each in races:
        for cube in ("centred", "owned", "opponent"):
            each.planes(1, cube, 0)
        solved = {id(one): one for both in each._solved.values() for one in both}
        assert each.nbytes == sum(plane.nbytes for one in solved.values() for plane in one)
    monkeypatch.setattr(typical, "_MOST_BYTES", sum(each.nbytes for each in races))
    assert typical_races(MONEY, 60.0) is races[0]
    typical_races(Match(Score((3, 3))), 60.0).planes(1, "centred", 0)
    typical_races(Match(Score((4, 3))), 60.0)
    assert typical_races(MONEY, 60.0) is races[0]
    assert typical_races(Match(Score((2, 3))), 60.0) is not races[1]
