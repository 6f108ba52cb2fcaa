"""The whole numbers of the bear-in model, and the file that ships them."""

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
"""Points a side's checkers may stand on."""

TRIPLES, CODES = 8, 4096
"""Triples of points, and codes of four bits a point."""

HIDDEN = 32
"""Sums that every row adds to."""

CEILING = 1024
"""Sums are clipped to 0..CEILING before they are weighed."""

PIP = 1 << 23
"""Score units of a pip: fine enough that no two tabled positions differ by less."""

OUTPUT_PIP = 1 << 17
"""Units of the model's output in a pip."""

VARIANCE_UNITS = 1 << 20
"""Units of a squared roll."""

GROUPS = np.array([0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7])
"""Group of weights by the checkers outside, 0 to 15."""

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
"""Shapes and types of `Coefficients`, which compiled code trusts."""


@dataclass(frozen=True, eq=False)
class Coefficients:
    """The whole numbers of the model.

    Rows are those of the 816 codes that 15 checkers allow on a triple, triple by triple
    (see `triple_codes`).

    Attributes
    ----------
    rows : ndarray of int16, shape (8 * 816, 32)
        What a triple adds to the sums.
    lines : ndarray of int32, shape (8 * 816,)
        What it adds to the wastage, in 2^-17 pips.
    start : ndarray of int16, shape (32,)
        The sums of an empty board.
    weights : ndarray of int16, shape (8, 32)
        What a sum's unit adds to the wastage, in 2^-17 pips, by group of `GROUPS`.
    variance : ndarray of int32, shape (8 * 816,)
        What a triple adds to the variance of the number of rolls, in 2^-20.
    constants : ndarray of int32, shape (2,)
        Wastage and variance of an empty board, in the same units.
    """

    rows: NDArray[np.int16]
    lines: NDArray[np.int32]
    start: NDArray[np.int16]
    weights: NDArray[np.int16]
    variance: NDArray[np.int32]
    constants: NDArray[np.int32]


class Model(NamedTuple):
    """`Coefficients` as the kernels take them: rows and lines by the code of a triple."""

    rows: NDArray[np.int16]
    lines: NDArray[np.int64]
    weights: NDArray[np.int16]
    groups: NDArray[np.int64]
    start: NDArray[np.int16]
    constant: int


class Home(NamedTuple):
    """The table of positions whose checkers are all home, as the kernels take it."""

    terms: NDArray[np.int64]
    scores: NDArray[np.int64]
    means: NDArray[np.float64]
    policy: NDArray[np.unsignedinteger]


@lru_cache(maxsize=1)
def triple_codes() -> NDArray[np.int64]:
    """Codes of the 816 ways in which at most 15 checkers stand on three points.

    The checkers on the lowest of the three make the leftmost four bits.
    """
    return np.array(
        [
            (a * 16 + b) * 16 + c
            for a, b, c in product(range(CHECKERS + 1), repeat=3)
            if a + b + c <= CHECKERS
        ]
    )


def load_coefficients(name: str = DATA) -> Coefficients:
    """Read a file that is shipped with the package: the model's, or `SAVING_DATA`.

    Raises
    ------
    TableError
        If it is damaged.
    """
    path = files("bearoff.bear_in").joinpath(name)
    try:
        with path.open("rb") as file:
            arrays = checked_array.read_archive(file)
    except (OSError, ValueError) as error:
        if is_machine_fault(error):
            raise
        raise TableError(f"{path} is damaged ({error}); install bearoff again") from error
    shapes = {name: (array.shape, str(array.dtype)) for name, array in arrays.items()}
    if shapes != _SHAPES:
        raise TableError(f"{path} is damaged; install bearoff again")
    return Coefficients(**arrays)
