"""A small run, and one that was stopped."""

import pytest

from tests.sim import batches
from tests.sim.batches import batch, blocks_kept, manifest_of, parts_of
from tests.sim.runs.stopped_runs import run


@pytest.fixture
def whole(tmp_path, small):
    """The parts of the small batch, played without interruption."""
    return parts_of(run(batch(tmp_path / "whole")).path)


@pytest.fixture
def stopped(tmp_path, whole):
    """The folder of a run that was stopped with two parts and some blocks stored."""
    with pytest.MonkeyPatch.context() as patch:
        batches.stop_at_write(patch, 12, batches.Stopped())
        with pytest.raises(batches.Stopped):
            run(batch(tmp_path))
    folder = tmp_path / "small"
    assert len(manifest_of(folder).parts) == 2
    assert len(blocks_kept(folder)) == 1
    return folder
