"""Which play is asked about: for money or at a score, and where the cube is."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast

from app.output import note
from app.race_text import parse_race

if TYPE_CHECKING:
    from bearoff import MatchEquities, Race, Score
    from bearoff.two_sided import Cube


@dataclass(frozen=True)
class ScoreOptions:
    """What the options say of score and cube; see `app.options`."""

    score: str | None = None
    match: int | None = None
    crawford: bool | None = None
    money: bool = False
    cube: str | None = None
    cube_value: int | None = None
    jacoby: bool | None = None


def before_the_roll(
    roller: str, opponent: str | None, options: ScoreOptions, match_equities: str | None
) -> "tuple[Race, MatchEquities]":
    """Read a race as it is asked about, and match equities that hold its score.

    A note on stderr says that dice which the race carries are left out.
    """
    race = as_asked(parse_race(roller, opponent), options)
    equities = equities_of(match_equities, race.score)
    if race.dice:
        note(
            "the cube is turned before the throw: the dice {}-{} are left out; bearoff "
            "race rates their plays".format(*race.dice)
        )
    return race, equities


def as_asked(race: "Race", options: ScoreOptions) -> "Race":
    """Return the race with score, cube and rules as the options have them.

    What no option says is as the race has it. A cube of match play shows 1 if it is
    centred, and 2 if it is owned and nothing says how much.

    Raises
    ------
    ScoreError
        If no match can be so, or the options contradict each other.
    """
    from bearoff.errors import ScoreError

    score = _score(race, options)
    named = race.cube
    if options.cube is not None:  # A race reads either spelling.
        named = replace(race, score=None, cube=cast("Cube", options.cube)).cube
    if score is None:
        if options.cube_value is not None:
            raise ScoreError(
                "for money all equities are of a cube at 1; leave --cube-value out, or say "
                "--score"
            )
        jacoby = race.jacoby if options.jacoby is None else options.jacoby
        return replace(race, score=None, cube=named, jacoby=jacoby)
    if options.jacoby:
        raise ScoreError("Jacoby's rule is one of money play; leave it out at a score")
    cube, value = named, options.cube_value
    if options.cube is None and cube == "centred" and (value or 1) > 1:
        cube = "owned"
    if value is None and cube == race.cube:
        value = race.cube_value
    elif value is None:
        value = 1 if cube == "centred" else 2
    asked = replace(race, score=score, cube=cube, cube_value=value, jacoby=False)
    if (cube == "centred") != (value == 1):
        raise ScoreError(
            f"in a match a centred cube shows 1, and an owned one more, got {cube} at "
            f"{value}"
        )
    return asked


def _score(race: "Race", options: ScoreOptions) -> "Score | None":
    """Return the score that is asked about; None for money play."""
    from bearoff import Score
    from bearoff.errors import ScoreError

    given = (options.score, options.match, options.crawford) != (None, None, None)
    if options.money:
        if given:
            raise ScoreError("--money asks for money play; leave it out at a score")
        return None
    game = {None: "", True: " Crawford", False: " post-Crawford"}[options.crawford]
    if options.score is not None:
        return Score.parse(f"{options.score}{game}", options.match)
    if options.match is not None:
        raise ScoreError(
            f"a match to {options.match} needs the points won, such as --match "
            f"{options.match} --score 0-0"
        )
    if race.score is not None and options.crawford is not None:
        kind: Literal["crawford", "post-crawford"]
        kind = "crawford" if options.crawford else "post-crawford"
        return replace(race.score, game=kind)
    if given:
        raise ScoreError(f"a{game} game is one of a match; say --score, too")
    return race.score


def equities_of(path: str | None, score: "Score | None") -> "MatchEquities":
    """Return the match equity table that is asked for, which must hold the score.

    Raises
    ------
    ScoreError
        If it does not, or nothing asks for a score.
    """
    from bearoff import match_equities, read_match_equities
    from bearoff.errors import ScoreError

    if path is None:
        table = match_equities()
    elif score is None:
        raise ScoreError("match equities are of match play; say --score, too")
    else:
        table = read_match_equities(path)
    if score is not None:
        table.chance(score)
    return table


def note_score(of: "Race | str", why: str) -> None:
    """Say of the score that a race or a text carries that it is left out, and why."""
    from bearoff import Race
    from bearoff.positions import is_two_sided

    if isinstance(of, str):
        if not is_two_sided(of):
            return
        of = Race.parse(of)
    if (race := of).score is not None:
        note(f"the score, {race.score}, is left out: {why}; bearoff race answers at it")
