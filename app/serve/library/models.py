"""Bodies of requests and answers of the library, for the description of the interface."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from bearoff.analysis.review import Total
from bearoff.app.library.kept import KeptMatch, KeptNote
from bearoff.app.library.names import MOST as MOST_NAMES
from bearoff.app.serve.review.models import DecisionOut

Text = Annotated[str, Field(max_length=10_000)]
Tags = Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=20)]


class PlayerOut(BaseModel):
    """Somebody who decided in a match of the library."""

    name: str
    decisions: int


class FieldOut(BaseModel):
    """Something that decisions are searched for by, a parameter of the search."""

    name: str
    placeholder: str
    """Placeholder of the value; empty for a yes/no field."""
    words: str
    choices: list[str]
    """All there are; empty of what is typed."""
    of_matches: bool
    """Whether matches are searched for by it, too."""


class LibraryOut(BaseModel):
    """What the library holds."""

    path: str
    bytes: int
    matches: int
    """Matches, sessions and lists of positions."""
    decisions: int
    players: list[PlayerOut]
    """Who decided most often first."""
    names: list[str]
    """Your own, as they were told."""
    mine: list[str]
    """Those of them that the library knows; if none, who decided most often."""
    fields: list[FieldOut]


class MatchesOut(BaseModel):
    """Matches, the newest first."""

    matches: list[KeptMatch]


class MadeOut(DecisionOut):
    """A decision of the library."""

    reference: str
    """Match and place, such as 12.3."""
    day: str
    opponent_name: str
    stakes: str
    formula_cost: float | None
    """What the recommended formula's decision would have lost; null of plays."""


class FoundOut(BaseModel):
    """Decisions that were searched for."""

    found: int
    """How many there are, shown or not."""
    decisions: list[MadeOut]


class OpenedOut(BaseModel):
    """A match with its decisions, in order, their sums, and its notes."""

    match: KeptMatch
    decisions: list[MadeOut]
    totals: list[Total]
    notes: list[KeptNote]


@dataclass(frozen=True)
class SavedPosition(KeptNote):
    """A saved position, seen by the side on roll."""

    roller: list[int]
    opponent: list[int]
    cube: str
    cube_value: int
    dice: tuple[int, int] | None
    score: str | None


class SavedOut(BaseModel):
    """Saved positions, the newest first."""

    saved: list[SavedPosition]


class NamesIn(BaseModel):
    """The names under which you play."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"names": ["Ann", "ann_plays"]}]}
    )

    names: list[str] = Field(
        max_length=MOST_NAMES, description="One line each; empty for none."
    )


class NamesOut(BaseModel):
    """The names that are kept."""

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
        max_length=2000, description="A decision such as 12.3, or in any notation."
    )
    text: Text = ""
    tags: Tags = []


class NoteIn(BaseModel):
    """Something to note."""

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
    """What is read from an object of `analysis.progress`, which is slow to import."""

    model_config = ConfigDict(from_attributes=True)


class MeanOut(_Read):
    """A mean with its 95% interval, which knows that decisions of a match are akin."""

    value: float
    low: float | None
    high: float | None
    """Both null of fewer than two matches."""
    decisions: int
    matches: int
    probability: float
    """Of as much by chance if the true mean is 0."""


class GroupOut(_Read):
    """Decisions that have something in common."""

    by: str
    name: str
    errors: MeanOut
    """EMG a decision."""
    mistakes: int


class LuckOut(_Read):
    """Races of one unit that were played to the end, summed."""

    unit: str
    """points, or chance to win the match."""
    races: int
    start: float
    """What they were worth when contact ended."""
    result: float
    lost: float
    their_lost: float
    luck: float
    fair: float
    """The result with luck taken out."""


class FindingOut(_Read):
    """What leads astray beyond chance."""

    about: str
    text: str
    effect: float
    low: float
    high: float
    probability: float
    """Of so much by chance, corrected for all tests."""
    matches: int


class ProgressOut(BaseModel):
    """A player's decisions and races, summed."""

    player: str
    whole: GroupOut
    groups: list[GroupOut]
    """By kind, stakes, length and features."""
    course: list[GroupOut]
    """Blocks of decisions one after the other, by the days they began."""
    opponents: list[GroupOut]
    """Their decisions in the same matches."""
    beside_opponents: MeanOut
    formula: MeanOut
    """What the recommended formula would have lost a cube decision."""
    beside_formula: MeanOut
    luck: list[LuckOut]
    findings: list[FindingOut]
    tests: int
    fewest: int
    """Matches that a test needs."""
