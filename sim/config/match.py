"""Match score in a batch configuration, at which all its games are played."""

from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from bearoff import POINTS, MatchEquities, Score, ScoreError, read_match_equities
from bearoff.scores import known_equities
from bearoff.sim.config.cube import CubeConfig
from bearoff.sim.config.rollout import RolloutConfig
from bearoff.sim.config.values import Strict, path_from, refusal, whole
from bearoff.stakes import Match, Money, Terms

LONGEST = 64
"""Maximum match length in points."""


def _as_text(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 2 and all(type(v) is int for v in value):
        return f"{value[0]}-{value[1]}"
    return value


def _as_content(value: Any) -> Any:
    """Return the contents of the match equity file if the value is a path."""
    if not isinstance(value, str) or "\n" in value:
        return value
    path = path_from(value)
    try:
        read_match_equities(path)
    except ScoreError as error:
        raise refusal(str(error).replace(str(path), value)) from error
    return path.read_text("utf-8-sig")


@lru_cache(maxsize=4)
def _equities(text: str) -> MatchEquities:
    return MatchEquities.parse(text)


class MatchConfig(Strict):
    """Match score before the game, and match equity table."""

    score: Annotated[str, BeforeValidator(_as_text)] = Field(
        min_length=1,
        max_length=64,
        description="Points that the roller and the opponent need to win the match, such "
        "as 3-5; if length is given, points that they have won.",
    )
    length: Annotated[int, Field(ge=1, le=LONGEST), BeforeValidator(whole)] | None = Field(
        default=None, description="Match length in points."
    )
    crawford: bool | None = Field(
        default=None,
        description="Whether this is the Crawford game, if a side is 1 point away.",
    )
    equities: Annotated[str, BeforeValidator(_as_content)] | None = Field(
        default=None,
        min_length=1,
        max_length=1 << 20,
        description="Match equity table: its text, or the path of a CSV or GNU Backgammon "
        "XML file relative to the configuration's folder; by default Kazaross-XG2. The "
        "run stores the text.",
    )

    @property
    def table(self) -> MatchEquities | None:
        """Match equity table of the configuration; None for the default table."""
        return None if self.equities is None else _equities(self.equities)

    @model_validator(mode="after")
    def _is_a_score(self) -> Self:
        try:
            self.before()
        except ScoreError as error:
            sentence = str(error)
            if "no game is normal" in sentence:
                sentence = sentence.partition(";")[0]
                sentence += (
                    "; write 'crawford: true' for the Crawford game, or 'crawford: false' "
                    "for a later game"
                )
            raise refusal(sentence) from error
        try:
            _ = self.table
        except ScoreError as error:
            raise refusal(str(error)) from error
        return self

    def before(self) -> Score:
        return Score.parse(self.score, self.length, self.crawford)


def terms_of(match: MatchConfig | None, cube_value: int, *, jacoby: bool) -> Terms:
    """Return the stakes of a batch (money or a match score), and the initial cube value.

    For money play, equities refer to a cube value of 1, even if the initial value is
    higher.
    """
    if match is None:
        return Terms(Money(jacoby))
    return Terms(Match(match.before(), known_equities(match.table)), cube_value)


def check_games(
    match: MatchConfig | None, cube: CubeConfig | None, rollout: RolloutConfig | None
) -> None:
    """Raise an error if other settings are impossible at the score or in money play."""
    if match is None:
        if rollout is not None and rollout.cube_value > 1:
            raise refusal(
                "equities in money play are always given for a cube value of 1; remove "
                "rollout.cube_value"
            )
        return
    asked = cube or rollout
    if asked is None:
        raise refusal(
            "a match score requires games with the cube; add the key cube or rollout"
        )
    if asked.jacoby:
        raise refusal(
            "the Jacoby rule applies only to money play; remove the key jacoby or match"
        )
    turned = cube is not None and (cube.value > 1 or cube.position != "centred")
    turned |= rollout is not None and rollout.cube_value > 1
    if turned and not match.before().has_cube:
        raise refusal(
            "in the Crawford game the cube must be centred at 1; remove cube values and "
            "owners"
        )
    if rollout is not None and rollout.table_points != POINTS:
        raise refusal(
            f"tables at a match score always have {POINTS} points; remove "
            "rollout.table_points"
        )
