"""Games of chance for studying the doubling cube."""

from fractions import Fraction

from bearoff import checks
from research.chance_games.graph import ChanceGame, Doublers, GraphError, Side, State

MOST_COINS = 200
MOST_ROLLS = 50
_DOUBLE = Fraction(1, 6)

Steps = dict[State, dict[State, Fraction]]


def coins(first: int, second: int) -> ChanceGame:
    """Return the game of gambler's ruin: each flip wins a coin from the other player.

    Parameters
    ----------
    first, second : int
        Coins of each player at the start: at least 1 each, and at most 200 in total.

    Returns
    -------
    ChanceGame
        Game whose states are the coins of the first player.

    Examples
    --------
    >>> coins(8, 12).chances[8]
    Fraction(2, 5)
    """
    for name, count in (("the first purse", first), ("the second purse", second)):
        checks.integer(count, f"coins in {name}", 1, MOST_COINS - 1, GraphError)
    total = first + second
    if total > MOST_COINS:
        raise GraphError(f"{total} coins are more than {MOST_COINS}; take fewer")
    half = Fraction(1, 2)
    steps: Steps = {held: {held - 1: half, held + 1: half} for held in range(1, total)}
    return ChanceGame(steps, {0: -1, total: 1})


def rolls_race(first: int, second: int) -> ChanceGame:
    """Return a race in which each side needs a number of rolls, and a double counts as two.

    Bearing off from the ace points is an example: each roll bears off two checkers, and a
    double bears off four.

    Parameters
    ----------
    first, second : int
        Number of rolls that each side needs without doubles, 1 to 50.

    Returns
    -------
    ChanceGame
        Game whose states are ``(side on roll, n, m)``: the first player still needs ``n``
        rolls, and the second ``m``. Only the side on roll may double.

    Examples
    --------
    >>> rolls_race(2, 2).chances["first", 2, 2]
    Fraction(31, 36)
    """
    for name, count in (("the first side", first), ("the second side", second)):
        checks.integer(count, f"rolls of {name}", 1, MOST_ROLLS, GraphError)
    steps: Steps = {}
    doublers: dict[State, Doublers] = {}
    sides: tuple[Side, Side] = ("first", "second")
    for a in range(1, first + 1):
        for b in range(1, second + 1):
            for side in sides:
                chances: dict[State, Fraction] = {}
                for rolls, chance in ((1, 1 - _DOUBLE), (2, _DOUBLE)):
                    if side == "first":
                        target = ("second", a - rolls, b) if a > rolls else "first wins"
                    else:
                        target = ("first", a, b - rolls) if b > rolls else "second wins"
                    chances[target] = chances.get(target, Fraction(0)) + chance
                steps[side, a, b] = chances
                doublers[side, a, b] = side
    return ChanceGame(steps, {"first wins": 1, "second wins": -1}, doublers)


def chance_to_enter(open_points: int, turns: int = 1) -> Fraction:
    """Return the probability that a checker enters from the bar within a number of turns.

    Parameters
    ----------
    open_points : int
        Number of open points in the opponent's home board, 0 to 6.
    turns : int
        Number of turns, at least 0.

    Returns
    -------
    Fraction
        Probability as an exact fraction.

    Examples
    --------
    >>> chance_to_enter(1), chance_to_enter(1, 3)
    (Fraction(11, 36), Fraction(31031, 46656))
    """
    checks.integer(open_points, "open points", 0, 6, GraphError)
    checks.integer(turns, "turns", 0, MOST_ROLLS, GraphError)
    return 1 - Fraction(6 - open_points, 6) ** (2 * turns)


def entering(open_points: int, turns: int) -> ChanceGame:
    """Return a game that the first player wins by entering from the bar in time.

    Parameters
    ----------
    open_points : int
        Number of open points, 1 to 5.
    turns : int
        Number of turns in which the first player must enter to win, 1 to 50.

    Returns
    -------
    ChanceGame
        Game whose states are ``(side on roll, turns left)``. The side on roll may double.
        The second player can do nothing else than double.

    Examples
    --------
    >>> entering(1, 3).chances["first", 3] == chance_to_enter(1, 3)
    True
    """
    checks.integer(open_points, "open points", 1, 5, GraphError)
    checks.integer(turns, "turns", 1, MOST_ROLLS, GraphError)
    enters = chance_to_enter(open_points)
    steps: Steps = {}
    doublers: dict[State, Doublers] = {}
    for left in range(1, turns + 1):
        after: State = ("second", left - 1) if left > 1 else "stayed"
        steps["first", left] = {"entered": enters, after: 1 - enters}
        steps["second", left] = {("first", left): Fraction(1)}
        doublers["first", left], doublers["second", left] = "first", "second"
    return ChanceGame(steps, {"entered": 1, "stayed": -1}, doublers)
