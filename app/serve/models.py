"""Request and response bodies of the API, as pydantic models."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from bearoff.analysis.review import Accuracy, Alternative, Method
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


class Described(BaseModel):
    """Pydantic model whose attribute docstrings are shown in the OpenAPI document."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class RaceIn(BaseModel):
    """Race: a text with both sides, or the roller and the opponent separately.

    Missing fields are taken from the text of the position. By default, the race is for
    money, with a centred cube.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    position: Text | None = Field(
        None, description="Position of both sides, as an XGID or a position ID."
    )
    roller: Side | None = Field(
        None, description="Position of the side on roll, in any notation."
    )
    opponent: Side | None = Field(
        None, description="Position of the opponent, in any notation."
    )
    dice: Word | Pair | None = Field(None, description="Dice to play, such as 6-4.")
    cube: Word | None = Field(
        None, description="State of the cube: centred, owned (by the roller) or opponent."
    )
    cube_value: StrictInt | None = Field(None, description="Value of the cube.")
    score: Word | Pair | None = Field(
        None,
        description="Match score: points that the roller and the opponent still need. If "
        "`match` is given: points that they have won.",
    )
    match: StrictInt | None = Field(None, description="Length of the match in points.")
    crawford: StrictBool | None = Field(
        None, description="Whether this is the Crawford game, if a player needs 1 point."
    )
    money: StrictBool = Field(
        False,
        description="Whether the race is for money even if the position includes a "
        "match score.",
    )
    jacoby: StrictBool | None = Field(None, description="Whether the Jacoby rule applies.")
    played: Text | None = Field(None, description="Play of the dice to be judged.")
    decided: Word | None = Field(None, description="Cube action to be judged.")


class AskedIn(RaceIn):
    """Race to evaluate, and options of the answer."""

    market: StrictBool = Field(
        False,
        description="Whether the answer includes market losers and the doubling window.",
    )
    rolls: StrictBool = Field(
        False,
        description="Whether the answer includes the best play of each of the 21 rolls.",
    )
    patience: Patience = Field(
        1.0,
        description="Approximate time limit for solving the race, in seconds; the fast "
        "model answers if it would take longer.",
    )


class RacesIn(BaseModel):
    """Request to evaluate many races."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"races": [EXAMPLE]}]}
    )

    races: list[Any] = Field(description="Races, each with the fields of /race.")
    patience: Patience = Field(
        0.0,
        description="Approximate time limit for solving all races, in seconds. Races "
        "that are not solved in time are answered by the fast model.",
    )


Kind = Literal["exact", "model", "rollout"]


class SideOut(Described):
    """Pip count, EPC and other numbers of one side."""

    counts: list[int]
    """Number of the side's checkers on the ace, deuce, ... points."""
    pips: int
    """Pip count of the side."""
    epc: float
    """Effective pip count (EPC) of the side."""
    epc_error: float
    """Root mean square error of the EPC, in pips; 0 if a table contains the side."""
    std_rolls: float
    """Standard deviation of the number of rolls to bear off."""
    wastage: float
    """EPC minus the pip count, in pips."""
    mean_rolls: float
    """Mean number of rolls to bear off."""


class PlayOut(Described):
    """Play of the roll, with its equity and cost."""

    name: str
    after: list[int]
    """Number of the roller's checkers on each point after the play."""
    equity: float
    cost: float
    error: float
    """Error of the cost, in EMG."""
    equity_error: float
    """Error of the equity after the play, in EMG."""
    wins: float
    """Win probability of the roller after the play, without a cube."""
    kind: Kind


class MarketOut(Described):
    """Probability that the roller loses the market by not doubling, with all outcomes."""

    losing_probability: float
    """Probability that the roller loses the market in the next two rolls."""
    too_close: bool
    probabilities: dict[str, float]
    """Probability of each outcome of the next two rolls, one per side, if the roller does
    not double now.
    """
    sequences: dict[str, dict[str, str]]
    """Outcome of the next two rolls if the roller does not double now: first key the
    roller's roll, second key the opponent's roll.
    """


