"""Equity lost by this program's cube decisions, according to GNU Backgammon at 2-ply.

Positions come from games of the network against itself, for money and at scores of a match
to 7. A position is used if the player on roll may double, and GNU Backgammon considers
doubling close. Takes are judged where GNU Backgammon would double.
"""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.game import Board
from bearoff.game.evaluation import Net
from bearoff.game.search import Searcher, SearchSettings, cube_of
from bearoff.game.state import GameState
from bearoff.stakes import PASS
from oracles import gnubg
from oracles.gnubg_cubes import verdicts
from research.comparisons import cube_efficiency
from research.comparisons.cube_efficiency import at_once, losses
from research.comparisons.net_games import boards_met
from research.comparisons.pages import page_parser, write_page

Float64Array = NDArray[np.float64]

LENGTH = 7
CLOSE = 0.16
"""Difference in equity below which GNU Backgammon calls a cube decision close."""


def positions(count: int, seed: int) -> Iterator[GameState]:
    """Return states in which the roller may double, from every fifth turn of games."""
    rng = np.random.default_rng(seed)
    met = boards_met(rng, lambda board: bool(board.points_won), every=5)
    states = (_at_some_score(board, rng) for board, _ in met)
    return islice((state for state in states if state.may_double), count)


def _at_some_score(board: Board, rng: np.random.Generator) -> GameState:
    """Return a state of a money game or of a match, with a random cube."""
    owner = int(rng.integers(2)) - 1
    if rng.random() < 1 / 3:
        owned = {"cube_value": 2, "cube_owner": 0} if owner == 0 else {}
        return GameState(board=board, turn=0, **owned)
    won = tuple(rng.integers(0, LENGTH, 2).tolist())
    crawford = max(won) == LENGTH - 1 and rng.random() < 0.5
    value = int(2 ** rng.integers(1, 3)) if owner == 0 and not crawford else 1
    return GameState(
        length=LENGTH,
        won=won,
        crawford=crawford,
        board=board,
        turn=0,
        cube_value=value,
        cube_owner=0 if value > 1 else None,
    )


def after_a_look(states: list[GameState], net: Net) -> Float64Array:
    """Return the network's equities of cube decisions, after a search one roll ahead."""
    searcher = Searcher(net, SearchSettings(depth=0))
    found = [searcher.decide(state.board, cube_of(state)) for state in states]
    return np.array([(one.no_double[0], one.double_take[0]) for one in found])


def compared(
    count: int, seed: int, net: Net
) -> tuple[list[list[str]], list[list[str]], int]:
    """Compare close cube decisions; return the rows of two tables, and their number."""
    states = list(positions(count, seed))
    said = verdicts(states)
    judge = said[:, 1]
    close = np.abs(np.minimum(judge[:, 1], PASS) - judge[:, 0]) < CLOSE
    kept = [state for state, near in zip(states, close, strict=True) if near]
    said, judge = said[close], judge[close]
    lives = cube_efficiency.shipped(kept)
    own = np.array([net.chances(state.board) for state in kept])
    players = {
        "net, with a search one roll ahead": after_a_look(kept, net),
        "net, at once": at_once(kept, own, lives),
        "at once, with GNU Backgammon's winning chances at 2 ply": at_once(
            kept, judge[:, 2:], lives
        ),
        "at once, with GNU Backgammon's winning chances at 0 ply": at_once(
            kept, said[:, 0, 2:], lives
        ),
        "GNU Backgammon, 0 ply": said[:, 0],
    }
    rows = []
    for name, values in players.items():
        parts = losses(judge, values)
        both = np.concatenate(parts)
        rows.append([name, *map(_thousandths, (*parts, both))])
    contact = [state.board.race is None for state in kept]
    off = (own - judge[:, 2:])[contact]
    names = (
        "win",
        *(
            f"{what} a {how}"
            for what in ("win", "lose")
            for how in ("gammon", "backgammon")
        ),
    )
    for name, column in zip(names, off.T, strict=True):
        rows.append(
            [f"*net's chance to {name} minus the judge's*", f"{column.mean():+.4f}", "", ""]
        )
    return rows, cube_efficiency.rows(kept, judge), len(kept)


def _thousandths(lost: Float64Array) -> str:
    error = lost.std(ddof=1) / len(lost) ** 0.5
    return f"{1000 * lost.mean():.1f} ± {1000 * error:.1f}"


def page(rows: list[list[str]], lives: list[list[str]], positions: int, count: int) -> str:
    head = ["decided by", "doubling or not", "taking or not", "all decisions"]
    return markdown_page(
        [
            "# Losses of cube decisions",
            f"`python -m research.comparisons.cube_decisions --positions {positions}` "
            "measures the losses of cube decisions in games of the neural net against "
            f"itself, for money and at scores of a match to 7. In each of the {count:,} "
            "decisions, the values of the two choices are close. GNU Backgammon judges "
            "the decisions, two plies ahead. Losses are in thousandths of an EMG per "
            "decision, with a standard error. *At once* means that the decision is "
            "made without a search, by Janowski's model of a partly live cube. With "
            "the judge's winning chances, the loss at once is the loss of the model "
            "alone. With the net's winning chances, the loss at once also includes the "
            "errors of these chances. The last rows show the mean difference between "
            "the net's and the judge's chances before a race.",
            markdown_table(head, rows),
            "## The efficiency of the cube",
            "*Fitted* is the cube efficiency with which Janowski's model best agrees "
            "with the judge's values. The cube efficiency was fitted to every second "
            "position of each kind, with the judge's winning chances. *Used* is the "
            "cube efficiency that the program's players use. The last columns show the "
            "losses of decisions without a search, at the cube efficiency used and at "
            "the fitted one, in the positions that were not used for the fit.",
            markdown_table(
                [
                    "positions",
                    "",
                    "fitted",
                    "used",
                    "loss used",
                    "loss fitted",
                    "difference",
                ],
                lives,
            ),
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    gnubg.require()
    parser = page_parser(__doc__, Path("results/game/cube.md"))
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--net", type=Path, help="file of weights; by default the package's"
    )
    given = parser.parse_args(arguments)
    rows, lives, count = compared(given.positions, given.seed, Net.load(given.net))
    write_page(page(rows, lives, given.positions, count), given.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
