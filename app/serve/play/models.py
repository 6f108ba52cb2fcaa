"""Bodies of requests and answers of Play, for the description of the interface."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bearoff.analysis.review import Method
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
        description="The opponent's bar, points 1 to 24, your bar; the opponent's "
        "checkers negative.",
    ),
]
Asked = Literal[
    "roll", "play", "double", "beaver", "take", "pass", "resign", "undo", "next", "end"
]


class MatchIn(BaseModel):
    """A match to begin."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"length": 5, "opponent": DEFAULT}]}
    )

    length: int = Field(0, ge=0, le=99, description="Points; 0 is a session for money.")
    opponent: str = Field(DEFAULT, max_length=40)
    crawford: bool = Field(True, description="Of matches: Crawford's rule.")
    jacoby: bool = Field(False, description="For money: Jacoby's rule.")
    beavers: int = Field(0, ge=0, le=20, description="For money: most beavers in a row.")
    by_hand: bool = Field(False, description="You throw the dice of both sides.")
    seed: str | None = Field(
        None, pattern=f"^{SEED}$", description="To play with the dice of another match."
    )


class ActionIn(BaseModel):
    """What you do."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"do": "roll"}]},
    )

    do: Asked
    play: Counts | str | None = Field(
        None,
        union_mode="left_to_right",
        description="Of a play: as players write it, or the board after it.",
    )
    dice: Throw | None = Field(
        None, description="Of a roll by hand; at the opening your die and the opponent's."
    )
    lost: int = Field(1, ge=1, le=3, description="Given up: a game, gammon, backgammon.")
    version: int | None = Field(
        None, ge=0, description="Of the match you have seen; refused if it has gone on."
    )


class AskIn(BaseModel):
    """A question about your decision."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"depth": 3}]}
    )

    depth: Literal[0, 1, 2, 3] = Field(
        0,
        description="0 judges a play, without a hint. 1 says whether something is better, "
        "2 which checkers to move, 3 all plays with their costs. Before the roll each "
        "tells all decisions with the cube.",
    )
    play: Counts | str | None = Field(
        None, union_mode="left_to_right", description="Yours; for depths 0 and 1."
    )


class PlaceIn(BaseModel):
    """An action of a game."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"place": 4}]}
    )

    game: int | None = Field(
        None, ge=1, le=10_000, description="Its number; the one under way if left out."
    )
    place: int = Field(ge=0, le=10_000, description="From 0, as /analysis counts.")


class AskedOut(BaseModel):
    """A mistake that the trainer asks from now on."""

    question: str


class OpponentOut(BaseModel):
    """Somebody to play against."""

    name: str
    title: str
    text: str
    seconds: float
    """That a play may take."""
    beavers: bool
    """Whether it beavers, and answers a beaver."""
    experiment: bool
    """Whether its way of deciding is of interest rather than its strength."""
    rating: float
    """Performance rating (PR): 500 times the points that a play in contact loses."""
    lost: float
    """Thousandths of a point that a play in contact loses, judged by GNU Backgammon two
    plies ahead; results/game/opponents.md."""
    lost_error: float
    """Its standard error."""


class SummaryOut(BaseModel):
    """A line of the list of matches."""

    key: str
    begun: str
    opponent_title: str
    length: int
    won: tuple[int, int]
    number: int
    over: bool


class LobbyOut(BaseModel):
    """Opponents, the matches that are kept, and the folder of their files."""

    hints_error: float
    """Thousandths of a point by which costs before the race differ from GNU Backgammon's
    two plies ahead, root mean square."""
    opponents: list[OpponentOut]
    """Who loses least by plays first."""
    default: str
    """The name of who is played against if nobody is chosen."""
    matches: list[SummaryOut]
    damaged: list[str]
    folder: str


class ReadyOut(BaseModel):
    """Whether what decides is compiled, which takes minutes after installing."""

    with_dice: bool
    without_dice: bool


Done = Literal["play", "double", "take", "pass", "resign"]


class ActionOut(BaseModel):
    """What was done in the game."""

    player: int
    kind: Done
    dice: tuple[int, int] | None
    text: str
    value: int
    moves: tuple[tuple[int, int, bool], ...]
    """From a point or 25, the bar, to one or 0, off, as the mover counts; if it hits."""
    board: tuple[int, ...]
    """Before it."""


class GameOut(BaseModel):
    """A game of a match, of which something was done."""

    number: int
    won: tuple[int, int]
    """Points before it."""
    winner: int | None
    points: int


class MatchOut(BaseModel):
    """A match as it stands; boards are from your side, you are player 0."""

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
    """What has to come: your roll or double, your play, your take or pass; /decide; the
    dice of the opponent's roll, thrown by hand; the next game."""
    board: tuple[int, ...]
    pips: tuple[int, int]
    xgid: str
    turn: int | None
    dice: tuple[int, int] | None
    legal: list[list[int]]
    """Boards that your roll can lead to."""
    cube_value: int
    cube_owner: int | None
    offers: int
    cube_dead: bool
    """Whether nobody gains by turning the cube any more, or nobody may."""
    may_double: bool
    may_beaver: bool
    may_undo: bool
    winner: int | None
    points: int
    match_winner: int | None
    over: bool
    games: list[GameOut]
    """Any of them can be gone through."""
    actions: list[ActionOut]
    """Of this game."""
    hints: tuple[int, int, int]
    """That were asked for, by depth."""
    undone: int
    seed_hash: str
    """SHA-256 of the seed."""
    seed: str | None
    """Told once the match is over. Throw t of game g is read from SHA-256 of "seed g t 0"
    and on: bytes below 252, less 1, by 6."""
    said: str
    """What the opponent says to what you did; mostly nothing."""


