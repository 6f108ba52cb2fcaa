"""Request and response bodies of games against the program."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field

from bearoff.analysis.review import Method, performance_rating
from bearoff.app.serve.models import VerdictOut
from bearoff.app.serve.play.dice import SEED
from bearoff.app.serve.play.opponents import DEFAULT

Die = Annotated[int, Field(ge=1, le=6)]
Throw = tuple[Die, Die]
Counts = Annotated[
    list[Annotated[int, Field(ge=-15, le=15)]],
    Field(
        min_length=26,
        max_length=26,
        description="Checkers on the opponent's bar, points 1 to 24, and your bar; the "
        "opponent's checkers are negative.",
    ),
]
Asked = Literal[
    "roll", "play", "double", "beaver", "take", "pass", "resign", "undo", "next", "end"
]


class MatchIn(BaseModel):
    """Rules of a new match."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"length": 5, "opponent": DEFAULT}]}
    )

    length: int = Field(
        0, ge=0, le=99, description="Match length in points; 0 for a money session."
    )
    opponent: str = Field(DEFAULT, max_length=40)
    crawford: bool = Field(
        True, description="Whether the Crawford rule applies; only for matches."
    )
    jacoby: bool = Field(
        False, description="Whether the Jacoby rule applies; only for money."
    )
    beavers: int = Field(
        0, ge=0, le=20, description="Maximum number of consecutive beavers; only for money."
    )
    by_hand: bool = Field(
        False, description="Whether you enter the dice of both sides by hand."
    )
    seed: str | None = Field(
        None,
        pattern=f"^{SEED}$",
        description="Seed of another match whose dice are to be used again.",
    )


class ActionIn(BaseModel):
    """Action of the user in a match."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"do": "roll"}]},
    )

    do: Asked
    play: Counts | str | None = Field(
        None,
        union_mode="left_to_right",
        description="Notation of the play, or the board after it; for the action of "
        "playing.",
    )
    dice: Throw | None = Field(
        None,
        description="Dice that you rolled; at the opening, your die and the opponent's.",
    )
    lost: int = Field(
        1,
        ge=1,
        le=3,
        description="Points lost by resigning, as a multiple of the cube value: 1 for a "
        "single game, 2 for a gammon, 3 for a backgammon.",
    )
    version: int | None = Field(
        None,
        ge=0,
        description="Version of the match that you last received; the action is rejected "
        "if the match has changed since then.",
    )


class AskIn(BaseModel):
    """Request for a hint, or for the cost of a play."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"depth": 3}]}
    )

    depth: Literal[0, 1, 2, 3] = Field(
        0,
        description="Kind of hint. 0 judges a play and does not count as a hint; 1 says "
        "whether a better play exists; 2 names the checkers to move; 3 lists all plays "
        "with their costs. Before the roll, each kind describes all cube decisions.",
    )
    play: Counts | str | None = Field(
        None,
        union_mode="left_to_right",
        description="Your play, which the kinds of hint 0 and 1 judge.",
    )


class PlaceIn(BaseModel):
    """Location of an action in a game."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"place": 4}]}
    )

    game: int | None = Field(
        None, ge=1, le=10_000, description="Number of the game; by default the current one."
    )
    place: int = Field(
        ge=0, le=10_000, description="Index of the action, starting at 0, as in /analysis."
    )


class AskedOut(BaseModel):
    """Mistake that was added to the trainer's questions."""

    question: str


class OpponentOut(BaseModel):
    """Opponent in matches against the program."""

    name: str
    title: str
    text: str
    seconds: float
    """Time limit of a play, in seconds."""
    beavers: bool
    """Whether the opponent can beaver, and can answer beavers."""
    experiment: bool
    """Whether the opponent is an experiment, interesting for its method rather than its
    strength."""
    rating: float
    """Performance rating (PR): 500 times the mean loss per play in contact, in points."""
    lost: float
    """Mean loss per play in contact, in thousandths of a point, as judged by GNU Backgammon
    at two plies; see results/game/opponents.md."""
    lost_error: float
    """Standard error of `lost`, in thousandths of a point."""


class SummaryOut(BaseModel):
    """Summary of a match, for the list of matches."""

    key: str
    begun: str
    opponent_title: str
    length: int
    won: tuple[int, int]
    number: int
    over: bool


class LobbyOut(BaseModel):
    """Opponents, stored matches, and the folder of their files."""

    hints_error: float
    """Error of the costs of decisions before the race, in thousandths of a point: their
    root mean square difference from GNU Backgammon at two plies."""
    opponents: list[OpponentOut]
    """Opponents, sorted by increasing loss per play."""
    default: str
    """Name of the default opponent."""
    matches: list[SummaryOut]
    damaged: list[str]
    folder: str


class ReadyOut(BaseModel):
    """Whether the code that computes decisions has been compiled."""

    with_dice: bool
    without_dice: bool


Done = Literal["play", "double", "take", "pass", "resign"]


class ActionOut(BaseModel):
    """Action of a player in a game."""

    player: int
    kind: Done
    dice: tuple[int, int] | None
    text: str
    value: int
    moves: tuple[tuple[int, int, bool], ...]
    """Moves of checkers. Each consists of a start point (25 is the bar) and an end point (0
    is off), from the mover's viewpoint, and whether it hits."""
    board: tuple[int, ...]
    """Board before the action."""


