"""Plays of the 15 opening rolls that a search chooses, compared with accepted plays.

Run as ``python -m research.openings``.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bearoff import ROLLS
from bearoff.analysis.output import markdown_page, markdown_table, write_text, writing_to
from bearoff.app.output import say
from bearoff.game import Board, format_play, read_play
from bearoff.game.evaluation import Net
from bearoff.game.search import Searcher, SearchSettings
from research.running import Output, run_program

ACCEPTED = {
    (2, 1): ("13/11 6/5", "24/23 13/11"),
    (3, 1): ("8/5 6/5",),
    (3, 2): ("24/21 13/11", "13/11 13/10"),
    (4, 1): ("24/23 13/9", "13/9 6/5"),
    (4, 2): ("8/4 6/4",),
    (4, 3): ("24/20 13/10", "24/21 13/9", "13/10 13/9"),
    (5, 1): ("24/23 13/8", "13/8 6/5"),
    (5, 2): ("24/22 13/8", "13/11 13/8"),
    (5, 3): ("8/3 6/3",),
    (5, 4): ("24/20 13/8", "13/9 13/8"),
    (6, 1): ("13/7 8/7",),
    (6, 2): ("24/18 13/11", "24/16", "13/5"),
    (6, 3): ("24/18 13/10", "24/15"),
    (6, 4): ("24/18 13/9", "24/14", "8/2 6/2"),
    (6, 5): ("24/13",),
}
"""Opening plays of strong players in money games, from bkgm.com/openings.html, most common
play first."""


def best(searcher: Searcher, roll: tuple[int, int]) -> tuple[str, float, float]:
    """Return the best play of an opening roll, its equity, and the best accepted equity."""
    start = Board.start()
    rated = searcher.choose(start, roll)
    accepted = {read_play(start, play, roll) for play in ACCEPTED[roll]}
    theirs = max(searcher.worth(board) for board in accepted)
    return format_play(start, rated.board, roll), rated.equity, theirs


def page(depths: tuple[int, ...]) -> str:
    """Return a Markdown page that compares searched and accepted opening plays."""
    searchers = [
        Searcher(Net.load(), SearchSettings(depth=depth, width=8, inner_width=3))
        for depth in depths
    ]
    rows, agreed = [], [0] * len(depths)
    for roll in sorted(roll for roll in ROLLS if roll[0] != roll[1]):
        row = ["-".join(map(str, roll)), ", ".join(ACCEPTED[roll])]
        for n, searcher in enumerate(searchers):
            play, equity, theirs = best(searcher, roll)
            same = read_play(Board.start(), play, roll) in {
                read_play(Board.start(), text, roll) for text in ACCEPTED[roll]
            }
            agreed[n] += same
            loss = "" if same else f" (accepted: {theirs - equity:+.3f})"
            row.append(f"{play} {equity:+.3f}{loss}")
        rows.append(row)
    counts = ", ".join(
        f"{count} of 15 at depth {depth}"
        for count, depth in zip(agreed, depths, strict=True)
    )
    return markdown_page(
        [
            "# Opening plays",
            "`python -m research.openings` searches for the best opening play of each "
            "roll, without an opening book. Each cell of the table contains the play "
            "found and its cubeless equity. If this play is not one of the accepted "
            "plays, the cell also contains the equity of the best accepted play minus "
            "the equity of the play found. Depth is the number of rolls that the search "
            "looks ahead. Number of rolls for which the search finds an accepted opening "
            f"play: {counts}.",
            markdown_table(
                ["roll", "accepted", *(f"depth {depth}" for depth in depths)], rows
            ),
        ]
    )


def main(
    output: Output = "results/game",
    depth: Annotated[
        int, typer.Option(min=0, max=2, metavar="N", help="Maximum search depth in rolls.")
    ] = 2,
) -> None:
    """Compare the opening plays that a search chooses with the accepted plays.

    The program writes the page `openings.md`.

    \b
    python -m research.openings --depth 1
    """
    text = page(tuple(range(depth + 1)))
    with writing_to(Path(output)):
        say(str(write_text(text, Path(output) / "openings.md")))


if __name__ == "__main__":
    sys.exit(run_program(main))
