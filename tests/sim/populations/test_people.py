"""Cube decisions by people, collected in a population and compared with a second count."""

import numpy as np
import pytest

import bearoff
from bearoff.game.records import parse_match, race_decisions
from bearoff.sim.populations import ONLINE, SPLITS, build_people, open_population
from bearoff.sim.storage import RunError
from research.public_matches import analysed, contents
from tests.refusals import refused
from tests.two_sided_tables import built

NAMES = ("hQ8sVn2LbTdF4wRm.xg", "rK7pXm4TqLb9NzWd.xg")


@pytest.fixture(scope="module")
def matches():
    return [parse_match(contents()[name], name) for name in NAMES]


def doubles_of(matches):
    """Return the checkers of both sides in all decisions to double."""
    return [
        (decision.race.roller.counts, decision.race.opponent.counts)
        for match in matches
        for decision in race_decisions(match)[0]
        if decision.kind == "double"
    ]


def is_held(pair):
    """Return whether both sides have at most six checkers, all of them at home."""
    return all(sum(side) <= 6 and not any(side[6:]) for side in pair)


def values_are_the_tables(people, table):
    """Compare the values of races with the table; return the checkers of both sides."""
    sides = people.roller_counts, people.opponent_counts
    pairs = list(zip(*(map(tuple, side.tolist()) for side in sides), strict=True))
    for row, pair in enumerate(pairs):
        if is_held(pair):
            race = bearoff.Race(*(bearoff.Position(side[:6]) for side in pair))
            right = bearoff.cube_action(table, race)
            assert people.values.no_double[row] == pytest.approx(right.no_double)
            assert people.values.double_take[row] == pytest.approx(right.double_take)
    return pairs


def test_every_turn_on_which_people_might_double_is_a_decision(matches, tmp_path):
    table = built(6)
    path = build_people(matches, tmp_path, "made", checkers=6)
    people = open_population(path)
    met = doubles_of(matches)
    assert people.about["visits"] == len(met) > 2
    assert set(values_are_the_tables(people, table)) == set(met)
    # People's decisions all belong to the test part, so no formula may be fitted to them.
    assert (people.decisions.splits == SPLITS.index("test")).all()
    assert sum(people.about["games"].values()) == people.about["games"]["test"]
    assert list(tmp_path.iterdir()) == [path]
    assert np.isfinite(people.values.no_double).all()
    assert (people.values.error > 0).all()


def test_of_other_matches_what_the_table_holds_and_none_are_refused(tmp_path):
    table, matches = built(6), analysed()
    wanted = {"name": ONLINE, "at_home": True, "checkers": 6}
    path = build_people(matches, tmp_path, "made", **wanted)
    assert path.name == "people-online.parquet"
    people = open_population(path)
    assert people.about["name"] == ONLINE
    held = [pair for pair in doubles_of(matches) if is_held(pair)]
    assert people.about["visits"] == len(held) > 0
    assert all(map(is_held, values_are_the_tables(people, table)))
    with refused(RunError, "decision"):
        build_people([], tmp_path, "made")
