"""Doubling windows of long races at a score, compared with money play and exact tables."""

import numpy as np
import pytest

import bearoff
from bearoff import Score
from bearoff.analysis.sheets.match_leads import LENGTHS, long_window
from tests.bearoff.match_solver.test_match_table import linear


@pytest.mark.parametrize("epc", LENGTHS)
def test_far_from_the_end_it_is_moneys(epc):
    model = bearoff.race_model.race_model()
    leads = np.arange(-5, 20, 0.01)
    money = model.cube_actions(epc, epc + leads)
    found = long_window(Score((60, 60)), epc, linear(64))
    assert found.double_lead == pytest.approx(leads[money.doubles].min(), abs=0.25)
    assert found.take_lead == pytest.approx(leads[money.takes].max(), abs=0.1)
    chance = model.win_probability(epc, epc + found.take_lead)
    assert found.cash == pytest.approx(float(chance), abs=0.002)


@pytest.mark.parametrize(
    ("away", "cube_value", "cube"),
    [
        *(((a, b), 1, "centred") for a, b in ((2, 4), (4, 2), (3, 5), (5, 4))),
        ((4, 6), 2, "owned"),
        ((5, 3), 2, "owned"),
    ],
)
def test_short_races_agree_with_exact_tables(away, cube_value, cube):
    """At the leads that the model gives, half of the races are doubles, or passes, by exact
    tables.
    """
    table = bearoff.match_table(5, away)
    model = bearoff.one_sided_table()
    numbers = np.arange(1, bearoff.position_count(6, 5))
    epcs = model.mean_rolls_of(numbers) * bearoff.PIPS_PER_ROLL
    rollers = numbers[np.abs(epcs - 24.0) < 0.5]
    x, y = (part.ravel() for part in np.meshgrid(rollers, numbers))
    lead = (epcs[y - 1] - epcs[x - 1]).round()
    answer = bearoff.cube_actions(table, x, y, cube, cube_value=cube_value)
    found = long_window(Score(away), 24.0, None, cube_value, cube)
    for acts, at in ((answer.doubles, found.double_lead), (~answer.takes, found.take_lead)):
        shares = [acts[lead == pips].mean() for pips in range(-4, 8)]
        half = float(np.interp(0.5, shares, range(-4, 8)))
        assert at == pytest.approx(half, abs=1.0)


def test_a_leader_waits_for_fear_and_redoubles_where_nothing_is_at_risk():
    """A redouble that risks nothing is right even if the roller is far behind.

    The opponent needs two points and wins the match with the cube at 2 or at 4. After a
    pass, both are 2-away (50%); after a take, this game decides.
    """
    leader, even = (long_window(Score(away), 60.0) for away in ((2, 4), (9, 9)))
    assert leader.double_lead > even.double_lead + 3
    # The trailer's take point is only 18.6%, because the trailer redoubles at once.
    assert leader.cash == pytest.approx(1 - 0.186, abs=0.002)
    found = long_window(Score((4, 2)), 30.0, None, 2, "owned")
    assert found.double_lead < -25
    assert found.cash == pytest.approx(0.5, abs=0.002)
