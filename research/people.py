"""Program that stores people's race decisions in public matches as a population."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bearoff import BearoffError
from bearoff.app.output import note, say
from bearoff.game.records import MatchRecord, parse_match
from bearoff.sim.engine import PassProgress
from bearoff.sim.populations import ONLINE, build_people
from research.public_matches import analysed
from research.running import Output, run_program


def main(
    output: Output = "results/populations",
    matches: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of match files to use in place of the public matches. All their "
            "races must be at home.",
        ),
    ] = None,
) -> None:
    """Store people's decisions in races of the public matches as a population of positions.

    The pages of `bearoff formulas score` then have a row for this population. The program
    needs the two-sided table.

    \b
    python -m research.people
    python -m research.people --matches FOLDER
    """
    show = PassProgress()
    command = "python -m research.people"
    if matches is None:
        path = build_people(analysed(), output, command, progress=show)
    else:
        read = _read(matches)
        command += " --matches FOLDER"
        path = build_people(read, output, command, name=ONLINE, at_home=True, progress=show)
    say(str(path))


def _read(folder: Path) -> list[MatchRecord]:
    """Read all different match files in a folder; print an error for unreadable files."""
    files = {
        path.read_bytes(): path for path in sorted(folder.rglob("*")) if path.is_file()
    }
    read = []
    for data, path in files.items():
        try:
            read.append(parse_match(data, path.name))
        except BearoffError as error:
            note(f"left out: {error}")
    note(f"{len(read)} of {len(files)} files read")
    return read


if __name__ == "__main__":
    sys.exit(run_program(main))
