"""Outcome probabilities of races, from the one-sided table and the bear-in model.

If all checkers of both players are home, the two distributions of rolls are convolved. If a
checker is outside its home board, the number of rolls is approximated by a normal
distribution with the mean and variance of the bear-in model. The number of rolls to the
first checker off, which decides gammons, is treated in the same way. Backgammons are
decided by the number of rolls until the last checker leaves the opponent's home board,
which is estimated as the number of rolls to bear off these checkers.
"""

from functools import lru_cache

import numpy as np

from bearoff import PIPS_PER_ROLL, bear_in, one_sided_table
from bearoff.game.evaluation.race_kernels import RaceTables
from bearoff.one_sided import gammons, tail_sums


@lru_cache(maxsize=1)
def race_tables() -> RaceTables:
    """Return the arrays from which outcome probabilities of races are computed."""
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
