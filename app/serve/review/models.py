"""Bodies of requests and answers of reviews."""

from typing import Annotated

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, JsonValue

from bearoff.analysis.review import Accuracy, Total
from bearoff.app.serve.models import VerdictOut
from bearoff.app.serve.review.kept import Status

EXAMPLE: JsonValue = {"positions": "position,dice,played\nLwAAwC0AAAAAAA,2-1,2/off 1/off"}


class FileIn(BaseModel):
    """A file, as text or, if it is none, in base64."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=200)
    text: str = ""
    data: Base64Bytes | None = Field(
        None, description="In place of the text, in base64: .xg, .bgf, .gvab."
    )

    @property
    def content(self) -> str | bytes:
        """What the file holds."""
        return self.text if self.data is None else self.data


class ReviewIn(BaseModel):
    """What is to be judged."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    files: Annotated[list[FileIn], Field(max_length=100)] = Field(
        [],
        description="Matches: .mat, .sgf, .gva, eXtreme Gammon's text, in base64 its .xg, "
        "BGBlitz's .bgf and OGXM; or lists of positions, as below.",
    )
    positions: str = Field(
        "",
        description="A position a line, a heading and rows as of bearoff race --from, or "
        "text that eXtreme Gammon or BGBlitz copied.",
    )
    error: float | None = Field(
        None,
        ge=0.0005,
        le=1,
        description="Standard error of rollouts where nothing exact holds a race; by "
        "default none are played, and the fast model answers.",
    )
    races_only: bool = Field(
        False,
        description="Leave out what comes before the races, which is estimated.",
    )
    keep: bool = Field(
        True,
        description="Keep it in the player's library, on a server for this machine alone.",
    )


class EquityOut(BaseModel):
    """What the file's analysis says of a choice."""

    name: str
    equity: float


class DecisionOut(VerdictOut):
    """A decision of a match or a list, judged."""

    number: int
    """In the order in which they were made, from 1."""
    source: str
    game: int
    line: int
    player: str
    roller: list[int]
    """Checkers on the points from the ace; with contact 25, the last on the bar."""
    opponent: list[int]
    cube: str
    cube_value: int
    dice: list[int] | None
    score: str | None
    file_program: str
    """Whose analysis the file has of it; empty if none."""
    file_level: str
    file_best: str
    file_equity: float | None
    file_cost: float | None
    file_equities: list[EquityOut]
    """By the file's analysis; empty if it has none."""
    comment: str


class ReviewOut(BaseModel):
    """Decisions, the costliest first, sums, and what could not be judged."""

    decisions: list[DecisionOut]
    totals: list[Total]
    players: list[Total]
    """By file and player, of all decisions."""
    races: list[Total]
    """By file and player, of races alone."""
    estimates: Accuracy
    problems: list[str]
    kept: list[int]
    """Numbers of the matches and lists in the library, if they are kept."""
    patience: float
    """Seconds that solving a race at a score may take, wherever a match is reviewed."""
    skipped: int
    """Turns of matches before the race, if races alone are judged."""


class GoingOut(BaseModel):
    """A review that was begun."""

    id: str
    status: Status
    error: str | None
    """Why it failed, a sentence."""
    done: int
    """Decisions judged for good."""
    decisions: int
    news: int
    """Grows whenever more is known."""
    known: int
    """Decisions of which something is known, numbered from 1 on."""
    found: ReviewOut | None
    """What is known so far, at first by the fast model: the decisions that are newer than
    the last look, and all sums; null if there is nothing new."""
