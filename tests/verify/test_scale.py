"""Quick version of the full-scale test of very large runs."""

import numpy as np
import pytest

from bearoff.analysis.outcomes.run import Run
from verify import scale
from verify.common.measured import Measured


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scale")
    scale.simulate(scale.configured(folder, "small", 1, 50, seed=3, workers=2))
    return folder / "small"


def test_a_run_is_what_chance_gives_and_the_same_again(path):
    sums = scale.sums_of(str(path))
    assert (sums.pairs, sums.games) == (scale.OPPONENTS, 50 * scale.OPPONENTS)
    assert sums.right
    same, again = scale.same_again(path, seed=1)
    assert 900 < same == again


@pytest.mark.parametrize("changed", ["wins", "spread", "dice"])
def test_other_wins_are_seen(path, monkeypatch, changed):
    tables = Run.tables

    def others(run, columns):
        rng = np.random.default_rng(1)
        for table in tables(run, columns):
            wins, games = (table[name].to_numpy() for name in ("wins", "games"))
            if changed == "wins":
                wins = np.minimum(wins + (rng.random(len(wins)) < 0.25), games)
            elif changed == "spread":
                over = rng.choice([-1, 1], len(wins))
                wins = np.clip(wins + over, 0, games)
            else:
                wins = wins[::-1]
            at = table.column_names.index("wins")
            yield table.set_column(at, "wins", [wins.astype(np.int64)])

    monkeypatch.setattr(Run, "tables", others)
    same, again = scale.same_again(path, seed=1)
    assert not scale.sums_of(str(path)).right
    assert same < again


def test_growth_is_of_medians():
    memory = [(second, 100 + (50 if second > 85 else 0)) for second in range(100)]
    assert Measured(100.0, 0.0, 0, "", memory).growth(0, 100) == 50.0
