"""Question about a race, and the functions that read questions from named inputs.

An input has the same name and is read by the same rules as a command option, a column of a
file, a JSON key or a line of a list. If an input is not given, its value is taken from the
position.

==============  ======================================================================
position        both sides in one text; or one side each as ``roller`` and ``opponent``
dice            roll to be played
cube            owner of the cube: ``centred``, ``owned`` (by the roller) or ``opponent``
cube_value      value of the cube
score           points that the roller and the opponent need to win the match; with
                ``match``, points that they have won
match           length of the match in points
crawford        if a side is 1-away: true in the Crawford game, false after it
money           true for money play, even if the position has a score
jacoby          whether the Jacoby rule applies, for money play
played          play of the dice that is to be judged
decided         cube decision that is to be judged
==============  ======================================================================

If no cube value is given, a cube that is moved to the centre has the value 1, and an owned
cube in a match has at least the value 2. In a match, the roller owns a cube with a value
above 1 if no owner is given. For money, the cube may have any power of two, because
equities are in points at a cube value of 1.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from bearoff.checks import did_you_mean
from bearoff.errors import BearoffError, PositionError, ScoreError
from bearoff.plays import Play
from bearoff.positions import Position, Race, Setup, read_race, read_setup
from bearoff.rolls import parse_roll
from bearoff.scores import Game, Score
from bearoff.stakes import CUBES, cube_named

PARTS = (
    "position",
    "roller",
    "opponent",
    "dice",
    "cube",
    "cube_value",
    "score",
    "match",
    "crawford",
    "money",
    "jacoby",
    "played",
    "decided",
)
"""Names of the inputs that `read_question` accepts, such as ``position``, ``dice`` or
``cube``."""

_POSITION = {"position", "roller", "opponent"}
"""Names of the inputs that describe the position. Most files and requests have only these
inputs."""

_LONGEST = 200
"""Maximum number of characters of every input except the position."""

_DIGITS = 9
"""Maximum number of digits of an integer input."""

_JOINED = ("roller", "opponent", "dice", "score")
"""Names of the inputs that may be given as lists of integers: checkers on each point, two
dice, or two numbers of points away."""

_YES, _NO = ("true", "yes", "1"), ("false", "no", "0")

DECISIONS = {
    "no double": r"no (re)?double|roll|wait|nd",
    "double": r"(re)?double|d",
    "take": r"take|t|accept",
    "pass": r"pass|p|drop|fold|reject",
    "beaver": r"beaver|b",
}
"""Names of the cube decisions, each with a regular expression for its accepted spellings.
"""

_Asked = TypeVar("_Asked", Race, Setup)

_NO_DICE = "a play requires its dice, got none"


@dataclass(frozen=True)
class Question:
    """Race, together with a play or a cube decision to be judged, if any.

    Attributes
    ----------
    race : Race
        Race from the viewpoint of the side on roll. For a take or a pass, from the
        viewpoint of the side that doubled.
    played : str, Play, Position or None
        Play of the roll, or the position after the play; None if no play is to be judged.
    decided : str or None
        Cube decision such as ``double``, ``no double``, ``take`` or ``pass``, in any
        accepted spelling. None if no cube decision is to be judged.

    Raises
    ------
    BearoffError
        If the cube decision is unknown, or a play is given without dice.

    Examples
    --------
    >>> Question(Race.parse("LwAAwC0AAAAAAA"), decided="drop").decided
    'pass'
    """

    race: Race
    played: str | Play | Position | None = None
    decided: str | None = None

    def __post_init__(self) -> None:
        if self.decided is not None:
            object.__setattr__(self, "decided", decision_named(self.decided))
        if self.played is not None and self.race.dice is None:
            raise BearoffError(_NO_DICE)

    def after(self) -> Position | None:
        """Return the position after the play; None if there is no play.

        Raises
        ------
        PositionError, RollError
            If the play cannot be parsed, or is not legal with the dice.

        Examples
        --------
        >>> race = Race.parse("XGID=--A---------------------b-:0:0:1:21:0:0:0:0:10")
        >>> str(Question(race, "2/1 1/off").after())
        '0,0,0,0,0,0'
        """
        race = self.race
        if self.played is None or race.dice is None:
            return None
        if isinstance(self.played, str):
            return Play.parse(self.played, race.roller, race.dice).after
        after = self.played.after if isinstance(self.played, Play) else self.played
        points = max(race.roller.points, after.highest)
        counts = (after.counts + (0,) * points)[:points]
        return Play.between(race.roller, race.dice, counts).after


def decision_named(text: str) -> str:
    """Return the standard name of a cube decision, which is a key of `DECISIONS`.

    Examples
    --------
    >>> decision_named("Redouble"), decision_named("drop"), decision_named("No-Double")
    ('double', 'pass', 'no double')
    """
    said = re.sub(r"[\s_-]+", " ", str(text)).strip().lower()
    for decision, pattern in DECISIONS.items():
        if re.fullmatch(pattern, said):
            return decision
    raise BearoffError(
        "a cube decision must be double, no double, take, pass or beaver, got "
        f"{text!r}{did_you_mean(said, DECISIONS)}"
    )


def read_question(parts: Mapping[str, Any]) -> Question:
    """Read a question about a race from named inputs.

    Parameters
    ----------
    parts : mapping of str
        Values by name, as listed in the module's docstring: strings, numbers, booleans, or
        lists of numbers for sides, dice and score. An input that is None, empty or missing
        keeps its value from the position. Other keys are ignored.

    Raises
    ------
    BearoffError
        If an input cannot be parsed, inputs contradict each other, or the position is not a
        race. If the sides have contact, the error is a `ContactError`; `read_asked` also
        reads such positions.

    Examples
    --------
    >>> asked = {"roller": "0,2,2,0,0,0", "opponent": [0, 2, 2, 0, 0, 0]}
    >>> found = read_question(asked | {"score": "3-5", "cube": "owned", "dice": [6, 1]})
    >>> found.race.cube_value, found.race.score.away, found.race.dice
    (2, (3, 5), (6, 1))
    """
    said = _said(parts)
    race = read_race(*_sides(said))
    if not said.keys() <= _POSITION:
        race = _as_said(race, said)
    return Question(race, said.get("played"), said.get("decided"))


def read_asked(parts: Mapping[str, Any]) -> tuple[Setup, str | None, str | None]:
    """Read a question about any position, with or without contact, from named inputs.

    Parameters
    ----------
    parts : mapping of str
        Inputs by name, as in `read_question`.

    Returns
    -------
    setup : Setup
        Position with its cube, score and dice.
    played, decided : str or None
        Play and cube decision to be judged. The decision is a key of `DECISIONS`.

    Raises
    ------
    BearoffError
        If an input cannot be parsed, or inputs contradict each other.

    Examples
    --------
    >>> setup, _, decided = read_asked({"position": "4HPwATDgc/ABMA", "decided": "drop"})
    >>> setup.roller[23], setup.cube, decided
    (2, 'centred', 'pass')
    """
    said = _said(parts)
    setup = _as_said(read_setup(*_sides(said)), said)
    decided = said.get("decided")
    if said.get("played") is not None and setup.dice is None:
        raise BearoffError(_NO_DICE)
    return setup, said.get("played"), decided and decision_named(decided)


def _said(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the non-empty inputs by name, converted to their types."""
    said: dict[str, Any] = {}
    for name in PARTS:
        value = parts.get(name)
        if value is not None and (value := _part(name, value)) != "":
            said[name] = value
    return said


