"""Equity that the plays of the web page's opponents lose, according to GNU Backgammon.

The program writes a page, and the table of losses that the server shows. Positions come
from money games of the network against itself; each position has contact, and more than one
legal play.
"""

import csv
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.analysis.review import Estimates
from bearoff.app.serve.play import opponents
from bearoff.game import Board, legal_plays
from bearoff.game.state import GameState, Player
from bearoff.stakes import PASS
from oracles import gnubg
from oracles.gnubg_cubes import verdicts
from oracles.gnubg_mover import GnubgPlayer
from research.comparisons.net_games import boards_met
from research.comparisons.pages import page_parser, write_page

Float64Array = NDArray[np.float64]

JUDGE = "GNU Backgammon"

BIG = 0.05
"""Smallest loss in points of a play that counts as a blunder."""


def positions(count: int, seed: int) -> Iterator[GameState]:
    """Return decisions with contact, from every seventh turn of self-play games."""

    def is_over(board: Board) -> bool:
        return board.race is not None or bool(board.points_won)

    met = boards_met(np.random.default_rng(seed), is_over, every=7)
    states = (
        GameState(turn=0, dice=roll, board=board)
        for board, roll in met
        if len(legal_plays(board, roll)) > 1
    )
    return islice(states, count)


@dataclass(frozen=True)
class Decision:
    """Decision on how to play a roll, with the play that each player chooses.

    Attributes
    ----------
    chosen : dict of str to Board
        Board after the play of each player and of GNU Backgammon, as seen by the next
        roller.
    hinted : list of (Board, float)
        Plays that hints suggest, with their equities; the best one first.
    """

    chosen: dict[str, Board]
    hinted: list[tuple[Board, float]]


def asked(count: int, seed: int) -> list[Decision]:
    """Let each opponent of the web page, GNU Backgammon and the hints choose plays."""
    hints = Estimates()
    players: dict[str, Player] = {
        name: opponent.make(opponents.Clock())
        for name, opponent in opponents.OPPONENTS.items()
    }
    found = []
    with GnubgPlayer(plies=2) as judge:
        players[JUDGE] = judge
        for state in positions(count, seed):
            assert state.dice is not None
            rated, boards = hints.plays(state)
            found.append(
                Decision(
                    {name: each.play(state).turned for name, each in players.items()},
                    [
                        (board.turned, one.equity)
                        for board, one in zip(boards[:3], rated.alternatives, strict=False)
                    ],
                )
            )
    return found


def judged(boards: Sequence[Board]) -> dict[Board, float]:
    """Return GNU Backgammon's equities, with a centred cube, for the side not on roll."""
    said = verdicts([GameState(turn=0, board=board) for board in boards])[:, 1]
    worth = -np.maximum(said[:, 0], np.minimum(said[:, 1], PASS))
    return dict(zip(boards, worth.tolist(), strict=True))


def losses(count: int, seed: int) -> tuple[dict[str, Float64Array], Float64Array]:
    """Return the equity that each opponent's plays lose, and the errors of the hints.

    Returns
    -------
    lost : dict of str to ndarray of float64, shape (count,)
        Loss of each play in points, for each opponent, with the weakest opponent first.
    off : ndarray of float64
        Costs of plays according to the hints, minus costs according to GNU Backgammon.
    """
    decisions = asked(count, seed)
    worth = judged(
        list(
            dict.fromkeys(
                board
                for each in decisions
                for board in (*each.chosen.values(), *(hint[0] for hint in each.hinted))
            )
        )
    )
    lost: dict[str, list[float]] = {name: [] for name in opponents.OPPONENTS}
    off = []
    for each in decisions:
        best = max(worth[board] for board in each.chosen.values())
        for name, losses in lost.items():
            losses.append(best - worth[each.chosen[name]])
        first, most = each.hinted[0]
        off += [
            (most - told) - (worth[first] - worth[board]) for board, told in each.hinted[1:]
        ]
    order = sorted(lost, key=lambda name: sum(lost[name]))
    return {name: np.array(lost[name]) for name in order}, np.array(off)


def in_thousandths(values: Float64Array) -> tuple[str, str]:
    """Return a mean and its standard error as text, in thousandths."""
    error = values.std(ddof=1) / len(values) ** 0.5
    return f"{1000 * values.mean():.1f}", f"{1000 * error:.1f}"


def page(lost: dict[str, Float64Array], off: Float64Array) -> str:
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
            "# Losses of the opponents by their plays",
            f"`python -m research.comparisons.opponents --decisions {count}` measures "
            f"how well the opponents that the web page offers play, in {count:,} play "
            "decisions before the race. The positions are from money games of the "
            f"neural net against itself. GNU Backgammon {gnubg.version()} judges the "
            "plays, two plies ahead with a centred cube. The loss of a play is the "
            "equity of the best play minus the equity of this play. *Lost* is the mean "
            "loss in thousandths of a point per decision, with a standard error. "
            f"*Blunders* is the share of plays that lose more than {BIG} points.",
            markdown_table(["opponent", "lost", "blunders"], rows),
            "The hints that the web page gives before the race come from a search one "
            "roll ahead. The costs of the second and third best plays in the "
            "hints differ from GNU Backgammon's costs of these plays by "
            f"{1000 * float(np.sqrt((off**2).mean())):.1f} thousandths of a point (root "
            f"mean square over {len(off):,} plays).",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    gnubg.require()
    parser = page_parser(__doc__, Path("results/game/opponents.md"))
    parser.add_argument("--decisions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    lost, off = losses(given.decisions, given.seed)
    write_page(page(lost, off), given.write)
    if given.write:
        rows = [[name, *in_thousandths(values)] for name, values in lost.items()]
        with opponents.MEASURED.open("w", encoding="ascii", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([["name", "lost", "error"], *rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
