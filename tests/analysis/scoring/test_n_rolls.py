"""Races of n rolls a side and of the last two checkers, compared with published values and
tables.
"""

from fractions import Fraction
from itertools import product

import pytest

import bearoff
from bearoff.analysis.scoring.last_rolls import LastCheckers, last_checkers
from bearoff.analysis.scoring.n_rolls import MOST_ROLLS, mean_rolls, roll_race
from bearoff.errors import BearoffError
from tests import published
from tests.two_sided_tables import built, number

CHECKERS = 5


def test_published_values():
    for n, printed in published.ACES_AGAINST_ACES.items():
        exact = roll_race(n, n).win_probability
        assert printed in (exact, round(float(exact), 6))
    race = roll_race(4, 4)
    assert round(float(race.no_redouble), 6) == published.FOUR_ROLLS_NO_DOUBLE
    assert round(float(race.double_take), 6) == published.FOUR_ROLLS_DOUBLE_TAKE
    assert race.action == "redouble, take"
    for checkers, mean in published.ACE_STACK_ROLLS.items():
        assert mean_rolls((checkers + 1) // 2) == mean
    alone = {left.high: left.in_one for left in last_checkers() if left.low == 0}
    assert alone == dict(enumerate(published.ONE_CHECKER_OFF, 1))
    for high, row in enumerate(published.TWO_CHECKERS_OFF, 1):
        two = (LastCheckers.on(high, low).in_one for low in range(1, high + 1))
        assert tuple(two) == row


def test_aces_in_the_two_sided_table_play_the_same_game():
    table = built(CHECKERS)
    for roller, opponent in product(range(1, CHECKERS + 1), repeat=2):
        race = roll_race((roller + 1) // 2, (opponent + 1) // 2)
        x, y = number(roller), number(opponent)
        # The rounding errors of the two-sided table are at most 1e-5.
        for found, exact, plane in (
            (table.win_probability(x, y), race.win_probability, "cubeless"),
            (table.no_double(x, y, "centred"), race.no_double, "centred"),
            (table.no_double(x, y, "owned"), race.no_redouble, "owned"),
            (table.double_take(x, y), race.double_take, "opponent"),
        ):
            assert abs(float(found) - float(exact)) <= 2 * table.error(plane)


def test_win_probability_by_playing_all_rolls_out():
    def played(n, m):
        """Return the win probability of a roller who needs n rolls against an opponent who
        needs m rolls.
        """
        if n <= 0:
            return Fraction(1)
        if m <= 0:
            return Fraction(0)
        rolls = ((1, Fraction(5, 6)), (2, Fraction(1, 6)))
        wins = Fraction(0)
        for (a, chance), (b, other) in product(rolls, rolls):
            wins += chance * other * (played(n - a, m - b) if n > a else 1)
        return wins

    for n, m in product(range(1, 6), repeat=2):
        assert roll_race(n, m).win_probability == played(n, m)


def test_redoubling_is_never_right_where_doubling_is_not():
    for rolls in (0, -1, MOST_ROLLS + 1):
        with pytest.raises(BearoffError, match=f"got {rolls}"):
            roll_race(3, rolls)
    for n, m in product(range(1, 13), repeat=2):
        race = roll_race(n, m)
        assert race.no_redouble >= race.no_double
        assert race.double_take <= 2


def test_two_rolls_are_at_least_what_fewest_rolls_play_makes_of_them():
    table = bearoff.one_sided_table()
    for left in last_checkers():
        side = [(p == left.high) + (p == left.low) for p in range(1, 7)]
        off = table.distribution[bearoff.rank(side)][:3].sum()
        # The tolerance is for the rounding of float64 in sums of 36 products.
        assert left.in_two / 1296 == pytest.approx(off, abs=1e-12)
