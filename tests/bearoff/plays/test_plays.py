"""Legal plays compared with a slow implementation of the rules, and their notation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given

import bearoff
from bearoff.rolls import dice_of
from oracles import reference
from tests import strategies
from tests.refusals import refused


def assert_plays_are_those_of_the_rules(position, roll):
    plays = bearoff.legal_plays(position, roll)
    expected = reference.successors(reference.checkers_of(position.counts), *roll)
    found = [reference.checkers_of(play.after.counts) for play in plays]
    assert len(found) == len(set(found))
    assert set(found) == expected
    numbers = [play.after.number for play in plays]
    assert numbers == sorted(numbers, reverse=True)
    for play in plays:
        assert_moves_lead_there(position, roll, play)


def assert_moves_lead_there(position, roll, play):
    """Check that each move is legal, uses its own die, and leads to the stated position."""
    checkers = reference.checkers_of(position.counts)
    dice = list(dice_of(roll))
    for source, target in play.moves:
        after = list(checkers)
        after.remove(source)
        after = tuple(sorted([*after, target] if target else after))
        fitting = [d for d in dice if after in reference.moves_of_one_die(checkers, d)]
        # If either die bears the checker off, the smaller die is used, so that the larger
        # is left for another checker.
        die = min(fitting, key=lambda d: (source - target != d, d))
        dice.remove(die)
        checkers = after
    assert checkers == reference.checkers_of(play.after.counts)
    assert not dice or not checkers


@pytest.mark.parametrize(
    ("points", "checkers"), [(6, 2), (8, 2), (24, 1), (6, 15), (9, 15)]
)
def test_all_positions_of_few_checkers_and_some_of_many(points, checkers):
    numbers = np.arange(bearoff.position_count(points, checkers))
    if checkers > 2:
        numbers = np.random.default_rng(5).choice(numbers, 8)
    for number, roll in product(numbers.tolist(), bearoff.ROLLS):
        position = bearoff.Position.from_number(number, points, checkers)
        assert_plays_are_those_of_the_rules(position, roll)


@given(strategies.positions(), strategies.ROLLS)
def test_order_of_the_dice_does_not_matter(position, roll):
    assert bearoff.legal_plays(position, roll) == bearoff.legal_plays(position, roll[::-1])


# Plays are listed in descending order of the resulting position's number.
@pytest.mark.parametrize(
    ("text", "roll", "plays"),
    [
        ("0,0,0,0,1,1", (6, 4), ["6/2 5/off", "6/off 5/1"]),
        ("0,0,0,0,0,1", (6, 5), ["6/off"]),
        ("0,0,0,1,0,0", (2, 1), ["4/1"]),
        ("1,1,0,0,0,0", (2, 1), ["2/off", "2/off 1/off"]),
        ("0,0,0,0,0,2", (1, 1), ["6/4(2)", "6/5 6/3", "6/2"]),
        ("2,0,0,0,0,0", (6, 5), ["1/off(2)"]),
        ("0,0,0,0,2,0", (6, 1), ["5/4 5/off"]),
        ("0,0,0,0,0,4", (6, 6), ["6/off(4)"]),
        ("0,0,0,2,0,0", (2, 2), ["4/off(2)"]),
        ("0,0,1,0,1,1", (4, 4), ["6/off 5/1 3/off"]),
        ("0,0,0,0,0,0", (6, 5), [""]),
        # On boards of more than six points, checkers are borne off only if all are home.
        ("1,0,0,0,0,0,1", (6, 1), ["7/off"]),
        ("1,0,0,0,0,0,0,1", (2, 1), ["8/5", "8/6 1/off"]),
        ("1,0,0,0,0,0,0,1", (1, 1), ["8/4", "8/5 1/off"]),
        ("1,0,0,0,0,0,0,0,0,1", (4, 3), ["10/3"]),
    ],
)
def test_plays_as_players_write_them(text, roll, plays):
    counts = tuple(map(int, text.split(",")))
    written = [str(play) for play in bearoff.legal_plays(bearoff.Position(counts), roll)]
    assert written == plays


@pytest.mark.parametrize("text", ["2/1*", "6/2*/1", "3/off* 2/1"])
def test_nobody_is_hit_in_a_race(text):
    with refused(bearoff.PositionError, text.split("*")[0]):
        bearoff.Play.parse(text, bearoff.Position((1, 1, 1, 0, 0, 1)), (2, 1))
