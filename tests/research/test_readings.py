"""The printed texts of our formulas give the same decisions as the formulas."""

import numpy as np
import pytest

from bearoff import BearoffError
from bearoff.analysis import formulas
from research.studies import READINGS, decide
from tests.refusals import refused

THE_SAME = [reading for reading, (_, excluded) in READINGS.items() if not excluded]


def races(n):
    """Return races of every length, half of them at home."""
    rng = np.random.default_rng(26)
    sides = np.zeros((2 * n, 24), dtype=np.int64)
    for side in sides:
        points = rng.integers(0, rng.choice([6, 6, 12, 24]), rng.integers(1, 16))
        np.add.at(side, points, 1)
    return sides[:n], sides[n:]


@pytest.mark.parametrize("name", formulas.found_names())
def test_the_words_decide_20_000_races_as_the_count_does(name):
    rollers, opponents = races(20_000)
    formula = formulas.get(name)
    found, text = formula.decide(rollers, opponents), formula.text
    said = decide(text, rollers, opponents)
    np.testing.assert_array_equal(said, [found.double, found.redouble, found.take])
    assert 0.1 < np.mean(said[0]) < 0.9
    # Where the rule's text allows two readings, both lead to the same decisions.
    for reading in THE_SAME:
        np.testing.assert_array_equal(decide(text, rollers, opponents, reading), said)
    assert len(text.split()) <= 60


def test_readings_are_read_otherwise():
    sides = races(2000)
    texts = [formulas.get(name).text for name in formulas.found_names()]
    for reading in set(READINGS) - set(THE_SAME):
        said = [(decide(text, *sides, reading), decide(text, *sides)) for text in texts]
        assert any(not np.array_equal(one, other) for one, other in said), reading


@pytest.mark.parametrize(
    "words", ["Each side counts shots.", "+1 per blot.", "Roller: add a half.", "Double."]
)
def test_words_that_say_nothing_known_are_refused(words):
    end = "Roller's minus opponent's: double ≤4, redouble ≤3, take ≥2."
    with refused(BearoffError, "not understood"):
        decide(f"{words} {end if words != 'Double.' else ''}".strip(), *races(2))
