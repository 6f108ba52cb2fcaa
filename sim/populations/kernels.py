"""Compiled kernel of the cube through games; `sim.populations.cube` calls it."""

from bearoff.runtime import njit

OVER, CENTRED, OWNED, OPPONENTS = -1, 0, 1, 2
"""Where the cube is for the side on roll; `OVER` after a pass."""


@njit(cache=True, nogil=True)
def walk_cube(
    order, games, plies, no_double, no_redouble, double_take, states, doubled, stakes
):
    """Follow the cube through games whose both sides turn it perfectly.

    ``order`` sorts the visits by game and ply; ``stakes`` gets the value of the cube
    before the decision.
    """
    game = -1
    owner, stake, over = -1, 1, False
    for i in order:
        if games[i] != game:
            game = games[i]
            owner, stake, over = -1, 1, False
        if over:
            states[i] = OVER
            continue
        side = plies[i] % 2
        stakes[i] = stake
        if owner == 1 - side:
            states[i] = OPPONENTS
            continue
        waiting = no_double[i] if owner < 0 else no_redouble[i]
        states[i] = CENTRED if owner < 0 else OWNED
        if min(double_take[i], 1.0) >= waiting:
            doubled[i] = True
            if double_take[i] > 1.0:
                over = True
            else:
                owner = 1 - side
                stake *= 2
