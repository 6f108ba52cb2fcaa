"""The command `bearoff` as a typer program."""

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from bearoff.app.options import CommandGroup, PlainCommand, ScoreCommand
from bearoff.app.output import say, set_compact

_HELP = """Find the best play and cube action in backgammon races, and what mistakes cost.

A position is written as its checkers on the ace, deuce, ... points (3,3,2,0,2,1), as
its number (8887), as a vector that begins with the checkers off ((4,3,3,2,0,2,1)), as a
list of points ([1,1,6]), as a GNU Backgammon position ID or as an XGID. Brackets and
parentheses must be quoted in the shell.

\b
bearoff serve                         open the page in the browser
bearoff site FOLDER                   write the calculator for any web host
bearoff race POSITION                 the best decision, and costs of mistakes
bearoff cube 8,0,0,0,0,0 8,0,0,0,0,0  whether to double and to take
bearoff play 0,0,0,5,5,5 6-4          the best play, and costs of all others
bearoff winprob 8887 8887             the probability of bearing off first
bearoff epc 3,3,2,0,2,1               effective pip count and wastage
bearoff rollout POSITION              estimate a race by simulated games
bearoff review match.mat              the cost of each decision in a match
bearoff library search                search your reviewed matches
bearoff game                          play against the program
bearoff simulate quick                simulate a batch; bearoff configs lists all
bearoff analyze results/quick         win probabilities, doubling points, chart
bearoff formulas list                 rules of thumb for doubling
bearoff print cheat-sheet keith       a formula on a page to print
"""

_COMMANDS = {
    "epc": "positions.epc",
    "simulate": "batches.simulate",
    "combine": "batches.combine",
    "configs": "configs.configs",
    "analyze": "reports.analyze",
    "chart": "reports.chart",
    "schema": "batches.schema",
    "review": "review.review",
    "library": "library.library",
    "game": "game.game",
    "serve": "serve.serve",
    "site": "site.site",
    "mcp": "mcp.mcp",
    "warm": "warm.warm",
    "race": "race.race",
    "cube": "cube.cube",
    "play": "positions.play",
    "winprob": "winprob.winprob",
    "rollout": "rollout.rollout",
    "tables": "tables.tables",
    "formulas": "formulas.formulas",
    "no-chance": "no_chance.no_chance",
    "populations": "populations.populations",
    "print": "printing.printing",
}
"""Name of each command's function in `app.commands`, in the order in which the help lists
commands."""

_AT_A_SCORE = {"race", "cube", "play", "rollout"}


def cli(argv: Sequence[str] = ()) -> typer.Typer:
    """Return the program `bearoff` with only the command that `argv` names, or with all.

    Importing all commands would take longer than answering a query.
    """
    called = next((word for word in argv if word != "--compact"), "")
    program = typer.Typer(
        name="bearoff",
        cls=CommandGroup,
        help=_HELP,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    )
    program.callback(invoke_without_command=True)(_options)
    for name in [called] if called in _COMMANDS else _COMMANDS:
        module, _, function = _COMMANDS[name].partition(".")
        command = getattr(import_module(f"bearoff.app.commands.{module}"), function)
        if isinstance(command, typer.Typer):
            for one in command.registered_commands:
                one.cls = one.cls or PlainCommand
            program.add_typer(command, name=name, cls=CommandGroup)
        else:
            cls = ScoreCommand if name in _AT_A_SCORE else PlainCommand
            program.command(cls=cls)(command)
    return program


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"bearoff {version('bearoff')}")
        raise typer.Exit


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
