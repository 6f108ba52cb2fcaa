"""The comparison of gammons with GNU Backgammon, on one race."""

import pytest

from bearoff.sim.rollouts import Goal, rollout
from oracles import gnubg
from research.comparisons import gammons_gnubg


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_gammons_are_those_of_gnu_backgammon():
    race = gammons_gnubg.race_of(*gammons_gnubg.RACES[-1])
    their = gammons_gnubg.theirs(race, 36)
    our = rollout(race, Goal(0, 7776))
    assert our.gammon_won.value == pytest.approx(their.gammon, abs=0.01)
    page = gammons_gnubg.page([(race, their, our)])
    row = page.splitlines()[-1].split(" | ")
    assert row[0] == "| 0,2,2"
    assert float(row[2]) == pytest.approx(100 * our.gammon_won.value, abs=0.005)
    assert float(row[3]) == pytest.approx(100 * their.gammon, abs=0.005)
