"""Rollouts compared with an exact table, and the fast race model compared with rollouts.

The difference between a rollout and a table has two parts: chance, which the standard error
measures, and errors of the rollout's players before their games reach a table.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import POINTS, TwoSidedTable, rank
from bearoff.analysis.errors import RunError
from bearoff.analysis.outcomes.rollouts import ESTIMATES, RolloutOutcomes
from bearoff.bear_in import bear_in
from bearoff.race_model import race_model

Float64Array = NDArray[np.float64]

_WAITING = (("double", "no_double"), ("redouble", "no_redouble"))


@dataclass(frozen=True, eq=False)
class Agreement:
    """Rollout estimates, and exact values of the same races from a two-sided table.

    Attributes
    ----------
    estimated, exact, error : dict of str to ndarray of float64
        Rolled-out values, exact values and standard errors; the keys are `ESTIMATES`.
    action_loss : dict of str to ndarray of float64
        Equity that the roller loses by the rollout's decisions to double (key ``double``)
        and to redouble (key ``redouble``).
    """

    estimated: dict[str, Float64Array]
    exact: dict[str, Float64Array]
    error: dict[str, Float64Array]
    action_loss: dict[str, Float64Array]


def compare_with_table(outcomes: RolloutOutcomes, table: TwoSidedTable) -> Agreement:
    """Compare rollouts with exact values of the races that a table contains.

    Parameters
    ----------
    outcomes : RolloutOutcomes
        Outcomes of rollouts. Races without simulated games are left out, because a table
        answered these races.
    table : TwoSidedTable
        Two-sided table with the exact values for every state of the cube.

    Raises
    ------
    RunError
        If the table contains none of the races that were rolled out.
    TableError
        If a plane is missing or damaged.
    """
    sides = (outcomes.roller_counts, outcomes.opponent_counts)
    held = outcomes.games > 0
    for side in sides:
        held &= ~side[:, POINTS:].any(axis=1) & (side.sum(axis=1) <= table.checkers)
    if not held.any():
        raise RunError(
            f"the two-sided table of {table.checkers} checkers contains none of the races "
            "that the run rolled out, so no race can be compared"
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
    """Errors of the fast race model, compared with rollouts of races beyond all tables.

    Attributes
    ----------
    epc : ndarray of float64
        Mean of both sides' EPCs in each race.
    difference : dict of str to ndarray of float64
        Fast model's values minus the rolled-out values, by name of the value.
    error : dict of str to ndarray of float64
        Standard errors of the rolled-out values, by name of the value.
    action_loss : dict of str to ndarray of float64
        Equity that the roller loses, according to rollouts, by the model's decisions to
        double (key ``double``) and to redouble (key ``redouble``).
    """

    epc: Float64Array
    difference: dict[str, Float64Array]
    error: dict[str, Float64Array]
    action_loss: dict[str, Float64Array]


def compare_model(outcomes: RolloutOutcomes) -> ModelErrors:
    """Compare the fast race model with rollouts.

    The fast model is given each side's EPC and the standard deviation of its number of
    rolls.

    Raises
    ------
    RunError
        If no race of the run was rolled out.
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
    """Return the equity lost by doubling or not doubling, given the gain of a double."""
    return np.where(doubles, np.maximum(-gain, 0), np.maximum(gain, 0))
