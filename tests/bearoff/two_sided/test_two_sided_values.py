"""Two-sided values compared with exact, float64 and published values, and identities."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import bearoff
from oracles import reference
from oracles.two_sided_reference import ONE, exact, float64_planes
from tests import published
from tests.two_sided_tables import FULL_PLANES, PLANES, bound, built, number, stored

SIZES = [(4, 6, 15), (3, 7, 3)]
"""Number of points and of checkers in each table, and of checkers per side when the game
begins."""


@pytest.fixture(scope="module")
def every_pair():
    return {size: float64_planes(*size) for size in SIZES}


@pytest.mark.parametrize("size", [(2, 8, 2), (2, 9, 15)])
def test_every_pair_of_few_checkers_has_its_exact_value(size):
    checkers, points, start = size
    table = built(*size)
    positions = reference.all_positions(points, checkers)
    pairs = list(itertools.product(range(1, len(positions)), range(len(positions))))
    x, y = np.array(pairs).T
    right = [exact(positions[a], positions[b], start) for a, b in pairs]
    assert table.planes == (FULL_PLANES if start == checkers else PLANES)

    def worst_of(values, name):
        return max(
            abs(Fraction(float(value)) - Fraction(getattr(one, name), ONE))
            for value, one in zip(values, right, strict=True)
        )

    for plane in set(table.planes) - {"gammons_won", "gammons_lost"}:
        assert worst_of(stored(table, plane, x, y), plane) <= bound(table, plane), plane
    for cube, jacoby, name in KEPT:
        error = bound(table, plane_of(table, cube, jacoby=jacoby))
        values = table.no_double(x, y, cube, jacoby=jacoby)
        assert worst_of(values, name) <= error, name
    for values, name in zip(table.gammon_probability(x, y), ("won", "lost"), strict=True):
        error = 0.0 if start > checkers else table.error(f"gammons_{name}")
        least, most = (
            np.array([getattr(one, name)[k] / ONE for one in right]) for k in (0, 1)
        )
        assert (values >= least - error).all()
        assert (values <= most + error).all()


KEPT = [
    ("owned", False, "owned_kept"),
    ("centred", False, "centred_kept"),
    ("centred", True, "jacoby_kept"),
    ("owned", True, "owned_kept"),
    ("opponent", True, "opponent"),
    ("opponent", False, "opponent"),
    (None, False, "points"),
]
"""Owner of the cube, whether the Jacoby rule applies, and name of the equity of no double
in the second solver."""


def plane_of(table, cube, *, jacoby):
    """Return the name of the table's plane with the equity for this cube owner and rule."""
    full = "jacoby" in table.planes
    if cube is None:
        return "points" if full else "cubeless"
    return "jacoby" if full and jacoby and cube == "centred" else str(cube)


@pytest.mark.parametrize("size", SIZES)
def test_every_pair_in_float64(size, every_pair):
    table, right = built(*size), every_pair[size]
    numbers = np.arange(1, len(right["points"]))
    pairs = numbers[:, None], numbers
    for plane in table.planes:
        values, error = stored(table, plane, *pairs), bound(table, plane)
        if plane.startswith("gammons"):
            name = plane.removeprefix("gammons_")
            least, most = (right[f"{name}_{end}"][1:, 1:] for end in ("least", "most"))
            assert (values >= least - error).all()
            assert (values <= most + error).all()
            exact_to = np.abs(values - least)[most - least < 1e-9]
        else:
            exact_to = np.abs(values - right[plane][1:, 1:])
        assert error / 2 < exact_to.max() <= error, plane
        assert error < 1.2e-5
        assert table.error(plane) < 1e-5
    for cube, jacoby, name in KEPT:
        off = np.abs(table.no_double(*pairs, cube, jacoby=jacoby) - right[name][1:, 1:])
        assert off.max() <= bound(table, plane_of(table, cube, jacoby=jacoby)), name


@pytest.mark.parametrize("size", SIZES)
def test_a_game_that_is_over_has_its_value_exactly(size):
    checkers, points, start = size
    table = built(*size)
    numbers = np.arange(1, bearoff.position_count(points, checkers))
    gammon = bearoff.unrank(numbers, points, checkers).sum(axis=1) == start
    for plane in set(table.planes) - {"gammons_won", "gammons_lost"}:
        worth = 1 if plane in ("cubeless", "jacoby") else 1 + gammon
        assert (stored(table, plane, 0, numbers) == worth).all(), plane
        assert (stored(table, plane, numbers, 0) == -worth).all(), plane
    for over, right in (
        (table.gammon_probability(0, numbers), (gammon, 0)),
        (table.gammon_probability(numbers, 0), (0, gammon)),
    ):
        assert (over[0] == right[0]).all()
        assert (over[1] == right[1]).all()


def test_published_values():
    stacks, last, digits = built(7, 1), built(5), 5e-7
    x, y = number(0, 1, 0, 0, 1), number(1)
    for found, right, error in (
        *(
            (stacks.win_probability(2 * n - 1, 2 * n - 1), published.ACES_AGAINST_ACES[n],
             stacks.error("cubeless") + digits)
            for n in (2, 3, 4)
        ),
        (stacks.no_double(7, 7, "owned"), published.FOUR_ROLLS_NO_DOUBLE,
         stacks.error("opponent") + digits),
        (stacks.double_take(7, 7), published.FOUR_ROLLS_DOUBLE_TAKE,
         2 * stacks.error("opponent") + digits),
        (last.win_probability(x, y), published.FIVE_TWO_AGAINST_ACE,
         last.error("cubeless")),
        (last.equity(x, y, "owned"), published.FIVE_TWO_OWNED_AND_REDOUBLED,
         last.error("owned") + digits),
        (last.equity(x, y, "opponent"), published.FIVE_TWO_OPPONENT_OWNS,
         last.error("opponent") + digits),
    ):  # fmt: skip
        assert abs(float(found) - float(right)) <= error
