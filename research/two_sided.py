"""Loss of fewest-rolls play against optimal play."""

import sys

from bearoff.app.options import DEFAULT_CHECKERS, Checkers
from bearoff.app.output import say
from bearoff.runtime import cores
from bearoff.sim.engine import PassProgress
from research.running import Output, Workers, run_program
from research.studies import study_two_sided, write_two_sided_study


def main(
    checkers: Checkers = DEFAULT_CHECKERS,
    output: Output = "results/two-sided",
    workers: Workers = None,
) -> None:
    """Measure how much fewest-rolls play loses against optimal play.

    The program compares every pair of positions in the table. It writes a page with the
    largest differences in win probability and the costliest fewest-rolls plays. It also
    writes a chart, and a Parquet file with the results by numbers of checkers.

    \b
    python -m research.two_sided --checkers 8
    """
    show = PassProgress()
    found = study_two_sided(
        checkers,
        workers=workers or cores(),
        progress=lambda done: show("pairs", done),
    )
    for path in write_two_sided_study(found, output):
        say(str(path))


if __name__ == "__main__":
    sys.exit(run_program(main))
