"""Values of won and lost games at match scores, compared with the match equity table."""

from dataclasses import replace

import numpy as np
import pytest

import bearoff
from bearoff import Match, Money, Score, ScoreError, match_equities
from bearoff.stakes import MONEY, Terms
from oracles.match_twin import ONE, At
from tests.refusals import refused

POINTS = [n for n in range(-6, 7) if n]

AT = [
    (Score((2, 4)), 1),
    (Score((9, 5)), 4),
    (Score((1, 3), "crawford"), 1),
    (Score((4, 1), "post-crawford"), 1),
    (Score((1, 2), "post-crawford"), 2),
    (Score((1, 1)), 1),
]


def by_hand(score, points):
    """Return the match-winning chance after points won or lost."""
    at = At(*score.away, score.game, 1, "centred")
    return (at.won(points) if points > 0 else at.lost(-points)) / ONE


@pytest.mark.parametrize(("score", "cube"), AT, ids=str)
def test_equities_at_a_score_lie_on_a_line(score, cube):
    stakes = Match(score)
    won, lost = by_hand(score, cube), by_hand(score, -cube)
    assert stakes.line(cube) == pytest.approx(((won + lost) / 2, (won - lost) / 2))
    worth = stakes.worth(POINTS, cube)
    right = [2 * (by_hand(score, n * cube) - lost) / (won - lost) - 1 for n in POINTS]
    assert worth == pytest.approx(right, abs=1e-12)
    assert stakes.worth([1, -1], cube) == pytest.approx([1, -1], abs=1e-15)
    assert stakes.has_cube == (score.game != "crawford")


@pytest.mark.parametrize(("score", "cube"), AT, ids=str)
def test_the_opponent_has_the_same_line_from_the_other_side(score, cube):
    stakes = Match(score)
    other = stakes.exchanged()
    assert other.score == score.exchanged()
    assert other.exchanged() == stakes
    middle, unit = stakes.line(cube)
    assert other.line(cube) == pytest.approx((1 - middle, unit))
    ours, theirs = stakes.worth(POINTS, cube), other.worth([-n for n in POINTS], cube)
    assert ours == pytest.approx(-theirs, abs=1e-12)
    mine = Terms(stakes, cube)
    turned = mine.next()
    assert (turned.turned, turned.seen, turned.unit) == (True, other, mine.unit)
    assert turned.next() == mine
    chances = np.linspace(0, 1, 11)
    for terms in (mine, turned):
        assert terms.chance(terms.equity(chances)) == pytest.approx(chances)
    assert turned.equity(1 - chances) == pytest.approx(-mine.equity(chances), abs=1e-12)
    assert turned.worth(POINTS) == pytest.approx(theirs[::-1], abs=1e-12)
    right = [by_hand(score, points) for points in (cube, -cube)]
    assert mine.chance([1.0, -1.0]) == pytest.approx(right)


def test_money_is_worth_what_it_is():
    for stakes in (MONEY, Money(jacoby=True)):
        assert stakes.worth(POINTS, 1).tolist() == POINTS
        assert stakes.line(1) == (0.0, 1.0)
        assert stakes.exchanged() is stakes
        assert stakes.has_cube
    terms = Terms()
    assert (terms.stakes, terms.unit, terms.next().seen) == (MONEY, None, MONEY)
    assert terms.chance(0.25) == terms.equity(0.25) == 0.25
    assert "Jacoby" in Money(jacoby=True).label


def test_stakes_are_known_by_what_they_are():
    own = replace(match_equities(), name="own")
    same = Match(Score((3, 5))), Match(Score((3, 5)), match_equities())
    assert len({*same, Match(Score((3, 5)), own), Match(Score((5, 3))), MONEY}) == 4
    assert len({Terms(one, 2) for one in same}) == 1
    assert "own" in Match(Score((3, 5)), own).label


def test_what_cannot_be_is_refused():
    with refused(ScoreError, 25):
        Match(Score((3, 26)), replace(match_equities(), extends=False))
    for stakes, cube, named in (
        (None, 1, ("stakes", "None")), (MONEY, 2, (1, 2)), (Match(Score((3, 5))), 3, (3,)),
        (Match(Score((3, 1), "crawford")), 2, ("Crawford", 1, 2)),
    ):  # fmt: skip
        with refused(ScoreError, *named):
            Terms(stakes, cube)


def test_races_are_put_side_by_side_if_they_are_played_for_the_same():
    race = bearoff.Race.parse("LwAAwC0AAAAAAA")
    at = replace(race, score=Score((3, 5)), cube="owned", cube_value=2)
    found = bearoff.sources.Races.of([at, replace(at, cube="opponent")])
    assert found.terms == Terms(Match(Score((3, 5))), 2)
    assert found.owners.tolist() == [1, -1]
    after = found.after(np.array([1]), found.rollers[1:])
    assert (after.terms, after.owners.tolist()) == (found.terms.next(), [1])
    for other in (race, replace(at, cube_value=4), replace(at, score=Score((5, 3)))):
        with refused(ValueError, "stakes"):
            bearoff.sources.Races.of([at, other])