class GameOut(BaseModel):
    """Game of a match with at least one action."""

    number: int
    won: tuple[int, int]
    """Scores of you and the opponent before the game."""
    winner: int | None
    points: int


class MatchOut(BaseModel):
    """State of a match; boards are from your viewpoint, and you are player 0."""

    key: str
    version: int
    begun: str
    length: int
    crawford: bool
    jacoby: bool
    beavers: int
    by_hand: bool
    opponent: str
    opponent_title: str
    seconds: float
    number: int
    won: tuple[int, int]
    score_after: tuple[int, int]
    crawford_game: bool
    needs: Literal["roll", "play", "answer", "opponent", "dice", "next", "nothing"]
    """What the match waits for: your roll or double, your play, your answer to a double, a
    request to /decide for the opponent, the opponent's dice, the next game, or nothing."""
    board: tuple[int, ...]
    pips: tuple[int, int]
    xgid: str
    turn: int | None
    dice: tuple[int, int] | None
    legal: list[list[int]]
    """Boards after each legal play of your roll."""
    cube_value: int
    cube_owner: int | None
    offers: int
    cube_dead: bool
    """Whether doubling benefits neither side, or is not allowed."""
    may_double: bool
    may_beaver: bool
    may_undo: bool
    winner: int | None
    points: int
    match_winner: int | None
    over: bool
    games: list[GameOut]
    """Games of the match that can be analysed."""
    actions: list[ActionOut]
    """Actions of the current game."""
    hints: tuple[int, int, int]
    """Numbers of hints that you used, of the kinds 1, 2 and 3."""
    undone: int
    seed_hash: str
    """SHA-256 hash of the seed of the dice."""
    seed: str | None
    """Seed of the dice, published when the match is over. Throw t of game g comes from the
    SHA-256 digests of "seed g t 0", "seed g t 1", ...: a byte below 252 gives the die byte
    % 6 + 1."""
    said: str
    """Sentence in which the opponent comments on your action; usually empty."""


class RatedOut(BaseModel):
    """Play with its equity and cost."""

    text: str
    board: tuple[int, ...]
    equity: float
    cost: float
    error: float
    """Error of `cost`; for plays that are rated by a search, the measured root mean square
    error.
    """
    reason: str
    """Sentence on how the play differs from the best play."""


class HintOut(BaseModel):
    """Hint for a decision; `kind` is the source of its values: exact, model or search."""

    kind: Method
    better: bool | None = None
    cost: float | None = None
    error: float | None = None
    best: str | None = None
    reason: str | None = None
    checkers: list[int] | None = None
    """Points from which the best play moves checkers; 25 for the bar."""
    plays: list[RatedOut] | None = None
    more: int | None = None
    """Number of legal plays that are not in `plays`; none of them is better than those
    listed."""
    cube: VerdictOut | None = None
    """For a cube decision, the correct action and the cost of each action."""
    close_lost: tuple[float, float] | None = None
    """Mean loss of a search in close cube decisions, with its standard error, in
    thousandths of a point. Null unless a search answers; see results/game/cube.md."""


class MomentOut(BaseModel):
    """Action in a game, with the judgement of its decision."""

    place: int
    turn_number: int
    """Number of the turn in the game, starting at 1; a turn is a roll with the cube action
    before it."""
    player: int
    kind: str
    dice: tuple[int, int] | None
    text: str
    board: tuple[int, ...]
    pips: tuple[int, int]
    """Pip counts of you and the opponent before the action."""
    cube_value: int
    """Value of the cube; for a take or pass, the value after the double."""
    cube_owner: int | None
    """Owner of the cube; for a take or pass, the player who was doubled."""
    xgid: str
    chance: float
    """Your win probability before the roll, estimated by a neural network."""
    luck: float | None
    """Luck of the roll for the player who rolled, in EMG, estimated by a neural network."""
    decision: VerdictOut | None
    """Judgement of the play or the cube action; if the action has both, of the costlier
    one."""


class SumOut(BaseModel):
    """Totals of a player's decisions and luck."""

    decisions: int
    mistakes: int
    """Number of decisions whose cost is larger than the error of the cost."""
    open: int
    """Number of decisions that may be correct or wrong: their cost is more than 0, but not
    larger than its error.
    """
    lost: float
    """Total loss of all decisions, in EMG."""
    counted: int
    """Number of decisions that count for a performance rating (PR), including cube
    decisions."""
    lost_counted: float
    """Total loss of the decisions that count, in EMG."""
    luck: float

    @computed_field
    def rating(self) -> float | None:
        """Performance rating (PR); null if no decision counts."""
        return performance_rating(self.lost_counted, self.counted)


GoneThrough = tuple[list[MomentOut], tuple[SumOut, SumOut]]
"""Judged actions of a game, and the totals of both players."""


class GoneThroughOut(BaseModel):
    """Totals over the analysed games of a match."""

    games: list[int]
    """Numbers, in the match, of the games that have been analysed."""
    totals: tuple[SumOut, SumOut]


class AnalysisOut(BaseModel):
    """Analysis of a game, action by action."""

    number: int
    moments: list[MomentOut]
    totals: tuple[SumOut, SumOut]
    match: GoneThroughOut
