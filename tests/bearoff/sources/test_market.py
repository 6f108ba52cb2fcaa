"""Market losers compared with exact enumeration, for money and at scores."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
import pytest

import bearoff
from bearoff import ROLLS, WEIGHTS, BearoffError, Race
from bearoff.answers import Judge
from bearoff.sources import Market
from oracles import match_twin, two_sided_reference
from oracles.reference import all_positions, successors
from tests.bearoff.match_solver.test_match_table import number, position
from tests.bearoff.sources.cube_twin import SEEN
from tests.refusals import refused
from tests.two_sided_tables import built


@dataclass(frozen=True)
class Money:
    """Exact equities of races in a money game, as integers."""

    place: str
    jacoby: bool = False
    start: int = 15
    passed = two_sided_reference.ONE
    slack = 2 * two_sided_reference.ONE // 10**5
    clear = -slack

    def other(self):
        return replace(self, place=SEEN[self.place])

    def plane(self, roller, opponent, kept=""):
        name = "jacoby" if self.jacoby and self.place == "centred" else self.place
        values = two_sided_reference.exact(roller, opponent, self.start)
        return int(getattr(values, name + kept))

    value = plane

    def no_double(self, roller, opponent):
        return self.plane(roller, opponent, "_kept")

    def double_take(self, roller, opponent):
        return 2 * two_sided_reference.exact(roller, opponent, self.start).opponent


class AtScore(match_twin.At):
    """Exact values of races at a match score, as integers."""

    slack = clear = match_twin.ONE // 10**11
    passed = property(lambda self: self.won(self.cube))
    value, no_double = match_twin.value, match_twin.no_double
    double_take = match_twin.double_take


@cache
def good_plays(twin, roller, opponent, roll):
    """Return all plays that are best for the roller, up to rounding."""
    theirs = twin.other()
    worth = {after: theirs.value(opponent, after) for after in successors(roller, *roll)}
    least = min(worth.values())
    return [after for after, w in worth.items() if w <= least + twin.slack]


def followed(twin, roller, opponent, own, reply):
    """Return all possible outcomes of a roll and a reply with best plays."""
    found, theirs = set(), twin.other()
    for mine in good_plays(twin, roller, opponent, own):
        if not mine:
            found.add("won")
            continue
        if twin.place == "centred":
            doubled = min(theirs.double_take(opponent, mine), theirs.passed)
            margin = doubled - theirs.no_double(opponent, mine)
            if margin > twin.clear:
                found.add("opponent doubles")
            if margin > twin.slack:
                continue
        for yours in good_plays(theirs, opponent, mine, reply):
            found |= decided(twin, mine, yours)
    return found


@cache
def decided(twin, roller, opponent):
    if not opponent:
        return {"lost"}
    kept, taken = (ask(roller, opponent) for ask in (twin.no_double, twin.double_take))
    passed, slack, clear = twin.passed, twin.slack, twin.clear
    waits = kept - min(taken, passed) > clear
    doubles = kept - min(taken, passed) <= slack
    possible = {
        "too good": waits and kept - passed > clear,
        "no double": waits and kept - passed <= slack,
        "double, pass": doubles and taken - passed > clear,
        "double, take": doubles and taken - passed <= slack,
    }
    return {outcome for outcome, may_be in possible.items() if may_be}


def are_the_twins(found, twin, sides):
    """Check the outcomes of all pairs of rolls against a second implementation."""
    assert sum(found.probabilities.values()) == pytest.approx(1)
    names = np.array(Market.OUTCOMES)[found.outcomes]
    for i, own in enumerate(ROLLS):
        for j, reply in enumerate(ROLLS):
            assert names[i, j] in followed(twin, *sides, own, reply), (own, reply)
    return set(names.ravel())


@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_every_sequence_for_money(cube):
    positions = all_positions(6, 2)
    seen = set()
    for x in range(3, len(positions), 6):
        for y in range(2, len(positions), 7):
            found = bearoff.market(built(2), (x, y), cube)
            seen |= are_the_twins(found, Money(cube), (positions[x], positions[y]))
    # With a centred cube and so few checkers, one of the players doubles within two turns.
    other = "opponent doubles" if cube == "centred" else "no double"
    assert {"won", "lost", "double, pass", "double, take", other} <= seen


@pytest.mark.parametrize("outcomes", [1, 4, 7])
def test_chances_are_whole_throws_of_1296(outcomes):
    drawn = np.random.default_rng(outcomes).integers(0, outcomes, (21, 21), dtype=np.uint8)
    found = Market("centred", drawn, np.zeros((21, 21), bool))
    ways = dict.fromkeys(Market.OUTCOMES, 0)
    for i, j in product(range(21), repeat=2):
        ways[Market.OUTCOMES[drawn[i, j]]] += WEIGHTS[i] * WEIGHTS[j]
    assert found.probabilities == {name: n / 1296 for name, n in ways.items()}
    losing = sum(ways[name] for name in ("won", "too good", "double, pass"))
    assert found.losing_probability == losing / 1296
    assert found.losing_after @ WEIGHTS / 36 == pytest.approx(losing / 1296)


@pytest.mark.parametrize("jacoby", [False, True])
@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_who_may_lose_a_gammon_for_money(cube, jacoby):
    """Market losers in money games are correct if a side may lose a gammon."""
    sides = (4, 6), (6, 6)
    pair = tuple(map(number, sides))
    found = bearoff.market(built(2, start=2), pair, cube, jacoby=jacoby)
    seen = are_the_twins(found, Money(cube, jacoby, 2), sides)
    assert ("too good" in seen) == (not jacoby or cube == "owned")
    assert found.losing_probability >= found.probabilities["too good"]


@pytest.mark.parametrize(
    ("score", "cube", "place", "sides", "met"),
    [
        ((2, 4, "normal"), 1, "centred", ((3, 4), (1, 6)), {"won", "lost", "double, pass"}),
        ((5, 3, "normal"), 1, "centred", ((5, 5), (1, 6)), {"opponent doubles"}),
        ((5, 3, "normal"), 1, "centred", ((5, 5), (4, 4)), {"no double", "double, take"}),
        ((5, 3, "normal"), 2, "owned", ((5, 5), (4, 4)), {"double, take", "double, pass"}),
        # At double match point, doubling changes nothing and counts as 'double, take'.
        ((1, 1, "normal"), 1, "centred", ((3, 4), (2, 5)), {"won", "lost", "double, take"}),
    ],
)
def test_every_sequence_at_a_score(score, cube, place, sides, met):
    table = bearoff.match_table(2, score[:2], score[2])
    found = bearoff.market(table, tuple(map(number, sides)), place, cube_value=cube)
    assert met <= are_the_twins(found, AtScore(*score, cube, place), sides)
    assert not found.too_close.any()
    if score[:2] == (1, 1):
        assert found.probabilities["opponent doubles"] == 0


def test_who_becomes_too_good_has_lost_the_market():
    sides = (1, 1, 1), (5, 5, 6)
    race = Race(*(position(side, 3) for side in sides))
    found = bearoff.market(bearoff.match_race(race, (4, 4)), race)
    twin = AtScore(4, 4, "normal", 1, "centred", everything=3)
    assert {"won", "too good", "double, pass"} <= are_the_twins(found, twin, sides)


def test_the_opponent_replies_with_the_cube_where_it_is():
    # The opponent's best play depends on the cube, which the opponent does not own here.
    race = Race("1,1,1,3,0,1", "0,0,1,2,2,0")
    own, reply = ROLLS.index((5, 4)), ROLLS.index((6, 1))
    table, opponent = built(7), race.opponent.number
    mine = int(table.best_after(race.roller.number, opponent, "owned")[own])
    theirs = int(table.best_after(opponent, mine, "opponent")[reply])
    assert bearoff.cube_action(table, (mine, theirs), "owned").action == "redouble, take"
    found = bearoff.market(table, race, "owned")
    assert Market.OUTCOMES[found.outcomes[own, reply]] == "double, take"


def test_what_the_table_leaves_open_is_marked():
    # A certain winner gains nothing by doubling, but this decision is not marked as too
    # close.
    found = bearoff.market(built(7), Race("4,0,0,0,0,0", "4,0,0,0,0,0"), "owned")
    assert not found.too_close.any()
    # Some sequences leave one checker on the 6 point, so the opponent is exactly at the
    # take point, 25%.
    found = bearoff.market(built(7), Race("0,0,0,0,1,1", "2,0,0,0,0,1"), "owned")
    assert found.too_close.any()
    assert not found.too_close.all()


def test_doubles_of_the_opponent_that_the_model_leaves_open_are_marked():
    race = Race("0,0,3,3,3,3", "0,3,3,2,2,2")
    found = Judge((), patience=0).answer(race, market=True).market
    doubled = found.outcomes == Market.OUTCOMES.index("opponent doubles")
    assert doubled.any()
    assert found.too_close[doubled].all()


def test_refusals():
    for table in (built(2), bearoff.match_table(2, (3, 5))):
        with refused(BearoffError, "sides"):
            bearoff.market(table, (1, 0))
        with refused(BearoffError, "position"):
            bearoff.market(table, ([1, 2], 1, 1))
    with refused(bearoff.ScoreError, "Crawford"):
        bearoff.market(bearoff.match_table(2, (3, 1), "crawford"), (1, 1))
    with refused(bearoff.PositionError, 84):
        bearoff.market(bearoff.match_table(3, (3, 5)), (1, 84))
