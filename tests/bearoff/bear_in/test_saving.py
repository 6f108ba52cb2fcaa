"""Plays that save gammons, compared with all legal plays of `bearoff.legal_plays`."""

import numpy as np
import pytest

import bearoff
from bearoff.bear_in import gammon_kernels
from bearoff.bear_in.saving import saving_bear_in, soonest


def idle_next(sides):
    chances = np.empty(len(sides))
    gammon_kernels.idle_next(sides, chances)
    return chances


def throws_idle(counts):
    """Return the number of rolls, out of 36, with which no play bears a checker off."""
    side = bearoff.Position(tuple(counts))
    return sum(
        weight
        for roll, weight in zip(bearoff.ROLLS, bearoff.WEIGHTS, strict=True)
        if not any(play.after.on_board < 15 for play in bearoff.legal_plays(side, roll))
    )


@pytest.fixture(scope="module")
def some_sides():
    """Return random sides of 15 checkers, with up to 4 checkers outside home."""
    rng = np.random.default_rng(5)
    sides = np.zeros((30, 24), dtype=np.int8)
    for n, side in enumerate(sides):
        chances = rng.dirichlet(np.full(6, rng.choice([0.15, 0.5, 2.0])))
        home = rng.choice(6, 15 - n % 5, p=chances)
        outside = rng.integers(6, rng.choice([8, 12, 24]), n % 5)
        np.add.at(side, [*home, *outside], 1)
    return sides


def test_the_chance_to_take_a_checker_off_is_that_of_all_plays(some_sides):
    found = np.rint(36 * idle_next(some_sides)).astype(int)
    assert found.tolist() == [throws_idle(side.tolist()) for side in some_sides]


def test_no_play_takes_the_first_checker_off_likelier(some_sides):
    sides = some_sides[6:11]
    saving, _ = saving_bear_in().expand(sides)
    better = 0
    for side, played, first in zip(sides, soonest(sides, saving), saving, strict=True):
        position = bearoff.Position(tuple(side.tolist()))
        for roll, after, stays in zip(bearoff.ROLLS, played, first, strict=True):
            places = {play.after.counts for play in bearoff.legal_plays(position, roll)}
            assert tuple(after.tolist()) in places
            if any(sum(place) < 15 for place in places):
                assert after.sum() < 15
                continue
            every = idle_next(np.array(sorted(places), dtype=np.int8))
            least, ours, before = every.min(), *idle_next(np.array([after, stays]))
            assert ours == least
            # `soonest` replaces the model's play only by a play that is likelier to bear a
            # checker off with the next roll.
            assert (before == least) == bool((after == stays).all())
            better += before > least
    assert better > 2
