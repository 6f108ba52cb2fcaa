"""What decisions with the cube lose, judged by GNU Backgammon two plies ahead.

Run as ``python -m verify.cube_decisions``; ``--write`` keeps the page. Positions are from
games of the net with itself, for money and at scores of a match to 7, where somebody may
double; kept are those in which the judge holds doubling and waiting close, by its own
measure. Taking is judged where it would double.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.output import markdown_page, markdown_table
from bearoff.stakes import PASS, ladder_kernels
from game import Board
from game.evaluation import Net
from game.search import CONTACT_EFFICIENCY, Searcher, SearchSettings, cube_of, net_mover
from game.state import GameState
from verify.common.report import leave, page_parser
from verify.peers import gnubg
from verify.peers.gnubg_cubes import verdicts

Float64Array = NDArray[np.float64]

LENGTH = 7
CLOSE = 0.16
"""GNU Backgammon's measure of a close decision."""


def positions(count: int, seed: int) -> Iterator[GameState]:
    """Yield states in which who is on roll may double, every fifth turn of games."""
    rng, move = np.random.default_rng(seed), net_mover(Net.load())
    board, turns, met = Board.start(), 0, 0
    while met < count:
        first, second = map(int, rng.integers(1, 7, 2))
        if board.points_won or turns > 300:
            board, turns = Board.start(), 0
            continue
        turns += 1
        if turns % 5 == 3:
            state = _at_some_score(board, rng)
            if state.may_double:
                met += 1
                yield state
        after = move(board.array, max(first, second), min(first, second))
        board = Board(tuple(after.tolist()))


def _at_some_score(board: Board, rng: np.random.Generator) -> GameState:
    """Return a state for money, or at a score, the cube centred or with who is on roll."""
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


def at_once(states: list[GameState], chances: Float64Array) -> Float64Array:
    """Return what waiting and doubling are worth by chances, without a look ahead."""
    found = np.empty((len(states), 2))
    for row, state, given in zip(found, states, chances, strict=True):
        cube = cube_of(state)
        ladder = cube.ladders()[0]
        filled = np.empty((len(ladder), 4))
        ladder_kernels.fill(ladder, given, filled)
        live = CONTACT_EFFICIENCY
        held = ladder_kernels.held
        row[0] = held(ladder, filled, 0, cube.owner, given, live)
        row[1] = held(ladder, filled, 1, -1, given, live)
    return found


def after_a_look(states: list[GameState], net: Net) -> Float64Array:
    """Return the same after a look of one roll by the net."""
    searcher = Searcher(net, SearchSettings(depth=0))
    found = [searcher.decide(state.board, cube_of(state)) for state in states]
    return np.array([(one.no_double[0], one.double_take[0]) for one in found])


def losses(judge: Float64Array, values: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Return what doubling or waiting, and then taking or passing, lose by values.

    The second only of positions in which the judge doubles.
    """
    doubled = np.minimum(judge[:, 1], PASS)
    doubles = np.minimum(values[:, 1], PASS) >= values[:, 0]
    lost = np.maximum(judge[:, 0], doubled) - np.where(doubles, doubled, judge[:, 0])
    takes, offered = values[:, 1] <= PASS, doubled >= judge[:, 0]
    answer = np.where(takes, judge[:, 1], PASS) - doubled
    return lost, answer[offered]


def compared(count: int, seed: int, net: Net) -> tuple[list[list[str]], int]:
    """Return the rows of the page, and how many positions were close."""
    states = list(positions(count, seed))
    said = verdicts(states)
    judge = said[:, 1]
    close = np.abs(np.minimum(judge[:, 1], PASS) - judge[:, 0]) < CLOSE
    kept = [state for state, near in zip(states, close, strict=True) if near]
    said, judge = said[close], judge[close]
    own = np.array([net.chances(state.board) for state in kept])
    players = {
        "net, a look of one roll": after_a_look(kept, net),
        "net, at once": at_once(kept, own),
        "GNU Backgammon's chances at 2 ply, at once": at_once(kept, judge[:, 2:]),
        "its chances at 0 ply, at once": at_once(kept, said[:, 0, 2:]),
        "GNU Backgammon, 0 ply": said[:, 0],
    }
    rows = []
    for name, values in players.items():
        parts = losses(judge, values)
        both = np.concatenate(parts)
        rows.append([name, *map(_thousandths, (*parts, both))])
    off = own - judge[:, 2:]
    names = ["win", "gammon won", "gammon lost"]
    for name, column in zip(names, (0, 1, 3), strict=True):
        rows.append(
            [f"*{name}, less the judge's*", f"{off[:, column].mean():+.4f}", "", ""]
        )
    return rows, len(kept)


def _thousandths(lost: Float64Array) -> str:
    error = lost.std(ddof=1) / len(lost) ** 0.5
    return f"{1000 * lost.mean():.1f} ± {1000 * error:.1f}"


def page(rows: list[list[str]], positions: int, count: int) -> str:
    """Set it as Markdown."""
    head = ["decided by", "doubling or not", "taking or not", "a decision"]
    return markdown_page(
        [
            "# What decisions with the cube lose",
            f"From `python -m verify.cube_decisions --positions {positions}`: {count:,} "
            "close ones of as many positions from games of the net with itself, for money "
            "and at scores of a match to 7, judged by GNU Backgammon two plies ahead: "
            "thousandths of an EMG a decision, with a standard error. *At once* is a cube "
            "of which a share is live, by chances alone; with the judge's own chances it "
            "says what that model loses, with the net's what the chances lose beside it. "
            "The last rows are chances of the net less the judge's.",
            markdown_table(head, rows),
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    """Compare, and say it."""
    gnubg.require()
    parser = page_parser(__doc__, Path("results/game/cube.md"))
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--net", type=Path, help="a file of weights; the shipped if none")
    given = parser.parse_args(arguments)
    rows, count = compared(given.positions, given.seed, Net.load(given.net))
    leave(page(rows, given.positions, count), given.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
