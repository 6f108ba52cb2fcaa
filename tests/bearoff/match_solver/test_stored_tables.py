"""Stored tables at a match score, compared with an independent solver and damaged."""

import itertools
import pickle

import numpy as np
import pytest

import bearoff
from bearoff import MatchTable, Score, match_equities
from bearoff.match_solver import stored
from bearoff.runtime import locked
from bearoff.stakes import Match
from bearoff.two_sided import at_score, cached_two_sided_tables
from bearoff.two_sided.manifest import read_manifest
from oracles import match_twin
from oracles.match_twin import ONE, At
from tests.bearoff.match_solver.test_match_table import differences, every_pair, number
from tests.damage import flip
from tests.refusals import refused

pytestmark = pytest.mark.usefixtures("cache")

SIDES = [
    *((a,) for a in range(1, 7)),
    *itertools.combinations_with_replacement(range(1, 7), 2),
]
SOME = list(itertools.product(SIDES, SIDES))[::9]


@pytest.mark.parametrize(
    ("score", "everything"),
    [
        *(((9, 9, "normal"), 2), ((1, 3, "crawford"), 2), ((1, 4, "post-crawford"), 2)),
        ((2, 4, "normal"), 15),
    ],
    ids=str,
)
def test_every_value_is_the_twins(score, everything):
    at = bearoff.Score(score[:2], score[2])
    payoffs = match_equities().payoffs(at)
    at_score.build(payoffs, 2, start=everything, workers=1)
    planes = at_score.smallest_with(payoffs, 2, start=everything)
    table = MatchTable(Match(at, match_equities()), stored.StoredValues(planes))
    assert table.error < 6e-6
    cubes = [(1, "centred")]
    if score[2] != "crawford":
        cubes += [(cube, place) for cube in (2, 4, 16) for place in ("owned", "opponent")]
    for sides, seen in (
        (score, table),
        ((score[1], score[0], score[2]), table.exchanged()),
    ):
        for cube, place in cubes:
            off = differences(seen, At(*sides, cube, place, everything), SOME)
            assert max(off.values()) <= table.error, (cube, place, off)
        # If the game is over, the value is exactly that of the match equity table.
        twin = At(*sides, 1, "centred", everything)
        for side in ((3,), (1, 6)):
            lost, won = (
                float(seen.value(*pair)) for pair in ((number(side), 0), (0, number(side)))
            )
            assert lost == pytest.approx(match_twin.value(twin, side, ()) / ONE, abs=1e-15)
            assert won == pytest.approx(match_twin.value(twin, (), side) / ONE, abs=1e-15)


def test_a_table_is_opened_where_there_is_one_and_serves_both_players():
    exact = bearoff.match_table(3, (2, 4))
    assert exact.error == 1e-12
    bearoff.build_match_table(4, (4, 2), workers=1)
    x, y = every_pair(3)
    for away in ((2, 4), (4, 2)):
        table = bearoff.match_table(3, away)
        same = exact if away == (2, 4) else exact.exchanged()
        assert 1e-12 < table.error < 4e-6
        assert bearoff.match_table(3, away, exact=True).error == 1e-12
        for ask in ("value", "no_double", "double_take", "double_pass"):
            difference = np.abs(getattr(table, ask)(x, y) - getattr(same, ask)(x, y))
            assert difference.max() <= table.error, ask
        # Plays with equal stored values may have slightly different exact values.
        left = table.best_after(x, y)
        others = np.broadcast_to(y[:, None], left.shape)
        least = same.exchanged().value(others, left)
        best = same.exchanged().value(others, same.best_after(x, y))
        assert (least - best).max() <= 2 * table.error
        cheap, right = (bearoff.cube_actions(one, x, y) for one in (table, same))
        clear = np.abs(right.double - right.no_double) > 4 * cheap.tie
        assert (cheap.doubles == right.doubles)[clear].all()
        error = table.error / cheap.terms.unit
        assert cheap.tie == pytest.approx(error)
        assert (np.abs(cheap.equity - right.equity) <= cheap.error + 1e-11).all()
        # If the opponent certainly passes, the value of doubling is exact, so only not
        # doubling may be better.
        passed = cheap.double_take - error > 1
        better = np.clip(cheap.no_double + error - 1, 0, error)
        assert cheap.error == pytest.approx(np.where(passed, better, error), abs=1e-15)
        assert 0 < np.count_nonzero(cheap.error) < cheap.error.size
    copied = pickle.loads(pickle.dumps(table))
    assert (copied.value(x, y) == table.value(x, y)).all()


def test_other_match_equities_have_a_table_of_their_own():
    equities = match_equities()
    before = equities.before.copy()
    before[0, 3], before[3, 0] = 0.8, 0.2
    other = bearoff.MatchEquities("other", before, equities.post_crawford)
    bearoff.build_match_table(2, (2, 4), workers=1)
    assert bearoff.match_table(2, (2, 4), equities=other).error == 1e-12
    bearoff.build_match_table(2, (2, 4), equities=other, workers=1)
    ours, theirs = (
        bearoff.match_table(2, (2, 4), equities=one) for one in (equities, other)
    )
    assert ours.error < 1e-5 > theirs.error > 1e-12
    pair = number((2, 5)), number((1,))
    assert abs(ours.no_double(*pair) - theirs.no_double(*pair)) > 1e-3
    assert len({table.score for table in cached_two_sided_tables()}) == 2


