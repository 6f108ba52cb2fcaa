"""What requests and answers hold, as pydantic and OpenAPI know them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

EXAMPLE: dict[str, Any] = {
    "roller": "0,2,2,3,1,2",
    "opponent": [0, 1, 2, 4, 1, 2],
    "cube": "centred",
}

Text = Annotated[StrictStr, Field(max_length=4000)]
Word = Annotated[StrictStr, Field(max_length=100)]
Side = Text | Annotated[list[StrictInt], Field(min_length=1, max_length=24)]
Pair = Annotated[list[StrictInt], Field(min_length=2, max_length=2)]


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
    match: StrictInt | None = Field(None, description="Points of the match.")
    crawford: StrictBool | None = Field(None, description="Crawford's game, or a later.")
    money: StrictBool = Field(False, description="Whatever score the position carries.")
    jacoby: StrictBool | None = Field(None, description="Jacoby's rule.")
    played: Text | None = Field(None, description="A play of the dice, to be judged.")
    decided: Word | None = Field(None, description="A cube decision, to be judged.")
    market: StrictBool = Field(False, description="Whether market losers are wanted.")


class RacesIn(BaseModel):
    """Many races."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"races": [EXAMPLE]}]}
    )

    races: list[Any] = Field(description="Each as for /race, without market.")


Kind = Literal["exact", "model", "rollout"]


class SideOut(BaseModel):
    """A side in numbers."""

    counts: list[int]
    pips: int
    epc: float
    epc_error: float
    wastage: float
    mean_rolls: float
    std_rolls: float


class ChoiceOut(BaseModel):
    """An alternative and what it costs who chooses it."""

    name: str
    equity: float
    cost: float
    error: float


class PlayOut(ChoiceOut):
    """A play of the roll."""

    after: list[int]
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


class ThresholdsOut(BaseModel):
    """Chances at which the action changes at a score, in the last roll and live."""

    double: float | None
    live_double: float | None
    cash: float | None
    live_cash: float | None


class TableOut(BaseModel):
    """A two-sided table."""

    points: int
    checkers: int


class AnswerOut(BaseModel):
    """What is right in a race, and what everything else costs."""

    roller: SideOut
    opponent: SideOut
    board: list[int]
    off: list[int]
    position_id: str
    gnu_id: str
    xgid: str
    ogid: str
    cube: Literal["centred", "owned", "opponent"]
    cube_value: int
    score: str | None
    jacoby: bool
    dice: list[int] | None
    kind: Kind
    table: TableOut | None
    win_probability: float
    gammons_won: float | None
    gammons_lost: float | None
    equity: float
    error: float
    chance_per_equity: float | None
    action: str | None
    too_close: bool
    no_double: ChoiceOut | None
    double: ChoiceOut | None
    take: ChoiceOut | None
    pass_: ChoiceOut | None = Field(alias="pass")
    plays: list[PlayOut]
    market: MarketOut | None
    window: WindowOut | None
    thresholds: ThresholdsOut | None
    decided: ChoiceOut | None
    played: ChoiceOut | None


class RowOut(BaseModel):
    """An answer of many: numbers without names, or the reason why there is none."""

    kind: Kind | None = None
    win_probability: float | None = None
    gammons_won: float | None = None
    gammons_lost: float | None = None
    equity: float | None = None
    error: float | str | None = Field(
        None, description="Of the equity; a sentence, and nothing else, if there is none."
    )
    chance_per_equity: float | None = None
    action: str | None = None
    too_close: bool | None = None
    no_double: float | None = None
    double_take: float | None = None
    missed_double: float | None = None
    wrong_double: float | None = None
    wrong_take: float | None = None
    wrong_pass: float | None = None
    no_double_error: float | None = None
    double_take_error: float | None = None
    best_play: str | None = None
    best_equity: float | None = None
    played_equity: float | None = None
    played_cost: float | None = None
    played_error: float | None = None
    decided_equity: float | None = None
    decided_cost: float | None = None
    decided_error: float | None = None


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
