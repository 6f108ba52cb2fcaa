"""What requests and answers hold, as pydantic and OpenAPI know them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from bearoff.analysis.review import Alternative, Method
from bearoff.stakes import Cube

EXAMPLE: dict[str, Any] = {
    "roller": "0,2,2,3,1,2",
    "opponent": [0, 1, 2, 4, 1, 2],
    "cube": "centred",
}

Text = Annotated[StrictStr, Field(max_length=4000)]
Word = Annotated[StrictStr, Field(max_length=100)]
Side = Text | Annotated[list[StrictInt], Field(min_length=1, max_length=24)]
Pair = Annotated[list[StrictInt], Field(min_length=2, max_length=2)]
Patience = Annotated[float, Field(ge=0, le=30, allow_inf_nan=False)]


class RaceIn(BaseModel):
    """A race: a text that carries both sides, or the roller and the opponent.

    What is left out is as the position says, else money play with a centred cube.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    position: Text | None = Field(None, description="Both sides: an XGID, a position ID.")
    roller: Side | None = Field(None, description="The side on roll, in any notation.")
    opponent: Side | None = Field(None, description="The other side.")
    dice: Word | Pair | None = Field(None, description="The roll, such as 6-4.")
    cube: Word | None = Field(None, description="centred, owned or opponent.")
    cube_value: StrictInt | None = Field(None, description="What the cube shows.")
    score: Word | Pair | None = Field(None, description="Points away, or with match, won.")
    match: StrictInt | None = Field(None, description="Length of the match in points.")
    crawford: StrictBool | None = Field(None, description="Crawford's game, or a later.")
    money: StrictBool = Field(False, description="Whatever score the position carries.")
    jacoby: StrictBool | None = Field(None, description="Jacoby's rule.")
    played: Text | None = Field(None, description="A play of the dice, to be judged.")
    decided: Word | None = Field(None, description="A cube decision, to be judged.")


class AskedIn(RaceIn):
    """A race, and what is asked about it besides."""

    market: StrictBool = Field(
        False, description="Whether market losers and the doubling window are wanted."
    )
    rolls: StrictBool = Field(False, description="Whether each of the 21 rolls is wanted.")
    patience: Patience = Field(
        1.0,
        description="Seconds that solving a race may take, about; else the fast "
        "model answers. 0 answers at once.",
    )


class RacesIn(BaseModel):
    """Many races."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"races": [EXAMPLE]}]}
    )

    races: list[Any] = Field(description="Each as for /race, by itself.")
    patience: Patience = Field(
        0.0,
        description="Seconds that solving all of them may take, about; by default, and "
        "where it takes longer, the fast model answers.",
    )


Kind = Literal["exact", "model", "rollout"]


class SideOut(BaseModel):
    """A side in numbers."""

    counts: list[int]
    pips: int
    epc: float
    epc_error: float
    std_rolls: float
    wastage: float
    mean_rolls: float


class PlayOut(BaseModel):
    """A play of the roll, and what it costs."""

    name: str
    after: list[int]
    equity: float
    cost: float
    error: float
    """Of the cost."""
    equity_error: float
    wins: float
    kind: Kind


class MarketOut(BaseModel):
    """What an exchange of rolls does to a cube that is not turned."""

    losing_probability: float
    too_close: bool
    probabilities: dict[str, float]
    sequences: dict[str, dict[str, str]]


class WindowOut(BaseModel):
    """Chances to win at which the right action changes."""

    first_double: float | None
    last_no_double: float | None
    first_pass: float | None
    last_take: float | None
    first_too_good: float | None
    by_model: bool


class ThresholdsOut(BaseModel):
    """Where the action changes at a score, in the last roll and live; what gammons add."""

    double: float | None
    live_double: float | None
    cash: float | None
    live_cash: float | None
    gammon_value: float
    gammon_loss: float


class RollOut(BaseModel):
    """A roll and its best play, the cube where it is."""

    dice: list[int]
    chance: float
    best_play: str
    after: list[int]
    best_equity: float
    best_error: float
    second_play: str | None
    second_cost: float | None
    most_wins: str
    """The play that wins most often without a cube."""
    win_probability: float
    luck: float
    losing: float | None
    """Share of the replies that lose the market."""
    outcomes: dict[str, float] | None
    """Shares of what replies do to a cube that is not turned."""


class TableOut(BaseModel):
    """A table of pairs of positions."""

    points: int
    checkers: int


class PositionOut(BaseModel):
    """A race as it was read."""

    board: list[int]
    """Checkers on the points as the roller counts them, the opponent's negative."""
    off: list[int]
    position_id: str
    gnu_id: str
    xgid: str
    ogid: str
    cube: Cube
    cube_value: int
    score: str | None
    jacoby: bool
    beavers: bool
    cube_limit: int | None
    """The most that the cube may show; null for the usual 1,024."""
    dice: list[int] | None


