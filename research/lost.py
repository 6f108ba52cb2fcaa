"""Cost of people's decisions in races of their matches."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bearoff.app.output import say
from bearoff.sim.engine import PassProgress
from research.running import Output, Workers, run_program
from research.studies import judge_people, read_decisions, write_decisions, write_lost_page


def main(
    matches: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of matches to judge. Default: the stored decisions.",
            show_default=False,
        ),
    ] = None,
    output: Output = "results/people",
    of: Annotated[
        str, typer.Option(metavar="TEXT", help="Description of the matches for the page.")
    ] = "",
    size: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Matches drawn at random.", show_default="all"
        ),
    ] = None,
    workers: Workers = None,
) -> None:
    """Measure the cost of people's decisions in races.

    The program judges every decision in the races of matches, and stores the results as
    numbers, without names. The program also writes a page of mean costs by type of
    decision, match score and length of the race, and compares people with simple race
    formulas.

    \b
    python -m research.lost --matches FOLDER
    python -m research.lost
    """
    folder = Path(output)
    kept = folder / "decisions.parquet"
    if matches is not None:
        show = PassProgress()
        paths = [path for path in sorted(matches.rglob("*")) if path.is_file()]
        found = judge_people(paths, size, workers or -1, lambda done: show("matches", done))
        folder.mkdir(parents=True, exist_ok=True)
        write_decisions(found, kept)
    say(str(write_lost_page(read_decisions(kept), folder / "lost.md", of)))


if __name__ == "__main__":
    sys.exit(run_program(main))
