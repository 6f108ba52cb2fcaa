"""Program that measures how much gammons are worth in all races of the two-sided table."""

import sys

from bearoff import two_sided_table
from bearoff.app.output import say
from bearoff.runtime import cores
from bearoff.sim.engine import PassProgress
from research.running import Output, Workers, run_program
from research.studies import study_gammons, write_gammon_study


def main(
    output: Output = "results/two-sided",
    workers: Workers = None,
) -> None:
    """Compute the value of gammons in all pairs of positions of the two-sided table.

    The program reads every pair of the two-sided table of 15 checkers in which a gammon can
    be lost, and writes a page.

    \b
    python -m research.gammons
    """
    show = PassProgress()
    found = study_gammons(
        two_sided_table(),
        workers=workers or cores(),
        progress=lambda done: show("pairs", done),
    )
    say(str(write_gammon_study(found, output)))


if __name__ == "__main__":
    sys.exit(run_program(main))
