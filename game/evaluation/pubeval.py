"""Tesauro's linear evaluation: the yardstick that backgammon programs have shared.

Two rows of 122 published weights, one for positions in contact and one for races, on
bare counts; it chooses the play whose score is highest. The numbers are those that
Gerald Tesauro put into the public domain as ``pubeval.c`` (rec.games.backgammon, 1993;
https://bkgm.com/rgb/rgb.cgi?view+610), as OpenBSD's backgammon ships them.
"""

from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

Float64Array = NDArray[np.float64]


@lru_cache(maxsize=1)
def pubeval_weights() -> tuple[Float64Array, Float64Array]:
    """Return the weights in contact and in a race, float64, shape (122,) each.

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
