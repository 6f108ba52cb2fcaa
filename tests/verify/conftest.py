"""One bench for all that is broken: each target runs undisturbed once."""

import pytest

import bearoff
from verify.fault_cases.bench import Bench


@pytest.fixture(scope="session")
def bench(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("bench"), seed=1, size=0.05)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEAROFF_CACHE", str(made.cache))
        bearoff.build_two_sided_table(4)  # For `bearoff tables export`.
    return made