class WindowOut(Described):
    """Win probabilities of the roller at which the correct cube action changes."""

    first_double: float | None
    """Lowest win probability of the roller at which doubling can be correct. The opponent's
    position is varied.
    """
    last_no_double: float | None
    """Highest win probability of the roller at which not doubling can be correct because it
    is too early to double. The opponent's position is varied.
    """
    first_pass: float | None
    """Lowest win probability of the roller at which passing can be correct. The opponent's
    position is varied.
    """
    last_take: float | None
    """Highest win probability of the roller at which taking can be correct. The opponent's
    position is varied.
    """
    first_too_good: float | None
    """Lowest win probability of the roller at which playing on for a gammon can be better
    than a double and a pass. The opponent's position is varied.
    """
    by_model: bool
    """Whether the window is an estimate by the fast model."""


class ThresholdsOut(Described):
    """Thresholds of the cube actions at a match score, with a dead and with a live cube."""

    double: float | None
    """Minimum win probability for a correct double if the cube is dead, as on the last
    roll."""
    live_double: float | None
    """Minimum win probability for a correct double if the cube is fully live."""
    cash: float | None
    """Win probability of the roller above which the opponent should pass if the cube is
    dead.
    """
    live_cash: float | None
    """Win probability of the roller above which the opponent should pass if the cube is
    fully live."""
    gammon_value: float
    """Value of winning a gammon rather than a single game, divided by the value of winning
    rather than losing a single game; 0.5 for money.
    """
    gammon_loss: float
    """Cost of losing a gammon rather than a single game, divided by the value of winning
    rather than losing a single game; 0.5 for money.
    """


class RollOut(Described):
    """Roll with its best play."""

    dice: list[int]
    chance: float
    """Probability of the roll."""
    best_play: str
    after: list[int]
    """Number of the roller's checkers on each point after the best play."""
    best_equity: float
    best_error: float
    second_play: str | None
    second_cost: float | None
    """Cost of the second-best play."""
    most_wins: str
    """Play with the highest win probability without a cube."""
    win_probability: float
    luck: float
    """Equity after the best play of this roll, minus the mean of this equity over all
    rolls."""
    losing: float | None
    """Fraction of the opponent's next rolls after which the roller has lost the market."""
    outcomes: dict[str, float] | None
    """If the roller does not double: fraction of the opponent's next rolls that lead to
    each outcome."""


class TableOut(Described):
    """Two-sided table, given by its maximum numbers of points and checkers."""

    points: int
    checkers: int


class PositionOut(Described):
    """Position in all notations."""

    board: list[int]
    """Number of checkers at each of 26 places: the opponent's bar, the roller's points 1 to
    24, and the roller's bar. The opponent's checkers are negative numbers."""
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
    """Maximum value of the cube; null for the usual 1,024."""
    dice: list[int] | None


class FieldsOut(Described):
    """Fields of an answer, with the same names as in files and commands."""

    kind: Kind | None
    """Source of the answer: exact, model or rollout."""
    win_probability: float | None
    """Win probability of the roller without the cube."""
    gammons_won: float | None
    """Probability that the roller wins a gammon if both sides maximise their points without
    a cube; null if unknown."""
    gammons_lost: float | None
    """Probability that the roller loses a gammon if both sides maximise their points
    without a cube; null if unknown."""
    equity: float | None
    """Equity of the roller after the best action."""
    error: float | None
    """Error of the equity. It is an upper bound if the answer is exact, otherwise a value
    that is rarely exceeded."""
    chance_per_equity: float | None
    """At a match score, the match-winning chance that 1 EMG is worth."""
    action: str | None
    """Correct cube action; null if the roller may not double."""
    too_close: bool | None
    """Whether the errors of the equities are too large to decide which cube action is
    correct."""
    cube_dead: bool | None
    """Whether neither side gains from turning the cube, so that doubling makes no
    difference."""
    no_double: float | None
    """Equity of the roller without a double."""
    double_take: float | None
    """Equity of the roller after a double that is taken."""
    missed_double: float | None
    """Cost of not doubling; 0 if not doubling is correct."""
    wrong_double: float | None
    """Cost of doubling; 0 if doubling is correct."""
    wrong_take: float | None
    """Cost of taking a double; 0 if taking is correct."""
    wrong_pass: float | None
    """Cost of passing a double; 0 if passing is correct."""
    no_double_error: float | None
    """Error of the equity without a double."""
    double_take_error: float | None
    """Error of the equity of a double that is taken."""
    win_probability_error: float | None
    """Error of the win probability."""
    best_play: str | None
    """Best play of the roll, in notation."""
    best_equity: float | None
    """Equity after the best play."""
    best_error: float | None
    """Error of the equity after the best play."""
    played_equity: float | None
    """Equity after the play that is judged."""
    played_cost: float | None
    """Cost of the play that is judged."""
    played_error: float | None
    """Error of the cost of the play that is judged."""
    decided_equity: float | None
    """Equity of the cube action that is judged."""
    decided_cost: float | None
    """Cost of the cube action that is judged."""
    decided_error: float | None
    """Error of the cost of the cube action that is judged."""


