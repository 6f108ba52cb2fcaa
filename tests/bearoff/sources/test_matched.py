"""Values of the fast model for single races equal its values for arrays."""

from statistics import NormalDist

import numpy as np
import pytest

import bearoff
from bearoff.bear_in import bear_in, first_off, widen
from bearoff.one_sided import gammons, one_sided_table
from bearoff.positions import rank
from bearoff.race_model import estimate_optimal_win_probability, race_model
from bearoff.sources import ModelSource, Races, gammon_chances
from bearoff.sources.gammons import backgammon_chances


def sides(checkers, points, count=60, seed=9):
    """Return random sides on 24 points."""
    rng = np.random.default_rng([seed, checkers, points])
    return widen(rng.multinomial(checkers, [1 / points] * points, size=count))


KINDS = [(1, 6), (15, 6), (15, 11), (9, 12)]


@pytest.mark.parametrize("theirs", KINDS)
@pytest.mark.parametrize("mine", KINDS)
def test_sides_are_matched_as_in_arrays(mine, theirs):
    both, model, player = (sides(*mine), sides(*theirs, seed=10)), race_model(), bear_in()
    races = Races(*both, np.arange(-1, 59, dtype=np.int8) % 3 - 1)
    x, y = map(player.epc, both)
    near = model.matching_std_rolls(x, y, *map(player.std_rolls, both))
    wins = model.win_probability(*near)
    home = ~(both[0][:, 6:].any(axis=1) | both[1][:, 6:].any(axis=1))
    if home.any():
        numbers = [rank(side[home, :6]) for side in both]
        chance = bearoff.fewest_rolls_win_probability(*numbers)
        x, y = x[home], y[home]
        wins[home] = estimate_optimal_win_probability(chance, x, y)
        exactly = model.matching_win_probability(x, y, chance)
        near[0][home], near[1][home] = exactly
    found = ModelSource().values(races)
    sure = ModelSource().certain(races)
    np.testing.assert_allclose(found.win_probability[~sure], wins[~sure], rtol=0, atol=1e-9)
    assert set(found.win_probability[sure].tolist()) <= {0.0, 1.0}
    plain = (found.gammons_won + found.gammons_lost == 0) & ~sure
    centred, theirs_to_turn = plain & (races.owners == 0), plain & (races.owners < 0)
    for rows, right in (
        (centred, model.no_double(*near, "centred")),
        (theirs_to_turn, model.equity(*near, "opponent")),
    ):
        np.testing.assert_allclose(found.no_double[rows], right[rows], rtol=0, atol=1e-6)
    if 15 not in (mine[0], theirs[0]):
        assert plain.sum() + sure.sum() == len(races)


@pytest.mark.parametrize("on_roll", [True, False])
def test_gammons_are_the_sums_of_their_rolls(on_roll):
    table, idle = one_sided_table(), gammons.saving_play().idle
    winners, losers = sides(5, 6), sides(15, 6)
    for winner, loser in zip(winners, losers, strict=True):
        rolls = table.distribution[rank(winner[:6])]
        stays = idle[rank(loser[:6])]
        late = [stays[min(max(n - on_roll, 0), 10)] for n in range(len(rolls))]
        right = sum(p * stay for p, stay in zip(rolls[:12], late[:12], strict=True))
        found = gammon_chances(winner[None], loser[None], on_roll=on_roll)
        assert found == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("on_roll", [True, False])
def test_gammons_beyond_home_are_those_of_normal_sums(on_roll):
    winners, losers = sides(10, 9), sides(15, 9)
    winners[:, 8] = np.maximum(winners[:, 8], 1)
    mean, variance = first_off(losers)
    lead = mean + (0.5 if on_roll else -0.5) - bear_in().mean_rolls(winners)
    spread = np.sqrt(variance + bear_in().std_rolls(winners) ** 2)
    right = [NormalDist().cdf(z) for z in lead / spread]
    found = gammon_chances(winners, losers, on_roll=on_roll)
    # The tolerance is the error of the approximation of the normal distribution.
    np.testing.assert_allclose(found, right, rtol=0, atol=2e-7)
    assert not backgammon_chances(winners, losers, on_roll=on_roll).any()


def test_sides_whose_rolls_are_certain_are_no_division_by_zero():
    few = widen([[3, 0, 0, 0, 0, 0, 1]])
    full, owners = widen([[15, 0, 0, 0, 0, 0]]), np.zeros(1, dtype=np.int8)
    assert bear_in().std_rolls(few) == first_off(full)[1] == 0
    for races in (Races(few, full, owners), Races(full, few, owners)):
        assert np.isfinite(ModelSource().values(races).no_double).all()


def test_who_is_off_at_once_is_sure_of_it_wherever_the_others_are():
    off, on_the_six = widen([[0, 1]]), widen([[0, 0, 0, 0, 0, 1]])
    beyond, owners = widen([[0, 0, 0, 1, 0, 0, 0, 1]]), np.ones(1, dtype=np.int8)
    found = ModelSource().values(Races(off, beyond, owners))
    assert (found.no_double, found.double_take) == (1.0, 2.0)
    assert found.no_double_error == found.double_take_error == 0.0
    assert not found.too_close
    # A checker on the 6 point may need another roll, so the win is not certain.
    assert not ModelSource().certain(Races(on_the_six, beyond, owners))
    assert ModelSource().certain(Races(beyond, off, owners)) == [False]
