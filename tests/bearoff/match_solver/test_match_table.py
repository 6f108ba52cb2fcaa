"""Tables at a match score, compared with an integer solver and with values by hand."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import bearoff
from bearoff import MatchEquities, ScoreError, match_equities, match_race, match_table
from oracles import match_twin, reference
from oracles.match_twin import ONE, At
from tests.refusals import refused

ROUNDING = 1e-13
"""Tolerance for the rounding errors of float64."""

SCORES = [
    *((1, 1, "normal"), (2, 2, "normal"), (3, 5, "normal"), (4, 2, "normal")),
    *((9, 9, "normal"), (1, 3, "crawford"), (3, 1, "crawford")),
    *((*away, "post-crawford") for away in ((1, 2), (2, 1), (1, 1), (1, 4), (5, 1))),
]

SIDES = [(1,), (5,), (1, 1), (1, 3), (2, 5), (3, 4)]
"""Positions, each as a tuple of its checkers' points."""

PAIRS = list(itertools.product(SIDES, repeat=2))


def number(checkers):
    return int(bearoff.rank(reference.counts_of(checkers, 6)))


def numbers_of(pairs):
    return np.array([[number(a), number(b)] for a, b in pairs]).T


def every_pair(checkers):
    """Return the position numbers of all pairs in which both sides have checkers left."""
    sides = np.arange(1, bearoff.position_count(6, checkers))
    return [part.ravel() for part in np.meshgrid(sides, sides)]


def position(checkers, everything=15):
    return bearoff.Position(reference.counts_of(checkers, 6), everything)


def differences(table, at, pairs):
    """Return the largest errors of a table's values of these pairs, by method."""
    asked = {"value": match_twin.value, "no_double": match_twin.no_double}
    if at.place != "opponent" and at.game != "crawford":
        asked["double_take"] = match_twin.double_take
        asked["double_pass"] = lambda at, *_: at.won(at.cube)
    off = {}
    for name, right in asked.items():
        found = getattr(table, name)(*numbers_of(pairs), at.cube, at.place).tolist()
        exact = [Fraction(right(at, a, b), ONE) for a, b in pairs]
        off[name] = max(abs(Fraction(f) - e) for f, e in zip(found, exact, strict=True))
    return off


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_every_value_is_the_twins(score):
    table = match_table(2, score[:2], score[2], exact=True)
    places = {"centred": 1, "owned": 2, "opponent": 2}
    for place, cube in places.items():
        if score[2] != "crawford" or place == "centred":
            off = differences(table, At(*score, cube, place), PAIRS)
            assert max(off.values()) <= ROUNDING, (place, off)


@pytest.mark.parametrize("score", [(3, 5, "normal"), (4, 1, "crawford")], ids=str)
def test_gammons_of_a_race_in_which_none_is_off(score):
    """Gammons count in races of a game that starts with two checkers per side."""
    sides = (2, 5), (3, 4)
    race = bearoff.Race(*(position(side, 2) for side in sides))
    table = match_race(race, score[:2], score[2])
    at = At(*score, 1, "centred", everything=2)
    x, y = map(number, sides)
    for found, right in (
        (table.value(x, y), match_twin.value(at, *sides)),
        (table.no_double(x, y), match_twin.no_double(at, *sides)),
        (table.exchanged().value(y, x), match_twin.value(at.other(), *sides[::-1])),
    ):
        assert float(found) == pytest.approx(right / ONE, abs=ROUNDING)
    plain = At(*score, 1, "centred")
    assert match_twin.value(at, *sides) != match_twin.value(plain, *sides)


def test_too_good_to_double_where_a_gammon_wins_the_match():
    race = bearoff.Race(position((1,), 2), position((1, 1), 2))
    table = match_race(race, (2, 4))
    pair = race.roller.number, race.opponent.number
    assert float(table.no_double(*pair)) == float(table.value(*pair)) == 1.0
    assert float(table.double_pass(*pair)) == match_equities().before[0, 3]
    # If the opponent has borne off no checker, the winner wins two points.
    equities, score = table.equities, table.score
    assert float(table.value(0, pair[1])) == equities.after(score, 2)
    assert float(table.exchanged().value(0, pair[0])) == 1 - equities.after(score, -1)


