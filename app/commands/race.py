"""`bearoff race`: the best decision in a race, and the cost of each mistake."""

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
            help="Table of races to answer, one per row: a .csv, .jsonl or .parquet "
            "file, or - for standard input. Its columns are position, or roller "
            "and opponent; and any of dice, cube, cube_value, score, match, "
            "crawford, money, jacoby, played, decided. All other columns are "
            "copied to the output.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="File to write the answers to. Default: -, standard output.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Show the best decision in a race, and what mistakes cost.

    Without dice, the answer is the cube decision; with --dice, it is the best play. The
    answer is exact if a two-sided table contains the race, or if the race can be solved in
    time. Otherwise the fast model answers first, and a rollout follows. A position with
    contact is estimated by a search. --from answers a file of positions.

    \b
    bearoff race LwAAwC0AAAAAAA --score 2 4
    bearoff race 0,2,2,0,0,0 0,2,2,0,0,0 --dice 2-1 --played "3/1 2/1"
    bearoff race --from races.csv --to answers.csv
    """
    if source is not None or target is not None:
        from bearoff.app.race_answers.many import answer_many_races
        from bearoff.errors import BearoffError

        if before or market or rolls:
            raise BearoffError(
                "--before, --market and --rolls apply only to a single race; omit them, "
                "or --from"
            )
        answer_many_races(source, target, asked)
        return
    from bearoff.app.race_answers.one import answer_race
    from bearoff.app.race_answers.text import View

    answer_race(asked, View(before=before or market or rolls, market=market, rolls=rolls))
