"""Errors of other programs in races, as judged by this program."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bearoff.app.output import say
from bearoff.sim.engine import PassProgress
from research.public_matches import analysed
from research.running import Seed, run_program
from research.studies import judge_trials, trials_in, trials_of, write_other_programs_page


def main(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Folder with subfolders 0-ply, 1-ply, ... of GNU Backgammon's analyses.",
        ),
    ],
    page: Annotated[Path, typer.Option(metavar="PAGE", help="Where to write.")] = Path(
        "results/agreement/other-programs.md"
    ),
    of: Annotated[
        str, typer.Option(metavar="TEXT", help="Description of the matches.")
    ] = "",
    size: Annotated[
        int, typer.Option(min=1, metavar="N", help="Files drawn at random.")
    ] = 500,
    seed: Seed = 1,
) -> None:
    """Measure the errors of other programs in races, as judged by this program.

    The program reads GNU Backgammon's analyses of the same decisions at several search
    depths, and computes what each choice costs. The costs are exact if both sides are home
    and the depths differ; otherwise, they come from the fast model. eXtreme Gammon's
    choices in the public matches are judged in the same way.

    \b
    python -m research.other_programs FOLDER
    """
    folders = {path.name: path for path in sorted(folder.glob("?-ply")) if path.is_dir()}
    trials = trials_of(folders, size, seed)
    show = PassProgress()
    found = judge_trials(trials, lambda done: show("decisions", done))
    other = judge_trials(
        trials_in(analysed(), "eXtreme Gammon"), lambda done: show("public", done)
    )
    say(str(write_other_programs_page(found, other, page, of)))


if __name__ == "__main__":
    sys.exit(run_program(main))
