"""Hypothesis strategies for positions, races and rolls."""

from dataclasses import replace

from hypothesis import strategies as st

import bearoff
from bearoff.scores.score import GAMES, Game
from bearoff.stakes import CUBES, Cube

CHECKERS = st.integers(1, 15)
POINTS = st.integers(1, 12)
ROLLS = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def counts(draw, points=6, checkers=15, *, at_least=0):
    """Draw the numbers of checkers on the ace, deuce and higher points."""
    stand = draw(st.lists(st.integers(1, points), min_size=at_least, max_size=checkers))
    return tuple(stand.count(point) for point in range(1, points + 1))


@st.composite
def positions(draw):
    """Draw positions of up to 12 points and up to 15 checkers."""
    points, checkers = draw(POINTS), draw(CHECKERS)
    return bearoff.Position(draw(counts(points, checkers)), checkers)


@st.composite
def races(draw):
    """Draw races in which each side uses at most 12 points."""
    points, checkers = draw(POINTS), draw(CHECKERS)
    sides = (bearoff.Position(draw(counts(points, checkers)), checkers) for _ in range(2))
    return bearoff.Race(*sides)


@st.composite
def games(draw):
    """Draw races of up to 15 checkers a side, for money or in a match, with any cube and
    dice.
    """
    highest = draw(st.integers(6, 18))
    sides = [draw(counts(points, 15)) for points in (highest, 24 - highest)]
    if draw(st.booleans()):
        sides.reverse()
    positions = (bearoff.Position(side + (0,) * (24 - len(side))) for side in sides)
    race = bearoff.Race(*positions).on_points()
    where: Cube = draw(st.sampled_from(CUBES))
    value = 1 if where == "centred" else 1 << draw(st.integers(1, 6))
    dice = draw(st.none() | ROLLS)
    if draw(st.booleans()):
        jacoby = draw(st.booleans())
        return replace(race, cube=where, cube_value=value, dice=dice, jacoby=jacoby)
    length = draw(st.integers(1, 25))
    won = draw(st.tuples(*2 * [st.integers(0, length - 1)]))
    one_away = length > 1 and max(won) == length - 1
    game: Game = draw(st.sampled_from(GAMES[1:])) if one_away else "normal"
    score = bearoff.Score.of_match(length, won, game)
    if game == "crawford":
        return replace(race, score=score, dice=dice)
    return replace(race, cube=where, cube_value=value, score=score, dice=dice)
