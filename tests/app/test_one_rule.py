"""In all interfaces, a cost of 0.0001 is a mistake, and one shown as 0.0000 is none."""

from dataclasses import replace

import pyarrow as pa
import pytest

from bearoff.analysis.review import totals
from bearoff.app.library.library import Library
from bearoff.app.library.questions import own_questions
from bearoff.app.library.wanted import Wanted
from bearoff.app.serve.drills.own import Own
from bearoff.app.serve.judges import Judges
from bearoff.app.serve.review.judging import decision_row
from bearoff.sim.race_files.summary import summary_of
from bearoff.stakes import is_mistake
from tests.app.conftest import missing
from tests.app.library.conftest import as_of, reviewed
from tests.decisions import costing

pytestmark = pytest.mark.parametrize(
    ("cost", "counts"), [(0.00004, False), (0.00006, True)]
)

KEPT_AT = 2
"""Index of the decision whose cost the tests change."""


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "library.sqlite")


def keep(library, cost):
    """Store a match with one decision of this cost; return its player."""
    record, review = reviewed("gnubg_session.mat")
    judged = [costing(one, 0.0) for one in review.judged]
    judged[KEPT_AT] = costing(judged[KEPT_AT], cost)
    library.keep(record, replace(review, judged=judged))
    return judged[KEPT_AT].player


def test_the_rule_of_reviews(cost, counts):
    assert is_mistake(cost) is counts
    assert not is_mistake(float("nan"))
    # The page and the review use the same rule for mistakes.
    one = costing(reviewed("gnubg_session.mat")[1].judged[KEPT_AT], cost)
    assert one.is_mistake == decision_row(one)["mistake"] == counts
    (total,) = totals([one], lambda each: (each.player,))
    assert (total.mistakes, total.lost) == (counts, cost)


def test_the_library(library, tmp_path, cost, counts):
    player = keep(library, cost)
    assert library.matches()[0].mistakes == counts
    assert len(library.search(Wanted(mistakes=True))) == counts
    assert len(own_questions(library, [player])) == counts
    assert library.progress(player).whole.mistakes == counts

    # Version 2 of the format counted every cost above the error, here 0, as a mistake.
    then = {"decisions": lambda row: row | {"mistake": row["cost"] > 0, "best": "?"}}
    old = as_of(2, library, tmp_path / "old.sqlite", **then)
    assert old.matches()[0].mistakes == counts
    assert old.file.check() > 0


def test_a_file_of_races(cost, counts):
    row = {"problem": [""], "kind": ["exact"]}
    row |= {"decided_cost": [cost], "decided_error": [0.0]}
    nothing = pa.array([None], pa.float64())
    answers = pa.table(row | {"played_cost": nothing, "played_error": nothing})
    assert summary_of(answers, 0, 0, 1.0).decided.mistakes == counts


def test_the_trainer_accepts_a_choice_of_this_cost(library, cost, counts):
    record, review = reviewed("gnubg_session.mat")
    judged = list(review.judged)
    place, one = next((n, one) for n, one in enumerate(judged) if one.kind == "play")
    other = one.alternatives[1].name
    judged[place] = costing(replace(one, decided=other), cost)
    library.keep(record, replace(review, judged=judged))
    marked = Own(library, Judges([])).mark(f"1.{place + 1}", other)
    assert marked.right != counts
    assert missing(marked.steps[0].words, one.player, other) == []
