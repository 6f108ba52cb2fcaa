"""Request and response bodies of reviews."""

from typing import Annotated

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, JsonValue

from bearoff.analysis.review import Accuracy, Total
from bearoff.app.serve.models import VerdictOut
from bearoff.app.serve.review.kept import Status

EXAMPLE: JsonValue = {"positions": "position,dice,played\nLwAAwC0AAAAAAA,2-1,2/off 1/off"}


class FileIn(BaseModel):
    """File to review, as text or, if it is binary, in base64."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=200)
    text: str = ""
    data: Base64Bytes | None = Field(
        None,
        description="Content of a binary file (.xg, .bgf, .gvab) in base64, instead "
        "of the text.",
    )

    @property
    def content(self) -> str | bytes:
        """Content of the file."""
        return self.text if self.data is None else self.data


class ReviewIn(BaseModel):
    """Matches and positions to judge."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    files: Annotated[list[FileIn], Field(max_length=100)] = Field(
        [],
        description="Files to review: matches as .mat, .sgf, .gva, OGXM or eXtreme "
        "Gammon's text, or in base64 as .xg or .bgf; or lists of positions in the formats "
        "of `positions`.",
    )
    positions: str = Field(
        "",
        description="List of positions: one per line, a table with the columns of `bearoff "
        "race --from`, or text copied from eXtreme Gammon or BGBlitz.",
    )
    error: float | None = Field(
        None,
        ge=0.0005,
        le=1,
        description="Standard error at which rollouts of races without an exact answer "
        "stop. By default there are no rollouts, and the fast model answers.",
    )
    deep: bool = Field(
        False,
        description="Look two rolls ahead before the races where two choices are close.",
    )
    races_only: bool = Field(
        False,
        description="Whether to exclude decisions before the races, which are only "
        "estimated.",
    )
    keep: bool = Field(
        True,
        description="Whether to store the matches in the library, on a server for this "
        "machine alone.",
    )


class EquityOut(BaseModel):
    """Equity of an alternative in the match file's own analysis."""

    name: str
    equity: float


class DecisionOut(VerdictOut):
    """Judged decision in a match or list."""

    number: int
    """Number of the decision, starting at 1, in the order of play."""
    source: str
    game: int
    line: int
    player: str
    roller: list[int]
    """Number of the roller's checkers on each point from the ace point; with contact 25
    numbers, the last one for the bar."""
    opponent: list[int]
    cube: str
    cube_value: int
    dice: list[int] | None
    score: str | None
    file_program: str
    """Program whose analysis the match file contains; empty if there is none."""
    file_level: str
    file_best: str
    file_equity: float | None
    file_cost: float | None
    file_equities: list[EquityOut]
    """Equities in the match file's own analysis; empty if there is none."""
    comment: str


class ReviewOut(BaseModel):
    """Decisions, costliest first, with totals and error messages."""

    decisions: list[DecisionOut]
    totals: list[Total]
    players: list[Total]
    """Totals of all decisions, one per file and player."""
    races: list[Total]
    """Totals of the decisions in races, one per file and player."""
    estimates: Accuracy
    problems: list[str]
    kept: list[int]
    """Numbers of the matches and lists stored in the library."""
    solving_seconds: float
    """Time limit for solving a race at a match score, in seconds."""
    skipped: int
    """Number of skipped turns, which are those before the race, if only races are judged.
    """


class GoingOut(BaseModel):
    """State of a review that runs in the background."""

    id: str
    status: Status
    error: str | None
    """Error message if the review failed; otherwise null."""
    done: int
    """Number of decisions with a final judgement."""
    decisions: int
    news: int
    """Version of the results, increased when they change."""
    known: int
    """Number of decisions with a preliminary or final judgement."""
    found: ReviewOut | None
    """Results so far: the decisions that changed since the requested version, and all
    totals; null if nothing changed."""
