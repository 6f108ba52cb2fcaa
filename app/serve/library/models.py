"""Request and response bodies of the library's API."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bearoff.analysis.review import Total
from bearoff.app.library.kept import KeptMatch, KeptNote
from bearoff.app.library.names import MOST as MOST_NAMES
from bearoff.app.serve.review.models import DecisionOut

Text = Annotated[str, Field(max_length=10_000)]
Tags = Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=20)]


class PlayerOut(BaseModel):
    """A player with decisions in the library."""

    name: str
    decisions: int


class FieldOut(BaseModel):
    """A parameter of the search for decisions."""

    name: str
    placeholder: str
    """Placeholder of the value; empty for a yes/no field."""
    words: str
    choices: list[str]
    """Allowed values; empty for free text."""
    of_matches: bool
    """Whether the search for matches accepts it too."""


class LibraryOut(BaseModel):
    """Contents of the library."""

    path: str
    bytes: int
    matches: int
    """Number of matches, sessions and lists of positions."""
    decisions: int
    players: list[PlayerOut]
    """Players, sorted by decreasing number of decisions."""
    names: list[str]
    """The user's own names, as entered."""
    mine: list[str]
    """The user's names that occur in the library; if none does, the player with the largest
    number of decisions."""
    fields: list[FieldOut]


class MatchesOut(BaseModel):
    """Matches, newest first."""

    matches: list[KeptMatch]


class MadeOut(DecisionOut):
    """A decision of the library."""

    reference: str
    """Match and position in it, such as 12.3."""
    day: str
    opponent_name: str
    stakes: str
    formula_cost: float | None
    """Loss of the recommended formula's decision; null for plays."""


class FoundOut(BaseModel):
    """Decisions found by a search."""

    found: int
    """Total number of decisions found, including those not shown."""
    decisions: list[MadeOut]


class OpenedOut(BaseModel):
    """A match with its decisions in order, their totals, and its notes."""

    match: KeptMatch
    decisions: list[MadeOut]
    totals: list[Total]
    players: list[Total]
    """Totals of all decisions, by file and player."""
    races: list[Total]
    """Totals of decisions in races, by file and player."""
    notes: list[KeptNote]


@dataclass(frozen=True)
class SavedPosition(KeptNote):
    """A saved position, from the side on roll."""

    roller: list[int]
    opponent: list[int]
    cube: str
    cube_value: int
    dice: tuple[int, int] | None
    score: str | None


class SavedOut(BaseModel):
    """Saved positions, newest first."""

    saved: list[SavedPosition]


class NamesIn(BaseModel):
    """The user's names."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"names": ["Ann", "ann_plays"]}]}
    )

    names: list[str] = Field(
        max_length=MOST_NAMES,
        description="Names, each a single line; an empty list deletes them.",
    )


class NamesOut(BaseModel):
    """The stored names."""

    names: list[str]


class SaveIn(BaseModel):
    """A position to save."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"position": "LwAAwC0AAAAAAA", "text": "three rolls", "tags": ["short"]}
            ]
        },
    )

    position: str = Field(
        max_length=2000,
        description="A decision such as 12.3, or a position in any notation.",
    )
    text: Text = ""
    tags: Tags = []


class NoteIn(BaseModel):
    """A note to add."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"about": "1", "text": "The final of the club"}]},
    )

    about: str = Field(
        max_length=40, description="A match such as 12, or a decision such as 12.3."
    )
    text: Text = ""
    tags: Tags = []


class _Read(BaseModel):
    """Base class of models that are read from objects of `analysis.progress`."""

    model_config = ConfigDict(from_attributes=True)


class MeanOut(_Read):
    """A mean with its 95% interval, clustered by match."""

    value: float
    low: float | None
    high: float | None
    """Both are null with fewer than two matches."""
    decisions: int
    matches: int
    probability: float
    """Probability of a mean at least as far from 0 by chance, if the true mean is 0."""


class RatingBlockOut(_Read):
    """Rating in a block of successive matches."""

    since: str
    """Day of the first match."""
    rating: MeanOut


class RatingOut(_Read):
    """Performance rating (PR) of a player, and its course."""

    of: Literal["whole matches", "races alone"]
    """Whole matches are those judged before the race as well."""
    rating: MeanOut
    """PR with its interval; `decisions` counts those that count for the rating."""
    course: list[RatingBlockOut]


class GroupOut(_Read):
    """Decisions of one category."""

    by: str
    name: str
    errors: MeanOut
    """Mean error per decision, in EMG."""
    mistakes: int


class LuckOut(_Read):
    """Totals of races that were played to the end, in one unit."""

    unit: str
    """"points", or "chance": sums of match-winning chances."""
    races: int
    start: float
    """Value when contact ended."""
    result: float
    lost: float
    their_lost: float
    luck: float
    fair: float
    """The result without luck."""


class FindingOut(_Read):
    """A difference in errors that chance does not explain."""

    about: str
    text: str
    effect: float
    low: float
    high: float
    probability: float
    """Probability of such an effect by chance, corrected for the number of tests."""
    matches: int


class ProgressOut(BaseModel):
    """Totals of a player's decisions and races."""

    player: str
    ratings: list[RatingOut]
    """Of whole matches and of races alone; everything below is of races."""
    whole: GroupOut
    groups: list[GroupOut]
    """Decisions by kind, stakes, length and features."""
    course: list[GroupOut]
    """Decisions in consecutive blocks, named by their first day."""
    opponents: list[GroupOut]
    """The opponents' decisions in the same matches."""
    beside_opponents: MeanOut
    formula: MeanOut
    """Mean loss per cube decision of the recommended formula, in races without gammons."""
    beside_formula: MeanOut
    formula_with_gammons: MeanOut
    """Mean loss of the formula, which ignores gammons, in races with gammons."""
    luck: list[LuckOut]
    findings: list[FindingOut]
    tests: int
    fewest: int
    """Minimum number of matches for a test."""
