"""Integer coefficients of the bear-in model, and the file that contains them."""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import TableError, is_machine_fault
from bearoff.positions import CHECKERS
from bearoff.storage import checked_array

BOARD = 24
"""Number of points on a backgammon board."""

TRIPLES, CODES = 8, 4096
"""Number of triples, which are groups of three adjacent points, and number of codes of a
triple. A code has 12 bits: for each point, four bits with the number of checkers."""

HIDDEN = 32
"""Number of hidden units of the neural network, which is the length of a row of
coefficients."""

CEILING = 1024
"""Upper bound to which the values of the hidden units are clipped; the lower bound is 0."""

PIP = 1 << 23
"""Number of units per pip in which the model states EPCs as integers. One unit is smaller
than any difference between two EPCs of positions with all checkers home."""

OUTPUT_PIP = 1 << 17
"""Number of units per pip in which the model states the wastage of a position."""

VARIANCE_UNITS = 1 << 20
"""Number of units per squared roll in which the model states the variance of the number of
rolls."""

GROUPS = np.array([0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7])
"""Row index in `Coefficients.weights` for 0, 1, ..., 15 checkers outside the home board."""

DATA = "bear_in.npz"
SAVING_DATA = "saving.npz"

_ROWS = TRIPLES * 816
_SHAPES = {
    "rows": ((_ROWS, HIDDEN), "int16"),
    "lines": ((_ROWS,), "int32"),
    "start": ((HIDDEN,), "int16"),
    "weights": ((8, HIDDEN), "int16"),
    "variance": ((_ROWS,), "int32"),
    "constants": ((2,), "int32"),
}
"""Shapes and dtypes of the fields of `Coefficients`, as compiled code expects them."""


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Integer coefficients of the bear-in model.

    The 24 points form eight triples of adjacent points. Rows of the arrays are sorted by
    triple, and then by the code for the checkers on the triple (see `triple_codes`).

    Attributes
    ----------
    rows : ndarray of int16, shape (8 * 816, 32)
        Amounts that the checkers on three adjacent points add to the hidden units.
    lines : ndarray of int32, shape (8 * 816,)
        Amount that the checkers on three adjacent points add to the wastage, in units of
        2^-17 pips.
    start : ndarray of int16, shape (32,)
        Values of the hidden units for an empty board.
    weights : ndarray of int16, shape (8, 32)
        Weight of each hidden unit in the wastage, in units of 2^-17 pips. Row `GROUPS[n]`
        is for n checkers outside the home board.
    variance : ndarray of int32, shape (8 * 816,)
        Amount that the checkers on three adjacent points add to the variance of the number
        of rolls, in units of 2^-20.
    constants : ndarray of int32, shape (2,)
        Wastage of an empty board in units of 2^-17 pips, and the variance of the number of
        rolls in units of 2^-20.
    """

    rows: NDArray[np.int16]
    lines: NDArray[np.int32]
    start: NDArray[np.int16]
    weights: NDArray[np.int16]
    variance: NDArray[np.int32]
    constants: NDArray[np.int32]


class ModelArrays(NamedTuple):
    """Arrays of `Coefficients` for kernels, with a row for every code of a triple."""

    rows: NDArray[np.int16]
    lines: NDArray[np.int64]
    weights: NDArray[np.int16]
    groups: NDArray[np.int64]
    start: NDArray[np.int16]
    constant: int


class Home(NamedTuple):
    """Mean numbers of rolls and plays of all positions in the home board, for kernels."""

    terms: NDArray[np.int64]
    scores: NDArray[np.int64]
    means: NDArray[np.float64]
    policy: NDArray[np.unsignedinteger]


@lru_cache(maxsize=1)
def triple_codes() -> NDArray[np.int64]:
    """Return the codes of the 816 ways to place up to 15 checkers on three adjacent points.

    The highest four bits of a code are the number of checkers on the lowest of the three
    points.
    """
    return np.array(
        [
            (a * 16 + b) * 16 + c
            for a, b, c in product(range(CHECKERS + 1), repeat=3)
            if a + b + c <= CHECKERS
        ]
    )


def load_coefficients(name: str = DATA) -> Coefficients:
    """Read a coefficient file of the package: for the bear-in model or for saving gammons.

    Raises
    ------
    TableError
        If the file is damaged.
    """
    path = files("bearoff.bear_in").joinpath(name)
    try:
        with path.open("rb") as file:
            arrays = checked_array.read_archive(file)
    except (OSError, ValueError) as error:
        if is_machine_fault(error):
            raise
        raise TableError(
            f"the file {path} is damaged ({error}); reinstall bearoff"
        ) from error
    shapes = {name: (array.shape, str(array.dtype)) for name, array in arrays.items()}
    if shapes != _SHAPES:
        raise TableError(f"the file {path} is damaged; reinstall bearoff")
    return Coefficients(**arrays)
