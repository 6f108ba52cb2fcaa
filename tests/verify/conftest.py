"""Fixtures of the tests of the full-scale tests in verify/."""

import pytest

import bearoff
from verify.common.tallies import Run
from verify.fault_cases.bench import Bench


@pytest.fixture(scope="session")
def bench(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("bench"), seed=1, size=0.05)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEAROFF_CACHE", str(made.cache))
        bearoff.build_two_sided_table(4)  # needed by `bearoff tables export`
    return made


@pytest.fixture
def run_of():
    """Return a function that makes a record of one run of a full-scale test."""
    return lambda found: Run(1, "a" * 40, "2026-01-05T00:00:00", 1, found)
