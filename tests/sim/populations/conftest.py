"""Fixtures with small populations of races, which are built once for all tests."""

import pytest

from bearoff.sim.populations import build_population, open_population, population_recipe
from bearoff.sim.populations.harvest import harvest_blocks
from tests.two_sided_tables import built

CHECKERS = 5


def built_population(folder, name, **wanted):
    """Build a population of races in a folder, and open it."""
    return open_population(build_population(population_recipe(name, **wanted), folder).path)


@pytest.fixture(scope="session")
def table():
    return built(CHECKERS)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("populations")


@pytest.fixture(scope="session")
def races(table, folder):
    return built_population(folder, "races", size=1500, seed=4, checkers=CHECKERS)


@pytest.fixture(scope="session")
def harvest():
    return harvest_blocks(4, 0, 2)
