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
    """Player, with the number of their decisions in the library."""

    name: str
    decisions: int


class FieldOut(BaseModel):
    """Parameter by which decisions can be searched in the library."""

    name: str
    placeholder: str
    """Placeholder for the value of the parameter; empty for a yes/no parameter."""
    words: str
    choices: list[str]
    """Allowed values of the parameter; empty if any text is allowed."""
    of_matches: bool
    """Whether the parameter can also be used in the search for matches."""


class LibraryOut(BaseModel):
    """Size of the library, its players, and the parameters of its search."""

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
    """The user's names that occur in the library; if there is none, the name of the player
    with the most decisions.
    """
    fields: list[FieldOut]


class MatchesOut(BaseModel):
    """Matches in the library, newest first."""

    matches: list[KeptMatch]


class MadeOut(DecisionOut):
    """Judged decision in the library."""

    reference: str
    """Reference such as 12.3, for the third decision of match 12."""
    day: str
    opponent_name: str
    stakes: str
    formula_cost: float | None
    """Cost of the cube action that the recommended formula gives, in EMG; null for
    plays."""


class FoundOut(BaseModel):
    """Decisions found by a search."""

    found: int
    """Total number of decisions found, including those not returned."""
    decisions: list[MadeOut]


class OpenedOut(BaseModel):
    """Match with its decisions in order, their totals, and its notes."""

    match: KeptMatch
    decisions: list[MadeOut]
    totals: list[Total]
    players: list[Total]
    """Totals of all decisions, with one total for each player in each file."""
    races: list[Total]
    """Totals of the decisions in races, with one total for each player in each file."""
    notes: list[KeptNote]


@dataclass(frozen=True)
class SavedPosition(KeptNote):
    """Saved position, from the viewpoint of the side on roll."""

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
    """Names under which the user plays."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"names": ["Ann", "ann_plays"]}]}
    )

    names: list[str] = Field(
        max_length=MOST_NAMES,
        description="Names, each a single line; an empty list deletes them.",
    )


class NamesOut(BaseModel):
    """Names stored for the user."""

    names: list[str]


class SaveIn(BaseModel):
    """Position to save, with a note and tags."""

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
        description="Position to save: a decision of the library such as 12.3, or a "
        "position in any notation.",
    )
    text: Text = ""
    tags: Tags = []


class NoteIn(BaseModel):
    """Note to add to a match or decision."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"about": "1", "text": "Final of the club championship"}]
        },
    )

    about: str = Field(
        max_length=40,
        description="Match such as 12, or decision such as 12.3, that the note is about.",
    )
    text: Text = ""
    tags: Tags = []


class _Read(BaseModel):
    """Base class of models whose fields are read from objects of `analysis.progress`."""

    model_config = ConfigDict(from_attributes=True)


class MeanOut(_Read):
    """Mean with its 95% confidence interval, clustered by match."""

    value: float
    low: float | None
    high: float | None
    """Upper end of the interval; `low` and `high` are null with fewer than two matches."""
    decisions: int
    matches: int
    probability: float
    """Two-sided p-value for the hypothesis that the true mean is 0."""


class RatingBlockOut(_Read):
    """Performance rating (PR) of a player over a block of consecutive matches."""

    since: str
    """Day of the first match in the block."""
    rating: MeanOut


class RatingOut(_Read):
    """Performance rating (PR) of a player, with its development over time."""

    of: Literal["whole matches", "races alone"]
    """Decisions that are rated: all decisions of completely judged matches, or decisions
    in races."""
    rating: MeanOut
    """PR with its confidence interval; `decisions` is the number of rated decisions."""
    course: list[RatingBlockOut]


class GroupOut(_Read):
    """Statistics of the decisions in one category."""

    by: str
    name: str
    errors: MeanOut
    """Mean cost per decision, in EMG."""
    mistakes: int


class LuckOut(_Read):
    """Totals over all finished races, either those for money or those in matches."""

    unit: str
    """Unit of the values: "points", or "chance" for match-winning chances."""
    races: int
    start: float
    """Sum of the player's equities or match-winning chances at the start of each race, when
    contact ended.
    """
    result: float
    lost: float
    their_lost: float
    luck: float
    fair: float
    """Total result that the races would have had without luck."""


class FindingOut(_Read):
    """Statistically significant pattern in the player's errors."""

    about: str
    text: str
    effect: float
    low: float
    high: float
    probability: float
    """P-value of the pattern, corrected for the number of tests."""
    matches: int


class ProgressOut(BaseModel):
    """Statistics of a player's decisions and races."""

    player: str
    ratings: list[RatingOut]
    """Ratings of whole matches and of races alone; all other statistics are of races alone.
    """
    whole: GroupOut
    groups: list[GroupOut]
    """Decisions grouped by kind, stakes, length of the race and board features."""
    course: list[GroupOut]
    """Statistics of blocks of consecutive decisions; the name of a block is its first day.
    """
    opponents: list[GroupOut]
    """Statistics of the opponents' decisions in the same matches."""
    beside_opponents: MeanOut
    formula: MeanOut
    """Mean cost per cube decision of the recommended formula, in EMG, in races without
    gammons."""
    beside_formula: MeanOut
    formula_with_gammons: MeanOut
    """Mean cost per cube decision of the recommended formula, in EMG, in races with
    gammons, which the formula ignores."""
    luck: list[LuckOut]
    findings: list[FindingOut]
    tests: int
    fewest: int
    """Minimum number of matches for a significance test."""