class RatedOut(BaseModel):
    """A play."""

    text: str
    board: tuple[int, ...]
    equity: float
    cost: float
    error: float
    """Of the cost; of a search as measured, root mean square."""
    reason: str
    """What differs from the best."""


class HintOut(BaseModel):
    """What the program thinks; `kind` says where from: exact, model or search."""

    kind: Method
    better: bool | None = None
    cost: float | None = None
    error: float | None = None
    best: str | None = None
    reason: str | None = None
    checkers: list[int] | None = None
    """Points from which the best play moves, 25 for the bar."""
    plays: list[RatedOut] | None = None
    more: int | None = None
    """Legal plays that are not among `plays`, none of them better."""
    cube: VerdictOut | None = None
    """Of a decision with the cube: what is right, and what each choice costs."""
    close_lost: tuple[float, float] | None = None
    """Of an estimate: thousandths that close decisions by it lose, and the standard error;
    results/game/cube.md."""


class MomentOut(BaseModel):
    """An action of a game, judged."""

    place: int
    turn_number: int
    """Of the game, from 1: a roll of either side, with the cube before it."""
    player: int
    kind: str
    dice: tuple[int, int] | None
    text: str
    board: tuple[int, ...]
    pips: tuple[int, int]
    """Yours and the opponent's, before it."""
    cube_value: int
    """What the cube shows; of a take or pass, what it was turned to."""
    cube_owner: int | None
    """With whom it stands; of a take or pass, who was asked."""
    xgid: str
    chance: float
    """Yours to win the game before the roll, by the net."""
    luck: float | None
    """Points by which the roll favoured its roller, by the net."""
    decision: VerdictOut | None
    """What was judged: the play, or what was done with the cube; the costliest."""


class SumOut(BaseModel):
    """A player's decisions and dice."""

    decisions: int
    mistakes: int
    """Decisions that cost more than their error."""
    open: int
    """Those that seem to cost something, but no more than their error."""
    lost: float
    """Points by all of these."""
    counted: int
    """Decisions that count for a performance rating (PR), those with the cube too."""
    lost_counted: float
    """EMG lost by these; 500 times the mean is the PR, as in a review."""
    luck: float


GoneThrough = tuple[list[MomentOut], tuple[SumOut, SumOut]]
"""The actions of a game, and the sums of both players."""


class GoneThroughOut(BaseModel):
    """The match, summed over the games that were gone through."""

    games: list[int]
    """Their numbers."""
    totals: tuple[SumOut, SumOut]


class AnalysisOut(BaseModel):
    """A game of the match, action by action."""

    number: int
    moments: list[MomentOut]
    totals: tuple[SumOut, SumOut]
    match: GoneThroughOut
