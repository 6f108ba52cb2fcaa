"""Without a compiler, small tables are solved by numpy, with the same results."""

from functools import partial

import numpy as np
import pytest

from bearoff import position_count
from bearoff.one_sided import build
from bearoff.one_sided.solve_numpy import solve_numpy
from bearoff.plays import pip_levels
from bearoff.plays.policies import number_type


@pytest.mark.parametrize(("points", "checkers"), [(6, 15), (1, 15), (24, 3), (9, 6)])
def test_whole_levels_give_what_the_kernels_give_to_the_last_bit(points, checkers):
    size = position_count(points, checkers)
    kept = np.zeros((size, 21), dtype=number_type(size))
    levels = pip_levels.sort_by_pips(points, checkers)
    slots = levels.slots(pip_levels.PLAY_PIPS)
    by_kernel = build.sweep(
        points, checkers, levels, slots, partial(build._keep, kept), workers=2
    )
    mean, std, policy = solve_numpy(points, checkers)
    assert mean.tobytes() == by_kernel[0].tobytes()
    assert std.tobytes() == by_kernel[1].tobytes()
    assert policy.dtype == kept.dtype
    assert policy.tobytes() == kept.tobytes()
