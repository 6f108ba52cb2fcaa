"""A run of rollouts: what was estimated of each race, and how it compares with the truth.

Where an exact two-sided table holds the races, they are compared with it. A difference
has two parts: chance, which the standard error measures, and that the players of rollouts
err until they reach their own table.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from analysis.errors import RunError
from analysis.outcomes.run import Run
from bearoff import POINTS, TwoSidedTable, rank
from bearoff.bear_in import bear_in
from bearoff.race_model import race_model
from sim.storage import schema

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

ESTIMATES = ("no_double", "no_redouble", "double_take")
"""Equities that a rollout estimates, by the names of their columns."""


@dataclass(frozen=True, eq=False)
class RolloutOutcomes:
    """One entry per race in every array, in the order of the run.

    Attributes
    ----------
    roller_counts, opponent_counts : ndarray of int8, shape (n, 24)
        Checkers by point of the side on roll and of the other.
    roller_epc, opponent_epc : ndarray of float64
        Effective pip counts.
    games : ndarray of int64
        Played; none where a table answered.
    values, errors : dict of str to ndarray of float64
        Estimates and standard errors: ``win_probability``, `GAMMON_CHANCES`, ``cubeless``,
        those of `ESTIMATES`, ``double_gain`` and ``redouble_gain``.
    double_action, redouble_action : ndarray of str
        What is right with the cube in the centre, and with the roller.
    double_too_close, redouble_too_close : ndarray of bool
        Whether the games played leave that open.
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
        """Read a run.

        Raises
        ------
        RunError
            If it is of another kind, no race is finished, or a part is missing or
            damaged.
        """
        run.require(schema.ROLLOUTS)
        table = run.table()
        if table.num_rows == 0:
            raise RunError(f"{run.path} holds no finished race yet; simulate on")

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
        """Largest standard error of an equity in the run."""
        return float(max(self.errors[name].max() for name in ESTIMATES))

    @property
    def pips(self) -> Int64Array:
        """Raw pip counts of roller and opponent, shape (n, 2)."""
        points = np.arange(1, self.roller_counts.shape[1] + 1)
        sides = (self.roller_counts, self.opponent_counts)
        return np.stack([side.astype(np.int64) @ points for side in sides], axis=1)


_WAITING = (("double", "no_double"), ("redouble", "no_redouble"))


@dataclass(frozen=True, eq=False)
class Agreement:
    """Estimates beside exact values, of the races that a table holds.

    Attributes
    ----------
    estimated, exact, error : dict of str to ndarray of float64
        By `ESTIMATES`: what was estimated, what is right, and the standard error.
    action_loss : dict of str to ndarray of float64
        By ``double`` and ``redouble``: equity that the roller loses by doing what the
        rollout says where the exact values say otherwise.
    """

    estimated: dict[str, Float64Array]
    exact: dict[str, Float64Array]
    error: dict[str, Float64Array]
    action_loss: dict[str, Float64Array]


def compare_with_table(outcomes: RolloutOutcomes, table: TwoSidedTable) -> Agreement:
    """Compare rollouts with the exact values of the races that a table holds.

    Parameters
    ----------
    outcomes : RolloutOutcomes
        Of which those that took no games are left out: a table answered them.
    table : TwoSidedTable
        With all planes.

    Raises
    ------
    RunError
        If it holds none of the races that were rolled out.
    TableError
        If a plane is not built, or damaged.
    """
    sides = (outcomes.roller_counts, outcomes.opponent_counts)
    held = outcomes.games > 0
    for side in sides:
        held &= ~side[:, POINTS:].any(axis=1) & (side.sum(axis=1) <= table.checkers)
    if not held.any():
        raise RunError(
            f"no race of the run that was rolled out is in the two-sided table of "
            f"{table.checkers} checkers, and only such can be compared"
        )
    x, y = (rank(side[held, :POINTS]) for side in sides)
    exact = {
        "no_double": table.no_double(x, y, "centred"),
        "no_redouble": table.no_double(x, y, "owned"),
        "double_take": table.double_take(x, y),
    }
    doubled = np.minimum(exact["double_take"], 1.0)
    loss = {
        action: _lost(
            outcomes.values[f"{action}_gain"][held] >= 0, doubled - exact[waiting]
        )
        for action, waiting in _WAITING
    }
    return Agreement(
        estimated={name: outcomes.values[name][held] for name in ESTIMATES},
        exact=exact,
        error={name: outcomes.errors[name][held] for name in ESTIMATES},
        action_loss=loss,
    )


@dataclass(frozen=True, eq=False)
class ModelErrors:
    """The fast model beside rollouts, for races that no table holds.

    Attributes
    ----------
    epc : ndarray of float64
        Mean EPC of both sides.
    difference : dict of str to ndarray of float64
        By ``win_probability`` and `ESTIMATES`: the model's values less the rollouts'.
    error : dict of str to ndarray of float64
        Standard errors of the rollouts.
    action_loss : dict of str to ndarray of float64
        By ``double`` and ``redouble``: equity that the roller loses by doing what the
        model says, at the rollouts' equities.
    """

    epc: Float64Array
    difference: dict[str, Float64Array]
    error: dict[str, Float64Array]
    action_loss: dict[str, Float64Array]


def compare_model(outcomes: RolloutOutcomes) -> ModelErrors:
    """Compare the fast model with rollouts.

    The model knows of each side its EPC and the standard deviation of its rolls.

    Raises
    ------
    RunError
        If the run rolled nothing out.
    """
    played = outcomes.games > 0
    if not played.any():
        raise RunError("a table answered every race of the run: nothing was rolled out")
    player, model = bear_in(), race_model()
    sides = [side[played] for side in (outcomes.roller_counts, outcomes.opponent_counts)]
    epc = [player.epc(side) for side in sides]
    std = [player.std_rolls(side) for side in sides]
    x, y = model.matching_std_rolls(epc[0], epc[1], std[0], std[1])
    modelled = {
        "win_probability": model.win_probability(x, y),
        "no_double": model.no_double(x, y, "centred"),
        "no_redouble": model.no_double(x, y, "owned"),
        "double_take": 2 * model.equity(x, y, "opponent"),
    }
    doubled = np.minimum(modelled["double_take"], 1.0)
    return ModelErrors(
        epc=(epc[0] + epc[1]) / 2,
        difference={
            name: v - outcomes.values[name][played] for name, v in modelled.items()
        },
        error={name: outcomes.errors[name][played] for name in modelled},
        action_loss={
            action: _lost(
                doubled >= modelled[wait], outcomes.values[f"{action}_gain"][played]
            )
            for action, wait in _WAITING
        },
    )


def _lost(doubles: NDArray[np.bool_], gain: Float64Array) -> Float64Array:
    """Equity lost by doubling or not where doubling gains so much."""
    return np.where(doubles, np.maximum(-gain, 0), np.maximum(gain, 0))
