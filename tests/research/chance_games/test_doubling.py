"""Doubling in small games of chance, compared with tables, plain recursion and theory."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from bearoff import Position, build_two_sided_table, cube_actions, two_sided_table
from research.chance_games import (
    ChanceGame,
    chance_to_enter,
    coins,
    entering,
    rolls_race,
    solve_doubling,
)
from research.chance_games.graph import GraphError
from tests.refusals import refused

HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def hundred():
    return solve_doubling(coins(50, 50))


def test_purses_win_in_proportion_and_three_coins_have_no_value():
    """A game for three coins has no expected value: the players double too often."""
    game = coins(8, 12)
    assert game.chances == {held: Fraction(held, 20) for held in range(21)}
    with refused(GraphError, "stake"):
        solve_doubling(coins(1, 2))


def test_a_hundred_coins_double_at_80_and_take_at_20(hundred):
    """In a model game of 100 coins, a player doubles with 80; the opponent takes with 20.

    Keeler and Spencer 1975; coins reach 80 exactly, so nothing is rounded.
    """
    for held in range(1, 100):
        decision = hundred.decision(held, "first")
        assert decision.doubles == (held >= 80), held
        assert decision.takes == (held <= 80), held
        mirrored = hundred.decision(100 - held, "second")
        assert (mirrored.doubles, mirrored.takes) == (decision.doubles, decision.takes)
    assert hundred.value(50) == 0
    assert hundred.value(80) == 1
    # If the first player does not double, the second does.
    assert hundred.decision(20, "first").no_double == -1


def test_values_are_linear_between_the_doubling_points(hundred):
    for held in range(20, 81):
        assert hundred.value(held) == Fraction(held - 50, 30)
    # The owner of the cube cashes at 80 coins. With fewer coins, the value is linear in the
    # coins.
    for held in range(81):
        assert hundred.value(held, "first") == Fraction(held, 40) - 1


@pytest.mark.parametrize(("total", "point"), [(2, 1), (12, 9), (20, 16), (33, 26)])
def test_few_coins_double_early_for_fear_of_losing_the_market(total, point):
    solved = solve_doubling(coins(1, total - 1))
    first = [held for held in range(1, total) if solved.decision(held, "first").doubles]
    assert first == list(range(point, total))


@cache
def plain(first, a, b, cube):
    """Return the equity of a race of rolls by plain recursion."""

    def after(cube):
        total = Fraction(0)
        for rolls, chance in ((1, Fraction(5, 6)), (2, Fraction(1, 6))):
            if first:
                total += chance * (1 if a <= rolls else plain(False, a - rolls, b, cube))
            else:
                total += chance * (-1 if b <= rolls else plain(True, a, b - rolls, cube))
        return total

    if first:
        doubled = min(Fraction(1), 2 * after("second"))
        return max(after(cube), doubled) if cube != "second" else after(cube)
    doubled = max(Fraction(-1), 2 * after("first"))
    return min(after(cube), doubled) if cube != "first" else after(cube)


def test_a_race_of_rolls_is_what_recursion_finds():
    solved = solve_doubling(rolls_race(6, 5))
    sides = "first", "second"
    for side, a, b, cube in product(sides, range(1, 7), range(1, 6), ("centred", *sides)):
        assert solved.value((side, a, b), cube) == plain(side == "first", a, b, cube)


def test_a_race_of_rolls_is_the_race_of_ace_points():
    build_two_sided_table(6)
    table = two_sided_table(6)
    solved = solve_doubling(rolls_race(3, 3))
    for a, b in product(range(1, 4), repeat=2):
        numbers = (Position((2 * n, 0, 0, 0, 0, 0)).number for n in (a, b))
        exact = cube_actions(table, *numbers, "centred")
        decision = solved.decision(("first", a, b), "first")
        for name in ("no_double", "double_take"):
            right = pytest.approx(float(getattr(exact, name)), abs=1e-5)
            assert float(getattr(decision, name)) == right


def test_entering_from_the_bar():
    assert chance_to_enter(1) == Fraction(11, 36)
    assert chance_to_enter(1, 3) == 1 - Fraction(25, 36) ** 3
    assert chance_to_enter(0, 9) == 0
    assert chance_to_enter(6, 1) == 1
    for turns in (1, 2, 5):
        assert entering(2, turns).chances["first", turns] == chance_to_enter(2, turns)
    solved = solve_doubling(entering(1, 1))
    closing = solved.decision(("second", 1), "second")
    assert closing.no_double == Fraction(14, 36)
    assert (closing.doubles, closing.takes) == (True, True)
    assert not solved.decision(("first", 1), "first").doubles


@pytest.mark.parametrize(
    ("steps", "ends", "doublers", "named"),
    [
        ({"a": {"b": HALF}}, {"b": 1}, None, (1,)),
        ({"a": {"b": Fraction(1)}}, {}, None, ("state",)),
        ({"a": {"b": Fraction(1)}}, {"b": 2}, None, (-1, 1)),
        ({"a": {"b": Fraction(1)}}, {"b": 1, "a": 1}, None, ("final", "next")),
        ({"a": {"a": Fraction(1)}}, {"b": 1}, None, ("never",)),
        ({"a": {"b": Fraction(1)}}, {"b": 1}, {"a": "x"}, ("double",)),
        ({"a": {"b": Fraction(1)}}, {"b": 1}, {"c": "both"}, ("state",)),
    ],
)
def test_graphs_that_are_no_games_are_refused(steps, ends, doublers, named):
    with refused(ValueError, *named):
        ChanceGame(steps, ends, doublers)


def test_questions_that_have_no_answer_are_refused(hundred):
    for ask, named in (
        (lambda: hundred.value(101), 101),
        (lambda: hundred.decision(0, "first"), 0),
        (lambda: coins(0, 5), "coins"),
        (lambda: coins(150, 51), 200),
    ):
        with refused(GraphError, named):
            ask()
    assert hundred.decision(80, "first", "second") is None
