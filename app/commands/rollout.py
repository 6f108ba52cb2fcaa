"""`bearoff rollout`: win probability, equities and cube action of a race by simulation."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bearoff.app.commands import rollout_output as output
from bearoff.app.options import (
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
    RollerText,
    ScoreText,
    Seed,
    Threads,
)
from bearoff.app.output import say_json

if TYPE_CHECKING:
    from bearoff import MatchTable, TwoSidedTable

_TABLE = 6
"""Maximum number of checkers per side in the table that is solved for a match score. A
simulated game stops as soon as this table contains its race."""


def rollout(
    roller: RollerText,
    opponent: OpponentText = None,
    cube: CubeWhere = None,
    cube_value: CubeValue = None,
    score: ScoreText = None,
    match: MatchLength = None,
    crawford: Crawford = None,
    money: Money = False,
    match_equities: Equities = None,
    jacoby: Jacoby = None,
    error: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            min=0.0,
            max=1.0,
            help="Standard error of every equity at which the rollout stops; 0 plays all "
            "games.",
        ),
    ] = 0.001,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=10**9,
            help="Maximum number of games, rounded up to a multiple of 7,776.",
        ),
    ] = 1_000_000,
    seed: Seed = 0,
    workers: Threads = None,
    luck: Annotated[
        bool, typer.Option(help="Correct the results for the luck of the rolls.")
    ] = True,
    first_rolls: Annotated[
        Literal["1", "36", "1296"],
        typer.Option(
            help="Number of strata of first rolls: 36 (the roller's first roll), "
            "1296 (the first rolls of both sides) or 1 (no stratification)."
        ),
    ] = "1296",
    truncate: Annotated[
        bool, typer.Option(help="Stop each game as soon as a table contains its race.")
    ] = True,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Roll out a race: play it many times with random dice.

    The results are the chances of wins, gammons and backgammons, the equities with and
    without a double, and the cube action, each with its standard error. A simulated game
    stops as soon as a two-sided table contains its race. If a table contains the race to
    roll out, the answer is exact and no games are played.

    \b
    bearoff rollout 0,0,2,3,3,4,2,1 0,1,2,2,3,4,1,1,1
    """
    from bearoff import match_table
    from bearoff.app.interruption import ending_early
    from bearoff.app.progress import RolloutProgress, waiting
    from bearoff.app.score_text import ScoreOptions, before_the_roll
    from bearoff.sim.rollouts import (
        Goal,
        Techniques,
        board_of,
        on_24_points,
        rollout as roll_out,
        truncation_table,
    )

    options = ScoreOptions(score, match, crawford, money, cube, cube_value, jacoby)
    race, equities = before_the_roll(roller, opponent, options, match_equities)
    whole, at = on_24_points(race), race.score
    table: TwoSidedTable | MatchTable | None = None
    if truncate and at is not None:
        table = match_table(_TABLE, at.away, at.game, equities=equities)
    elif truncate:
        table = truncation_table(whole)
    with waiting("preparing arrays of all positions of the board", show=not quiet):
        board_of((whole.roller, whole.opponent)).prepare()
    with ending_early("the answer is based on the games played so far"):
        with RolloutProgress(show=not quiet, goal=error, most=games) as progress:
            answer = roll_out(
                whole,
                Goal(error, games),
                equities=None if at is None else equities,
                seed=seed,
                techniques=Techniques(luck, int(first_rolls), truncate),
                table=table,
                workers=workers or "auto",
                on_progress=progress.update,
            )
        if json:
            say_json(output.as_json(race, answer))
        else:
            output.show(race, whole, answer)