def test_a_race_is_solved_as_the_whole_table_is():
    race = bearoff.Race(position((1, 2, 3, 3)), position((1, 1, 4, 6)))
    small, whole = match_race(race, (4, 2)), match_table(4, (4, 2))
    pair = race.roller.number, race.opponent.number
    assert float(small.value(*pair)) == float(whole.value(*pair))
    assert float(small.no_double(*pair)) == float(whole.no_double(*pair))
    with refused(bearoff.PositionError, "race"):
        small.value(number((6, 6)), 1)


def test_two_rolls_with_an_automatic_redouble():
    """With three aces per side at 4-away 2-away, an opponent who takes redoubles at once.

    Tom Keith (1996), bkgm.com/rgb/rgb.cgi?view+80: at 4-away 2-away, a player who takes
    redoubles at once, so the game decides the match; passing leaves 1-away 4-away.
    """
    x = y = number((1, 1, 1))
    table = match_table(3, (2, 4))
    game = Fraction(1, 6) + Fraction(5, 6) * Fraction(5, 6)
    assert float(table.double_take(x, y)) == pytest.approx(float(game), abs=ROUNDING)
    assert float(table.win_probability(x, y)) == pytest.approx(float(game), abs=ROUNDING)
    assert float(table.double_pass(x, y)) == match_equities().before[0, 3] < game


def test_the_leader_never_redoubles_what_wins_the_match():
    table = match_table(3, (2, 4))
    x, y = every_pair(3)
    kept, turned = (ask(x, y, 2, "owned") for ask in (table.no_double, table.double_take))
    assert (turned <= kept + ROUNDING).all()
    # The trailer can still use a cube at 2, but a cube at 4 is dead for both players.
    theirs = table.value(x, y, 2, "opponent")
    assert (theirs < table.value(x, y, 2, "owned") - 0.01).any()
    for cube, place in itertools.product((4, 64), ("centred", "owned", "opponent")):
        value = table.value(x, y, cube, place)
        assert np.array_equal(value, table.win_probability(x, y))


@pytest.mark.parametrize(
    ("score", "cube", "place"),
    [
        ((3, 5, "normal"), 1, "centred"), ((2, 4, "normal"), 2, "opponent"),
        ((4, 2, "normal"), 2, "owned"),
    ],
)  # fmt: skip
def test_best_plays_are_the_twins(score, cube, place):
    """Of plays with equal values, the lowest position number is chosen."""
    theirs = At(*score, cube, place).other()
    roller, opponent = (2, 5), (3, 4)
    right = [
        min(
            (match_twin.value(theirs, opponent, end), number(end))
            for end in reference.successors(roller, *roll)
        )[1]
        for roll in bearoff.ROLLS
    ]
    table = match_table(2, score[:2], score[2])
    other = match_table(2, (score[1], score[0]), score[2]).exchanged()
    for seen in table, other:
        found = seen.best_after(number(roller), number(opponent), place, seen.terms(cube))
        assert found.tolist() == right


def linear(length):
    """Return a match equity table in which each point adds the same winning chance."""
    away = np.arange(1, length + 1)
    before = 0.5 + (away - away[:, None]) / (4 * length)
    behind = before[:, 0]
    return MatchEquities("linear", before, np.array([behind, behind]))


def test_what_cannot_be_asked_is_refused():
    crawford, table = match_table(2, (3, 1), "crawford"), match_table(2, (3, 5))
    short = replace(match_equities(), extends=False)
    for error, ask, named in (
        (ScoreError, lambda: crawford.double_take(1, 1), "Crawford"),
        (ScoreError, lambda: crawford.value(1, 1, 2, "owned"), 1),
        (ScoreError, lambda: table.double_take(1, 1, 2, "opponent"), "opponent owns"),
        (bearoff.PositionError, lambda: table.no_double(0, 1), "borne off"),
        (bearoff.TableError, lambda: match_table(9, exact=True), 9),
        (ScoreError, lambda: match_table(2, (3, 26), equities=short), 25),
    ):
        with refused(error, named):
            ask()
    assert float(table.value(0, 1)) == match_equities().after(table.score, 1)
    assert float(table.value(1, 0)) == match_equities().after(table.score, -1)
    assert float(table.value(0, 0)) == match_equities().after(table.score, 1)
