"""Another program's analysis of a decision, converted to this program's notation."""

from collections.abc import Callable
from dataclasses import dataclass

import bearoff
from bearoff import BearoffError, Race
from bearoff.game.records import FileAnalysis, RecordedDecision
from bearoff.game.rules import Board, read_play
from bearoff.game.state import GameState
from bearoff.stakes import Cube


@dataclass(frozen=True)
class FileSays:
    """Another program's analysis of a decision, read from a file.

    Attributes
    ----------
    program, level : str
        Name of the program, and its level of analysis in the program's words.
    best : str
        Right cube action or play according to the other program, in this program's
        notation.
    equity : float
        Equity of the roller after the right choice, in EMG.
    cost : float or None
        Cost of the player's choice, in EMG; None if the file does not contain it.
    equities : tuple of (str, float)
        Equity of each alternative, in EMG; plays are in this program's notation.
    """

    program: str
    level: str
    best: str
    equity: float
    cost: float | None
    equities: tuple[tuple[str, float], ...]


def file_says(
    decision: RecordedDecision, name_of: Callable[[Board], str]
) -> FileSays | None:
    """Return the analysis of a decision in the match file; None if unreadable.

    If several programs analysed the decision, the first readable analysis is returned.
    """
    about = "play" if decision.kind == "play" else "cube"
    for said in decision.moment.action.analyses:
        if said.about == about:
            found = (
                _of_play(decision, said, name_of)
                if about == "play"
                else _of_cube(decision, said)
            )
            if found is not None:
                return found
    return None


def _of_cube(decision: RecordedDecision, said: FileAnalysis) -> FileSays | None:
    known = dict(said.equities)
    race = decision.position
    if said.unit == "MWC":
        known = {name: _normalised(value, race) for name, value in known.items()}
    if not {"no double", "double, take"} <= set(known):
        return None
    waits, taken = known["no double"], known["double, take"]
    passed = known.setdefault("double, pass", 1.0)
    doubled = min(taken, passed)
    worth = {"no double": waits, "double": doubled, "take": -taken, "pass": -passed}
    most = max(-taken, -passed) if decision.kind == "take" else max(waits, doubled)
    cost = None if decision.decided is None else most - worth[decision.decided]
    return FileSays(
        program=said.program,
        level=said.level,
        best=in_words(right_of_cube(decision.kind, waits, taken, passed), race.cube),
        equity=doubled if decision.kind == "take" else max(waits, doubled),
        cost=cost,
        equities=tuple((in_words(name, race.cube), one) for name, one in known.items()),
    )


def in_words(text: str, cube: Cube) -> str:
    """Return a cube action as players say it: "redouble" if the roller owns the cube."""
    return text.replace("double", "redouble") if cube == "owned" else text


def right_of_cube(kind: str, waits: float, taken: float, passed: float) -> str:
    """Return the right cube action; of equal actions, no double and take are preferred.

    Examples
    --------
    >>> right_of_cube("double", 0.7, 1.2, 1.0), right_of_cube("double", 1.1, 1.2, 1.0)
    ('double, pass', 'too good to double')
    >>> right_of_cube("take", 1.1, 1.2, 1.0)
    'pass'
    """
    answer = "take" if taken <= passed else "pass"
    if kind == "take":
        return answer
    if min(taken, passed) > waits:
        return f"double, {answer}"
    return "too good to double" if waits > passed else "no double"


def _of_play(
    decision: RecordedDecision, said: FileAnalysis, name_of: Callable[[Board], str]
) -> FileSays | None:
    """Return another program's analysis of the legal plays of a roll."""
    roll = decision.position.dice
    assert roll is not None  # A decision on a play has dice.
    named: dict[str, float] = {}
    chosen: str | None = None
    for text, equity in said.equities:
        try:
            board = read_play(decision.moment.board, text, roll)
        except BearoffError:
            continue
        name = name_of(board)
        named.setdefault(name, equity)
        if board == decision.moment.after:
            chosen = name
    if not named:
        return None
    best, equity = next(iter(named.items()))
    cost = None if chosen is None else max(equity - named[chosen], 0.0)
    return FileSays(said.program, said.level, best, equity, cost, tuple(named.items()))


def _normalised(chance: float, race: Race | GameState) -> float:
    """Convert a match-winning chance to an equity in EMG at the score of a race."""
    assert race.score is not None  # A match-winning chance is only given in a match.
    table, value = bearoff.match_equities(), race.cube_value
    low, high = (float(table.after(race.score, n)) for n in (-value, value))
    return 2 * (chance - low) / (high - low) - 1
