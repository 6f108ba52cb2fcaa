"""Parser and writer of the OGID, OpenGammon's position ID: fields separated by colons.

The first two fields list the checkers of White and of Black, with one character per
checker: ``0`` to ``9`` and ``a`` to ``p`` for the points 0 to 25. White moves up from the
bar at 0, and Black moves down from the bar at 25. The next fields are the cube (owner
``W``, ``B`` or ``N``, exponent, cube action), the dice, the player who acted last, the
state of the game, both scores, and the match length with ``C`` in the Crawford game. The
last two numbers do not affect the position. Only the first three fields are required.

After a play (state ``C``), with dice rolled (``R``) and after a take (``A``), the player
who did not act last is on roll. There are two exceptions. After an offered double (``D``),
the doubler is on roll in the setup, and the cube is as before the double. Before the
opening roll (``IW``, or no state), White is on roll.
"""

import re

from bearoff.errors import PositionError
from bearoff.positions.setup import (
    Board,
    Setup,
    dice_from,
    match_score,
    written_score,
)
from bearoff.stakes import CubeOwner

_DIGITS = "0123456789abcdefghijklmnop"

PATTERN = r"[0-9a-p]{0,30}:[0-9a-p]{0,30}:[WBN?D][0-9][A-Za-z]?(?::[A-Za-z0-9]{0,9}){0,9}"
"""Regular expression that matches every valid OGID, and also some invalid ones."""

_REST = re.compile(
    r"(?P<dice>|[1-6]{2}|00)(:(?P<acted>|[WB])(:(?P<state>[A-Za-z]*)(:(?P<white>\d{0,3})"
    r"(:(?P<black>\d{0,3})(:(?P<length>\d{0,3})(?P<kind>[A-Z]?)\d*(:.*)?)?)?)?)?)?"
)

_OPENING, _OFFERED = "IW", "D"
_PLAYED, _ROLLED = "C", "R"
_OVER = ("G", "M", "P", "F", "RG", "RM", "FF")
"""Values of the state field in an OGID whose game or match is over: won, passed, finished,
resigned or forfeited."""


def parse_ogid(text: str) -> Setup:
    """Parse an OGID, which may begin with ``OGID=``.

    Raises `PositionError` if the text is not an OGID or the game is over, and `ScoreError`
    if the score is impossible.

    Examples
    --------
    >>> found = parse_ogid("ooo:111:W1N:63:B:R:3:5:7")
    >>> found.roller[:3], found.cube, found.cube_value, found.dice, found.score.away
    ((3, 0, 0), 'owned', 2, (6, 3), (4, 2))
    """
    bare = re.sub(r"^OGID\s*[=:]\s*", "", text, flags=re.IGNORECASE)
    if not re.fullmatch(PATTERN, bare):
        raise PositionError(
            "an OGID must have White's checkers, Black's checkers and the cube, separated "
            f"by colons, got {text[:100]!r}"
        )
    white, black, cube, *others = bare.split(":")
    rest = _REST.fullmatch(":".join(others))
    if rest is None:
        raise PositionError(f"cannot read the dice, turn or score of the OGID {text!r}")
    dice = dice_from(rest["dice"])
    turn = _turn(rest["acted"], rest["state"], thrown=dice is not None, text=text)
    sides = _board(white, text, upwards=True), _board(black, text, upwards=False)
    owner = {"W": 1, "B": -1}.get(cube[0], 0)
    won = int(rest["white"] or 0), int(rest["black"] or 0)
    length = int(rest["length"] or 0)
    # Some programs write "C" in every game of a match with the Crawford rule, so a game
    # with "C" is the Crawford game only if the score allows it.
    crawford = rest["kind"] == "C" and length > 1 and max(won) == length - 1
    return Setup(
        *sides[::turn],
        cube=CubeOwner(owner * turn).cube,
        cube_value=1 << int(cube[1]),
        score=match_score(
            length,
            won if turn == 1 else (won[1], won[0]),
            crawford=crawford,
            text=text,
        ),
        dice=dice,
    )


def _turn(acted: str | None, state: str | None, *, thrown: bool, text: str) -> int:
    """Return the player who must make the next decision: 1 for White, -1 for Black."""
    if state in _OVER:
        raise PositionError(
            f"the game in the OGID {text!r} is over, according to its state {state!r}; use "
            "a position with a decision"
        )
    if not acted or (not thrown and state in (None, _OPENING)):
        return 1
    white_acted = acted == "W"
    return 1 if white_acted == (state == _OFFERED) else -1


def format_ogid(setup: Setup) -> str:
    """Return the OGID of a race, with the roller as White.

    Examples
    --------
    >>> format_ogid(parse_ogid("111:ooo:N0N:63:W:R"))
    '111:ooo:N0N:63:B:R:0:0:0'
    """
    length, mine, theirs = written_score(setup.score)
    crawford = setup.score is not None and setup.score.game == "crawford"
    owner = {1: "W", -1: "B", 0: "N"}[CubeOwner.of(setup.cube)]
    dice = "".join(map(str, setup.dice or ()))
    return ":".join(
        (
            _letters(setup.roller, upwards=True),
            _letters(setup.opponent, upwards=False),
            f"{owner}{setup.cube_value.bit_length() - 1}N",
            dice,
            "B",  # Black acted last.
            _ROLLED if dice else _PLAYED,
            str(mine),
            str(theirs),
            f"{length}{'C' if crawford else ''}",
        )
    )


def _board(letters: str, text: str, *, upwards: bool) -> Board:
    counts = [0] * 25
    for letter in letters:
        number = _DIGITS.index(letter)
        point = 25 - number if upwards else number
        if point == 0:
            raise PositionError(
                f"the OGID {text!r} is invalid: {letter!r} would put a checker on the "
                "other side's bar"
            )
        counts[point - 1] += 1
    if len(letters) > 15:
        raise PositionError(
            f"a side may have at most 15 checkers, got {len(letters)} in {text!r}"
        )
    return tuple(counts)


def _letters(board: Board, *, upwards: bool) -> str:
    counts = board[::-1] if upwards else board
    first = 0 if upwards else 1
    return "".join([digit * n for digit, n in zip(_DIGITS[first:], counts, strict=False)])