class VerdictOut(Described):
    """Judged decision: the chosen and the correct alternative, and the cost of each."""

    kind: Literal["double", "take", "play", "resign"]
    xgid: str
    """XGID of the position from the viewpoint of the side on roll; for a take, before the
    double."""
    decided: str
    """Chosen alternative; empty if unknown."""
    best: str
    equity: float
    """Equity of the side on roll after the best alternative."""
    cost: float
    error: float
    unit: str
    """Unit of costs, errors and equities: EMG, in which winning a single game is 1."""
    method: Method
    depth: int
    """Number of rolls searched ahead; 0 for the neural network without a search, and for
    methods other than a search."""
    in_race: bool
    """Whether contact is over; before that, all values are estimates."""
    counted: bool
    """Whether the decision counts for a performance rating, by eXtreme Gammon's rule."""
    formula: str
    reason: str
    """Sentence on why the best play is better than the chosen play, for decisions before
    the race; may be empty.
    """
    mistake: bool
    """Whether the decision counts as a mistake: its cost is larger than the error of the
    cost, and rounds to more than 0.
    """
    seen: bool
    """Whether the cost, rounded as displayed, is more than 0."""
    digits: int
    """Number of decimal places of displayed costs."""
    made: int | None
    """Index of the chosen alternative in `alternatives`; null if unknown."""
    right: int
    """Index of the correct alternative in `alternatives`."""
    choices: dict[str, int]
    """Choices of the player who decides on the cube, each with the index of its alternative
    in `alternatives`.
    """
    alternatives: list[Alternative]
    """Plays, best first; for a cube decision, no double and then a double with each reply.
    """


class ChoiceOut(Described):
    """Cube action, with its cost for the player who chooses it."""

    name: str
    equity: float
    """Equity of the side on roll after the cube action."""
    cost: float
    error: float
    """Error of the cost, in EMG."""


class AnswerOut(FieldsOut, PositionOut):
    """Correct decisions in a race, and the costs of all alternatives."""

    roller: SideOut
    opponent: SideOut
    decisions: list[ChoiceOut]
    """Cube actions: double or not, take or pass; empty if doubling is not allowed."""
    table: TableOut | None
    """Table that contains the race; null if the race was solved on request, or the answer
    is not exact."""
    double_beaver: float | None
    """Equity after a double and a beaver; null if beavers are not allowed in this race."""
    left_out: list[str]
    """Rules of the race that the answer ignores, and what the answer assumes instead."""
    match_chance: float | None
    """At a match score, the chance of winning the match after the correct action."""
    take_points: list[float] | None
    """In money play, win probabilities that the opponent needs to take, with a dead and
    a live cube."""
    plays: list[PlayOut]
    market: MarketOut | None
    window: WindowOut | None
    thresholds: ThresholdsOut | None
    rolls: list[RollOut] | None


class ContactOut(PositionOut):
    """Estimated equities and decisions in a position with contact."""

    kind: Literal["search"]
    equity: float
    """Equity of the roller before the roll, after the correct cube action."""
    unit: str
    play: VerdictOut | None
    """Judged decision on the play of the roll; null without dice."""
    cube_decision: VerdictOut | None
    """Cube decision before the roll: whether to double or, if a reply is judged, whether to
    take. Null if the roller may not double."""
    estimates: Accuracy
    left_out: list[str]
    """Parts of an answer that are missing because they exist only for races."""


class RowOut(FieldsOut):
    """Answer about one of many races."""

    problem: str | None = Field(description="Error message if there is no answer.")


class RowsOut(Described):
    """Answers about many races, in the order of the races."""

    answers: list[RowOut]


class HealthOut(Described):
    """Status of the server."""

    status: Literal["ok"]
    version: str
    tables: list[TableOut]
    busy: int
    waiting: int
