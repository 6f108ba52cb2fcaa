"""Program that typesets the paper, with all numbers from results/."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bearoff.app.output import say
from research.paper import write_paper
from research.running import run_program


def main(
    results: Annotated[
        str, typer.Option(metavar="FOLDER", help="Folder of results to read.")
    ] = "results",
    to: Annotated[Path, typer.Option(metavar="FILE", help="The PDF to write.")] = Path(
        "results/paper.pdf"
    ),
    short: Annotated[
        bool, typer.Option("--short", help="Only the abstract and the main tables.")
    ] = False,
) -> None:
    """Typeset the paper, with all numbers from results/.

    Every number is read from results/ when the paper is built. The program needs typst: pip
    install ".[paper]".

    \b
    python -m research.typeset
    """
    facts = write_paper(results, to, short=short)
    say(f"{to}: {len(facts.values):,} numbers and {len(facts.tables)} tables of results")


if __name__ == "__main__":
    sys.exit(run_program(main))
