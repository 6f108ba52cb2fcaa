"""Decisions with the cube: what each is worth to who decides, and when a cube is dead."""

from dataclasses import dataclass

from bearoff import Values
from bearoff.game.state import GameState
from bearoff.stakes import PASS

CLOSE_LOST = (2.0, 0.3)
"""Thousandths that a close decision by a look of one roll loses, judged by GNU Backgammon,
and the standard error: results/game/cube.md."""


@dataclass(frozen=True)
class CubeChoice:
    """What may be done with the cube.

    Attributes
    ----------
    kind : {"exact", "model", "search"}
        Where the values come from.
    action : str
        What is right.
    equities, costs, errors : dict of str to float
        Of ``no double`` and ``double``, or of ``take``, ``pass`` and ``beaver``, as
        `name_of` calls them: to who
        decides, in points at a cube of 1, at a score normalised; what each costs; and the
        error of that, where it is known.
    """

    kind: str
    action: str
    equities: dict[str, float]
    costs: dict[str, float]
    errors: dict[str, float]


def cube_choice(state: GameState, kind: str, values: Values) -> CubeChoice:
    """Return what may be done with the cube in a state, by values of one position.

    Parameters
    ----------
    state : GameState
        Before the roll, a double offered or not.
    kind : str
    values : Values
        Of whoever is on roll, before a double.
    """
    if not state.offers:
        either = ("no double", "double")
        judged = {name_of(name, state): values.decision(name, 0) for name in either}
        equities = {name: found[0] for name, found in judged.items()}
        costs = {name: found[1] for name, found in judged.items()}
        errors = {name: found[2] for name, found in judged.items()}
        return CubeChoice(kind, str(values.row(0)["action"]), equities, costs, errors)
    scale = 1 << state.offers - 1
    taken = scale * float(values.double_take[0])
    equities = {
        "take": taken if state.to_act == state.turn else -taken,
        "pass": -scale * PASS,
    }
    if state.offers <= state.beavers:
        equities["beaver"] = 2 * equities["take"]
    best = max(equities, key=lambda name: equities[name])
    costs = {name: equities[best] - worth for name, worth in equities.items()}
    error = scale * float(values.double_take_error[0])
    return CubeChoice(kind, best, equities, costs, dict.fromkeys(equities, error))


def name_of(kind: str, state: GameState) -> str:
    """Return what a decision with the cube is called, as what is right is called.

    A double back is a beaver, and who owns the cube redoubles or not.
    """
    if state.offers:
        return "beaver" if kind == "double" else kind
    return kind if state.cube_owner is None else kind.replace("double", "redouble")
