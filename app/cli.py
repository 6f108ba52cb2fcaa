"""The command `bearoff` as typer knows it; `app.run` calls it."""

from typing import Annotated

import typer

from app.commands.batches import schema, simulate
from app.commands.configs import configs
from app.commands.cube import cube
from app.commands.formulas import formulas
from app.commands.game import game
from app.commands.no_chance import no_chance
from app.commands.populations import populations
from app.commands.positions import epc, play
from app.commands.printing import printing
from app.commands.race import race
from app.commands.reports import analyze, chart
from app.commands.review import review
from app.commands.rollout import rollout
from app.commands.serve import serve
from app.commands.tables import tables
from app.commands.warm import warm
from app.commands.winprob import winprob
from app.options import ScoreCommand
from app.output import say, set_compact

cli = typer.Typer(
    name="bearoff",
    help="""The race laboratory of backgammon: bear-off tables, self-play, doubling rules.

    A position is written as its checkers on the ace, deuce, ... (3,3,2,0,2,1), its number
    (8887), a vector with the checkers off first ((4,3,3,2,0,2,1)), a list of points
    ([1,1,6]), a GNU Backgammon position ID or an XGID. The shell needs quotes around
    brackets and parentheses.

    \b
    bearoff race POSITION                 what is right in any race, what the rest costs
    bearoff epc 3,3,2,0,2,1               effective pip count and wastage
    bearoff play 0,0,0,5,5,5 6-4          the best play and what the others cost
    bearoff winprob 8887 8887             who bears off first
    bearoff cube 8,0,0,0,0,0 8,0,0,0,0,0  whether to double and to take
    bearoff rollout POSITION              the same for any race, by games
    bearoff review match.mat              what the races of your own games cost
    bearoff game                          a game against the computer
    bearoff serve                         all that as a page in the browser
    bearoff simulate quick                a batch of self-play; bearoff configs
    bearoff analyze results/quick         win probabilities, doubling points, chart
    bearoff formulas list                 doubling rules for the head
    bearoff print cheat-sheet keith       a formula on a page, races worked out
    """,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"bearoff {version('bearoff')}")
        raise typer.Exit


@cli.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    compact: Annotated[
        bool, typer.Option("--compact", help="Print JSON in one line.")
    ] = False,
) -> None:
    set_compact(compact)
    if context.invoked_subcommand is None:
        say(context.get_help())


for command in (
    epc,
    simulate,
    configs,
    analyze,
    chart,
    schema,
    review,
    game,
    serve,
    warm,
):
    cli.command()(command)
for at_a_score in (race, cube, play, winprob, rollout):
    cli.command(cls=ScoreCommand)(at_a_score)
cli.add_typer(tables, name="tables")
cli.add_typer(formulas, name="formulas")
cli.add_typer(no_chance, name="no-chance")
cli.add_typer(populations, name="populations")
cli.add_typer(printing, name="print")
