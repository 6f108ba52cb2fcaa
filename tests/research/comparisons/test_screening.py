"""The comparison that measures whether rollouts examine the best play."""

import numpy as np

import bearoff
from bearoff.answers import Judge
from bearoff.sources import ModelSource
from research.comparisons import screening


def test_best_plays_are_looked_at():
    found = screening.measure(8)
    assert sum(len(one.losses) for one in found) > 175
    assert max(one.losses.max() for one in found) <= 0.005
    page = screening.page(found)
    assert "| 3-away 1-away, Crawford | centred | 8 | " in page
    assert "| 1-away 3-away, post-Crawford | opponent, at 2 | 8 | " in page


class Upside(ModelSource):
    """Source of wrong values, with which the worst play seems best."""

    def values(self, races):
        found = super().values(races)
        found.no_double[:] *= -1
        found.double_take[:] *= -1
        return found


def test_what_a_wrong_model_loses_is_seen():
    judge = Judge(())
    judge.model = Upside()
    source = screening.Looked(bearoff.match_table(screening.CHECKERS, (3, 5)))
    races = list(screening.races_at((3, 5), "normal", "centred", 1, 40))
    losses = [screening.lost(judge, source, race) for race in races]
    assert max(losses) > 0.05
    # Races with few legal plays lose nothing, because the program examines all their plays.
    assert np.count_nonzero(losses) < len(losses)
