"""The 21 distinct rolls of two dice, their weights and their notation."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

import bearoff
from bearoff.rolls import DICE, THROWS, check_roll, dice_of
from oracles import reference
from tests import strategies
from tests.refusals import refused


def test_weights_count_the_36_throws():
    throws = Counter((max(throw), min(throw)) for throw in reference.THROWS)
    assert dict(zip(bearoff.ROLLS, bearoff.WEIGHTS, strict=True)) == throws
    assert sum(bearoff.WEIGHTS) == THROWS == 36
    assert DICE.tolist() == [list(roll) for roll in bearoff.ROLLS]


def test_mean_pips_of_a_roll():
    pips = [sum(dice_of(roll)) for roll in bearoff.ROLLS]
    assert np.average(pips, weights=bearoff.WEIGHTS) == bearoff.PIPS_PER_ROLL == 49 / 6


@given(strategies.ROLLS)
def test_round_trip(roll):
    ordered = (max(roll), min(roll))
    assert bearoff.parse_roll(bearoff.format_roll(roll)) == ordered
    for separator in ("", "-", " ", ",", " - "):
        assert bearoff.parse_roll(f" {roll[0]}{separator}{roll[1]}\n") == ordered
    assert check_roll(roll) == ordered


@pytest.mark.parametrize("text", ["", "6", "6-7", "0-1", "6-4-1", "6--4", "x", "٣-1"])
def test_wrong_texts_are_refused(text):
    with refused(bearoff.RollError, repr(text)):
        bearoff.parse_roll(text)
