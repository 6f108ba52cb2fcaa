"""Chances once contact is over, from the one-sided table and the bear-in model.

Of two sides at home the roll distributions are convolved. Where a checker is beyond home
the rolls are taken as normal, with mean and variance of the bear-in model; so are the
rolls to a first checker off, which say who is gammoned. Who is backgammoned say the rolls
that the last checker takes out of the other's home, those of bearing off from there.
"""

from functools import lru_cache

import numpy as np

from bearoff import PIPS_PER_ROLL, bear_in, one_sided_table
from bearoff.game.evaluation.race_kernels import RaceTables
from bearoff.one_sided import gammons, tail_sums


@lru_cache(maxsize=1)
def race_tables() -> RaceTables:
    """Return the arrays of `race_kernels.race_chances`, opened once."""
    home = one_sided_table()
    exactly = np.ascontiguousarray(home.distribution, dtype=np.float32)
    units = 1.0 / (PIPS_PER_ROLL * bear_in.PIP), 1.0 / bear_in.VARIANCE_UNITS
    return RaceTables(
        bear_in.bear_in().arrays,
        bear_in.first_off_model().arrays,
        np.array([*units, bear_in.LAST]),
        exactly,
        np.ascontiguousarray(tail_sums(home.distribution), dtype=np.float32),
        np.array(home.std_rolls),
        np.array(gammons.saving_play().first_off),
    )
