"""Checks of the arrays of one-sided tables, on which compiled code relies."""

import numpy as np

from bearoff.errors import TableError
from bearoff.one_sided.encoding import GROUP
from bearoff.one_sided.estimate import is_small
from bearoff.plays import number_type
from bearoff.positions import position_count
from bearoff.rolls import DICE
from bearoff.storage import CheckedArrays, require_shapes


def check_arrays(points: int, checkers: int, arrays: CheckedArrays) -> None:
    """Raise `TableError` if stored arrays are not valid for a table of the given size.

    The function checks the shapes and the data types of all arrays, and that every play
    lowers the position number.
    """
    n = position_count(points, checkers)
    if not is_small(points, checkers):
        groups = -(-n // GROUP)
        narrow = "starts" in arrays and arrays["starts"].is_shaped((groups,), "u4")
        require_shapes(
            arrays,
            {
                "mean_rolls": ((n,), "f8"),
                "std_rolls": ((n,), "f4"),
                "firsts": ((n,), "u1"),
                "lengths": ((n,), "u1"),
                "starts": ((groups,), "u4" if narrow else "u8"),
                "codes": ((None,), "u2"),
            },
        )
        return
    require_shapes(
        arrays,
        {
            "mean_rolls": ((n,), "f8"),
            "std_rolls": ((n,), "f8"),
            "policy": ((n, len(DICE)), np.dtype(number_type(n)).str),
            "distribution": ((n, None), "f8"),
        },
    )
    # A stored play that does not lower the position number could make compiled code loop
    # forever or read outside an array.
    policy = arrays["policy"].read_all()
    if policy[0].any() or (policy[1:] >= np.arange(1, n)[:, None]).any():
        raise TableError(
            "the table's policy contains a play that does not lower the position number"
        )
