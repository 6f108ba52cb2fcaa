"""Errors of the fast race model, compared with exact values."""

import sys
from typing import Annotated

import typer

from bearoff.app.options import DEFAULT_CHECKERS, Checkers
from bearoff.app.output import say
from bearoff.sim.engine import PassProgress
from research.running import Output, Seed, run_program
from research.studies import study_race_model, write_race_model_study


def main(
    checkers: Checkers = DEFAULT_CHECKERS,
    output: Output = "results/race-model",
    sides: Annotated[
        int,
        typer.Option(
            min=2,
            metavar="N",
            help="Positions drawn for each player, band of EPC and weighting.",
        ),
    ] = 200,
    seed: Seed = 1,
) -> None:
    """Measure the errors of the fast race model against exact values.

    The program draws pairs in bands of EPC, and writes a page of errors and a chart. The
    table must be built with the cube.

    \b
    python -m research.race_model --checkers 8
    """
    show = PassProgress()
    found = study_race_model(
        checkers, sides=sides, seed=seed, progress=lambda done: show("pairs", done)
    )
    for path in write_race_model_study(found, output):
        say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
