"""Decisions with the cube: what each is worth to who decides, and when a cube is dead."""

from bearoff import Values
from bearoff.analysis.review import (
    Decision,
    Method,
    cube_alternatives,
    in_words,
    rated_alternatives,
)
from bearoff.game.state import GameState
from bearoff.stakes import PASS

CLOSE_LOST = (2.0, 0.3)
"""Thousandths that a close decision by a look of one roll loses, judged by GNU Backgammon,
and the standard error: results/game/cube.md."""


def cube_decision(state: GameState, method: Method, values: Values) -> Decision:
    """Return what may be done with the cube in a state, by values of one position.

    Parameters
    ----------
    state : GameState
        Before the roll, a double offered or not.
    method : {"exact", "model", "search"}
    values : Values
        Of whoever is on roll, before a double.
    """
    position = state.race or state
    if not state.offers:
        found = cube_alternatives("double", values)
        return Decision("double", position, found, method=method)
    back = state.offers <= state.beavers
    if state.offers == 1 and back <= values.terms.stakes.beavers:
        found = cube_alternatives("take", values)
        return Decision("take", position, found, method=method)
    # Doubled back, everything is worth twice as much, and whoever is on roll may answer.
    by_roller, times = state.to_act == state.turn, 1 << state.offers - 1
    double = in_words("double", position.cube)
    taken = times * values.double_take.item()
    worth = {"take": taken, "pass": -times * PASS if by_roller else times * PASS}
    worth |= {"beaver": 2 * taken} if back else {}
    found = rated_alternatives(
        {f"{double}, {reply}": equity for reply, equity in worth.items()},
        times * values.double_take_error.item(),
        least=not by_roller,
    )
    return Decision("take", position, found, method=method)
