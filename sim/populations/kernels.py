"""Compiled kernel that applies cube decisions to recorded games."""

from bearoff.runtime import njit

OVER, CENTRED, OWNED, OPPONENTS = -1, 0, 1, 2
"""Cube owners from the viewpoint of the side on roll; `OVER` after a pass."""


@njit(cache=True, nogil=True)
def walk_cube(order, games, plies, doubles, redoubles, takes, states, doubled, stakes):
    """Compute the cube's owner and value at each decision of recorded games.

    ``order`` sorts the decisions by game and ply. At each one the roller turns a centred
    cube if ``doubles`` is set and an owned cube if ``redoubles`` is set, and the opponent
    then takes if ``takes`` is set. ``stakes`` is set to the cube's value before the
    decision.
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