def _part(name: str, value: Any) -> Any:
    """Convert an input to the type that belongs to its name: text, integer or boolean."""
    if type(value) is str:
        value = value.strip()
        if not value:
            return value
    read = _READ.get(name, _text)(name, value)
    # A drawn board may be longer than `_LONGEST`, so the limit does not apply to positions.
    if isinstance(read, str) and len(read) > _LONGEST and name not in _POSITION:
        raise BearoffError(
            f"{name} may have at most {_LONGEST} characters, got {len(read):,}"
        )
    return read


def _text(name: str, value: Any) -> str:
    if type(value) is str:
        return value
    if name in _JOINED and isinstance(value, list | tuple):
        if all(type(one) is int for one in value):
            return _joined(name, value)
        raise PositionError(f"{name} must be text or whole numbers, got {value!r:.100}")
    if type(value) is int:  # A position may be given by its number.
        return str(value)
    raise PositionError(f"{name} must be text or a whole number, got {value!r:.100}")


def _joined(name: str, numbers: Sequence[int]) -> str:
    """Convert a list of integers to the text form of the input with the given name."""
    if name in _POSITION:
        # A zero is added to a list with a single checker count, because a text with one
        # number would be read as a position number.
        return ",".join(map(str, [*numbers, 0] if len(numbers) == 1 else numbers))
    if len(numbers) != 2:
        raise BearoffError(
            f"{name} must be a list of two numbers, got {list(numbers)!r:.100}"
        )
    return "-".join(map(str, numbers))


