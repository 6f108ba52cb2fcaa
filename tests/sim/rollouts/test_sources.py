"""Values that come from rollouts, compared with exact values."""

from dataclasses import replace

import numpy as np
import pytest

import bearoff
from bearoff.answers import Judge
from bearoff.sim.rollouts import Goal, PairedSource, RolloutSource, results, rollout
from bearoff.sim.rollouts.systematic import Systematic
from bearoff.sources import Races
from bearoff.stakes import Terms
from tests.two_sided_tables import built


@pytest.fixture
def no_table(monkeypatch):
    """Let rollouts play all games to the end."""
    monkeypatch.setattr("bearoff.sim.rollouts.sources.truncation_table", lambda race: None)


@pytest.mark.parametrize("cube", ["centred", "owned", "opponent"])
def test_money_is_near_the_table(no_table, cube):
    exact = Judge([built(5)])
    rolled = Judge((), roll_out=lambda race: RolloutSource(race, Goal(0.01)), patience=0)
    race = bearoff.Race("0,2,2,1,0,0", "1,2,1,0,1,0", cube=cube, dice=(2, 1))
    found, known = rolled.answer(race), exact.answer(race)
    assert (found.kind, known.kind) == ("rollout", "exact")
    assert found.equity == pytest.approx(known.equity, abs=0.03)
    assert found.win_probability == pytest.approx(known.win_probability, abs=0.01)
    # The tolerance is four times the stated root mean square error.
    off = abs(found.win_probability - known.win_probability)
    assert known.win_probability_error < 1e-5
    assert off < 4 * found.win_probability_error + known.win_probability_error < 0.01
    assert (found.action is None) == (known.action is None)
    for play in found.plays:
        if play.kind == "rollout":
            there = known.played(play.play)
            assert play.equity == pytest.approx(there.equity, abs=0.05)


@pytest.mark.parametrize("text", ["2-4", "3-1 Crawford"])
def test_at_a_score_it_is_near_what_is_solved(text):
    score = bearoff.Score.parse(text)
    race = bearoff.Race("0,2,2,2,1,0", "1,2,1,1,2,0", score=score)
    source = RolloutSource(race, Goal(0.01))
    known = Judge(()).answer(race)
    mine = source.values(Races.of([race]))
    assert mine.terms == known.values.terms
    assert mine.no_double[0] == pytest.approx(known.values.no_double[0], abs=0.05)
    assert bool(mine.may_double[0]) == score.has_cube
    # After the roller's turn, values are stated from the opponent's side of the score.
    turned = Races.of([race]).after(np.array([0]), Races.of([race]).rollers)
    theirs = Judge(()).answer(replace(race.exchanged(), cube="centred"))
    assert source.values(turned).equity[0] == pytest.approx(theirs.equity, abs=0.05)


@pytest.mark.parametrize("source", [RolloutSource, PairedSource])
def test_what_a_play_leads_to_in_the_table_is_off_by_what_the_table_is(source):
    """The value of a play that leads into a table has the error of the table.

    After the roll, one checker at home is left against three, and this race is solved. The
    opponent takes off all three checkers with 4 rolls of 36; otherwise the roller takes off
    the last checker.
    """
    table = built(4)
    sides = [bearoff.Position.parse(side, 24) for side in ("[10]", "[2,3,4]")]
    race = bearoff.Race(*sides, cube="opponent", dice=(5, 4))
    judge = Judge((), roll_out=lambda race: source(race, Goal(0.01)), patience=0)
    play, *_ = judge.answer(race).plays
    stated = table.error("owned")
    assert 0 < stated <= play.equity_error < 2 * stated
    assert abs(play.equity - 7 / 9) <= stated


class Rounds:
    """Substitute for the results of a rollout, with given means and standard errors."""

    def __init__(self, units, error, **means):
        self.units, self.games = units, units * 1296
        self.means = [means.get(name, 0.0) for name in results.COLUMNS]
        self._error = error

    def error(self, *weights):
        return self._error


@pytest.mark.parametrize(
    ("systematic", "units", "close"),
    [
        (0.0, 4000, False),  # the gain is 3 standard errors of the sampled games
        (0.02, 4000, True),  # with the systematic errors, the gain is only 1.5 errors
        (0.0, 4, True),  # with 4 units, a clear gain needs 3.18 standard errors
        (0.0, 0, False),
    ],
)
def test_an_action_is_too_close_by_one_rule(systematic, units, close):
    """The same rule decides whether a cube action is too close, wherever its error comes
    from.
    """
    dice = 0.02 if units else 0.0
    moments = Rounds(units, dice, centred=0.5, opponent=0.28)
    errors = Systematic(0.0, systematic, systematic)
    action = results.action_of(moments, "centred", errors, Terms())
    assert (action.action, action.gain.value) == ("double, take", pytest.approx(0.06))
    assert action.too_close == close


@pytest.mark.parametrize("error", [0.0, 0.1])
def test_a_rollout_is_as_close_as_its_values(monkeypatch, no_table, error):
    name = "bearoff.sim.rollouts.values.systematic_error"
    monkeypatch.setattr(name, lambda race, **_: Systematic(error, error, error))
    goal, closes = Goal(0.0, 1296), set()
    for text in ("0,2,2,1,0,0", "1,1,2,1,0,0", "0,1,2,0,2,0", "2,1,1,1,0,1"):
        race = bearoff.Race("1,2,1,0,1,0", text)
        found = rollout(race, goal, workers=1).at("centred")
        values = RolloutSource(race, goal, workers=1).values(Races.of([race]))
        row = values.row(0, 2.0)
        assert (row["action"], row["too_close"]) == (found.action, found.too_close)
        closes.add(found.too_close)
    assert (True in closes) == bool(error)
