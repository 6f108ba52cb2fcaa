"""EPC that each legal play of a roll costs, according to a one-sided table."""

from dataclasses import dataclass

from bearoff import checks
from bearoff.errors import PositionError, TableError
from bearoff.one_sided.table import OneSidedTable
from bearoff.plays import Play, legal_plays
from bearoff.positions import Position
from bearoff.rolls import PIPS_PER_ROLL, ROLLS, check_roll


@dataclass(frozen=True)
class RatedPlay:
    """Legal play of a roll, with the EPC that it costs compared with the best play.

    Attributes
    ----------
    play : Play
        Moves of the play, and the position after them.
    epc_after : float
        EPC of the position after the play, in pips.
    cost : float
        EPC after this play minus EPC after the fewest-rolls play, in pips.
    best : bool
        Whether this is the play that the table chooses. The table chooses exactly one play
        for each roll.
    """

    play: Play
    epc_after: float
    cost: float
    best: bool


def rate_plays(
    table: OneSidedTable, position: Position, roll: tuple[int, int]
) -> list[RatedPlay]:
    """Rate the legal plays of a roll by the EPC after each play, best play first.

    Parameters
    ----------
    table : OneSidedTable
        Table that contains the position.
    position : Position
        Position with a checker on the board.
    roll : tuple of int
        Two dice, each from 1 to 6, in either order.

    Raises
    ------
    PositionError
        If the position has no checker on the board, or is not in the table.
    RollError
        If `roll` is not a roll.

    Examples
    --------
    >>> import bearoff
    >>> table = bearoff.one_sided_table()
    >>> position = bearoff.Position.parse("0,0,0,0,1,1")
    >>> for rated in bearoff.rate_plays(table, position, (6, 4)):
    ...     print(f"{rated.play!s:12} {rated.epc_after:6.3f} {rated.cost:6.3f}")
    6/off 5/1     8.167  0.000
    6/2 5/off     8.167  0.000
    """
    checks.instance(table, "table", OneSidedTable, TableError)
    checks.instance(position, "position", Position)
    if position.on_board == 0:
        raise PositionError(
            "the position has no checkers left, so there is no roll to play"
        )
    if position.points != table.points or position.number >= len(table):
        raise PositionError(
            f"the position {position} is not in the table for {table.points} points and "
            f"{table.checkers} checkers"
        )
    roll = check_roll(roll)
    chosen = int(table.policy_of(position.number)[ROLLS.index(roll)])
    least = table.mean_rolls_of(chosen)
    rated = []
    for play in legal_plays(position, roll):
        mean = table.mean_rolls_of(play.after.number)
        rated.append(
            RatedPlay(
                play,
                epc_after=float(mean * PIPS_PER_ROLL),
                cost=max(0.0, float((mean - least) * PIPS_PER_ROLL)),
                best=bool(play.after.number == chosen),
            )
        )
    return sorted(rated, key=lambda r: (not r.best, r.cost, r.play.after.number))