def _whole(name: str, value: Any) -> int:
    text = isinstance(value, str) and re.fullmatch("[0-9]+", value)
    if not text and type(value) is not int:
        raise BearoffError(f"{name} must be a whole number, got {value!r:.100}")
    if len(value) > _DIGITS if text else abs(value) >= 10**_DIGITS:
        raise BearoffError(f"{name} may have at most {_DIGITS} digits, got more")
    return int(value)


def _truth(name: str, value: Any) -> bool:
    text = str(value).lower()
    if text not in _YES and text not in _NO:
        raise BearoffError(f"{name} must be yes or no, got {value!r:.100}")
    return text in _YES


_READ: Mapping[str, Callable[[str, Any], int | bool]] = {
    "cube_value": _whole,
    "match": _whole,
    "crawford": _truth,
    "money": _truth,
    "jacoby": _truth,
}
"""Parsers of the inputs that are integers or booleans, by the name of the input."""


def _sides(said: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the checkers as stated: one text for both players, or a text for each."""
    position, roller = said.get("position"), said.get("roller")
    if position and roller:
        raise PositionError(
            "a race must be given either as the position of both sides or as roller and "
            "opponent, got both"
        )
    if not position and not roller:
        raise PositionError(
            "a position is required, such as an XGID, or roller and opponent"
        )
    return position or roller or "", said.get("opponent")


def _as_said(race: _Asked, said: Mapping[str, Any]) -> _Asked:
    """Return a race whose dice, cube, score and rules are replaced by the given inputs."""
    changes: dict[str, Any] = {}
    if "dice" in said:
        changes["dice"] = parse_roll(said["dice"])
    score = _score(race, said)
    if score is not None and said.get("jacoby"):
        raise ScoreError("the Jacoby rule applies only to money play, not to matches")
    cube = said.get("cube", race.cube)
    if cube not in CUBES:
        cube = cube_named(cube)
    value = said.get("cube_value")
    if value is None:
        value = race.cube_value
        if cube == "centred" and race.cube != "centred":
            value = 1
        elif cube != "centred" and score is not None:
            value = max(value, 2)
    elif score is not None and value > 1 and "cube" not in said and cube == "centred":
        cube = "owned"
    changes |= {"cube": cube, "cube_value": value, "score": score}
    changes["jacoby"] = score is None and said.get("jacoby", race.jacoby)
    changes["beavers"] = score is None and race.beavers
    return replace(race, **changes)


def _score(race: Race | Setup, said: Mapping[str, Any]) -> Score | None:
    """Return the match score of a question; None for money play."""
    given = [name for name in ("score", "match", "crawford") if name in said]
    if said.get("money"):
        if given:
            raise ScoreError(
                f"money play was requested, but {' and '.join(given)} means match play; "
                "omit one of them"
            )
        return None
    length, crawford = said.get("match"), said.get("crawford")
    if "score" in said:
        return Score.parse(said["score"], length, crawford)
    if length is not None:
        raise ScoreError(
            f"a match to {length} requires a score: the points that each side has won"
        )
    if crawford is None:
        return race.score
    game: Game = "crawford" if crawford else "post-crawford"
    if race.score is None:
        raise ScoreError(f"a {game} game requires the score of a match, got none")
    return replace(race.score, game=game)
