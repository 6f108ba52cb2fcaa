"""What opponents of the page lose by their plays, judged by a search two rolls ahead.

Run as ``python -m verify.opponents``; ``--write`` keeps the page, and the table that the
server shows. Positions are from games of the net with itself, in contact, with more than
one legal play.
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from analysis.output import markdown_page, markdown_table
from app.serve.play import opponents
from app.serve.play.thinking import WIDTH
from game import Board, legal_plays
from game.evaluation import Net
from game.search import Searcher, SearchSettings, cube_of, net_mover
from game.state import GameState
from verify.common.report import leave, page_parser

JUDGE = SearchSettings(depth=2, width=6, inner_width=4)

BIG = 0.05
"""Points that a blunder costs."""


def positions(count: int, seed: int) -> Iterator[GameState]:
    """Yield decisions in contact, every seventh of the net's games with itself."""
    rng, move = np.random.default_rng(seed), net_mover(Net.load())
    board, turns, met = Board.start(), 0, 0
    while met < count:
        first, second = map(int, rng.integers(1, 7, 2))
        if board.race is not None or board.points_won or turns > 300:
            board, turns = Board.start(), 0
            continue
        high, low = max(first, second), min(first, second)
        turns += 1
        if turns % 7 == 3 and len(legal_plays(board, (high, low))) > 1:
            met += 1
            yield GameState(turn=0, dice=(high, low), board=board)
        after = move(board.array, high, low)
        board = Board(tuple(after.tolist()))


def losses(count: int, seed: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return what each opponent lost by each decision, and how hints err.

    Returns
    -------
    lost : dict of str to ndarray of float64, shape (count,)
        In points.
    off : ndarray of float64
        Costs of plays by the search of hints less those by the judge.
    """
    judge = Searcher(Net.load(), JUDGE)
    hints = Searcher(Net.load(), SearchSettings(depth=1, width=WIDTH))
    players = {
        name: opponent.make(opponents.Clock())
        for name, opponent in opponents.OPPONENTS.items()
    }
    lost: dict[str, list[float]] = {name: [] for name in players}
    off = []
    for state in positions(count, seed):
        assert state.dice is not None
        chosen = {name: player.play(state) for name, player in players.items()}
        cube = cube_of(state)
        told = {
            one.board: one.equity for one in hints.rate(state.board, state.dice, cube)[:3]
        }
        worth = {board: judge.worth(board, cube) for board in {*chosen.values(), *told}}
        best = max(worth.values())
        for name, board in chosen.items():
            lost[name].append(best - worth[board])
        first, *others = told
        off += [
            (told[first] - told[board]) - (worth[first] - worth[board]) for board in others
        ]
    return {name: np.array(values) for name, values in lost.items()}, np.array(off)


def in_thousandths(values: np.ndarray) -> tuple[str, str]:
    """Return a mean and its standard error."""
    error = values.std(ddof=1) / len(values) ** 0.5
    return f"{1000 * values.mean():.1f}", f"{1000 * error:.1f}"


def page(lost: dict[str, np.ndarray], off: np.ndarray) -> str:
    """Set it as Markdown."""
    rows = [
        [
            opponents.OPPONENTS[name].title,
            " ± ".join(in_thousandths(values)),
            f"{(values > BIG).mean():.1%}",
        ]
        for name, values in lost.items()
    ]
    count = len(next(iter(lost.values())))
    return markdown_page(
        [
            "# What opponents lose by their plays",
            f"From `python -m verify.opponents --decisions {count}`: {count:,} decisions "
            "in contact from games of the net with itself, judged by its own search two "
            "rolls ahead, for money and with the cube in the centre. The judge is the same "
            "net: what it does not know, it does not see, and a look of two rolls is "
            "flattered. Thousandths of a point a decision, with a "
            f"standard error, and the share of plays that cost more than {BIG}.",
            markdown_table(["opponent", "lost", "blunders"], rows),
            "Hints before the race are by a search one roll ahead. What they say that the "
            "second and third play cost differs from the judge by "
            f"{1000 * float(np.sqrt((off**2).mean())):.1f} thousandths, root mean square, "
            f"over {len(off):,} plays.",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    """Measure, and say it."""
    parser = page_parser(__doc__, Path("results/game/opponents.md"))
    parser.add_argument("--decisions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    lost, off = losses(given.decisions, given.seed)
    leave(page(lost, off), given.write)
    if given.write:
        rows = [[name, *in_thousandths(values)] for name, values in lost.items()]
        rows.append(["hints", f"{1000 * float(np.sqrt((off**2).mean())):.1f}", ""])
        with opponents.MEASURED.open("w", encoding="ascii", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([["name", "lost", "error"], *rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
