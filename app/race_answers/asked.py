"""Command-line options for a question about one race, shared by several commands."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bearoff.app.options import (
    RARER,
    Crawford,
    CubeValue,
    CubeWhere,
    Equities,
    Jacoby,
    Json,
    MatchLength,
    Money,
    OpponentText,
    Quiet,
    ScoreText,
    Seed,
    Threads,
)
from bearoff.app.race_answers.sharing import shares

if TYPE_CHECKING:
    from bearoff import Race
    from bearoff.answers import Judge, Question
    from bearoff.scores import MatchEquities


@dataclass(frozen=True)
class Asked:
    """Command-line options for a question about one race; each field is one option."""

    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION",
            help="Position of both sides in one text, such as an XGID, or position "
            "of the side on roll alone; - reads the text from standard input.",
            show_default=False,
        ),
    ] = None
    opponent: OpponentText = None
    dice: Annotated[
        str | None,
        typer.Option(
            metavar="ROLL",
            help="Roll to play, such as 6-4. Default: the roll of the XGID or match ID.",
            show_default=False,
        ),
    ] = None
    cube: CubeWhere = None
    cube_value: CubeValue = None
    score: ScoreText = None
    match: MatchLength = None
    crawford: Crawford = None
    money: Money = False
    match_equities: Equities = None
    jacoby: Jacoby = None
    played: Annotated[
        str | None,
        typer.Option(
            metavar="PLAY",
            help='Play of the roll whose cost to show, such as "6/off 4/1".',
            show_default=False,
        ),
    ] = None
    decided: Annotated[
        str | None,
        typer.Option(
            metavar="DECISION",
            help="Cube decision whose cost to show: double, no double, take or pass.",
            show_default=False,
        ),
    ] = None
    error: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS",
            min=0.0,
            max=1.0,
            help="Standard error at which a rollout stops. Races without an exact answer "
            "are rolled out. Default: 0.002, but --from and winprob use the fast model "
            "unless this option is given.",
            show_default=False,
            rich_help_panel=RARER,
        ),
    ] = None
    model: Annotated[
        bool,
        typer.Option(
            "--model",
            help="Answer by the fast model, without rollouts, if no table contains the "
            "race.",
            rich_help_panel=RARER,
        ),
    ] = False
    patience: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            max=1e6,
            help="Maximum time for solving races exactly. Default: 30 for one race, 15 for "
            "a whole file. Races that take longer are rolled out, or answered by the "
            "fast model.",
            show_default=False,
            rich_help_panel=RARER,
        ),
    ] = None
    seed: Seed = 0
    workers: Threads = None
    quiet: Quiet = False
    json: Json = False

    def waits(self, otherwise: float) -> float:
        """Return the time limit in seconds for solving; `otherwise` is the default."""
        if self.model:
            return 0.0
        return otherwise if self.patience is None else self.patience

    def parts(self) -> dict[str, Any]:
        """Return the values of a question (position, dice, other options), keyed by name.

        Raises
        ------
        PositionError
            If the command line has no position.
        """
        from bearoff.app.race_answers.given import given_position
        from bearoff.errors import PositionError

        if self.position is None:
            raise PositionError(
                "a position is required, such as an XGID or the positions of both sides"
            )
        return asdict(self) | {"position": None, "roller": given_position(self.position)}

    def question(self) -> "Question":
        """Return the question about a race that the options define."""
        from bearoff.answers import read_question

        return read_question(self.parts())

    def race_of_size(self, points: int, checkers: int) -> "Race":
        """Parse both sides of a race, as positions of a table of the given size."""
        from bearoff.app.race_answers.given import given_position
        from bearoff.app.race_text import parse_race
        from bearoff.errors import PositionError

        if self.position is None:
            raise PositionError(
                "a position is required, such as an XGID or the positions of both sides"
            )
        return parse_race(given_position(self.position), self.opponent, points, checkers)

    def equities(self, question: "Question") -> "MatchEquities":
        """Return the match equity table that the options select."""
        from bearoff.app.score_text import equities_of

        return equities_of(self.match_equities, question.race.score)

    def judge(
        self, question: "Question", progress: Callable[[float], None] = lambda done: None
    ) -> "Judge":
        """Return a `Judge` that answers by exact tables, rollouts or the fast model."""
        from bearoff.answers import PATIENCE, Judge
        from bearoff.app.race_answers.rolling import rolling_out
        from bearoff.errors import BearoffError

        if self.model and self.error is not None:
            raise BearoffError(
                "--model (no rollouts) cannot be combined with --error (precision of "
                "rollouts)"
            )
        roll_out = None
        if not self.model:
            roll_out = rolling_out(self.error, self.seed, self.workers, show=not self.quiet)
        return Judge(
            equities=self.equities(question),
            roll_out=roll_out,
            patience=self.waits(PATIENCE),
            progress=progress,
        )


asks = shares(Asked)
"""Decorator that adds all arguments and options in the fields of `Asked` to a command."""

asks_before_the_roll = shares(Asked, without=("dice", "played"))
"""Variant of `asks` without dice, for commands that answer only the cube decision."""

asks_for_plays = shares(Asked, without=("decided",))
"""Variant of `asks` without `--decided`, for commands that evaluate only plays."""

asks_for_chances = shares(
    Asked,
    without=(
        *("dice", "played", "decided", "cube", "cube_value", "jacoby"),
        *("score", "match", "crawford", "money", "match_equities"),
    ),
)
"""Variant of `asks` without dice, cube and score, for commands that show cubeless chances.
"""
