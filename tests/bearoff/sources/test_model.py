"""The fast model's values and stated errors at match scores, compared with exact tables."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import bearoff
from bearoff import Match, Race, Score
from bearoff.sources import ModelSource, Races
from bearoff.sources.exact import TableSource
from tests.bearoff.sources.cube_twin import SEEN

SCORES = [Score((2, 4)), Score((5, 3))]
SCORES += [Score(away, "post-crawford") for away in ((1, 3), (4, 1))]
CUBES = {"centred": 1, "owned": 2, "opponent": 2}
exact_table = cache(lambda score: bearoff.match_table(6, score.away, score.game))


def races_at(score, cube):
    """Return random races of up to six checkers per side at a match score."""
    numbers = np.random.default_rng(22).integers(1, bearoff.position_count(6, 6), (300, 2))
    state = {"cube": cube, "cube_value": CUBES[cube], "score": score}
    return Races.of([Race(*pair, **state) for pair in numbers.tolist()])


def rms(off):
    return float(np.sqrt(np.mean(off**2)))


@pytest.mark.parametrize("cube", CUBES)
@pytest.mark.parametrize("score", SCORES, ids=str)
def test_errors_beside_exact_tables(score, cube):
    """The errors of the fast model are as small at match scores as for money.

    Errors are in EMG. The limit for doubles grows with the stakes: at 2-away 4-away with a
    cube that is turned at once, a point is worth more than 1 EMG.
    """
    races = races_at(score, cube)
    exact = TableSource(exact_table(score)).values(races)
    found = ModelSource().values(races)
    assert found.terms == exact.terms
    off = np.abs(found.win_probability - exact.win_probability)
    assert off.max() < 0.02
    off = found.no_double - exact.no_double
    assert rms(off) < 0.04
    assert (np.abs(off) <= found.no_double_error).mean() > 0.9
    if cube == "opponent":
        assert np.isnan(found.double_take).all()
        assert not found.doubles.any()
        return
    off = found.double_take - exact.double_take
    won, lost = found.terms.worth([2, -2])
    assert rms(off) < 0.04 * max((won - lost) / 4, 1.0) + 0.02
    assert (np.abs(off) <= found.double_take_error).mean() > 0.88
    assert (found.doubles == exact.doubles).mean() > 0.93
    cost = np.where(found.doubles, exact.wrong_double, exact.missed_double)
    assert cost.mean() < 0.001
    take = np.where(found.takes, exact.wrong_take, exact.wrong_pass)
    assert take[exact.doubles].mean() < 0.005


@pytest.mark.parametrize("score", [Score((1, 1)), Score((3, 1), "crawford")], ids=str)
def test_without_a_cube_equities_follow_the_chance_to_win(score):
    races = races_at(score, "centred")
    found = ModelSource().values(races)
    won, lost = races.terms.worth([1, -1])
    right = lost + found.win_probability * (won - lost)
    assert found.no_double == pytest.approx(right, abs=0.02)
    exact = TableSource(exact_table(score)).values(races)
    assert rms(found.no_double - exact.no_double) < 0.01


def test_the_other_player_has_the_same_values():
    score = Score((2, 4))
    for cube in CUBES:
        races = races_at(score, cube).select(np.arange(40))
        turned = races.after(np.arange(40), races.rollers)
        assert turned.terms.turned
        mine = ModelSource().values(turned)
        straight = races_at(score.exchanged(), SEEN[cube]).terms
        assert straight.stakes == Match(score.exchanged())
        theirs = ModelSource().values(replace(turned, terms=straight))
        for name in ("no_double", "double_take", "win_probability"):
            ours, other = getattr(mine, name), getattr(theirs, name)
            np.testing.assert_allclose(ours, other, rtol=0, atol=1e-5)


@pytest.mark.parametrize(("away", "cube"), [((2, 4), "centred"), ((4, 4), "owned")])
def test_gammons_at_a_score_are_worth_what_they_are_as_the_game_ends(away, cube):
    state = {"cube": cube, "cube_value": CUBES[cube], "score": Score(away)}
    race = Race("3,0,0,0,0,0", "0,0,0,15,0,0", **state)
    races = Races.of([race])
    exact = TableSource(bearoff.match_race(race, away)).values(races)
    found = ModelSource().values(races)
    assert found.gammons_won == pytest.approx(exact.gammons_won, abs=0.02)
    assert exact.gammons_won[0] > 0.1
    for name in ("no_double", "double_take"):
        ours, right = getattr(found, name), getattr(exact, name)
        error = getattr(found, f"{name}_error")
        assert ours == pytest.approx(right, abs=float(error[0])), name
    assert found.action == exact.action
    # At 2-away, both a gammon and a single game with the cube at 2 win the match.
    worth = float(races.terms.worth(2))
    gained = float(exact.no_double[0]) - 1
    assert gained == pytest.approx(float(exact.gammons_won[0]) * (worth - 1), abs=1e-6)


@pytest.mark.parametrize(
    ("xgid", "worth", "within"),
    [
        # The opponent still has a checker in the roller's home board, so the roller wins a
        # backgammon.
        ("XGID=--A---a-----------------n-:0:0:1:00:0:0:0:0:10", 3.0, 1e-6),
        # This value is from an enumeration of the rolls of both sides.
        ("XGID=-BAb--------------------m-:0:0:1:00:0:0:0:0:10", 2.7454, 0.005),
    ],
)
def test_backgammons_are_counted(xgid, worth, within):
    answer = bearoff.Judge(()).answer(bearoff.Race.parse(xgid))
    assert answer.no_double == pytest.approx(worth, abs=within)
    assert answer.action == "too good to double"


def test_a_straggler_leaves_the_home_where_a_backgammon_is_lost():
    """The loser moves a straggler out of the winner's home board to save a backgammon."""
    race = bearoff.Race.parse("XGID=-M-----A-------------A-a--:1:-1:1:21:0:0:0:0:10")
    plays = bearoff.Judge(()).answer(race).plays
    assert plays[0].name == "21/18"
    assert plays[0].equity == pytest.approx(-2, abs=0.001)
    stays = next(one for one in plays if one.name == "7/4")
    assert stays.cost == pytest.approx(1, abs=0.001)


def test_what_nobody_may_double_has_no_error_and_no_chance_is_above_1():
    sides = "[1,2,3,4,4,4,5,7,8,8,9,10,10,11,12]", "[1,1]"
    found = ModelSource().values(Races.of([Race(*sides, cube="opponent")]))
    assert np.isnan(found.double_take[0])
    assert np.isnan(found.double_take_error[0])
    assert 0 < found.gammons_lost[0] <= 1 - found.win_probability[0]
