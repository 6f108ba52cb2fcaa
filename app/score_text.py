"""Command-line options for the stakes: money or match score, cube owner and cube value."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from bearoff.app.output import note

if TYPE_CHECKING:
    from bearoff import MatchEquities, Race, Score


@dataclass(frozen=True)
class ScoreOptions:
    """Match score and cube, as given by command-line options."""

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
    """Parse a race before the roll; return it and the match equity table for its score.

    If the race has dice, a note on stderr says that the answer ignores them.
    """
    from bearoff.answers import read_question

    sides = {"roller": roller, "opponent": opponent}
    race = read_question(sides | asdict(options)).race
    equities = equities_of(match_equities, race.score)
    if race.dice:
        note(
            "a cube decision comes before the roll, so the dice {}-{} are ignored; "
            "use bearoff race to rate the plays".format(*race.dice)
        )
    return race, equities


def equities_of(path: str | None, score: "Score | None") -> "MatchEquities":
    """Return the requested match equity table, which must include the match score."""
    from bearoff import match_equities, read_match_equities
    from bearoff.errors import ScoreError

    if path is None:
        table = match_equities()
    elif score is None:
        raise ScoreError("a match equity table is used only in match play; add --score")
    else:
        table = read_match_equities(path)
    if score is not None:
        table.chance(score)
    return table


def note_score(of: "Race | str", why: str) -> None:
    """Print a note on stderr that a match score is ignored, and why."""
    from bearoff import Race
    from bearoff.positions import is_two_sided

    if isinstance(of, str):
        if not is_two_sided(of):
            return
        of = Race.parse(of)
    if (race := of).score is not None:
        note(
            f"the score, {race.score}, is ignored: {why}; bearoff race takes it into "
            "account"
        )