def test_what_a_table_does_not_hold():
    bearoff.build_match_table(2, (5, 5), workers=1)
    table = bearoff.match_table(2, (5, 5))
    for cube in ((2, "centred"), (1, "owned")):
        with refused(bearoff.TableError, "cube"):
            table.value(1, 1, *cube)
        assert bearoff.match_table(2, (5, 5), exact=True).value(1, 1, *cube) > 0.5
    with refused(bearoff.TableError, "--points 8", "--checkers 2", "--score 5 5"):
        bearoff.match_table(2, (5, 5), points=8, solve=False)
    bearoff.build_match_table(2, (5, 5), points=8, workers=1)
    deeper = bearoff.match_table(2, (5, 5), points=8)
    eight, low = (bearoff.rank([*c, *[0] * (8 - len(c))]) for c in ([0] * 7 + [2], [1]))
    # Only 4-4, 5-5 and 6-6 bear off two checkers from the 8 point in one roll.
    assert deeper.win_probability(eight, low) == pytest.approx(3 / 36, abs=deeper.error)


def test_an_interrupted_build_goes_on_and_ends_in_the_same_bytes(cache):
    def interrupt(name, done):
        if name.startswith("a2") and done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bearoff.build_match_table(3, (2, 4), workers=1, progress=interrupt)
    (listed,) = cached_two_sided_tables()
    assert not listed.is_complete
    assert listed.planes[:2] == ("wins", "a2-dead")
    assert bearoff.match_table(3, (2, 4)).error == 1e-12
    seen = []
    folder = bearoff.build_match_table(
        3, (2, 4), workers=1, progress=lambda name, done: seen.append(name)
    )
    assert not {"wins", "a2-dead and b2-dead"} & set(seen)
    resumed = {path.name: path.read_bytes() for path in folder.iterdir()}
    (listed,) = cached_two_sided_tables()
    listed.remove()
    bearoff.build_match_table(3, (2, 4), workers=2)
    assert resumed == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_damage_is_found_and_repaired(cache):
    folder = bearoff.build_match_table(3, (2, 4), workers=1)
    plane = folder / "a1-centred.plane"
    good = plane.read_bytes()
    flip(plane, len(good) // 2)
    with refused(bearoff.TableError, "centred.plane"):
        bearoff.match_table(3, (2, 4)).value(np.arange(1, 84)[:, None], np.arange(1, 84))
    (listed,) = cached_two_sided_tables()
    with refused(bearoff.TableError, "centred.plane"):
        listed.verify()
    bearoff.build_match_table(3, (2, 4), workers=1)
    assert plane.read_bytes() == good


def test_a_table_under_anothers_name_or_being_built_is_refused(cache):
    folder = bearoff.build_match_table(2, (2, 4), workers=1)
    lock = locked(folder.with_suffix(".lock"), timeout=0)
    with lock, refused(bearoff.TableError, "another process"):
        bearoff.build_match_table(2, (2, 4), workers=1)
    moved = cache / f"two-sided-06-02-at-{match_equities().payoffs(Score((3, 4))).label}"
    folder.rename(moved)
    for ask in (lambda: read_manifest(moved), lambda: bearoff.match_table(2, (3, 4))):
        with refused(bearoff.TableError, "name"):
            ask()


def test_values_that_do_not_follow_are_found(monkeypatch):
    """`verify` finds wrong values even if their checksums are valid."""
    bearoff.build_match_table(2, (2, 4), workers=1)
    (table,) = cached_two_sided_tables()
    table.verify()
    right = at_score.PlaneValues.stored

    def wrong(self, name, x, y):
        return right(self, name, x, y) + 2e-5 * ((x > 0) & (y > 0))

    monkeypatch.setattr(at_score.PlaneValues, "stored", wrong)
    with refused(bearoff.TableError, "plays"):
        table.verify()


def test_a_race_that_takes_long_is_opened(monkeypatch):
    folder = bearoff.build_match_table(3, (2, 4), workers=1)
    race = bearoff.Race("1,1,1,0,0,0", "1,1,1,0,0,0")
    pair = race.roller.number, race.opponent.number
    spot = bearoff.match_race(race, (4, 2))
    assert spot.folder is None
    monkeypatch.setattr("bearoff.match_solver.opening.MOST_IN_FLOAT64", 4)
    stored = bearoff.match_race(race, (4, 2))
    assert stored.folder == folder
    assert abs(stored.value(*pair) - spot.value(*pair)) <= stored.error
    # A side that started with three checkers can lose a gammon, which the stored table
    # leaves out.
    whole = bearoff.Position(race.roller.counts, 3)
    assert bearoff.match_race(bearoff.Race(whole, whole), (4, 2)).folder is None
    assert bearoff.match_race(race, (4, 3)).folder is None
