"""Human decisions in two short public matches, counted in a second way."""

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


def test_every_turn_on_which_people_might_double_is_a_decision(matches, tmp_path):
    table = built(6)
    path = build_people(matches, tmp_path, "made", checkers=table.checkers)
    people = open_population(path)
    races = [
        decision.race
        for match in matches
        for decision in race_decisions(match)[0]
        if decision.kind == "double"
    ]
    assert people.about["visits"] == len(races) > 2
    sides = [
        (tuple(int(n) for n in ours), tuple(int(n) for n in theirs))
        for ours, theirs in zip(people.roller_counts, people.opponent_counts, strict=True)
    ]
    assert set(sides) == {(r.roller.counts, r.opponent.counts) for r in races}
    # These decisions may not be used for fitting.
    assert (people.decisions.splits == SPLITS.index("test")).all()
    assert sum(people.about["games"].values()) == people.about["games"]["test"]
    assert list(tmp_path.iterdir()) == [path]
    for row, (ours, theirs) in enumerate(sides):
        short = max(sum(ours), sum(theirs)) <= table.checkers
        if short and not any(ours[6:]) and not any(theirs[6:]):
            race = bearoff.Race(bearoff.Position(ours[:6]), bearoff.Position(theirs[:6]))
            right = bearoff.cube_action(table, race)
            assert people.values.no_double[row] == pytest.approx(right.no_double)
    assert np.isfinite(people.values.no_double).all()
    assert (people.values.error > 0).all()


def test_matches_without_races_are_refused(tmp_path):
    with refused(RunError, "decision"):
        build_people([], tmp_path, "made")


def test_of_other_matches_what_the_table_holds(tmp_path):
    table = built(6)
    matches = analysed()
    path = build_people(
        matches, tmp_path, "made", name=ONLINE, at_home=True, checkers=table.checkers
    )
    assert path.name == "people-online.parquet"
    people = open_population(path)
    assert people.about["name"] == ONLINE
    sides = [
        (decision.race.roller.counts, decision.race.opponent.counts)
        for match in matches
        for decision in race_decisions(match)[0]
        if decision.kind == "double"
    ]
    held = [pair for pair in sides if all(sum(s) <= 6 and not any(s[6:]) for s in pair)]
    assert people.about["visits"] == len(held) > 0
    for row, (ours, theirs) in enumerate(
        zip(people.roller_counts, people.opponent_counts, strict=True)
    ):
        assert not ours[6:].any()
        one, other = (
            bearoff.Position(tuple(int(n) for n in side[:6])) for side in (ours, theirs)
        )
        right = bearoff.cube_action(table, bearoff.Race(one, other))
        assert people.values.no_double[row] == pytest.approx(right.no_double)
        assert people.values.double_take[row] == pytest.approx(right.double_take)
