"""Market losers against games followed by hand in whole fractions."""

from fractions import Fraction

import numpy as np
import pytest

import bearoff
from bearoff import ROLLS, WEIGHTS, BearoffError, Position, Race
from bearoff.cube import Market
from tests.bearoff.cube import cube_twin
from tests.reference import all_positions, successors

SLACK = Fraction(2, 10**5)
"""Plays so close may be taken for each other by a table of 16 bits."""

THEIRS = {"centred": cube_twin.centred, "owned": cube_twin.opponent_owns}
OURS = {"centred": cube_twin.centred, "owned": cube_twin.roller_owns}
NO_DOUBLE = {"centred": cube_twin.no_double, "owned": cube_twin.no_redouble}


@pytest.fixture(scope="module")
def small() -> bearoff.TwoSidedTable:
    bearoff.build_two_sided_table(2)
    return bearoff.two_sided_table(2)


@pytest.fixture(scope="module")
def eight() -> bearoff.TwoSidedTable:
    bearoff.build_two_sided_table(8)
    return bearoff.two_sided_table(8)


def good_plays(value, roller, opponent, roll):
    """Every play that leaves the opponent the least, or hardly more."""
    worth = {after: value(opponent, after) for after in successors(roller, *roll)}
    return [after for after, w in worth.items() if w <= min(worth.values()) + SLACK]


def followed(cube, roller, opponent, own, reply):
    """Every outcome of a sequence that good plays can bring about."""
    found = set()
    for mine in good_plays(THEIRS[cube], roller, opponent, own):
        if not mine:
            found.add("won")
            continue
        if cube == "centred":
            margin = cube_twin.double(opponent, mine) - cube_twin.no_double(opponent, mine)
            if margin >= -SLACK:
                found.add("opponent doubles")
            if margin > SLACK:
                continue
        for yours in good_plays(OURS[cube], opponent, mine, reply):
            found |= decided(cube, mine, yours)
    return found


def decided(cube, roller, opponent):
    if not opponent:
        return {"lost"}
    found = set()
    margin = cube_twin.double(roller, opponent) - NO_DOUBLE[cube](roller, opponent)
    if margin <= SLACK:
        found.add("no double")
    if margin >= -SLACK:
        excess = cube_twin.double_take(roller, opponent) - 1
        if excess <= SLACK:
            found.add("double, take")
        if excess >= -SLACK:
            found.add("double, pass")
    return found


@pytest.mark.parametrize("cube", ["centred", "owned"])
def test_every_sequence_against_fractions(small, cube):
    positions = [p for p in all_positions(6, 2) if p]
    seen = set()
    for x in range(3, len(positions) + 1, 6):
        for y in range(2, len(positions) + 1, 7):
            found = bearoff.market(small, (x, y), cube)
            for i, own in enumerate(ROLLS):
                for j, reply in enumerate(ROLLS):
                    outcome = Market.OUTCOMES[found.outcomes[i, j]]
                    possible = followed(
                        cube, positions[x - 1], positions[y - 1], own, reply
                    )
                    assert outcome in possible
                    seen.add(outcome)
    # So few checkers leave nothing to wait for once the opponent has not doubled.
    other = "opponent doubles" if cube == "centred" else "no double"
    assert seen == {"won", "lost", "double, pass", "double, take", other}


def test_the_last_roll_of_the_game(eight):
    # 5 and 2 against one checker on the ace: 19/36 win at once, all others have lost.
    race = Race(Position.parse("0,1,0,0,1,0"), Position.parse("1,0,0,0,0,0"))
    owned = bearoff.market(eight, race, "owned")
    assert owned.probabilities["won"] == pytest.approx(19 / 36)
    assert owned.probabilities["lost"] == pytest.approx(17 / 36)
    assert owned.losing_probability == pytest.approx(19 / 36)
    centred = bearoff.market(eight, race, "centred")
    assert centred.probabilities["opponent doubles"] == pytest.approx(17 / 36)
    assert not centred.losing[ROLLS.index((2, 1))].any()
    assert centred.losing[ROLLS.index((5, 2))].all()


def test_the_opponent_replies_with_the_cube_where_it_is(eight):
    # Were the opponent's plays those of a side that owns the cube, this would differ.
    race = Race(Position.parse("1,1,1,3,0,1"), Position.parse("0,0,1,2,2,0"))
    own, reply = (5, 4), (6, 1)
    mine = bearoff.cube.value_plays(eight, race, own, "owned")[0].play.after
    facing = bearoff.cube.value_plays(
        eight, (race.opponent.number, mine.number), reply, "opponent"
    )
    theirs = facing[0].play.after
    then = bearoff.cube_action(eight, (mine.number, theirs.number), "owned")
    assert then.action == "redouble, take"
    found = bearoff.market(eight, race, "owned")
    outcome = found.outcomes[ROLLS.index(own), ROLLS.index(reply)]
    assert Market.OUTCOMES[outcome] == "double, take"


def test_chances_are_the_weights_of_the_sequences(eight):
    rng = np.random.default_rng(20261121)
    for x, y in rng.integers(1, 3003, (10, 2)).tolist():
        found = bearoff.market(eight, (x, y))
        counts = dict.fromkeys(Market.OUTCOMES, 0)
        for i, own in enumerate(WEIGHTS):
            for j, reply in enumerate(WEIGHTS):
                counts[Market.OUTCOMES[found.outcomes[i, j]]] += own * reply
        assert found.probabilities == pytest.approx(
            {name: count / 36**2 for name, count in counts.items()}
        )
        lost = counts["won"] + counts["double, pass"]
        assert found.losing_probability == pytest.approx(lost / 36**2)
        assert found.losing_after @ WEIGHTS / 36 == pytest.approx(lost / 36**2)
        assert not found.outcomes.flags.writeable


def test_what_the_table_leaves_open_is_marked(eight):
    # Whoever is sure to win next time may double or not: nothing tells them apart.
    four_aces = Position.parse("4,0,0,0,0,0")
    found = bearoff.market(eight, Race(four_aces, four_aces), "owned")
    non_double = ROLLS.index((2, 1))
    assert found.too_close[non_double, non_double]
    eights = bearoff.market(eight, (3002, 3002), "owned")
    assert not eights.too_close.all()


def test_refusals(eight):
    with pytest.raises(BearoffError, match="got 'opponent'"):
        bearoff.market(eight, (1, 1), "opponent")
    with pytest.raises(BearoffError, match="both sides"):
        bearoff.market(eight, (1, 0))
