"""Choice of the best play of a roll."""

from dataclasses import replace

import numpy as np
import pytest

import bearoff
from bearoff import Position, Race, Score
from bearoff.answers import Judge
from bearoff.bear_in import bear_in, widen
from bearoff.rolls import ROLLS
from bearoff.sources import Races
from bearoff.sources.exact import TableSource
from bearoff.sources.plays import ROUNDING, PlayValues, play_values
from bearoff.sources.races import plays_of
from bearoff.stakes import Values
from tests.refusals import refused
from tests.two_sided_tables import built


def test_the_best_of_equal_plays_is_the_twins():
    rng = np.random.default_rng(9)
    rows = np.repeat(np.arange(120), rng.integers(1, 9, 120))
    count = len(rows)
    sides = np.zeros((count, 24), dtype=np.int8)
    sides[np.arange(count), rng.integers(0, 6, count)] = rng.integers(1, 3, count)
    equities, wins = rng.integers(0, 3, count) / 4, rng.integers(0, 3, count) / 4
    none = np.zeros(count)
    for tie in (ROUNDING, 0.01, 0.3):
        columns = rows, sides, equities, none, none, wins, none
        valued = PlayValues(*columns, tie)
        right = []
        for row in range(120):
            places = [place for place in range(count) if rows[place] == row]
            most = max(equities[place] for place in places)
            equal = [place for place in places if most - equities[place] <= tie]
            epcs = dict(zip(equal, bear_in().epc(sides[equal]).tolist(), strict=True))
            right.append(min(equal, key=lambda p: (-wins[p], round(epcs[p], 6), p)))
            one = PlayValues(*(part[places] for part in columns), tie)
            assert places[one.ranking()[0]] == right[-1]
            ranked = [places[place] for place in one.ranking()]
            costs = [0.0 if p in equal else most - equities[p] for p in ranked]
            assert costs == sorted(costs)
        assert valued.best.tolist() == right


HOPELESS = [("0,0,0,0,5,5", "1,0,0,0,0,0", (4, 4)), ("2,0,2,2,2,0", "2,0,0,0,0,0", (3, 1))]


@pytest.mark.parametrize("score", [None, Score((3, 5)), Score((1, 1))], ids=str)
@pytest.mark.parametrize(("roller", "opponent", "dice"), HOPELESS)
def test_a_hopeless_side_takes_the_fewest_rolls(score, roller, opponent, dice):
    """If all plays lose, the play with the smallest mean number of rolls is best."""
    race = Race(roller, opponent, score=score, dice=dice)
    table = bearoff.one_sided_table()
    rolls = {
        str(play): table.mean_rolls_of(play.after.number)
        for play in bearoff.legal_plays(race.roller, dice)
    }
    fewest = min(rolls.values())
    assert max(rolls.values()) > fewest + 0.01
    plays = Judge(()).answer(race).plays
    assert {play.cost for play in plays} == {0.0}
    found = [rolls[play.name] for play in plays]
    assert found[0] == pytest.approx(fewest, abs=1e-9)
    assert found == sorted(found)


def test_a_hopeless_side_beyond_home_needs_the_fewest_rolls():
    sides = Position.parse("[1,6,6,9,18]", 18), Position.parse("[1]", 18)
    plays = Judge(()).answer(Race(*sides, dice=(4, 4))).plays
    epcs = bear_in().epc(widen([play.play.after.counts for play in plays])).tolist()
    assert {play.equity for play in plays} == {-1.0}
    assert epcs == sorted(epcs)
    # The model's best play is not the one with the lowest position number.
    lowest = min(plays, key=lambda play: play.play.after.number)
    assert plays[0] != lowest


def wins_of(plays, table, opponent):
    after = [play.play.after.number for play in plays]
    return (1 - table.win_probability(opponent.number, after)).tolist()


class Rolled:
    """Substitute for rollouts, which returns win probabilities from a table."""

    kind = "rollout"

    def __init__(self, table, points):
        self._table, self._points = table, points

    def values(self, races):
        """Return values of races if every game is worth `points` points."""
        found = Values.empty(races.terms, races.owners)
        home = slice(self._table.points)
        numbers = (bearoff.rank(s[:, home]) for s in (races.rollers, races.opponents))
        found.win_probability[:] = self._table.win_probability(*numbers)
        won, lost = races.terms.chance(races.terms.worth([self._points, -self._points]))
        chance = lost + found.win_probability * (won - lost)
        found.no_double[:] = found.double_take[:] = races.terms.equity(chance)
        found.no_double_error[:] = found.double_take_error[:] = 1e-5
        return found


def test_who_will_be_doubled_out_plays_for_the_games_that_can_be_won():
    table, met = built(6), 0
    judge, rng = Judge([table]), np.random.default_rng(3)
    while met < 6:
        race = Race(*rng.integers(200, 923, 2).tolist(), dice=ROLLS[rng.integers(21)])
        plays = judge.answer(race).plays
        ended = any(not play.play.after.on_board for play in plays)
        if len(plays) < 2 or ended or {p.equity for p in plays} != {-1.0}:
            continue
        wins = wins_of(plays, table, race.opponent)
        if max(wins) < 0.01 or np.ptp(wins) < 0.001:
            continue
        met += 1
        assert wins == sorted(wins, reverse=True)