class FieldsOut(BaseModel):
    """The fields of an answer, which files and the command name alike."""

    kind: Kind | None
    win_probability: float | None
    gammons_won: float | None
    gammons_lost: float | None
    equity: float | None
    error: float | None
    chance_per_equity: float | None
    action: str | None
    too_close: bool | None
    cube_dead: bool | None
    no_double: float | None
    double_take: float | None
    missed_double: float | None
    wrong_double: float | None
    wrong_take: float | None
    wrong_pass: float | None
    no_double_error: float | None
    double_take_error: float | None
    win_probability_error: float | None
    best_play: str | None
    best_equity: float | None
    best_error: float | None
    played_equity: float | None
    played_cost: float | None
    played_error: float | None
    decided_equity: float | None
    decided_cost: float | None
    decided_error: float | None


class VerdictOut(BaseModel):
    """A decision: what was done, what is right, and what each choice costs."""

    kind: Literal["double", "take", "play", "resign"]
    xgid: str
    """From the side on roll; of a take as before the double."""
    decided: str
    """Empty if nobody says."""
    best: str
    equity: float
    """Of the side on roll if all is decided rightly."""
    cost: float
    error: float
    unit: str
    """Of cost, error and equities: EMG, normalised to the cube as it stands."""
    method: Method
    depth: int
    """Rolls that a search looked ahead; 0 is the net at once, and of other methods."""
    in_race: bool
    """Whether contact is over; before that all is an estimate."""
    counted: bool
    """Whether it counts for a performance rating, as eXtreme Gammon counts."""
    formula: str
    reason: str
    """What tells the choice from the best play, before the race; may be empty."""
    mistake: bool
    """Whether it costs more than its error, and is not 0 as it is written."""
    seen: bool
    """Whether the cost is not 0 as it is written."""
    digits: int
    """Decimals with which costs are written."""
    made: int | None
    """Which alternative was done; null if nobody says."""
    right: int
    """Which is right."""
    choices: dict[str, int]
    """With the cube: what may be done, and which alternative that is."""
    alternatives: list[Alternative]
    """Plays, the best first; of the cube no double, then each reply to a double."""


class ChoiceOut(BaseModel):
    """A decision with the cube, and what it costs who makes it."""

    name: str
    equity: float
    """Of the side on roll."""
    cost: float
    error: float
    """Of the cost."""


class AnswerOut(FieldsOut, PositionOut):
    """What is right in a race, and what everything else costs."""

    roller: SideOut
    opponent: SideOut
    decisions: list[ChoiceOut]
    """With the cube: to double or not, to take or pass; empty where nobody may double."""
    table: TableOut | None
    """The table that it is from; null if it was solved on the spot, or is not exact."""
    double_beaver: float | None
    """Equity of a double that is doubled back; null where that may not be."""
    left_out: list[str]
    """Rules that the race says and the answer does not know, each with what it assumes."""
    match_chance: float | None
    take_points: list[float] | None
    plays: list[PlayOut]
    market: MarketOut | None
    window: WindowOut | None
    thresholds: ThresholdsOut | None
    rolls: list[RollOut] | None


class RowOut(FieldsOut):
    """An answer of many."""

    problem: str | None = Field(description="Why there is no answer, a sentence.")


class RowsOut(BaseModel):
    """Answers in the order of the races."""

    answers: list[RowOut]


class HealthOut(BaseModel):
    """How the server is."""

    status: Literal["ok"]
    version: str
    tables: list[TableOut]
    busy: int
    waiting: int
