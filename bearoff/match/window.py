"""The doubling window of a position at a score: where doubling begins and taking ends."""

import numpy as np

from bearoff import checks
from bearoff.cube import DoublingWindow
from bearoff.errors import ScoreError, TableError
from bearoff.match.actions import RollersCube, match_actions
from bearoff.match.table import MatchTable
from bearoff.positions import POINTS, position_count


def match_window(
    table: MatchTable, roller: int, cube_value: int = 1, cube: RollersCube = "centred"
) -> DoublingWindow:
    """Find the window of a roller against every opponent in a table.

    Parameters
    ----------
    table : MatchTable
        With every opponent; see `match_table`, and the `opponents` of `match_race`.
    roller : int
        Number of the position, with a checker on the board.
    cube_value : int
        What the cube shows.
    cube : {"centred", "owned"}
        Where it is.

    Returns
    -------
    DoublingWindow
        As `bearoff.doubling_window` gives for money.

    Raises
    ------
    TableError
        If the table does not hold every opponent of so many checkers.
    PositionError, ScoreError, BearoffError
        As for `match_actions`.

    Examples
    --------
    Two checkers each on the deuce and on the three. At 2-away 4-away the opponent's
    redouble makes it wait for 79%, at 4-away 2-away it may double with 68%:

    >>> import bearoff
    >>> number = bearoff.Position.parse("0,2,2,0,0,0").number
    >>> for away in (2, 4), (4, 2):
    ...     window = match_window(bearoff.match_table(4, away), number)
    ...     print(round(window.first_double, 2), round(window.last_take, 2))
    0.79 0.81
    0.68 0.8
    """
    checks.instance(table, "table", MatchTable, ScoreError)
    if not table.opponents:
        raise TableError(
            "a doubling window needs every opponent, and this table is of one race; see "
            "match_table, and the opponents of match_race"
        )
    opponents = np.arange(1, position_count(POINTS, table.opponents))
    chance = table.win_probability(roller, opponents)
    actions = match_actions(table, roller, opponents, cube_value, cube)
    waits = ~actions.doubles & ~actions.too_good
    passes, takes = actions.wrong_take > 0, actions.wrong_pass > 0
    return DoublingWindow(
        *(
            float(edge(chance[chosen])) if chosen.any() else float("nan")
            for edge, chosen in (
                (np.min, actions.doubles),
                (np.max, waits),
                (np.min, passes),
                (np.max, takes),
                (np.min, actions.too_good),
            )
        )
    )
