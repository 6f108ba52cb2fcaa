"""`bearoff rollout`: any race's chances, equities and cube action, by games."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from app.commands import rollout_output as output
from app.options import (
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
from app.output import say, say_json, say_table

if TYPE_CHECKING:
    from bearoff import Race
    from sim.rollouts import Rollout, RolloutAction


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
            help="Standard error at which to stop, of every equity; 0 for all the games.",
        ),
    ] = 0.001,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=10**9,
            help="Most games, rounded up to chunks of 7,776.",
        ),
    ] = 1_000_000,
    seed: Seed = 0,
    workers: Threads = None,
    luck: Annotated[
        bool, typer.Option(help="Take the luck of the rolls out of the results.")
    ] = True,
    first_rolls: Annotated[
        Literal["1", "36", "1296"],
        typer.Option(
            help="Share out evenly: 36 the roller's first throw, 1296 both sides', 1 none."
        ),
    ] = "1296",
    truncate: Annotated[
        bool, typer.Option(help="Stop games where exact values begin.")
    ] = True,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Roll out a race: checkers on any point, no contact.

    Gives the chances to win, to win a gammon and a backgammon, the equities of doubling
    and waiting, and the cube action, each with its standard error. Any notation of
    positions will do; of checkers on the ace, deuce, ... as many numbers as there are
    points with checkers. bearoff race rates plays, too, and answers for money where the
    opponent owns the cube.

    For money, games stop in the two-sided table built with the cube that holds them
    first; a race that is in it is answered outright. On the way the cube is turned by a
    model, to which the chance of a gammon is added. At a score, as for bearoff cube, all
    is solved at the score, a table of six checkers among it; the equities are EMG.

    \b
    bearoff rollout 0,0,2,3,3,4,2,1 0,1,2,2,3,4,1,1,1
    bearoff rollout "[5,5,6,6,6,7,8,8,9]" "[4,4,5,6,6,6,7,8,10]" --cube owned
    bearoff rollout "[5,5,6,6,6,7,8,8,9]" "[4,4,5,6,6,6,7,8,10]" --score 2 4
    bearoff rollout XGID=---BBCDBA-A-----aaadcbba--:0:0:1:00:0:0:0:0:10 --json
    """
    from app.progress import RolloutProgress
    from app.race_text import rollers_cube
    from app.score_text import ScoreOptions, before_the_roll
    from sim.rollouts import (
        Goal,
        Techniques,
        on_24_points,
        rollout as roll_out,
        truncation_table,
    )

    options = ScoreOptions(score, match, crawford, money, cube, cube_value, jacoby)
    race, equities = before_the_roll(roller, opponent, options, match_equities)
    goal = Goal(error, games)
    techniques = Techniques(luck, int(first_rolls), truncate)
    if race.score is not None:
        from app.commands.rollout_at_score import rollout_at_score

        rollout_at_score(
            race,
            equities,
            goal,
            techniques,
            seed=seed,
            workers=workers,
            quiet=quiet,
            json=json,
        )
        return
    whole = on_24_points(race)
    where = rollers_cube(race)
    with RolloutProgress(show=not quiet, goal=error, most=games) as progress:
        answer = roll_out(
            whole,
            goal,
            seed=seed,
            techniques=techniques,
            table=truncation_table(whole) if truncate else None,
            jacoby=race.jacoby,
            workers=workers or "auto",
            on_progress=progress.update,
        )
    action = getattr(answer, where)
    if json:
        say_json(_as_json(race, answer, action, race.jacoby))
    else:
        _show(race, whole, answer, action, race.jacoby)


def _as_json(
    race: "Race", answer: "Rollout", action: "RolloutAction", jacoby: bool
) -> dict[str, Any]:
    return {
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "position_id": race.position_id,
        "jacoby": jacoby,
        **{
            name: asdict(getattr(answer, name))
            for name in ("win_probability", *output.CHANCES)
        },
        "cubeless": asdict(answer.cubeless),
        **asdict(action),
        "games": answer.games,
        "seconds": round(answer.seconds, 3),
        "table_points": answer.table and answer.table.points,
        "table_checkers": answer.table and answer.table.checkers,
    }


def _show(
    race: "Race", whole: "Race", answer: "Rollout", action: "RolloutAction", jacoby: bool
) -> None:
    output.show_race(race, whole, action.cube)
    say(output.verdict(action))
    say()
    double = "redouble" if action.cube == "owned" else "double"
    say_table(
        ("outcome", "equity", "standard error", "systematic"),
        [
            (f"no {double}", *output.cells(action.no_double)),
            (f"{double}, take", *output.cells(action.double_take)),
            (f"{double}, pass", "+1.0000", "-", "-"),
            (f"gained by the {double}", *output.cells(action.gain)),
        ],
    )
    say()
    output.show_chances(answer)
    rule = f"money play {'with' if jacoby else 'without'} Jacoby's rule"
    say(output.how(answer, rule))
