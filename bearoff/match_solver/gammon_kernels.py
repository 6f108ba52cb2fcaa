"""The compiled recursion of `bearoff.match_solver.gammons`."""

import numpy as np

from bearoff.match_solver.sides import LANES
from bearoff.rolls import ROLLS, THROWS
from bearoff.runtime import njit

_ROLLS = len(ROLLS)
_NON_DOUBLES = 15  # These count twice.

_TIE = 1e-12
"""Points nearer than this are equal: of such plays the first that is listed is made."""


@njit(cache=True, nogil=True)
def fill_chances(winner, loser, first, wins, waiting, found):
    """Fill in the chances of gammons for some slots of the winner, those below known.

    `winner` and `loser` are offsets and successors of places that rise with the pips. Of
    the loser the full positions come first, then those in which a checker is off: there
    ``wins`` are the chances of the winner, on roll in slot `first` and the next, at most
    `LANES`. What a play of the full side leaves is one row for all of them.

    ``found`` has shape (2, full positions, slots of the winner): the chances with the
    winner on roll, and with the full side on roll; ``waiting``, shape (full positions,
    slots of the winner), what the winner gets in points, the full side on roll.
    """
    offsets, successors = winner
    their_offsets, their_successors = loser
    full, lanes = waiting.shape[0], wins.shape[1]
    rolling = np.zeros((full + wins.shape[0], LANES))  # As `waiting`, with them on roll.
    rolling[full:, :lanes] = 2.0 * wins - 1.0
    chance = np.zeros(rolling.shape)
    least, gammon, points, gammons = np.empty((4, LANES))
    for f in range(full):
        points[:] = gammons[:] = 0.0
        for roll in range(_ROLLS):
            times = 1.0 if roll >= _NON_DOUBLES else 2.0
            at = _ROLLS * f + roll
            least[:] = np.inf
            for k in range(their_offsets[at], their_offsets[at + 1]):
                place = their_successors[k]
                for lane in range(LANES):
                    value = rolling[place, lane]
                    less = value < least[lane] - _TIE
                    least[lane] = value if less else least[lane]
                    gammon[lane] = chance[place, lane] if less else gammon[lane]
            for lane in range(LANES):
                points[lane] += times * least[lane]
                gammons[lane] += times * gammon[lane]
        for lane in range(lanes):
            x = first + lane
            waiting[f, x] = points[lane] / THROWS
            found[1, f, x] = gammons[lane] / THROWS
            total = chances = 0.0
            for roll in range(_ROLLS):
                at = _ROLLS * x + roll
                most, of_most = -np.inf, 0.0
                for k in range(offsets[at], offsets[at + 1]):
                    value = waiting[f, successors[k]]
                    if value > most + _TIE:
                        most, of_most = value, found[1, f, successors[k]]
                times = 1.0 if roll >= _NON_DOUBLES else 2.0
                total += times * most
                chances += times * of_most
            rolling[f, lane] = total / THROWS
            found[0, f, x] = chance[f, lane] = chances / THROWS
