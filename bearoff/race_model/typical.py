r"""Typical races at any stakes: every state of the cube solved, and what gammons may add.

The equations are those of `bearoff.race_model.model`, with other ends: at a score a game
is worth the chance to win the match that it leaves, and each state of the cube rests on
those that it is turned to, a finite chain. Beside the values stand those without a double
now, so that interpolation never blurs a decision, and two *companions*. The chain itself
has no gammons; a companion is what the games that a side wins by bearing off, under the
cube actions of the chain, would be worth more if they were gammons, whatever the cube
shows then. So a chance :math:`g` that a win is a gammon adds :math:`g` times the
companion: nothing where the cube is cashed first.
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
from bearoff.stakes import Cube, CubeOwner, Match, Money, Stakes

Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]

_SPARE, _BLOCK = 48, 64
"""Bins beyond the longest side, which a lead that is moved may reach, and bins of a block:
whole blocks are solved, so that few lengths are kept."""

_NO_PLANES = np.empty((0, 0, 0))

_MOST_BYTES = 1 << 28
"""Of the planes that are kept: some five scores with sides of 110 pips, sixteen of 70. The
last dozen took up to three gigabytes; to solve one again takes a fifth of a second."""

_met: OrderedDict[tuple[Stakes, int], "TypicalRaces"] = OrderedDict()
"""Met lately, the last at the end."""

_looking = Lock()


class StatePlanes(NamedTuple):
    """Planes of a state of the cube, by bins of the roller's EPC and the opponent's.

    Of games for money in points at the cube as it stands, else twice the chance to win the
    match less 1: values of both players then add up to 0.

    Attributes
    ----------
    value, no_double : ndarray of float32, shape (bins, bins)
        Once the roller has decided, and without a double now.
    won, lost, waiting_won, waiting_lost : ndarray of float32, shape (bins, bins)
        Companions of the two: what all games that the roller wins, and the opponent, by
        bearing off would add as gammons.
    """

    value: Float32Array
    no_double: Float32Array
    won: Float32Array
    lost: Float32Array
    waiting_won: Float32Array
    waiting_lost: Float32Array


@dataclass(frozen=True, eq=False)
class TypicalRaces:
    """States of the cube, solved when they are first asked for.

    Attributes
    ----------
    stakes : Money or Match
        As the first player has them.
    bins : int
        Of each side, 0 borne off among them.
    """

    stakes: Stakes
    bins: int
    _solved: dict[CubeState | str, tuple[StatePlanes, StatePlanes]] = field(
        default_factory=dict, repr=False
    )

    @property
    def nbytes(self) -> int:
        """Bytes of the planes that are solved."""
        each = 2 * len(StatePlanes._fields) * self.bins**2 * np.dtype(np.float32).itemsize
        return len(self._solved) * (each // 2 if isinstance(self.stakes, Money) else each)

    def planes(self, cube_value: int, cube: Cube, player: int) -> StatePlanes:
        """Return the planes of a cube, seen by player 0 or 1 on roll."""
        if isinstance(self.stakes, Money):
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
        """Solve a state, and before it those that it rests on."""
        from bearoff.race_model import kernels

        assert isinstance(self.stakes, Match)
        payoffs, points = self.stakes.payoffs, state.value
        ends, turned = [], []
        for player in (0, 1):
            single, gammon = (2 * payoffs.chance(n * points, player) - 1 for n in (1, 2))
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
    """Return typical races of sides up to an EPC, from those that were met lately.

    Parameters
    ----------
    stakes : Money or Match
    longest_epc : float
        In pips.

    Examples
    --------
    Thirty pips against 33, with eight of wastage each, centred cube. For money the roller
    doubles; at 2-away 4-away, where the opponent would redouble at once, not by far:

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
    if isinstance(stakes, Match):  # Whatever the length of the match is called.
        stakes = Match(
            type(stakes.score)(stakes.score.away, stakes.score.game), stakes.equities
        )
    return _typical_races(stakes, bins)


def _typical_races(stakes: Stakes, bins: int) -> TypicalRaces:
    """Return those kept, or new ones; the least lately met go once all are too large."""
    with _looking:
        found = _met.pop((stakes, bins), None) or TypicalRaces(stakes, bins)
        _met[stakes, bins] = found
        while len(_met) > 1 and sum(each.nbytes for each in _met.values()) > _MOST_BYTES:
            _met.popitem(last=False)
    return found
