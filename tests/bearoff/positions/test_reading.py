"""Reading of a race from two texts, one for each side."""

import pytest
from hypothesis import given, settings

import bearoff
from bearoff.positions import read_race
from tests import strategies
from tests.refusals import refused


@settings(max_examples=30)
@given(strategies.games())
def test_two_texts_are_the_race(race):
    sides = bearoff.Race(race.roller, race.opponent)
    plain = (str(race.roller), str(race.opponent))
    assert read_race(*plain) == sides
    assert read_race(plain[0].replace(",", " "), f" {plain[1]} ") == sides
    assert read_race(*plain, race.roller.points) == sides


def test_contact_and_too_many_checkers_are_refused():
    with refused(bearoff.PositionError, 13, 12):
        read_race("[13]", "[12]")
    assert read_race("[12]", "[12]").roller.highest == 12
    with refused(bearoff.PositionError, 15, 16):
        read_race("9,7,0,0,0,0", "1,0,0,0,0,0")


@pytest.mark.parametrize("text", [
    "8887 1,1,0,0,0,0", " 8887\t1,1,0,0,0,0\n", "8887; 1,1,0,0,0,0", '"8887" [1,2]',
    "[1, 1, 2, 3, 3, 4, 5, 6] (13,1,1,0,0,0,0)",
])  # fmt: skip
def test_one_text_may_hold_the_two_sides_one_by_one(text):
    race = read_race(text)
    assert race.opponent.counts == (1, 1, 0, 0, 0, 0)
    roller = "2,1,2,1,1,1" if "8887" not in text else "8887"
    assert race == read_race(roller, "1,1,0,0,0,0")


@pytest.mark.parametrize("text", ["?", "contact", "8887 and 8887"])
def test_what_is_no_side_either_learns_the_notations_of_both(text):
    with pytest.raises(bearoff.PositionError, match="an XGID, an OGID") as refused:
        read_race(text)
    assert repr(text) in str(refused.value)
    assert "on ace to six" not in str(refused.value)


@pytest.mark.parametrize("text", ["8887", "8887 1 1", "1 1 0 0 0 0", "[1,2]"])
def test_one_side_alone_is_no_race(text):
    with pytest.raises(bearoff.PositionError):
        read_race(text)
