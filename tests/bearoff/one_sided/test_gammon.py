"""Gammon chances of positions with few checkers, compared with exact fractions."""

from fractions import Fraction
from functools import cache
from statistics import mean

import numpy as np
import pytest

import bearoff
from bearoff.one_sided import gammons
from bearoff.positions.numbering import POINTS
from oracles import reference
from oracles.reference import THROWS

ALL = 2
"""Number of checkers with which both sides start, instead of 15."""

POSITIONS = reference.all_positions(POINTS, ALL)
NUMBERS = np.arange(len(POSITIONS))


def _result(roller, opponent):
    """Return the roller's points at the end of a game; a gammon counts two points."""
    if not roller:
        return 2 if len(opponent) == ALL else 1
    if not opponent:
        return -2 if len(roller) == ALL else -1
    return None


@cache
def fewest_rolls_gammons(roller, opponent):
    """Return the roller's chances to win and lose a gammon, with fewest-rolls play."""
    over = _result(roller, opponent)
    if over is not None:
        return Fraction(over == 2), Fraction(over == -2)
    afters = [reference.fewest_rolls_play(roller, *throw) for throw in THROWS]
    theirs = [fewest_rolls_gammons(opponent, after) for after in afters]
    return mean(lost for _, lost in theirs), mean(won for won, _ in theirs)


@cache
def most_gammons(roller, opponent, sign):
    """Return the largest gammon chance that a side can reach by any plays."""
    over = _result(roller, opponent)
    if over is not None:
        return Fraction(over == 2 * sign)
    return mean(
        max(
            most_gammons(opponent, after, -sign)
            for after in reference.successors(roller, *throw)
        )
        for throw in THROWS
    )


def over_all_pairs(value):
    return np.array([[float(value(x, y)) for y in POSITIONS] for x in POSITIONS])


def test_chances_of_fewest_rolls_play():
    found = gammons.gammon_chance(NUMBERS[:, None], NUMBERS, ALL)
    wins = over_all_pairs(lambda x, y: fewest_rolls_gammons(x, y)[0])
    losses = over_all_pairs(lambda x, y: fewest_rolls_gammons(x, y)[1])
    assert found.wins == pytest.approx(wins, abs=1e-14)
    # The row of a roller without checkers is left out, because this roller has already won.
    assert found.losses[1:] == pytest.approx(losses[1:], abs=1e-14)


def test_a_pair_alone_has_the_chances_it_has_among_many():
    rng = np.random.default_rng(2)
    few, full = rng.integers(1, 100, 40), rng.integers(54_000, 54_264, 40)
    for x, y in ((few, full), (full, few)):
        many = gammons.gammon_chance(x, y)
        assert max(many.wins.max(), many.losses.max()) > 0.1
        alone = [gammons.gammon_chance(int(a), int(b)) for a, b in zip(x, y, strict=True)]
        # Sums for one pair and for many pairs may be rounded differently.
        for name in ("wins", "losses"):
            each = [float(getattr(one, name)) for one in alone]
            assert getattr(many, name) == pytest.approx(each, abs=1e-15), name


def test_bounds_hold_whatever_is_played():
    found = gammons.gammon_bound(NUMBERS[:, None], NUMBERS, ALL)
    wins = over_all_pairs(lambda x, y: most_gammons(x, y, 1))
    losses = over_all_pairs(lambda x, y: most_gammons(x, y, -1))
    assert (found.wins >= wins - 1e-14).all()
    assert (found.losses[1:] >= losses[1:] - 1e-14).all()
    # If the gammon depends on a single roll, the bound equals the exact chance.
    surely = POSITIONS.index((1,))
    assert found.losses[:, surely] == pytest.approx(losses[:, surely], abs=1e-14)
    # A six, 3-3, 4-4 or 5-5 bears a checker off from the 6 point; the other 22 rolls do
    # not.
    assert found.losses[-1, surely] == pytest.approx(22 / 36)


def test_hardly_any_game_is_a_gammon_where_both_sides_may_win():
    full = np.arange(gammons.full_positions().start, 54_264, 199)[:, None]
    others = np.arange(1, 54_264, 61)
    for pair in ((others, full), (full, others)):
        wins = bearoff.fewest_rolls_win_probability(*pair)
        found = gammons.gammon_chance(*pair)
        both = found.wins + found.losses
        assert both[(wins > 0.1) & (wins < 0.9)].max() < 1 / 2000
        assert both.max() > 0.2


def test_all_checkers_is_fifteen():
    assert gammons.full_positions(1) == slice(1, 7)
    full = gammons.full_positions()
    counts = bearoff.unrank(np.arange(bearoff.position_count())).sum(axis=1)
    assert np.flatnonzero(counts == 15).tolist() == list(range(full.start, full.stop))
    last, fourteen, fifteen = bearoff.rank([[n, 0, 0, 0, 0, 0] for n in (1, 14, 15)])
    assert float(gammons.gammon_chance(last, fifteen).wins) == 1
    assert float(gammons.gammon_chance(last, fourteen).wins) == 0
    # Play for the fewest rolls bears a checker off with 16 of 36 rolls.
    sixes = bearoff.rank([0, 0, 0, 0, 0, 15])
    assert gammons.gammon_chance(sixes, last).losses == pytest.approx(20 / 36)
