"""Working memory of a table build, which may be in a file."""

import numpy as np
import pytest

from bearoff.two_sided.codings import ONE
from bearoff.two_sided.pair_order import BYTES_IN_WINDOW, LANES
from bearoff.two_sided.solving import kernels
from bearoff.two_sided.solving.workspace import Workspace
from tests.refusals import refused

BLOCKS, SLOTS = 7, 50
BLOCK = BYTES_IN_WINDOW * SLOTS * LANES


@pytest.mark.parametrize(("held", "first"), [(0, 37), (3, 137), (BLOCKS, 0)])
def test_a_window_gives_back_what_it_got(held, first, tmp_path):
    workspace = Workspace(held * BLOCK, tmp_path)
    window = workspace.window(BLOCKS, SLOTS)
    size, rng = (BLOCKS, SLOTS, LANES), np.random.default_rng(1)
    values = rng.integers(-2 * ONE, 2 * ONE, size, dtype=np.int32, endpoint=True)
    window.pack(0, values[:5, :20], first)
    window.pack(5, values[5:], first)
    window.pack(0, values[:5, 20:], first + 20)
    for block, end in ((0, 4), (2, 6), (6, 7), (3, 3)):
        rows = np.zeros((SLOTS, kernels.WIDTH), dtype=np.int32)
        window.unpack(block, end, first + 5, first + SLOTS, rows)
        found = rows.reshape(SLOTS, -1, LANES).transpose(1, 0, 2)
        assert (found[: end - block, : SLOTS - 5] == values[block:end, 5:]).all()
        assert (found[end - block :] == 0).all()
        assert (found[:, SLOTS - 5 :] == 0).all()
    workspace.close()


def test_sums_are_in_memory_or_refused(tmp_path):
    workspace = Workspace(4000, tmp_path)
    first, second = workspace.values(500), workspace.values(500)
    first[:], second[:] = 1, 2
    assert (first == 1).all()
    assert first.ctypes.data % 64 == second.ctypes.data % 64 == 0
    with refused(MemoryError, 8000):
        workspace.values(2000)
    workspace.reset()
    assert workspace.values(1000)[0] == 1  # the same memory is used again
