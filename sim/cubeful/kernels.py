"""Compiled kernels that play many games with the doubling cube, one turn at a time.

A game has the same index, its *lane*, in all arrays. `live` lists the lanes of unfinished
games in ascending order, and each kernel processes all games in `live`. Side 0 rolls first,
and side 1 rolls second. Cube owners are coded as in `bearoff.stakes.CubeOwner`: 1 for side
0, -1 for side 1, and 0 for a centred cube.
"""

from typing import NamedTuple

import numpy as np

from bearoff.pair_planes import PlaneArrays, code_of
from bearoff.runtime import njit

CENTRED = 0
"""Integer code of a centred cube, equal to `bearoff.stakes.CubeOwner.NOBODY`."""

POINT = 65535
"""Integer that represents an equity of 1 point in compressed tables; see
`bearoff.two_sided.codings`."""


class WaitingPlanes(NamedTuple):
    """Compressed equities of not doubling, for a side on roll that may double.

    Attributes
    ----------
    codes : PlaneArrays
        Equities of not doubling if the Jacoby rule does not apply.
    excess : PlaneArrays
        Equity with the Jacoby rule minus equity without this rule.
    added : bool
        Whether the Jacoby rule applies, so that `excess` is added to `codes`.
    """

    codes: PlaneArrays
    excess: PlaneArrays
    added: bool


DOUBLE, REDOUBLE, TAKE = 1, 2, 4
"""Bit flags of three cube decisions: that the roller doubles, that the roller redoubles,
and that the opponent takes."""

_U = np.uint64
_MIX = _U(0x9E3779B97F4A7C15)
_HALF = _U(32)
_LEVEL = _U(60)

_AHEAD = 64
"""Number of games whose entries in the hash table are read together, because the processor
overlaps these memory accesses."""


@njit(cache=True, inline="always")
def _home(key, keys):
    """Return the index at which the search for a key in the hash table starts."""
    mixed = key * _MIX
    return np.int64((mixed ^ (mixed >> _HALF)) & _U(keys.size - 1))


@njit(cache=True, nogil=True)
def look_up(turn, most, by_level, keys, slots, missing):
    """Look up the cube decisions of each game in which the side on roll may double.

    Neither side may double after `most` doubles. If `by_level` is set, cube decisions
    depend on the cube value, and the highest bits of a key contain the number of doubles so
    far.

    For each game, ``slots[lane]`` is set to the index of its pair of positions in `keys`,
    or to -1 if the side on roll may not double. A pair that is not in `keys` is added, and
    its index is added to `missing`. Returns the number of added pairs.
    """
    live, mine, theirs, owner, side, _, level = turn
    wanted = np.empty(_AHEAD, np.uint64)
    there = np.empty(_AHEAD, np.uint64)
    found = 0
    for start in range(0, live.size, _AHEAD):
        lanes = live[start : start + _AHEAD]
        for k in range(lanes.size):
            lane = lanes[k]
            wanted[k] = _U(mine[lane]) << _HALF | _U(theirs[lane])
            if by_level:
                wanted[k] |= _U(level[lane]) << _LEVEL
            slots[lane] = _home(wanted[k], keys)
            there[k] = keys[slots[lane]]
        for k in range(lanes.size):
            lane, key = lanes[k], wanted[k]
            if owner[lane] == 2 * side - 1 or level[lane] == most:
                slots[lane] = -1
                continue
            if there[k] == key:
                continue
            slot = slots[lane]
            while keys[slot] != key:
                if keys[slot] == 0:
                    keys[slot] = key
                    missing[found] = slot
                    found += 1
                    break
                slot = (slot + 1) & (keys.size - 1)
            slots[lane] = slot
    return found


@njit(cache=True, nogil=True)
def move_keys(old_keys, old_codes, keys, codes):
    for k in range(old_keys.size):
        key = old_keys[k]
        if key:
            slot = _home(key, keys)
            while keys[slot]:
                slot = (slot + 1) & (keys.size - 1)
            keys[slot] = key
            codes[slot] = old_codes[k]


@njit(cache=True, nogil=True)
def turn_cube(live, turns, slots, codes, owner, played):
    """Make the double, take or pass of each game; return the number of unfinished games.

    A pass ends a game: its winner is recorded, and the game is removed from `live`. `turns`
    is the number of turns that have been played.
    """
    winner, level, passed, doubles, length, _ = played
    side = turns % 2
    playing = 0
    for lane in live:
        slot = slots[lane]
        if slot >= 0:
            code = codes[slot]
            if code & (DOUBLE if owner[lane] == CENTRED else REDOUBLE):
                doubles[side, lane] += 1
                if not code & TAKE:
                    winner[lane] = side
                    passed[lane] = True
                    length[lane] = turns
                    continue
                level[lane] += 1
                owner[lane] = 2 * side - 1
        live[playing] = lane
        playing += 1
    return playing


