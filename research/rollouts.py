"""Program that compares rollouts with an exact table, or the fast model with rollouts."""

import sys
from typing import Annotated, Literal

import typer

from bearoff import two_sided_table
from bearoff.analysis import open_run
from bearoff.app.options import DEFAULT_CHECKERS, Checkers
from bearoff.app.output import say
from bearoff.sim.storage import schema
from research.running import run_program
from research.studies import write_agreement, write_model_errors


def main(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run of rollouts.")],
    against: Annotated[
        Literal["table", "model"],
        typer.Option(
            help="Reference: exact values of a two-sided table, or the fast model."
        ),
    ] = "table",
    checkers: Checkers = DEFAULT_CHECKERS,
    output: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help="Folder to write to. Default: results/agreement or results/race-model.",
        ),
    ] = None,
) -> None:
    """Compare rollouts with an exact table, or the fast race model with rollouts.

    The program writes a page of differences with the rollouts' standard errors and, for a
    table, a chart. The table must be built with the cube.

    \b
    bearoff simulate configs/rollouts-in-home.yaml
    python -m research.rollouts results/rollouts-in-home
    bearoff simulate configs/rollouts-long.yaml
    python -m research.rollouts results/rollouts-long --against model
    """
    if against == "model":
        say(str(write_model_errors(run, output or "results/race-model")))
        return
    # Invalid options must be reported before the table is opened.
    open_run(run).require(schema.ROLLOUTS)
    table = two_sided_table(checkers)
    for path in write_agreement(run, table, output or "results/agreement"):
        say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
