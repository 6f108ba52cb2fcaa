"""Equities of the fast model for money or at a match score, with the effect of gammons.

The equations are those of `bearoff.race_model.model`, but at a match score the value of a
finished game is the match-winning chance after the game. The values for one state of the
cube are computed from the values after a double, up to a cube that cannot be turned. Values
without a double now are also stored, so that interpolation does not blur cube decisions.
The model has no gammons. To account for gammons, each value has two *companions*, one for
each player's wins. A companion is the amount by which the value would change if all games
that the player wins by bearing off were gammons. The cube actions and the final cube value
stay the same. If a win is a gammon with probability :math:`g`, the value changes by
:math:`g` times the companion; games that end with a pass add nothing.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.race_model.chain import BINS_PER_ROLL, MOST_BINS, typical_falls
from bearoff.rolls import PIPS_PER_ROLL
from bearoff.scores import CubeState
from bearoff.stakes import Cube, CubeOwner, Match, Stakes

Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]

_SPARE, _BLOCK = 48, 64
"""Number of spare EPC bins above the largest EPC of a race. The total number of bins is
then rounded up to a multiple of the second number."""

_NO_PLANES = np.empty((0, 0, 0))

_MOST_BYTES = 1 << 28
"""Maximum memory of the cached values in bytes, which suffices for five match scores with
EPCs of up to 110 pips."""

_met: OrderedDict[tuple[Stakes, int], "TypicalRaces"] = OrderedDict()
"""Recently used values of the model by stakes and number of bins, the most recent one last.
"""

_looking = Lock()


class StatePlanes(NamedTuple):
    """Values of the model for one state of the cube, indexed by both players' EPCs.

    Money values are in points at a cube value of 1. Match values, and money values with a
    cube limit, are scaled from -1 to 1, so that the values of both players add up to 0.

    Attributes
    ----------
    value, no_double : ndarray of float32, shape (bins, bins)
        The roller's values with the right cube decision, and without a double now.
    won, lost, waiting_won, waiting_lost : ndarray of float32, shape (bins, bins)
        Amounts by which the values would change if every win by bearing off were a gammon.
        `won` and `waiting_won` are for the roller's wins, and the other two for the
        opponent's. The first two belong to `value`, and the last two to `no_double`.
    """

    value: Float32Array
    no_double: Float32Array
    won: Float32Array
    lost: Float32Array
    waiting_won: Float32Array
    waiting_lost: Float32Array


@dataclass(frozen=True, eq=False)
class TypicalRaces:
    """Values of the fast model for every cube state; each state is solved at first use.

    Attributes
    ----------
    stakes : Money or Match
        Stakes from the first player's viewpoint.
    bins : int
        Number of bins of each player's EPC, including bin 0 for no checkers left.
    """

    stakes: Stakes
    bins: int
    _solved: dict[CubeState | str, tuple[StatePlanes, StatePlanes]] = field(
        default_factory=dict, repr=False
    )

    @property
    def nbytes(self) -> int:
        """Memory of the solved values, in bytes."""
        each = 2 * len(StatePlanes._fields) * self.bins**2 * np.dtype(np.float32).itemsize
        return len(self._solved) * (each if self.stakes.is_chain else each // 2)

    def planes(self, cube_value: int, cube: Cube, player: int) -> StatePlanes:
        """Return the values for a cube value and owner, with player 0 or 1 on roll."""
        if not self.stakes.is_chain:
            return self._money(cube)
        may = CubeOwner.of(cube).may
        first, second = may if player == 0 else may[::-1]
        state = self.stakes.payoffs.state(cube_value, first, second)
        return self._at_score(state)[player]

    def _money(self, cube: Cube) -> StatePlanes:
        if cube not in self._solved:
            from bearoff.race_model import kernels

            planes = np.empty((3, 6, self.bins, self.bins))
            kernels.solve_money(*typical_falls(self.bins), self.stakes.jacoby, *planes)
            for name, solved in zip(("opponent", "owned", "centred"), planes, strict=True):
                kept = StatePlanes(*solved.astype(np.float32))
                self._solved[name] = kept, kept
        return self._solved[cube][0]

    def _at_score(self, state: CubeState) -> tuple[StatePlanes, StatePlanes]:
        if state not in self._solved:
            self._solve(state)
        return self._solved[state]

    def _solve(self, state: CubeState) -> None:
        """Solve a state of the cube, after all states that can follow it by a double."""
        from bearoff.race_model import kernels

        payoffs, points = self.stakes.payoffs, state.value
        ends, turned = [], []
        for player in (0, 1):
            single, gammon = (
                2 * payoffs.chance(n * points, player) - 1
                for n in (1, payoffs.gammon(state))
            )
            ends.append((single, gammon - single))
            then = payoffs.turned(state, player)
            planes = None if then is None else self._at_score(then)[player]
            turned.append(
                _NO_PLANES if planes is None else np.array(planes, dtype=np.float64)
            )
        solved = np.empty((2, 6, self.bins, self.bins))
        kernels.solve_state(
            *typical_falls(self.bins),
            np.array(ends),
            np.array([single for single, _ in ends]),
            *turned,
            *solved,
        )
        a, b = (StatePlanes(*planes.astype(np.float32)) for planes in solved)
        self._solved[state] = a, b


def typical_races(stakes: Stakes, longest_epc: float) -> TypicalRaces:
    """Return the fast model's values for EPCs up to a limit; recent results are kept.

    Parameters
    ----------
    stakes : Money or Match
    longest_epc : float
        Largest EPC of a player, in pips.

    Examples
    --------
    Both sides have a wastage of eight pips, in a race of 30 pips against 33 pips with a
    centred cube. For money, the roller should double. At 2-away 4-away, the roller should
    not, because the opponent would redouble at once:

    >>> from bearoff.scores import Score
    >>> from bearoff.stakes import MONEY, Match
    >>> bins = [round(epc / (PIPS_PER_ROLL / BINS_PER_ROLL)) for epc in (38, 41)]
    >>> for stakes in MONEY, Match(Score((2, 4))):
    ...     races = typical_races(stakes, 41)
    ...     here = races.planes(1, "centred", 0)
    ...     print(bool(here.value[tuple(bins)] > here.no_double[tuple(bins)]))
    True
    False
    """
    needed = int(longest_epc / (PIPS_PER_ROLL / BINS_PER_ROLL)) + _SPARE
    bins = min(MOST_BINS, -(-needed // _BLOCK) * _BLOCK)
    if isinstance(stakes, Match):  # The values do not depend on the match length.
        stakes = Match(
            type(stakes.score)(stakes.score.away, stakes.score.game), stakes.equities
        )
    return _typical_races(stakes, bins)


def _typical_races(stakes: Stakes, bins: int) -> TypicalRaces:
    """Return cached or new values of the model; drop the oldest ones to limit memory."""
    with _looking:
        found = _met.pop((stakes, bins), None) or TypicalRaces(stakes, bins)
        _met[stakes, bins] = found
        while len(_met) > 1 and sum(each.nbytes for each in _met.values()) > _MOST_BYTES:
            _met.popitem(last=False)
    return found
