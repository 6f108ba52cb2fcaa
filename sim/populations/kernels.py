"""Compiled kernel that makes cube decisions in recorded games."""

from bearoff.runtime import njit

OVER, CENTRED, OWNED, OPPONENTS = -1, 0, 1, 2
"""Codes of the cube's owner from the viewpoint of the side on roll; `OVER` means that a
pass has ended the game."""


@njit(cache=True, nogil=True)
def walk_cube(order, games, plies, doubles, redoubles, takes, states, doubled, stakes):
    """Compute the owner and value of the cube at each decision of recorded games.

    ``order`` contains the indices of all decisions, sorted by game and by ply. At decision
    ``i``, the roller doubles with a centred cube if ``doubles[i]`` is true, and redoubles
    if ``redoubles[i]`` is true. The opponent takes if ``takes[i]`` is true. The results are
    written to ``states``, ``doubled`` and, for the cube value before the decision,
    ``stakes``.
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
