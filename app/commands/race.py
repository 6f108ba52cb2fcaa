"""`bearoff race`: the best decision in a race, and the costs of all others."""

from typing import Annotated

import typer

from bearoff.app.options import Market, Rolls
from bearoff.app.race_answers.asked import Asked, asks


@asks
def race(
    asked: Asked,
    before: Annotated[
        bool,
        typer.Option(
            "--before", help="With dice: also show the cube decision before the roll."
        ),
    ] = False,
    market: Market = False,
    rolls: Rolls = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Answer a file of races: .csv, .jsonl or .parquet, one race per row; - "
            "reads standard input.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="File to write the answers to; - is standard output, the default.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Show the best decision in a race, and all costs.

    Before the roll the answer is the cube decision; with --dice it is the best play. The
    answer is exact where a two-sided table holds the race, or the race can be solved on
    the spot. Otherwise the fast model answers at once, and a rollout follows. With contact
    the answer is an estimate by a search. Text copied from another program can be pasted
    as it is.

    \b
    bearoff race LwAAwC0AAAAAAA
    bearoff race 0,2,2,0,0,0 0,2,2,0,0,0 --dice 2-1 --played "3/1 2/1"
    bearoff race 0,2,2,0,0,0 0,2,2,0,0,0 --score 2 4 --decided double --market
    bearoff race "[5,5,6,6,6,7,8,8,9]" "[4,4,5,6,6,6,7,8,10]" --model

    --from answers a file of races. Its columns are position, or roller and opponent, and
    any of dice, cube, cube_value, score, match, crawford, money, jacoby, played and
    decided, which mean what the options mean. Other columns are copied. If it is
    interrupted, the same command continues.
    """
    if source is not None or target is not None:
        from bearoff.app.race_answers.many import answer_many_races
        from bearoff.errors import BearoffError

        if before or market or rolls:
            raise BearoffError(
                "--before, --market and --rolls are only for a single race; leave "
                "them out, or --from"
            )
        answer_many_races(source, target, asked)
        return
    from bearoff.app.race_answers.one import answer_race
    from bearoff.app.race_answers.text import View

    answer_race(asked, View(before=before or market or rolls, market=market, rolls=rolls))
