"""Fixtures with a small finished run and a stopped run."""

import shutil
from pathlib import Path

import pytest

from tests.sim import batches
from tests.sim.batches import batch, blocks_kept, manifest_of, parts_of, run


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """Return the folder of the small run, played by one worker without interruption."""
    with pytest.MonkeyPatch.context() as patch:
        batches.cut_small(patch)
        return run(batch(tmp_path_factory.mktemp("whole"))).path


@pytest.fixture
def whole(played, small):
    """Return the bytes of all parts of the small run."""
    return parts_of(played)


@pytest.fixture
def finished(tmp_path, played, small):
    """Return the folder of a copy of the small run."""
    return Path(shutil.copytree(played, tmp_path / "small"))


@pytest.fixture
def stopped(tmp_path, whole):
    """Return the folder of a stopped run with two parts and some blocks."""
    batches.stopped_at_write(batch(tmp_path), 12)
    folder = tmp_path / "small"
    assert len(manifest_of(folder).parts) == 2
    assert len(blocks_kept(folder)) == 1
    return folder
