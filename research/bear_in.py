"""Accuracy of the bear-in model, which estimates the EPCs of sides not yet at home."""

import sys
from typing import Annotated

import typer

from bearoff.app.output import say
from bearoff.sim.engine import PassProgress
from research.running import Output, Seed, run_program
from research.studies import study_bear_in, write_bear_in_study


def main(
    sides: Annotated[
        int, typer.Option(metavar="N", min=100, help="Starting positions per class.")
    ] = 20_000,
    points: Annotated[
        int, typer.Option(metavar="N", min=7, max=12, help="Points in the exact table.")
    ] = 10,
    seed: Seed = 1,
    output: Output = "results/long-races",
) -> None:
    """Measure the accuracy of the bear-in model for sides with checkers outside home.

    The program compares the model's values and plays with an exact one-sided table, and
    with games that start from the whole board. It builds the table if it is not stored, and
    writes a page.

    \b
    python -m research.bear_in --sides 2000
    """
    show = PassProgress()
    found = study_bear_in(sides, points, seed, progress=lambda done: show("studied", done))
    say(str(write_bear_in_study(found, output)))


if __name__ == "__main__":
    sys.exit(run_program(main))
