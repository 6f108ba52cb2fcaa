"""Simulated runs that the tests of the analysis share, and that no test may change."""

import pytest

from bearoff.analysis import Outcomes, open_run
from tests.analysis.make_run import grid_pairs, write_run

GRID = {"by": "pips", "per_cell": 4, "draw": "visits"}
GRID |= {"roller": {"from": 20, "to": 80, "step": 5}}
GRID |= {"lead": {"from": -4, "to": 16, "step": 2}}
PAIRS = {"pairs": [{"grid": GRID}]}


@pytest.fixture(scope="session")
def grid_run(tmp_path_factory):
    """Return the folder of a run whose pairs of positions form a grid of pip counts."""
    folder = tmp_path_factory.mktemp("results") / "grid"
    return write_run(folder, *grid_pairs(), config=PAIRS)


@pytest.fixture(scope="session")
def grid(grid_run):
    return Outcomes.of(open_run(grid_run))


@pytest.fixture(scope="session")
def three_run(tmp_path_factory):
    """Return the folder of a run of three pairs of positions, one of them without a cube
    decision.
    """
    folder = tmp_path_factory.mktemp("results") / "three"
    return write_run(folder, [8887, 1, 4026], [8887, 54263, 100])
