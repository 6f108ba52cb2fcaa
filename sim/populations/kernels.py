"""Compiled kernel that follows the cube through games, for `sim.populations.cube`."""

from bearoff.runtime import njit

OVER, CENTRED, OWNED, OPPONENTS = -1, 0, 1, 2
"""State of the cube from the side on roll; `OVER` after a pass."""


@njit(cache=True, nogil=True)
def walk_cube(order, games, plies, doubles, redoubles, takes, states, doubled, stakes):
    """Follow the cube through games.

    ``order`` sorts the visits by game and ply. At each visit the roller turns a centred
    cube if ``doubles`` and an owned one if ``redoubles``, and the opponent then takes if
    ``takes``. ``stakes`` gets the value of the cube before the decision.
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
        states[i] = CENTRED if owner < 0 else OWNED
        if doubles[i] if owner < 0 else redoubles[i]:
            doubled[i] = True
            if takes[i]:
                owner = 1 - side
                stake *= 2
            else:
                over = True
