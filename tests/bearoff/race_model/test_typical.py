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

BINS = 28
FLOAT32 = 1e-6
"""Rounding error of float32 values of a few points."""


@cache
def falls():
    """Return, for each EPC bin, the distribution of the number of bins that a roll
    saves."""
    rows = typical_falls(BINS)[0].tolist()
    return [{fall: chance for fall, chance in enumerate(row) if chance} for row in rows]


@dataclass(frozen=True)
class ForMoney:
    """State of the cube in a money game; values are in points per cube value."""

    place: str
    jacoby: bool = False
    scale = 2.0
    single = 1.0

    @property
    def gammon(self):
        """Return the value of a gammon beyond that of a single game."""
        return 0.0 if self.jacoby and self.place == "centred" else 1.0

    def other(self):
        turned = {"owned": "opponent", "opponent": "owned"}
        return replace(self, place=turned.get(self.place, self.place))

    def taken(self):
        return None if self.place == "opponent" else replace(self, place="opponent")


@dataclass(frozen=True)
class AtScore:
    """State of the cube at a match score; values are twice the match-winning chance, minus
    1.
    """

    at: At
    scale = 1.0

    def _won(self, points):
        return 2 * self.at.won(points) / ONE - 1

    @property
    def single(self):
        return self._won(self.at.cube)

    @property
    def gammon(self):
        return self._won(2 * self.at.cube) - self.single

    def other(self):
        return AtScore(self.at.other())

    def taken(self):
        """Return the state of the cube after a take, or None without a sensible double."""
        at = self.at
        if at.game == "crawford" or at.place == "opponent" or at.us <= at.cube:
            return None
        return AtScore(at.taken())


Cube = ForMoney | AtScore


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
    *((MONEY, ForMoney(place)) for place in ("centred", "owned", "opponent")),
    *((Money(True), ForMoney(place, True)) for place in ("centred", "owned")),
    *(
        (Match(Score(away)), AtScore(At(*away, "normal", cube, place)))
        for away, cube, place in (
            ((2, 4), 1, "centred"),
            ((5, 3), 2, "owned"),
            ((1, 1), 1, "centred"),
        )
    ),
    (Match(Score((3, 1), "crawford")), AtScore(At(3, 1, "crawford", 1, "centred"))),
    (
        Match(Score((4, 1), "post-crawford")),
        AtScore(At(4, 1, "post-crawford", 1, "centred")),
    ),
]


@pytest.mark.parametrize(
    ("stakes", "cube"),
    CUBES,
    ids=lambda one: getattr(one, "label", None) or getattr(one, "place", "at a score"),
)
def test_every_plane_is_the_game_trees(stakes, cube):
    races = TypicalRaces(stakes, BINS)
    place, value = (
        (cube.place, 1) if isinstance(cube, ForMoney) else (cube.at.place, cube.at.cube)
    )
    for player, seen in ((0, cube), (1, cube.other())):
        here = (
            place if player == 0 else AtScore(At(1, 1, "normal", 1, place)).other().at.place
        )
        planes = races.planes(value, here, player)
        bins = range(1, BINS)
        right = [[(*decided(seen, x, y), *waiting(seen, x, y)) for y in bins] for x in bins]
        found = (
            planes.value, planes.won, planes.lost,
            planes.no_double, planes.waiting_won, planes.waiting_lost,
        )  # fmt: skip
        told = np.stack(found, axis=-1)[1:BINS, 1:BINS]
        np.testing.assert_allclose(told, right, rtol=0, atol=FLOAT32)


def assert_same(plane, right):
    """Check that two arrays of values are equal, except where both sides have no
    checkers."""
    np.testing.assert_allclose(plane.ravel()[1:], right.ravel()[1:], rtol=0, atol=FLOAT32)


def test_for_money_they_are_the_race_models():
    model, races = race_model(), typical_races(MONEY, 60.0)
    cubes = {"opponent": 1, "owned": 2, "centred": 3}
    for cube, plane in cubes.items():
        found = races.planes(1, cube, 0)
        size = races.bins
        assert size > BINS
        known = model.planes[plane, :size, :size]
        assert_same(found.value, known)
        if cube != "opponent":
            known = model.no_double_values[("owned", "centred").index(cube), :size, :size]
            assert_same(found.no_double, known)


def chances(bins):
    """Return the race model's cubeless win probabilities of all pairs of EPC bins."""
    return (race_model().planes[0, :bins, :bins].astype(np.float64) + 1) / 2


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
    chance = chances(races.bins)
    for player, seen in ((0, stakes), (1, stakes.exchanged())):
        won, lost = (seen.equities.after(seen.score, n * cube_value) for n in (1, -1))
        planes = races.planes(cube_value, "centred", player)
        right = 2 * (lost + chance * (won - lost)) - 1
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