@njit(cache=True, nogil=True)
def play_policy(live, mine, rolls, policy):
    """Play the roll of each game according to a policy array of shape (positions, 21)."""
    for lane in live:
        mine[lane] = policy[mine[lane], rolls[lane]]


@njit(cache=True, nogil=True)
def play_table(turn, choices, table):
    """Play each game's roll to minimise the opponent's value in a two-sided table.

    The opponent's value is the equity, or the win probability if ``table.cube`` is false.
    The arguments are a `CubeTurn`, `sim.play.arguments.PlayChoices` and a `TableCodes`.
    """
    live, mine, theirs, owner, side, rolls, _ = turn
    offsets, numbers = choices
    slots, cube, jacoby, planes = table
    for lane in live:
        at = np.int64(mine[lane]) * 21 + rolls[lane]
        plays = numbers[offsets[at] : offsets[at + 1]]
        rolling = np.int64(slots[theirs[lane]])
        # Each branch names its table, because compiled code would copy a table that a
        # variable index selects.
        if plays.size == 1:
            best = 0
        elif not cube or owner[lane] == 1 - 2 * side:
            best = _least(planes[1], slots, plays, rolling)
        elif owner[lane] == CENTRED:
            kept = WaitingPlanes(planes[2], planes[3], jacoby)
            best = _least_doubled(kept, planes[1], slots, plays, rolling)
        else:
            kept = WaitingPlanes(planes[0], planes[3], False)
            best = _least_doubled(kept, planes[1], slots, plays, rolling)
        mine[lane] = plays[best]


@njit(cache=True, nogil=True)
def _least(codes, slots, plays, rolling):
    """Return the index of the play that leaves the opponent the lowest table value."""
    best = 0
    least = np.int64(1 << 20)
    for k in range(plays.size):
        equity = code_of(codes, rolling, np.int64(slots[plays[k]]))
        if equity < least:
            least = equity
            best = k
    return best


@njit(cache=True, nogil=True)
def _least_doubled(kept, opponent, slots, plays, rolling):
    """Return the index of the play that minimises the equity of an opponent who may double.

    The opponent doubles whenever this gains equity. `kept` is a `WaitingPlanes`. One unit
    of its integers is twice the equity of one unit in `opponent`. An integer of `opponent`
    is therefore also the equity of the doubled cube in units of `kept`.
    """
    codes, excess, added = kept
    best = 0
    least = np.int64(1 << 20)
    for k in range(plays.size):
        waiting = np.int64(slots[plays[k]])
        doubled = min(code_of(opponent, rolling, waiting), np.int64(POINT))
        equity = code_of(codes, rolling, waiting)
        if added:
            equity += code_of(excess, rolling, waiting)
        equity = max(equity, doubled)
        if equity < least:
            least = equity
            best = k
    return best


@njit(cache=True, nogil=True)
def finish(turn, turns, full, jacoby, played):
    """Record the winners of games that have just ended; return the number of live games.

    A loser whose position number is `full` or higher still has all 15 checkers on the
    board, and loses a gammon. If `jacoby` is set, gammons count only after the cube has
    been turned.
    """
    live, mine, theirs, owner, side, _, _ = turn
    winner, _, _, _, length, gammon = played
    playing = 0
    for lane in live:
        if mine[lane]:
            live[playing] = lane
            playing += 1
        else:
            winner[lane] = side
            length[lane] = turns
            gammon[lane] = theirs[lane] >= full and not (jacoby and owner[lane] == CENTRED)
    return playing


@njit(cache=True, nogil=True)
def tally(counts, pair, played, columns):
    """Add the result of each game to the statistics of its starting positions.

    `columns` is `sim.cubeful.cube_tally.COLUMNS`. Columns 0 to 3 contain the number of
    games, the roller's wins, and the sums of the lengths and squared lengths of games.
    """
    winner, level, passed, doubles, length, gammon = played
    doubled, gone, won, lost, gammons_won, gammons_lost = columns
    for lane in range(pair.size):
        row = counts[pair[lane]]
        rolls = np.int64(length[lane])
        row[0] += 1
        row[1] += winner[lane] == 0
        row[2] += rolls
        row[3] += rolls * rolls
        row[doubled] += doubles[0, lane]
        row[doubled + 1] += doubles[1, lane]
        if passed[lane]:
            row[gone + 1 - winner[lane]] += 1
        roller_won = winner[lane] == 0
        row[(won if roller_won else lost) + level[lane]] += 1
        if gammon[lane]:
            row[(gammons_won if roller_won else gammons_lost) + level[lane]] += 1


@njit(cache=True, nogil=True)
def tally_rival(counts, pair, points, rivals, shift, first):
    """Add the results of the roller's rival strategy, and their squared differences.

    Column `first` receives the sum of the rival's results. The next column receives the sum
    of squared differences between the roller's and the rival's results, each divided by
    ``2**shift``.
    """
    for lane in range(pair.size):
        row = counts[pair[lane]]
        row[first] += rivals[lane]
        row[first + 1] += (points[lane] - rivals[lane]) ** 2 >> shift
