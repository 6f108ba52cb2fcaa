"""Program that reads a folder of match files and reports the errors that occur."""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bearoff import BearoffError
from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.app.output import note, say
from bearoff.game.records import race_decisions, read_match
from bearoff.sim.engine import progress_bar
from research.running import run_program


def main(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Folder of match files. Its subfolders are read, too."
        ),
    ],
    page: Annotated[
        Path | None,
        typer.Option(
            metavar="PAGE",
            help="File to which the page is written. Default: the page is printed.",
            show_default=False,
        ),
    ] = None,
    of: Annotated[
        str, typer.Option(metavar="TEXT", help="Description of the files for the page.")
    ] = "",
    each: Annotated[
        bool, typer.Option("--each", help="Also print each complaint as it occurs.")
    ] = False,
) -> None:
    """List the errors that occur when a folder of match files is read.

    The program reads every file, replays every game to its end, and counts errors and
    complaints by type, without names and numbers.

    \b
    python -m research.matches FOLDER --each
    """
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    with progress_bar("files", len(paths), show=sys.stderr.isatty(), unit="files") as bar:
        for path in paths:
            for complaint in _read(path, counts):
                kinds[kind_of(complaint, path.name)] += 1
                if each:
                    note(complaint)
            bar.update()
    text = _page(counts, kinds, of)
    if page is not None:
        say(str(write_text(text, page)))
    else:
        say(text)


def _read(path: Path, counts: Counter[str]) -> Iterator[str]:
    """Yield the error messages about a file, and count its contents."""
    counts["files"] += 1
    try:
        match = read_match(path)
    except BearoffError as error:
        counts["files refused"] += 1
        yield str(error)
        return
    decisions, problems = race_decisions(match)
    cut = sum("is followed only up to" in problem for problem in problems)
    counts["games"] += len(match.games)
    counts["games followed to their end"] += len(match.games) - cut
    counts["decisions in races"] += len(decisions)
    counts["complaints"] += len(problems)
    yield from problems


def kind_of(complaint: str, name: str) -> str:
    """Return an error message without names and numbers, so that messages can be grouped.

    Examples
    --------
    >>> kind_of("a.mat, line 7: 'Shrugs' is not understood, and left out", "a.mat")
    "FILE, line N: '...' is not understood, and left out"
    """
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", complaint.replace(name, "FILE"))
    return re.sub(r"\d+", "N", text)


def _page(counts: Counter[str], kinds: Counter[str], of: str) -> str:
    counted = markdown_table(
        ["", "number"], [[name, f"{number:,}"] for name, number in counts.items()]
    )
    why = markdown_table(
        ["complaint", "times"],
        [[kind.replace("|", "/"), f"{times:,}"] for kind, times in kinds.most_common()],
    )
    about = f"From `python -m research.matches FOLDER`. {of}".strip()
    parts = ["# Reading public matches", about, counted]
    listed = ["## Complaints about the files", why] if kinds else []
    return markdown_page([*parts, *listed])


if __name__ == "__main__":
    sys.exit(run_program(main))
