"""Tesauro's linear evaluation pubeval, a common benchmark for backgammon programs.

Pubeval has two rows of 122 weights for checker counts, one row for contact and one for
races. It chooses the play with the highest score. Gerald Tesauro put the weights into the
public domain as ``pubeval.c`` (rec.games.backgammon, 1993;
https://bkgm.com/rgb/rgb.cgi?view+610). The numbers here are those in OpenBSD's backgammon.
"""

from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]


@lru_cache(maxsize=1)
def pubeval_weights() -> tuple[Float64Array, Float64Array]:
    """Return the 122 weights for contact and the 122 weights for races, float64.

    Examples
    --------
    >>> contact, race = pubeval_weights()
    >>> float(contact[0]), float(race[121])
    (0.25696, 3.4204)
    """
    file = files("bearoff.game.evaluation") / "pubeval.csv"
    text = file.read_text(encoding="ascii")
    rows = np.loadtxt(text.splitlines(), delimiter=",", skiprows=1)
    return rows[:, 0].copy(), rows[:, 1].copy()
