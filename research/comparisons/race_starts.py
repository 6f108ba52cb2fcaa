"""Races that begin when contact ends, in games of three different players.

GNU Backgammon plays against itself at 0 plies, without a cube. A race is used if its lead
is within the limits of a population.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.bear_in import bear_in
from bearoff.game import Board
from bearoff.sim.populations.contact import Starts, race_starts
from bearoff.sim.populations.harvest import worth_racing
from bearoff.sim.populations.net_games import net_starts
from oracles import gnubg
from oracles.gnubg_mover import GnubgMover
from research.comparisons.pages import page_parser, write_page

POINTS = np.arange(1, 25)


def gnubg_starts(seed: int, first: int, count: int) -> Starts:
    """Let GNU Backgammon play games until contact ends; return the races that follow."""
    found: list[tuple[int, np.ndarray]] = []
    with GnubgMover() as move:
        for game in range(first, first + count):
            rng = np.random.default_rng((seed, game))
            board, opening = Board.start().array, True
            while True:
                high, low = sorted(rng.integers(1, 7, 2).tolist(), reverse=True)
                if opening and high == low:
                    continue
                opening = False
                board = move(board, high, low)
                own, other = np.flatnonzero(board > 0), np.flatnonzero(board < 0)
                if not other.size:
                    break
                if own.max() < other.min():
                    found.append((game, board))
                    break
    boards = np.array([board for _, board in found])
    return Starts(
        np.array([game for game, _ in found]),
        np.maximum(boards[:, 1:25], 0).astype(np.int8),
        np.maximum(-boards[:, 24:0:-1], 0).astype(np.int8),
    )


def joined(parts: list[Starts]) -> Starts:
    """Concatenate the arrays of races from several runs."""
    return Starts(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("games", "rollers", "opponents")
        )
    )


def column(starts: Starts, games: int) -> list[str]:
    """Return a column of a Markdown table with statistics of the races."""
    kept = worth_racing(starts)
    rollers, opponents = starts.rollers[kept], starts.opponents[kept]
    pips, lead = rollers @ POINTS, (opponents - rollers) @ POINTS
    waste = bear_in().epc(rollers) - pips
    count = len(pips)

    def mean(values: np.ndarray) -> str:
        return (
            f"{values.mean():.1f} ± {values.std(ddof=1) / count**0.5:.1f}, "
            f"{values.std(ddof=1):.1f}"
        )

    def share(values: np.ndarray) -> str:
        p = float(values.mean())
        return f"{p:.0%} ± {(p * (1 - p) / count) ** 0.5:.0%}"

    return [
        f"{games:,}",
        f"{len(kept) / games:.0%}",
        f"{count:,}",
        mean(pips),
        ", ".join(f"{value:.0f}" for value in np.quantile(pips, (0.05, 0.5, 0.95))),
        mean(lead),
        mean(np.abs(lead)),
        mean(waste),
        f"{rollers[:, 6:].sum(axis=1).mean():.1f}",
        f"{(15 - rollers.sum(axis=1)).mean():.1f}",
        *(share(rollers[:, point - 1] == 0) for point in (6, 5, 4)),
        share(rollers.max(axis=1) > 4),
    ]


NAMES = (
    "games",
    "that become a race",
    "races that start with a limited lead",
    "roller's pips: mean, standard deviation",
    "5%, median, 95%",
    "roller's lead in pips: mean, standard deviation",
    "size of the lead: mean, standard deviation",
    "roller's wastage: mean, standard deviation",
    "checkers beyond home",
    "checkers off",
    "gap on the 6",
    "gap on the 5",
    "gap on the 4",
    "side with more than four checkers on a point",
)


def page(blocks: int, games: int, seed: int, threads: int) -> str:
    size = -(-games // threads)
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(lambda part: gnubg_starts(seed, part * size, size), range(threads))
        theirs = joined(list(parts))
    ours = joined([net_starts(seed, block) for block in range(blocks)])
    hand = joined([race_starts(seed, block) for block in range(blocks)])
    columns = [
        column(ours, 1024 * blocks),
        column(theirs, size * threads),
        column(hand, 1024 * blocks),
    ]
    rows = [[name, *(each[n] for each in columns)] for n, name in enumerate(NAMES)]
    return markdown_page(
        [
            "# Starting positions of races in games",
            f"`python -m research.comparisons.race_starts --blocks {blocks} --games "
            f"{games}` compares the positions in which races start. The positions come "
            "from games without a cube, in which three players each play against "
            "themselves. The three players are the neural net (populations `net-races` "
            f"and `net-long`), GNU Backgammon {gnubg.version()} at 0 ply, and the "
            "player whose rules of play were written by hand (populations `races` and "
            "`long`). The table compares only races in which the leader's lead is at "
            "most 30% of the leader's pip count plus 4, as in a population. ± is one "
            "standard error.",
            markdown_table(["", "net", "GNU Backgammon", "rules by hand"], rows),
        ]
    )


def main(arguments: list[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/game/races.md"))
    parser.add_argument(
        "--blocks",
        type=int,
        default=10,
        help="number of blocks of 1,024 games of our players",
    )
    parser.add_argument(
        "--games", type=int, default=2000, help="number of games of GNU Backgammon"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=4)
    options = parser.parse_args(arguments)
    gnubg.require()
    text = page(options.blocks, options.games, options.seed, options.threads)
    write_page(text, options.write)


if __name__ == "__main__":
    main()
