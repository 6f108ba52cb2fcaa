"""Program that finds the winning first numbers in No Chance Backgammon, without dice."""

import sys
from typing import Annotated

import typer

from bearoff.app.output import say
from bearoff.sim.engine import PassProgress
from research.lessons import write_no_chance_page
from research.running import Output, run_program


def main(
    checkers: Annotated[
        int, typer.Option(min=1, max=10, metavar="N", help="Maximum checkers per side.")
    ] = 6,
    output: Output = "results/game",
) -> None:
    """Find which first numbers win races of No Chance Backgammon.

    The program solves all races up to a number of checkers; ten take 10.4 GB and a quarter
    of an hour.

    \b
    python -m research.no_chance --checkers 4
    """
    show = PassProgress()
    path = write_no_chance_page(
        output, checkers=checkers, progress=lambda done: show("races", done)
    )
    say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
