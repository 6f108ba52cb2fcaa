"""Take points at a match score compared with published take points, formulas and tables."""

import numpy as np
import pytest

from bearoff import MatchEquities, Score, match_equities, match_table, match_thresholds
from tests.bearoff.match_solver.test_match_table import ROUNDING, linear, number

PERCENT = 0.0051
"""Tolerance for values published in percent, with float64 rounding."""

PERCENTS = [
    [50, 70, 75, 83, 85],
    [30, 50, 60, 68, 75],
    [25, 40, 50, 59, 66],
    [17, 32, 41, 50, 58],
    [15, 25, 34, 42, 50],
]
BEHIND = np.array(2 * [[50, 48, 30, 30, 18]])
WOOLSEY = MatchEquities("published", np.array(PERCENTS) / 100, BEHIND / 100)
"""Kit Woolsey's table of 1992, as in "Five Point Match", GammOnLine, August 1999."""


@pytest.mark.parametrize(
    ("away", "cube", "last_roll", "live", "equities"),
    [
        # Tom Keith (1996) published these take points, bkgm.com/rgb/rgb.cgi?view+80.
        ((2, 4), 1, None, 0.17, WOOLSEY),
        ((4, 2), 1, 0.20, 0.20, WOOLSEY),
        # This take point is from bkgm.com/rgb/rgb.cgi?view+898.
        ((3, 4), 1, 15 / 43, None, WOOLSEY),
        # These take points are from "4 Away 4 Away" (2012), bigmoneybill.blogspot.com.
        ((4, 4), 1, 0.29, 0.19, None),
        ((4, 4), 2, 0.33, 0.33, None),
        # Phil Simborg, "How Match Equity Works in Real Situations": a take at 3-1 in a
        # match to 5 needs 19%.
        ((2, 4), 1, None, 0.19, None),
        # Phil Simborg (2010), simborgbackgammonlessons.com: a take at 2-away 3-away needs
        # 25%.
        ((2, 3), 1, None, 0.25, None),
        # Paul Magriel (2017), paulmagriel.net/bg-advice: a post-Crawford leader against
        # 2-away takes with at least 50%.
        ((2, 1), 1, 0.50, 0.50, None),
    ],
)
def test_published_take_points(away, cube, last_roll, live, equities):
    game = "post-crawford" if 1 in away else "normal"
    at = match_thresholds(Score(away, game), cube, equities)
    if last_roll is not None:
        assert at.take_point == pytest.approx(last_roll, abs=PERCENT)
    if live is not None:
        assert at.live_take_point == pytest.approx(live, abs=PERCENT)


def test_free_takes_post_crawford():
    for away in (3, 5, 7):
        at = match_thresholds(Score((away, 1), "post-crawford"))
        assert at.double == 0.0
        assert at.take_point < 0.05
        # The trailer doubles in later games and needs an odd number of points, so a gammon
        # now gains almost nothing.
        assert at.gammon_value < 0.1
        even = match_thresholds(Score((away - 1, 1), "post-crawford"))
        assert even.take_point > 0.3


def test_money_is_the_limit():
    """In long matches, take points approach those for money."""
    at = match_thresholds(Score((60, 60)), 1, linear(64))
    assert at.double == pytest.approx(0.5)
    assert at.take_point == pytest.approx(0.25)
    # A cube at 64 decides the match; at much lower values, take points are close to those
    # for money.
    assert match_thresholds(at.score, 32, linear(64)).take_point == pytest.approx(0.375)
    assert at.live_take_point == pytest.approx(0.2 - 0.175 / 4**5, abs=1e-12)
    assert at.gammon_value == at.gammon_loss == pytest.approx(0.5)
    far = match_thresholds(Score((25, 25)))
    assert far.live_take_point == pytest.approx(0.2, abs=0.002)


def chain(score, cube):
    """Return the take point with a live cube, by the textbook recursion over redoubles.

    The recursion assumes that the taker never redoubles at once, but waits until the
    opponent reaches the take point.
    """
    equities = match_equities()
    taker = score.exchanged()
    passed = equities.after(taker, -cube)
    won, lost = (equities.after(taker, points) for points in (2 * cube, -2 * cube))
    dead = taker.away[0] <= 2 * cube
    cash = 1.0 if dead else 1.0 - chain(taker, 2 * cube)
    return cash * (passed - lost) / (won - lost)


@pytest.mark.parametrize("away", [(4, 4), (5, 5), (4, 2), (5, 4), (6, 6), (9, 9)])
def test_live_take_points_are_the_textbooks(away):
    found = match_thresholds(Score(away), 1).live_take_point
    assert found == pytest.approx(chain(Score(away), 1), abs=1e-12)


@pytest.mark.parametrize("away", [(2, 2), (2, 4), (4, 2), (3, 5), (5, 3), (9, 4)])
def test_tables_double_and_take_by_them_in_the_last_roll(away):
    table = match_table(2, away)
    at = match_thresholds(table.score)
    pairs = np.arange(1, 28), number((1,))
    chance = table.win_probability(*pairs)
    turned, kept = table.double_take(*pairs), table.no_double(*pairs)
    passed = table.double_pass(*pairs)
    doubled = np.minimum(turned, passed)
    assert np.array_equal(doubled >= kept - ROUNDING, chance >= at.double)
    assert np.array_equal(turned > passed + ROUNDING, chance > at.cash)


def test_where_no_cube_can_matter():
    crawford = match_thresholds(Score((1, 3), "crawford"))
    assert crawford.double is crawford.cash is crawford.take_point is None
    assert crawford.live_cash is crawford.live_take_point is None
    assert crawford.gammon_value == 0.0
    assert match_thresholds(Score((1, 1))).double is None
    assert match_thresholds(Score((2, 5)), 2).double == 1.0


@pytest.mark.parametrize(
    ("score", "cube", "live"),
    [
        # Post-Crawford, the trailer risks nothing by a double and doubles at once.
        (Score((3, 1), "post-crawford"), 1, 0.0),
        # The leader doubles only when the trailer must pass, because the trailer's redouble
        # would kill the cube.
        (Score((2, 4)), 1, 1 - 0.1856),
        (Score((2, 5)), 2, 1.0),
        (Score((1, 1)), 1, None),
    ],
)
def test_where_a_live_cube_is_turned(score, cube, live):
    found = match_thresholds(score, cube).live_double
    assert found == (live if live is None else pytest.approx(live, abs=1e-4))


def test_a_live_cube_is_turned_where_waiting_gains_no_more():
    """If the win probability moves in small equal steps, the live thresholds are exact."""
    score, table = Score((4, 4)), match_equities()
    m = {n: table.after(score, n) for n in (-4, -2, -1, 1, 2, 4)}
    p = np.linspace(0, 1, 101)
    dead = m[-4] + p * (m[4] - m[-4])  # a cube at 4 wins the match for either player

    def solved(low, high, up, down):
        value = low + p * (high - low)
        for _ in range(20_000):
            steps = (value[2:] + value[:-2]) / 2
            value[1:-1] = np.clip(steps, up[1:-1], down[1:-1])
        return value

    theirs = solved(m[-2], m[2], 0 * p, np.maximum(dead, m[-2]))
    up = np.minimum(theirs, m[1])
    value = solved(m[-1], m[1], up, 1 - up[::-1])
    doubles = p[1:-1][value[1:-1] <= up[1:-1] + 1e-6]
    assert match_thresholds(score).live_double == pytest.approx(doubles.min(), abs=0.01)
