"""Populations of races at a match score, compared with an independent solver."""

from fractions import Fraction

import numpy as np
import pyarrow.parquet as pq
import pytest

from bearoff import BearoffError, Score
from bearoff.analysis.formulas import get
from bearoff.analysis.review import draw_decisions
from bearoff.sim.populations import open_population, population_recipe, publish_populations
from bearoff.sim.populations.file import write_population
from bearoff.sim.storage import RunError
from oracles import match_twin
from oracles.match_twin import ONE, At
from tests.refusals import refused
from tests.sim.populations.conftest import built_population

SCORES = [(3, 5, "normal"), (2, 4, "normal"), (1, 4, "post-crawford")]


def built(folder, name, size=60, checkers=2):
    return built_population(folder, name, size=size, seed=4, checkers=checkers)


def name_at(base, score):
    ending = "" if score[2] == "normal" else f"-{score[2]}"
    return f"{base}-at-{score[0]}-{score[1]}{ending}"


def side_of(counts):
    return tuple(p + 1 for p, n in enumerate(counts) for _ in range(n))


def emg(at, chance):
    """Convert a match-winning chance to an equity in EMG."""
    won, lost = Fraction(at.won(at.cube), ONE), Fraction(at.lost(at.cube), ONE)
    return float((2 * Fraction(chance, ONE) - won - lost) / (won - lost))


@pytest.mark.parametrize("score", SCORES, ids=str)
def test_values_are_the_twins(tmp_path, score):
    found = built(tmp_path, name_at("checkers-1-2", score))
    centred, owned = At(*score, 1, "centred"), At(*score, 2, "owned")
    for name, right, at in (
        ("no_double", match_twin.no_double, centred),
        ("no_redouble", match_twin.no_double, owned),
        ("double_take", match_twin.double_take, centred),
        ("redouble_take", match_twin.double_take, owned),
    ):
        column = getattr(found.values, name)
        for row in range(0, len(found), 7):
            sides = (found.roller_counts[row], found.opponent_counts[row])
            exact = emg(at, right(at, *map(side_of, sides)))
            # The tolerance is for rounding in sums of 36 terms, enlarged by the conversion
            # to EMG.
            assert column[row] == pytest.approx(exact, abs=1e-11), (name, row)
    assert (found.values.error <= 1e-9).all()
    assert Score.parse(found.about["score"]) == Score(score[:2], score[2])


def test_pairs_are_those_for_money_and_near_is_near(tmp_path):
    names = ("races-at-3-5", "near-at-3-5")
    races, near = (built(tmp_path, name, size=1500, checkers=4) for name in names)
    chance = near.values.win_probability
    assert 0 < len(near) < len(races)
    assert ((chance >= 0.6) & (chance <= 0.85)).all()
    assert near.about["score"] == races.about["score"] == "3-5"
    assert len(np.unique(races.decisions.rollers)) > 20


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("long-at-3-5", "long-at-3-5"), ("races-at-1-1", "1-away 1-away"),
        ("cubeful-by-keith-at-3-5", "cubeful-by-keith-at-3-5"), ("races-at-0-3", "0"),
        ("races-at-1-3-crawford", "1-away 3-away"), ("races-at-1-3", "1-away 3-away"),
        ("checkers-3-at-3-5", "3"),
    ],
)  # fmt: skip
def test_what_is_no_population_at_a_score(name, told):
    with refused(BearoffError, told):
        population_recipe(name, checkers=2)


def test_the_file_holds_the_value_of_a_redouble_or_is_refused_without_a_table(tmp_path):
    with refused(BearoffError, "--checkers 9", "--score 3 5"):
        built(tmp_path, "uniform-at-3-5", checkers=9)
    assert not list(tmp_path.glob("*.parquet"))
    found = built(tmp_path, "checkers-2-at-2-4")
    path = tmp_path / "again.parquet"
    write_population(path, found)
    assert (open_population(path).values.redouble_take == found.values.redouble_take).all()
    assert "redouble_take" in pq.read_schema(path).names
    with refused(RunError, "checkers-2-at-2-4"):
        publish_populations([path], tmp_path / "out")


def test_cards_are_of_races_at_the_score(tmp_path):
    found = built(tmp_path, "uniform-at-3-5", size=4000, checkers=3)
    for one in draw_decisions(found, get("keith"), "medium", 9, 1):
        assert one.race.score == Score((3, 5))
        assert one.race.cube_value == (2 if one.race.cube == "owned" else 1)
