"""Whether the rows of a part can be: a checksum tells nothing of who took it."""

from typing import TYPE_CHECKING

import numpy as np

from analysis.errors import RunError
from bearoff import position_count
from sim.schema import CUBEFUL

if TYPE_CHECKING:
    import pyarrow as pa

HIGHEST_EQUITY = float(1 << 20)
"""Points that no game with the cube is worth: 1,024 doubled ten times."""

ROLLED_CHANCES = (-0.5, 1.5)
"""Win probabilities of rollouts: luck subtracted, they may pass 0 and 1 a little."""


def check_rows(rows: "pa.Table", kind: str, points: int, checkers: int, where: str) -> None:
    """Refuse rows that no games give.

    Parameters
    ----------
    rows : pyarrow.Table
        Some columns of a part; with ``wins``, ``games`` as well.
    kind : str
        Of the run; with the cube what is expected is an equity.
    points, checkers : int
        Size of the positions.
    where : str
        The part, for the error.

    Raises
    ------
    RunError
        Naming the column, the row and the value.
    """
    most = position_count(points, checkers) - 1
    expected = (-HIGHEST_EQUITY, HIGHEST_EQUITY) if kind == CUBEFUL else (0.0, 1.0)
    limits = {
        "pair": (0, None),
        "weight": (0.0, np.finfo(np.float64).max),
        "roller": (1, most),
        "opponent": (1, most),
        "games": (1, None),
        "wins": (0, None),
        "expected": expected,
        "win_probability": ROLLED_CHANCES,
    }
    for name in rows.column_names:
        if name not in limits or not len(rows):
            continue
        values = rows[name].to_numpy()
        low, high = limits[name]
        if name == "wins":
            high = rows["games"].to_numpy()
        bad = (values < low) | (False if high is None else values > high)
        if name == "expected":
            bad &= ~np.isnan(values)  # What is not known is null.
        else:
            bad |= values != values
        if bad.any():
            row = int(bad.argmax())
            raise RunError(f"{where} is no part: {name} of its row {row} is {values[row]}")
