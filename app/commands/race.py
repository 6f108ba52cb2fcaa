"""`bearoff race`: what is right in any race, and what everything else costs."""

from typing import Annotated

import typer

from app.options import (
    Crawford,
    CubeValue,
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


def race(
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION",
            help="A text of both sides, such as an XGID, or the side on roll; or a file "
            "that holds it, - for standard input.",
            show_default=False,
        ),
    ] = None,
    opponent: OpponentText = None,
    dice: Annotated[
        str | None,
        typer.Option(
            metavar="ROLL",
            help="The roll to be played, such as 6-4. By default as the position says.",
            show_default=False,
        ),
    ] = None,
    cube: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help="centred, owned (by the roller) or opponent. By default as the position "
            "says.",
            show_default=False,
        ),
    ] = None,
    cube_value: CubeValue = None,
    score: ScoreText = None,
    match: MatchLength = None,
    crawford: Crawford = None,
    money: Money = False,
    match_equities: Equities = None,
    jacoby: Jacoby = None,
    played: Annotated[
        str | None,
        typer.Option(
            metavar="PLAY",
            help='What this play of the dice costs, such as "6/off 4/1".',
            show_default=False,
        ),
    ] = None,
    action: Annotated[
        str | None,
        typer.Option(
            metavar="ACTION",
            help="What this decision costs: double, no double, take or pass.",
            show_default=False,
        ),
    ] = None,
    error: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS",
            min=0.0,
            max=1.0,
            help="Standard error of rollouts, where nothing exact holds the race; 0.002 "
            "for one race. Of a file: none, and the fast model answers.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        bool, typer.Option("--model", help="Leave it at the fast model: no rollouts.")
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Answer a file of races instead: .csv, .jsonl or .parquet, a position a "
            "row, or .txt, one a line; - for standard input.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="Where the answers to a file go; - for standard output, the default.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = 0,
    workers: Threads = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """What is right in a race, and what everything else costs.

    Answers any race: at home or not, for money or at a score, the cube anywhere, before
    the roll or with the dice thrown. Exact where a two-sided table holds it or it can be
    solved on the spot; else the fast model answers at once, and rollouts follow. Text
    that was copied from another program can be pasted as it is.

    \b
    bearoff race LwAAwC0AAAAAAA
    bearoff race 0,2,2,0,0,0 0,2,2,0,0,0 --dice 2-1 --played "3/1 2/1"
    bearoff race 0,2,2,0,0,0 0,2,2,0,0,0 --score 2 4 --action double
    bearoff race "[5,5,6,6,6,7,8,8,9]" "[4,4,5,6,6,6,7,8,10]" --model

    With --from and --to, a file of races is answered: columns position, or roller and
    opponent, and if need be dice, cube, cube_value, score, match, jacoby, played and
    decided. All others stay as they are. The same command resumes one that was stopped.
    """
    from app.answers.given import given_position
    from app.answers.one import Asked, answer_race
    from app.score_text import ScoreOptions
    from bearoff.errors import PositionError

    if source is not None or target is not None:
        from app.answers.many import answer_many_races

        one = (position, opponent, dice, cube, cube_value, score, match, crawford, jacoby)
        if any(given is not None for given in (*one, played, action)) or money:
            raise PositionError(
                "of a file, positions, dice, cube and score are columns; give no other "
                "options than --error, --model, --seed, --workers and --match-equities"
            )
        answer_many_races(
            source, target, error, match_equities, seed=seed, workers=workers, quiet=quiet,
            json=json, model=model,
        )  # fmt: skip
        return
    if position is None:
        raise PositionError("a position is needed, such as an XGID, or both sides")
    options = ScoreOptions(score, match, crawford, money, cube, cube_value, jacoby)
    asked = Asked(
        dice=dice,
        played=played,
        action=action,
        match_equities=match_equities,
        error=error,
        model=model,
        seed=seed,
        workers=workers,
        quiet=quiet,
    )
    answer_race(given_position(position), opponent, options, asked, json=json)
