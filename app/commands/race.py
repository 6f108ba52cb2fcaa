"""`bearoff race`: what is right in any race, and what everything else costs."""

from typing import Annotated

import typer

from bearoff.app.options import Market, Rolls
from bearoff.app.race_answers.asked import Asked, asks


@asks
def race(
    asked: Asked,
    before: Annotated[
        bool, typer.Option("--before", help="With dice, also the cube before the roll.")
    ] = False,
    market: Market = False,
    rolls: Rolls = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Answer a file of races instead: .csv, .jsonl or .parquet, a position a "
            "row; - for standard input.",
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
) -> None:
    """What is right in a race, and what everything else costs.

    Answers any race: at home or not, for money or at a score, the cube anywhere, before
    the roll or with the dice thrown. With dice the plays are told; --before adds the cube
    before the roll. Exact where a two-sided table holds the race or it can be solved on
    the spot; else the fast model answers at once, and rollouts follow. Text that was copied
    from another program can be pasted as it is.

    \b
    bearoff race LwAAwC0AAAAAAA
    bearoff race 0,2,2,0,0,0 0,2,2,0,0,0 --dice 2-1 --played "3/1 2/1"
    bearoff race 0,2,2,0,0,0 0,2,2,0,0,0 --score 2 4 --decided double --market
    bearoff race "[5,5,6,6,6,7,8,8,9]" "[4,4,5,6,6,6,7,8,10]" --model

    With --from and --to, a file of races is answered: columns position, or roller and
    opponent, and if need be dice, cube, cube_value, score, match, crawford, money, jacoby,
    played and decided, as the options are. All others stay as they are. The same command
    resumes one that was stopped.
    """
    if source is not None or target is not None:
        from bearoff.app.race_answers.many import answer_many_races
        from bearoff.errors import BearoffError

        if before or market or rolls:
            raise BearoffError(
                "--before, --market and --rolls are told of one race at a time; leave them "
                "out, or --from"
            )
        answer_many_races(source, target, asked)
        return
    from bearoff.app.race_answers.one import answer_race
    from bearoff.app.race_answers.text import View

    answer_race(asked, View(before=before or market or rolls, market=market, rolls=rolls))
