"""Linear function of board features: an evaluation that people can follow.

During contact, the equity is a constant plus a weight for each of `features.FEATURES`, for
the roller and for the opponent. The weights are a least-squares fit to the network's
equities of positions from games that the network played against itself;
`research.training.linear` computes them.
"""

import csv
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from bearoff.game.evaluation.features import FEATURES, features_of
from bearoff.game.rules import Board

Float64Array = NDArray[np.float64]

DATA = "linear.csv"


@lru_cache(maxsize=1)
def linear_terms() -> Float64Array:
    """Return the linear evaluation's 47 weights: a constant, and 23 for each player."""
    text = files("bearoff.game.evaluation").joinpath(DATA).read_text(encoding="ascii")
    rows = list(csv.reader(text.splitlines()))[1:]
    constant, *terms = rows
    roller = [float(row[1]) for row in terms]
    return np.array([float(constant[1]), *roller, *(float(row[2]) for row in terms)])


def explain(board: Board) -> dict[str, float]:
    """Return each feature's contribution to the roller's equity during contact, in points.

    Examples
    --------
    >>> terms = explain(Board.start())
    >>> round(terms["on roll"], 2), round(terms["pips"], 2)
    (0.08, 0.05)
    """
    weights, count = linear_terms(), len(FEATURES)
    found = {"on roll": float(weights[0])}
    for k, (name, (ours, theirs)) in enumerate(features_of(board).items()):
        found[name] = float(weights[1 + k] * ours + weights[1 + count + k] * theirs)
    return found
