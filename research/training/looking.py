"""Training of the network, whose targets are the results of its own one-roll searches.

The network plays against itself, and searches one roll ahead in every position. The result
of a search is the mean, over all 21 rolls, of the value of the best play. It is more
accurate than the network's evaluation of the position, and does not depend on luck. The
difference between the search and the evaluation is a correction. Corrections of later
positions of a game also correct the earlier positions, with weights that decrease with the
distance. On average, the corrected values are the final results without the luck of the
dice. Games start from the usual position, some of them after random plays, or from drawn
positions with a side on the bar, crashed, or bearing off.

A block of games depends only on the seed and is stored in a folder, so that an interrupted
run can be continued. Other types of processors may round sums differently.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from bearoff import ROLLS, WEIGHTS
from bearoff.game.evaluation import Net, play_kernels, race_tables
from bearoff.game.evaluation.net_kernels import OUTPUTS
from bearoff.game.rules import Board
from bearoff.rolls import THROWS
from research.running import Seed, run_program
from research.training import looking_kernels as kernels
from research.training.fitting import fit, widened
from research.training.sieve import fit_sieve

Float32Array = NDArray[np.float32]

BLOCK = 500
"""Number of games in a block."""

MOST_TURNS = 250


class Round(NamedTuple):
    """Settings of a round of training, which plays games and then trains the network.

    Attributes
    ----------
    blocks : int
        Number of blocks of games.
    drawn, wandered : float
        Proportions of games that start from a random board, and after some random plays.
    tried : float
        Proportion of turns in which a play other than the best one is made.
    fade : float
        Factor by which the correction of a position's value is multiplied when the
        correction is passed on to the previous position of the game.
    passes : int
        Number of passes over the positions of the last two rounds.
    rate : float
        Step size at the start of training.
    second : int
        Minimum number of units in the second layer.
    """

    blocks: int
    drawn: float
    wandered: float
    tried: float
    fade: float
    passes: int
    rate: float
    second: int = 0


ROUNDS = (
    Round(26, 0.25, 0.25, 0.15, 0.92, 8, 2e-3),
    Round(40, 0.25, 0.25, 0.15, 0.9, 6, 1.5e-3),
    Round(80, 0.2, 0.2, 0.08, 0.95, 5, 1e-3),
    Round(160, 0.2, 0.2, 0.06, 1.0, 4, 1e-3),
    Round(240, 0.15, 0.2, 0.06, 1.0, 4, 1e-3),
    Round(0, 0.15, 0.2, 0.06, 0.9, 4, 1e-3),
    Round(0, 0.15, 0.2, 0.06, 0.9, 12, 1.5e-3, second=128),
)
"""Rounds of training, in order. The last two rounds play no new games: they train on games
of earlier rounds, with a smaller `fade`.
"""

UNITS = 160

DICE, SHARES = np.array(ROLLS, np.int64), np.array(WEIGHTS) / THROWS

SIFTED = 2500
"""Number of positions whose plays are used to train the sieve, a small network that
preselects plays."""


class Looks(NamedTuple):
    """Positions with contact, and the results of one-roll searches of these positions.

    Attributes
    ----------
    boards : ndarray of int8, shape (n, 26)
    said, looked : ndarray of float32, shape (n, 5)
        Outcome probabilities by the network, and by a one-roll search.
    linked : ndarray of bool, shape (n,)
        Whether the best play in a position led to the next position of the array.
    """

    boards: NDArray[np.int8]
    said: Float32Array
    looked: Float32Array
    linked: NDArray[np.bool_]


def drawn_side(rng: np.random.Generator, taken: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Draw the checkers of a side in an unusual position.

    `taken` tells on which points the other side has checkers, in this side's numbering.
    """
    profile = np.zeros(26)
    profile[1:7] = 1.0
    kind = rng.integers(4)
    profile[7:13] = (0.0, 0.15, 0.3, 0.6)[kind]
    profile[1:4] *= rng.choice([1.0, 1.0, 3.0])
    back = rng.choice([0, 1, 1, 2, 2, 3, 4, 6]) if kind else rng.choice([0, 0, 0, 1])
    off = rng.integers(0, 13) if kind < 2 and rng.random() < 0.6 else 0
    side = np.zeros(26, np.int8)
    behind = np.zeros(26)
    behind[18:25], behind[25] = 1.0, 2.0
    for shares, men in ((profile, max(15 - off - back, 1)), (behind, back)):
        free = shares * rng.gamma(0.7, size=26) * ~taken
        if free.sum() > 0:
            side += rng.multinomial(men, free / free.sum()).astype(np.int8)
    return side


def drawn_board(rng: np.random.Generator) -> NDArray[np.int8]:
    """Draw a random board from the roller's viewpoint, with or without contact."""
    own = drawn_side(rng, np.zeros(26, np.bool_))
    taken = own[::-1] > 0
    taken[[0, 25]] = (
        False  # Each side has its own bar, so a checker on the bar blocks no point.
    )
    other = drawn_side(rng, np.concatenate([[False], taken[:-1]]))
    board = own.copy()
    board[:25] -= other[:0:-1]
    return board


def begun(
    table: play_kernels.PlayArrays, asked: Round, rng: np.random.Generator
) -> NDArray[np.int8]:
    """Return the board from which a game of a training round starts."""
    kind = rng.random()
    if kind < asked.drawn:
        return drawn_board(rng)
    board = Board.start().array.copy()
    if kind < asked.drawn + asked.wandered:
        plays = int(rng.integers(1, 20))
        by_lot = rng.integers(1, 7, (plays, 2)), rng.random(plays)
        kernels.wander(table, board, *by_lot)
    return board


