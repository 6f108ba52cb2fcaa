"""Cost and accuracy of two-sided bear-off tables for a match score.

Tables are built in an empty cache. Their values for all pairs of positions and states of
the cube are compared with those of `bearoff.match_table`, which uses float64, another
solver and other kernels.
"""

import os
import resource
import tempfile
from pathlib import Path

import numpy as np

import bearoff
from bearoff import build_match_table, match_table
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.two_sided import cached_two_sided_tables
from research.comparisons.pages import page_parser, write_page

SCORES = (
    ((1, 1), "normal"),
    ((1, 3), "crawford"),
    ((1, 4), "post-crawford"),
    ((2, 4), "normal"),
    ((3, 5), "normal"),
    ((7, 7), "normal"),
    ((9, 15), "normal"),
)

CUBES = ((1, "centred"), (2, "owned"), (2, "opponent"), (4, "owned"), (4, "opponent"))

_ROLLERS_AT_A_TIME = 256


def errors(checkers: int, away: tuple[int, int], game: str) -> tuple[float, float]:
    """Return the maximum and rms errors of a match table, in match-winning chances."""
    stored = match_table(checkers, away, game)
    exact = match_table(checkers, away, game, exact=True)
    y = np.arange(1, bearoff.position_count(checkers=checkers))
    largest, squares, count = 0.0, 0.0, 0
    for ours, right in ((stored, exact), (stored.exchanged(), exact.exchanged())):
        for cube in CUBES if game != "crawford" else CUBES[:1]:
            for start in range(1, len(y) + 1, _ROLLERS_AT_A_TIME):
                x = y[start - 1 : start - 1 + _ROLLERS_AT_A_TIME, None]
                for ask in ("value", "no_double"):
                    off = np.abs(
                        getattr(ours, ask)(x, y, *cube) - getattr(right, ask)(x, y, *cube)
                    )
                    largest = max(largest, float(off.max()))
                    squares, count = squares + float((off**2).sum()), count + off.size
    return largest, (squares / count) ** 0.5


def row(checkers: int, away: tuple[int, int], game: str) -> list[str]:
    """Build a table; return its cost and errors as a row of the page's table."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    folder = build_match_table(checkers, away, game)
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    (cached,) = (table for table in cached_two_sided_tables() if table.folder == folder)
    largest, rms = errors(checkers, away, game)
    stated = match_table(checkers, away, game).error
    named = "" if game == "normal" else f", {game}"
    return [
        f"{away[0]}-away {away[1]}-away{named}",
        *(str(len(cached.planes)), f"{seconds:.1f}", f"{cached.bytes / 1e6:,.1f}"),
        *(f"{largest:.2e}", f"{rms:.1e}", f"{stated:.2e}"),
    ]


def page(checkers: int) -> str:
    build_match_table(1, (2, 4))  # Compilation must not be measured.
    head = ["score", "planes", "seconds", "MB", "largest error", "rms error"]
    rows = [row(checkers, *score) for score in SCORES]
    parts = [
        "# Sizes and errors of tables at match scores",
        f"`python -m research.comparisons.match_tables` builds tables of {checkers} "
        "checkers a side, and compares their match-winning chances with a solution in "
        "double precision. The errors are computed over all pairs of positions and both "
        "players, at cube values up to 4. The stated error is the error that a table "
        "states as `MatchTable.error`. The seconds are processor time.",
        markdown_table([*head, "stated error"], rows),
    ]
    return markdown_page(parts)


def main(arguments: list[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/match/tables.md"))
    parser.add_argument(
        "--checkers", type=int, default=6, help="checkers per side, at most 8"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["BEAROFF_CACHE"] = cache
        text = page(options.checkers)
    write_page(text, options.write)


if __name__ == "__main__":
    main()
