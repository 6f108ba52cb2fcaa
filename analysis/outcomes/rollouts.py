"""Results of a run of rollouts: estimated equities of each race."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.errors import RunError
from bearoff.analysis.outcomes.run import Run
from bearoff.sim.storage import schema

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

ESTIMATES = ("no_double", "no_redouble", "double_take")
"""Names of the columns that contain equities estimated by a rollout."""


@dataclass(frozen=True, eq=False)
class RolloutOutcomes:
    """Results of a run of rollouts, one array entry per race.

    Attributes
    ----------
    roller_counts, opponent_counts : ndarray of int8, shape (n, 24)
        Checkers per point of the roller and the opponent.
    roller_epc, opponent_epc : ndarray of float64
        Effective pip counts.
    games : ndarray of int64
        Number of games in the rollout; 0 if the table contains the race, so that no rollout
        is needed.
    values, errors : dict of str to ndarray of float64
        Estimates, and their standard errors, by name of the column. The names are
        ``win_probability``, ``cubeless``, ``double_gain``, ``redouble_gain``, and all names
        in `GAMMON_CHANCES` and `ESTIMATES`.
    double_action, redouble_action : ndarray of str
        Best cube action with a centred cube, and with a cube that the roller owns.
    double_too_close, redouble_too_close : ndarray of bool
        Whether the standard error is too large to be sure of the best action.
    """

    roller_counts: NDArray[np.int8]
    opponent_counts: NDArray[np.int8]
    roller_epc: Float64Array
    opponent_epc: Float64Array
    games: Int64Array
    values: dict[str, Float64Array]
    errors: dict[str, Float64Array]
    double_action: NDArray[Any]
    redouble_action: NDArray[Any]
    double_too_close: NDArray[np.bool_]
    redouble_too_close: NDArray[np.bool_]

    @classmethod
    def of(cls, run: Run) -> Self:
        run.require(schema.ROLLOUTS)
        table = run.table()
        if table.num_rows == 0:
            raise RunError(
                f"the run {run.path} has no results yet; run the same simulation again to "
                "continue it"
            )

        def column(name: str) -> NDArray[Any]:
            return np.asarray(table[name].to_numpy())

        def counts(name: str) -> NDArray[np.int8]:
            flat = table[name].combine_chunks().flatten().to_numpy()
            return np.asarray(flat).reshape(table.num_rows, -1)

        chances = ("win_probability", *schema.GAMMON_CHANCES)
        names = (*chances, "cubeless", *ESTIMATES, "double_gain", "redouble_gain")
        return cls(
            roller_counts=counts("roller_counts"),
            opponent_counts=counts("opponent_counts"),
            roller_epc=column("roller_epc"),
            opponent_epc=column("opponent_epc"),
            games=column("games"),
            values={name: column(name) for name in names},
            errors={name: column(f"{name}_error") for name in names},
            double_action=column("double_action"),
            redouble_action=column("redouble_action"),
            double_too_close=column("double_too_close"),
            redouble_too_close=column("redouble_too_close"),
        )

    def __len__(self) -> int:
        return len(self.games)

    @property
    def largest_error(self) -> float:
        """Largest standard error of any equity in the run."""
        return float(max(self.errors[name].max() for name in ESTIMATES))

    @property
    def pips(self) -> Int64Array:
        """Pip counts of the roller and the opponent, shape (n, 2)."""
        points = np.arange(1, self.roller_counts.shape[1] + 1)
        sides = (self.roller_counts, self.opponent_counts)
        return np.stack([side.astype(np.int64) @ points for side in sides], axis=1)