def test_the_play_that_wins_most_is_looked_at_where_that_decides():
    """The play that wins most often is examined if only the chance to win the game counts.

    At 1-away 3-away post-Crawford, the opponent doubles at once. The roller then wins the
    match, or the score becomes level, so only the chance to win the game counts. By
    equities for money, 7/4 6/1 seemed best.
    """
    sides = (Position.parse(text, 7) for text in ("1,1,0,0,0,1,1", "0,2,2,0,0,0,0"))
    race = Race(*sides, score=Score((1, 3), "post-crawford"), dice=(5, 3))
    table = built(4, 7)
    plays = Judge((), patience=0, roll_out=lambda race: Rolled(table, 2)).answer(race).plays
    assert plays[0].kind == "rollout"
    assert plays[0].name != "7/4 6/1"
    for found in Judge((), patience=0).answer(race).plays, plays:
        wins = wins_of(found, table, race.opponent)
        assert wins[0] == max(wins)
    assert plays[0].wins == pytest.approx(wins[0], abs=1e-12)


def test_with_checkers_beyond_home_the_best_play_is_looked_at():
    """With checkers outside home, the plays that seem best are examined."""
    table = built(5, 7)
    judge = Judge((), patience=0, roll_out=lambda race: Rolled(table, 1))
    rng, met, left = np.random.default_rng(4), 0, 0
    while met < 80:
        sides = [np.bincount(rng.integers(0, 7, 5), minlength=7) for _ in range(2)]
        if not any(side[6:].any() for side in sides):
            continue
        met += 1
        race = Race(*sides, score=Score((1, 1)), dice=ROLLS[rng.integers(21)])
        plays = judge.answer(race).plays
        left += any(play.kind == "model" for play in plays)
        wins = wins_of(plays, table, race.opponent)
        # The tolerance for win probabilities is half the tolerance for equities.
        assert wins[0] >= max(wins) - 0.0025
    assert left > 30


def test_values_of_other_stakes_are_refused():
    race = Race("0,2,2,0,0,0", "0,2,2,0,0,0", dice=(2, 1))
    money = Races.of([race])
    rows, sides = plays_of(money.rollers, np.array([ROLLS.index((2, 1))]))

    class Deaf:
        """Source of values that ignores the score of a race and evaluates it for money."""

        kind = "exact"

        def values(self, races):
            return TableSource(built(6)).values(replace(races, terms=money.terms.next()))

    assert play_values(Deaf(), money, rows, sides).best.size == 1
    at_score = Races.of([replace(race, score=Score((3, 5)))])
    with refused(ValueError, "races"):
        play_values(Deaf(), at_score, rows, sides)


def costing(equities, error, apart=np.nan):
    """Return play values of one race with these equities and these errors."""
    count = len(equities)
    rows, none = np.zeros(count, dtype=np.int64), np.zeros(count)
    sides = np.eye(1, 24, dtype=np.int8).repeat(count, axis=0)
    errors, apart = np.full(count, error), np.full(count, apart)
    return PlayValues(rows, sides, np.array(equities), errors, apart, none, none, ROUNDING)


def test_the_best_play_is_wrong_by_what_another_may_be_better():
    _, errors = costing([0.5, 0.49, 0.2], 0.0, 0.03).cost_and_error()
    assert errors == pytest.approx([0.02, 0.03, 0.03])
    _, errors = costing([0.5, 0.46, 0.2], 0.0, 0.03).cost_and_error()
    assert errors[0] == 0
    # The second play may be better by 0.05. With 2 standard errors, half of this is the
    # error of the best play.
    _, errors = costing([0.5, 0.49, 0.2], 0.0, 0.03).cost_and_error(2.0)
    assert errors[0] == pytest.approx(0.025)
    # No other play can be better within the stated errors, so the error of the best play is
    # 0.
    _, errors = costing([0.5, 0.499, 0.2], 0.0, 0.03).cost_and_error(np.array([1.0, 0, 1]))
    assert errors[0] == 0
    assert costing([0.5], 0.1).cost_and_error()[1].tolist() == [0]


def test_costs_are_wrong_by_no_more_than_is_said():
    rng = np.random.default_rng(12)
    met = 0.0
    for _ in range(200):
        count, error = int(rng.integers(1, 6)), 0.02
        told = rng.integers(0, 12, count) / 100
        true = told + rng.choice([-error, error], count)
        costs, errors = costing(told, error).cost_and_error()
        off = np.abs(costs - (true.max() - true))
        assert (off <= errors + 1e-12).all()
        met = max(met, off[told.argmax()])
    assert met > 0.03


def test_the_model_is_not_sure_of_its_own_play_where_it_errs():
    """If the fast model chooses a wrong play, this play has a stated error."""
    race = Race.parse("XGID=-A------A-A---a-------a---:0:0:1:53:0:0:0:0:10")
    by_model = Judge((), patience=0).answer(race).played("10/7 8/3")
    assert (by_model.cost, by_model.kind) == (0.0, "model")
    assert by_model.error > 0.01
