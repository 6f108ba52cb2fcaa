"""Two-sided values against exact and float64 solutions, published values, identities."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bearoff
from tests import oracles, reference
from tests.two_sided_reference import ONE, exact, float64_planes
from tests.two_sided_tables import PLANES, bound, built, number, stored


@pytest.fixture(scope="module")
def every_pair() -> dict[str, NDArray[np.float64]]:
    return float64_planes(5)


@pytest.mark.parametrize("checkers", [1, 3])
def test_every_pair_of_few_checkers_has_its_exact_value(checkers: int) -> None:
    table = built(checkers)
    positions = reference.all_positions(6, checkers)
    pairs = list(itertools.product(range(len(positions)), repeat=2))
    x, y = np.array(pairs).T
    right = [exact(positions[a], positions[b]) for a, b in pairs]
    for plane in PLANES:
        values = stored(table, plane, x, y)
        worst = max(
            abs(Fraction(float(value)) - Fraction(getattr(one, plane), ONE))
            for value, one in zip(values, right, strict=True)
        )
        assert worst <= bound(table, plane), plane
    on_board = (x > 0) & (y > 0)
    x, y = x[on_board], y[on_board]
    for cube, name, faced in (
        ("owned", "owned_kept", "opponent"),
        ("centred", "centred_kept", "centred"),
        ("opponent", "opponent", "owned"),
        (None, "cubeless", "cubeless"),
    ):
        kept = [
            getattr(one, name) / ONE
            for one, (a, b) in zip(right, pairs, strict=True)
            if a and b
        ]
        off = np.abs(table.no_double(x, y, cube) - kept).max()  # type: ignore[arg-type]
        assert off <= bound(table, faced), cube


@pytest.mark.parametrize("plane", PLANES)
def test_every_pair_of_five_checkers_in_float64(
    plane: str, every_pair: dict[str, NDArray[np.float64]]
) -> None:
    table = built(5)
    numbers = np.arange(len(every_pair[plane]))
    off = np.abs(stored(table, plane, numbers[:, None], numbers) - every_pair[plane])
    assert off.max() <= bound(table, plane)


def test_the_stated_error_is_no_exaggeration(
    every_pair: dict[str, NDArray[np.float64]],
) -> None:
    table = built(5)
    numbers = np.arange(len(every_pair["cubeless"]))
    for plane in PLANES:
        off = np.abs(stored(table, plane, numbers[:, None], numbers) - every_pair[plane])
        assert off.max() > bound(table, plane) / 2
        assert bound(table, plane) < 2e-5
        assert table.error(plane) < 1e-5


@pytest.mark.parametrize("cube", ["owned", "centred", "opponent", None])
def test_not_doubling_in_float64(
    cube: Any, every_pair: dict[str, NDArray[np.float64]]
) -> None:
    table = built(5)
    names = {"owned": "owned_kept", "centred": "centred_kept", "opponent": "opponent"}
    faced = {"owned": "opponent", "centred": "centred", "opponent": "owned"}
    right = every_pair[names.get(cube, "cubeless")]
    x, y = np.random.default_rng(1).integers(1, len(right), (2, 20_000))
    off = np.abs(table.no_double(x, y, cube) - right[x, y])
    assert off.max() <= bound(table, faced.get(cube, "cubeless"))


def test_a_game_that_is_over_has_its_value_exactly() -> None:
    table = built(5)
    numbers = np.arange(bearoff.position_count(checkers=5))
    for plane in PLANES:
        assert (stored(table, plane, 0, numbers) == 1).all()
        assert (stored(table, plane, numbers[1:], 0) == -1).all()


def test_owning_the_cube_is_best_and_facing_its_owner_worst() -> None:
    table = built(5)
    x = np.arange(bearoff.position_count(checkers=5))[:, None]
    values = {plane: stored(table, plane, x, x.T) for plane in PLANES}
    for worse, better in (
        ("opponent", "cubeless"),
        ("cubeless", "owned"),
        ("opponent", "centred"),
        ("centred", "owned"),
    ):
        room = bound(table, worse) + bound(table, better)
        assert (values[worse] <= values[better] + room).all()
    assert np.abs(table.double_take(x, x.T) - 2 * values["opponent"]).max() == 0


def test_a_table_holds_the_smaller_ones() -> None:
    small, large = built(3), built(5)
    x = np.arange(bearoff.position_count(checkers=3))[:, None]
    for plane in PLANES:
        assert (stored(small, plane, x, x.T) == stored(large, plane, x, x.T)).all()


@pytest.mark.parametrize("rolls", [2, 3, 4])
def test_published_n_rolls_against_n_rolls(rolls: int) -> None:
    table = built(7)
    aces = number(2 * rolls - 1)
    right = float(oracles.ACES_AGAINST_ACES[rolls])
    off = abs(float(table.win_probability(aces, aces)) - right)
    assert off <= table.error("cubeless") + 5e-7


def test_published_last_roll_of_the_game() -> None:
    table = built(5)
    x, y = number(0, 1, 0, 0, 1), number(1)
    off = float(table.win_probability(x, y)) - float(oracles.FIVE_TWO_AGAINST_ACE)
    assert abs(off) <= table.error("cubeless")
    for cube, right in (
        ("owned", oracles.FIVE_TWO_OWNED_AND_REDOUBLED),
        ("opponent", oracles.FIVE_TWO_OPPONENT_OWNS),
    ):
        assert abs(float(table.equity(x, y, cube)) - right) <= table.error(cube) + 5e-7  # type: ignore[arg-type]


def test_published_four_rolls_a_side() -> None:
    table = built(7)
    aces = number(7)
    no_double = float(table.no_double(aces, aces, "owned"))
    double_take = float(table.double_take(aces, aces))
    error = table.error("opponent")
    assert abs(no_double - oracles.FOUR_ROLLS_NO_DOUBLE) <= error + 5e-7
    assert abs(double_take - oracles.FOUR_ROLLS_DOUBLE_TAKE) <= 2 * error + 5e-7


def test_more_aces_take_longer() -> None:
    table = built(5)
    aces = [number(n) for n in range(1, 6)]
    chances = table.win_probability(aces, number(4))
    assert (np.diff(chances) <= 0).all()
    assert chances[0] == 1
    assert (np.diff(table.win_probability(number(4), aces)) >= 0).all()
