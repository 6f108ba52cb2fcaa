"""Market losers at a score: what an exchange of rolls does to a cube not turned."""

import numpy as np
from numpy.typing import NDArray

from bearoff.cube import Market
from bearoff.errors import ScoreError
from bearoff.match.actions import MatchActions, RollersCube, match_actions
from bearoff.match.table import Cube, MatchTable
from bearoff.rolls import ROLLS

_WON, _TOO_GOOD, _PASS, _TAKE, _NO_DOUBLE, _OPPONENT_DOUBLES, _LOST = (
    Market.OUTCOMES.index(name)
    for name in (
        "won", "too good", "double, pass", "double, take", "no double",
        "opponent doubles", "lost",
    )
)  # fmt: skip


def match_market(
    table: MatchTable,
    roller: int,
    opponent: int,
    cube_value: int = 1,
    cube: RollersCube = "centred",
) -> Market:
    """Follow every exchange of rolls if the roller does not double now.

    Parameters
    ----------
    table : MatchTable
        Of the score; see `match_table` and `match_race`.
    roller, opponent : int
        Position numbers, a checker on the board on both sides.
    cube_value : int
        What the cube shows.
    cube : {"centred", "owned"}
        Where it is.

    Returns
    -------
    Market
        As `bearoff.market` gives for money, nothing too close.

    Raises
    ------
    PositionError, ScoreError, BearoffError
        As for `match_actions`.

    Examples
    --------
    Two checkers each on the deuce and on the three. Who leads 2-away 4-away loses the
    market more often than at 4-away 4-away, and still does not double.

    >>> import bearoff
    >>> pair = 2 * [bearoff.Position.parse("0,2,2,0,0,0").number]
    >>> for away in (2, 4), (4, 4):
    ...     found = match_market(bearoff.match_table(4, away), *pair)
    ...     print(round(found.losing_probability, 3))
    0.715
    0.586
    """
    now = match_actions(table, roller, opponent, cube_value, cube)
    if now.no_double.ndim:
        raise ScoreError("market losers are of one pair, got arrays of position numbers")
    seen = table.exchanged()
    after = table.best_after(roller, opponent, cube_value, cube)
    outcomes = np.full((len(ROLLS),) * 2, _WON, dtype=np.uint8)
    on = np.flatnonzero(after)
    if cube == "centred":
        theirs = match_actions(seen, np.full(len(on), opponent), after[on], cube_value)
        turned = theirs.missed_double > 0  # Nobody counts a double that changes nothing.
        outcomes[on[turned]] = _OPPONENT_DOUBLES
        on = on[~turned]
    theirs_is: Cube = "centred" if cube == "centred" else "opponent"
    replies = seen.best_after(np.full(len(on), opponent), after[on], cube_value, theirs_is)
    outcomes[on] = _LOST
    mine, reply = np.nonzero(replies)
    then = match_actions(table, after[on[mine]], replies[mine, reply], cube_value, cube)
    outcomes[on[mine], reply] = _outcomes_of(then)
    close = np.zeros(outcomes.shape, dtype=bool)
    for array in (outcomes, close):
        array.setflags(write=False)
    return Market(cube, outcomes, close)


def _outcomes_of(actions: MatchActions) -> NDArray[np.uint8]:
    doubled = np.where(actions.takes, _TAKE, _PASS)
    kept = np.where(actions.too_good, _TOO_GOOD, _NO_DOUBLE)
    return np.where(actions.doubles, doubled, kept).astype(np.uint8)
