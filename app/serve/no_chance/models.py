"""Bodies of requests and answers of play without dice."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bearoff.app.serve.no_chance.thinking import DEFAULT
from bearoff.app.serve.play.models import Counts

Number = Annotated[int, Field(ge=1, le=7)]


class NoChanceIn(BaseModel):
    """A game to begin."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"numbers": 6, "first": "you"}]}
    )

    numbers: int = Field(6, ge=4, le=7, description="That there are to name.")
    doubles: int = Field(2, ge=0, le=2, description="That each side may name.")
    first: Literal["you", "opponent"] = Field(
        "you", description="Who names first, and has the first turn."
    )
    opponent: str = Field(DEFAULT, max_length=40)


class NamedIn(BaseModel):
    """What you do: name your first number, name one and play, or take back."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"do": "name", "number": 6}]}
    )

    do: Literal["name", "play", "undo"]
    number: Number | None = Field(None, description="That you name.")
    play: Counts | str | None = Field(
        None,
        union_mode="left_to_right",
        description="Of the pair: as players write it, or the board after it.",
    )
    version: int | None = Field(
        None, ge=0, description="Of the game you have seen; refused if it has gone on."
    )


class NoChanceOpponentOut(BaseModel):
    """Somebody to play against."""

    name: str
    title: str
    text: str
    seconds: float
    """That a turn may take."""


class NoChanceSummaryOut(BaseModel):
    """A line of the list of games."""

    key: str
    begun: str
    opponent_title: str
    numbers: int
    turns: int
    over: bool


class NoChanceLobbyOut(BaseModel):
    """Opponents, and the games that are kept."""

    opponents: list[NoChanceOpponentOut]
    games: list[NoChanceSummaryOut]
    damaged: list[str]


class NameableOut(BaseModel):
    """A number that may be named."""

    number: int
    double: bool
    """Whether it is the opponent's."""
    silent: bool
    """Whether no checker can move with it."""
    legal: list[tuple[int, ...]]
    """Boards that the pair can lead to."""


class TurnOut(BaseModel):
    """What was done in a turn."""

    player: int
    kind: Literal["name", "play"]
    """First numbers are named, and nobody moves."""
    number: int
    met: int | None
    dice: tuple[int, int] | None
    """The pair that was played, the higher first."""
    double: bool
    silent: bool
    """Whether no checker moved."""
    text: str
    moves: tuple[tuple[int, int, bool], ...]
    """From a point or 25, the bar, to one or 0, off, as the mover counts; if it hits."""
    board: tuple[int, ...]
    """Before it."""


class NoChanceOut(BaseModel):
    """A game as it stands; boards are from your side, you are player 0."""

    key: str
    version: int
    begun: str
    numbers: int
    doubles: tuple[int, int]
    """That you and the opponent may still name."""
    first: int
    opponent: str
    opponent_title: str
    seconds: float
    needs: Literal["name", "play", "opponent", "nothing"]
    """What has to come: your first number; your number and its play; /decide."""
    named: tuple[int | None, int | None]
    """The numbers named last, yours and the opponent's."""
    nameable: list[NameableOut]
    """What you may name now."""
    board: tuple[int, ...]
    pips: tuple[int, int]
    xgid: str
    turn: int
    may_undo: bool
    winner: int | None
    points: int
    """1, a gammon's 2, a backgammon's 3; 0 while the game goes on."""
    actions: list[TurnOut]
    hints: int
    undone: int


class NumberOut(BaseModel):
    """A number to name, with the best play that was found for it."""

    number: int
    text: str
    board: tuple[int, ...]
    points: int | None
    """What the game comes to, above 0 if you win; null if the end was not seen."""
    turns: int | None
    """Of both sides to the end, this one included; above 0 if you win."""
    value: float | None
    """An estimate in pips, where the end was not seen."""
    exact: bool
    """Whether neither side can do better."""
    depth: int
    """Turns searched; 0 if the race was solved."""


class NoChanceHintOut(BaseModel):
    """The numbers that you may name, the best first."""

    numbers: list[NumberOut]
