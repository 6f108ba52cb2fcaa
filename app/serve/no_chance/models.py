"""Request and response bodies of games without dice."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bearoff.app.serve.no_chance.thinking import DEFAULT
from bearoff.app.serve.play.models import Counts

Number = Annotated[int, Field(ge=1, le=7)]


class NoChanceIn(BaseModel):
    """Rules of a new game without dice."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"numbers": 6, "first": "you"}]}
    )

    numbers: int = Field(6, ge=4, le=7, description="Largest number that can be named.")
    doubles: int = Field(
        2, ge=0, le=2, description="Number of doubles that each side may name."
    )
    first: Literal["you", "opponent"] = Field(
        "you", description="Player who names a number first and has the first turn."
    )
    opponent: str = Field(DEFAULT, max_length=40)


class NamedIn(BaseModel):
    """Action in a game without dice: name a number, name a number and play, or undo."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"do": "name", "number": 6}]}
    )

    do: Literal["name", "play", "undo"]
    number: Number | None = Field(None, description="Number that you name.")
    play: Counts | str | None = Field(
        None,
        union_mode="left_to_right",
        description="Play of the two numbers, in notation or as the board after it.",
    )
    version: int | None = Field(
        None,
        ge=0,
        description="Version of the game that you last received; the action is rejected if "
        "the game has changed since then.",
    )


class NoChanceOpponentOut(BaseModel):
    """Opponent in games without dice."""

    name: str
    title: str
    text: str
    seconds: float
    """Time limit of a turn, in seconds."""


class NoChanceSummaryOut(BaseModel):
    """Summary of a game, for the list of games."""

    key: str
    begun: str
    opponent_title: str
    numbers: int
    turns: int
    over: bool


class NoChanceLobbyOut(BaseModel):
    """Available opponents, and the stored games."""

    opponents: list[NoChanceOpponentOut]
    games: list[NoChanceSummaryOut]
    damaged: list[str]


class NameableOut(BaseModel):
    """Number that a player may name now, with its legal plays."""

    number: int
    double: bool
    """Whether `number` equals the opponent's last number, so that it is played four times,
    like a double of dice.
    """
    silent: bool
    """Whether no checker can move if this number is named."""
    legal: list[tuple[int, ...]]
    """Board after each legal play of `number` and the opponent's last number."""


class TurnOut(BaseModel):
    """Turn of a player: the named number and the play."""

    player: int
    kind: Literal["name", "play"]
    """Whether the player named a number and played ("play"), or named only the first number
    of the game ("name").
    """
    number: int
    met: int | None
    dice: tuple[int, int] | None
    """The two numbers that were played, the higher one first."""
    double: bool
    silent: bool
    """Whether the turn moved no checker."""
    text: str
    moves: tuple[tuple[int, int, bool], ...]
    """Moves of checkers. Each consists of a start point (25 is the bar) and an end point (0
    is off), from the mover's viewpoint, and whether it hits."""
    board: tuple[int, ...]
    """Board before the turn."""


class NoChanceOut(BaseModel):
    """State of a game; boards are from your viewpoint, and you are player 0."""

    key: str
    version: int
    begun: str
    numbers: int
    doubles: tuple[int, int]
    """Numbers of doubles that you and the opponent may still name."""
    first: int
    opponent: str
    opponent_title: str
    seconds: float
    needs: Literal["name", "play", "opponent", "nothing"]
    """What you must do next: name your first number, name a number and play, ask for the
    opponent's turn with /decide, or nothing because the game is over."""
    named: tuple[int | None, int | None]
    """Numbers that you and the opponent named in your last turns."""
    nameable: list[NameableOut]
    """Numbers that you may name now."""
    board: tuple[int, ...]
    pips: tuple[int, int]
    xgid: str
    turn: int
    may_undo: bool
    winner: int | None
    points: int
    """Points won: 1 for a single game, 2 for a gammon, 3 for a backgammon; 0 during the
    game."""
    actions: list[TurnOut]
    hints: int
    undone: int


class NumberOut(BaseModel):
    """Number that can be named, with the best play found for it."""

    number: int
    text: str
    board: tuple[int, ...]
    points: int | None
    """Points at the end of the game, positive if you win; null if the search did not reach
    the end."""
    turns: int | None
    """Number of turns of both sides until the end of the game, including this turn;
    positive if you win."""
    value: float | None
    """Estimated value of the position after the play for you, in pips; null if the search
    reached the end of the game.
    """
    exact: bool
    """Whether `points` is proved to be the result of best play by both sides after this
    number is named.
    """
    depth: int
    """Search depth in turns; 0 if the race was solved exactly."""


class NoChanceHintOut(BaseModel):
    """Dice numbers that you may name next, the best first, each with its best play."""

    numbers: list[NumberOut]