def sieve_of(net: Net, asked: Round, rng: np.random.Generator) -> kernels.Sieve:
    """Train a sieve, which preselects plays, on positions from the network's games."""
    table = play_kernels.new_table(len(net.weights.hidden_bias))
    after = np.empty(26, np.int8)
    boards: list[NDArray[np.int8]] = []
    while len(boards) < SIFTED:
        board = begun(table, asked, rng)
        for _ in range(MOST_TURNS):
            boards.append(board)
            high, low = sorted(rng.integers(1, 7, 2).tolist(), reverse=True)
            play_kernels.play_net(
                net.weights, race_tables(), table, board, high, low, after
            )
            board = after.copy()
            if Board(tuple(board.tolist())).race is not None or not (board < 0).any():
                break
    plays = SIFTED * 400
    given, values = np.empty((plays, 52), np.int16), np.empty(plays, np.float32)
    count = kernels.examples(
        net.weights, race_tables(), table, np.array(boards), DICE, given, values
    )
    return fit_sieve(given[:count], values[:count], rng)


def look(
    net: Net,
    sieve: kernels.Sieve,
    asked: Round,
    seed: tuple[int, ...],
    games: int,
) -> Looks:
    """Play games, and search one roll ahead in every position with contact."""
    rng = np.random.default_rng(seed)
    table = play_kernels.new_table(len(net.weights.hidden_bias))
    into = Looks(
        np.empty((MOST_TURNS, 26), np.int8),
        np.empty((MOST_TURNS, OUTPUTS), np.float32),
        np.empty((MOST_TURNS, OUTPUTS), np.float32),
        np.empty(MOST_TURNS, np.bool_),
    )
    parts = []
    for _ in range(games):
        board = begun(table, asked, rng)
        count = kernels.look_through(
            (net.weights, sieve),
            race_tables(),
            table,
            board,
            DICE,
            SHARES,
            rng.choice(len(ROLLS), MOST_TURNS, p=SHARES).astype(np.uint8),
            rng.random((MOST_TURNS, 2)) * (kernels.TRIED / asked.tried, 1.0),
            tuple(into),
        )
        if count:
            into.linked[count - 1] = False
            parts.append(
                Looks(
                    into.boards[:count].copy(),
                    into.said[:count].copy(),
                    into.looked[:count].copy(),
                    into.linked[:count].copy(),
                )
            )
    return joined(parts)


def joined(parts: list[Looks]) -> Looks:
    """Concatenate the arrays of positions and search results of several blocks of games."""
    return Looks(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.said for part in parts]),
        np.concatenate([part.looked for part in parts]),
        np.concatenate([part.linked for part in parts]),
    )


def targets(looks: Looks, fade: float) -> Float32Array:
    """Return target probabilities: search results, corrected by those of later positions.

    Targets below 0 or above 1 are not clipped, because clipping would change their mean.
    """
    found = looks.looked.astype(np.float64)
    for n in range(len(found) - 2, -1, -1):
        if looks.linked[n]:
            win, *others = found[n + 1] - looks.said[n + 1]
            found[n] += fade * np.array([-win, *others[2:], *others[:2]])
    return found.astype(np.float32)


def looked_through(
    net: Net, folder: Path, stage: int, seed: int, threads: int
) -> Iterator[Looks]:
    """Yield the search results of a training round, which are computed or stored."""
    asked = ROUNDS[stage]
    paths = [
        folder / f"looks-{net.digest}-{seed}-{stage}-{block:05d}.npz"
        for block in range(asked.blocks)
    ]
    missing = [block for block, path in enumerate(paths) if not path.exists()]
    if missing:
        sieve = sieve_of(net, asked, np.random.default_rng((seed, stage)))

        def write(block: int) -> None:
            looks = look(net, sieve, asked, (seed, stage, block), BLOCK)
            fresh = paths[block].with_suffix(".part.npz")
            np.savez(fresh, **looks._asdict())
            fresh.replace(paths[block])

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(write, missing))
    for path in paths:
        with np.load(path, allow_pickle=False) as arrays:
            yield Looks(**{name: arrays[name] for name in Looks._fields})


def main(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder of stored searches.")
    ],
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Weights to write.")],
    start: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File of initial weights. Default: the package's."
        ),
    ] = None,
    units: Annotated[int, typer.Option(min=1, metavar="N", help="Hidden units.")] = UNITS,
    seed: Seed = 1,
    threads: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of threads.")
    ] = 1,
) -> None:
    """Train the network on its one-roll searches round by round, resuming if stopped.

    \b
    python -m research.training.looking looks net.npz --start differences.npz
    """
    folder.mkdir(parents=True, exist_ok=True)
    net = Net.load(start)
    last: list[list[Looks]] = []
    for stage, asked in enumerate(ROUNDS):
        rng = np.random.default_rng(seed)
        found = list(looked_through(net, folder, stage, seed, threads))
        # Positions that were searched with weaker networks are not used.
        last = [*last, found][-2:] if found else last
        looks = joined([block for blocks in last for block in blocks])
        goal = targets(looks, asked.fade)
        wide = widened(net.weights, units, asked.second, rng)
        net = Net(fit(wide, looks.boards, goal, asked.passes, asked.rate, rng))
        np.savez_compressed(output, **net.weights._asdict())


if __name__ == "__main__":
    sys.exit(run_program(main))
