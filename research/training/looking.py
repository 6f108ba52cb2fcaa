"""Fit the net to looks of one roll: ``python -m research.training.looking FOLDER net.npz``.

The net plays itself and looks at every position it meets one roll deep: the mean over all
21 rolls of what the best play of each is worth. That is nearer the truth than what it says
of the position itself, and knows no luck. How much the later looks of a game correct the
net in turn corrects the earlier ones, ever less with the distance: the means are those of
the games' ends, the luck of the dice taken out. Games begin as all do, after some plays by
lot, and from drawn positions with a side on the bar, crashed, or bearing off.

Each block of games is decided by the seed and kept in the folder; a run goes on where it
was stopped. Processors of another kind round sums in another order.
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
"""Games of a block."""

MOST_TURNS = 250


class Round(NamedTuple):
    """What is played and fitted before the net plays the next games.

    Attributes
    ----------
    blocks : int
    drawn, wandered : float
        Shares of games that begin with a drawn board, and after plays by lot.
    tried : float
        Share of turns that try another play than the best.
    fade : float
        What a later correction counts for the position before it.
    passes : int
        Over the positions of the last two rounds that were played.
    rate : float
        How far a step goes at first.
    second : int
        Units of the second layer, at least.
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
"""Corrections that fade leave some of the net's own bias, whole ones more of the noise of a
game: the last rounds learn from the same games again, most of the bias being gone."""

UNITS = 160

DICE, SHARES = np.array(ROLLS, np.int64), np.array(WEIGHTS) / THROWS

SIFTED = 2500
"""Positions whose plays a sieve is fitted to."""


class Looks(NamedTuple):
    """Positions in contact, game after game.

    Attributes
    ----------
    boards : ndarray of int8, shape (n, 26)
    said, looked : ndarray of float32, shape (n, 5)
        Chances by the net, and by a look of one roll.
    linked : ndarray of bool, shape (n,)
        Whether the next one is of the same game and was reached by the best play.
    """

    boards: NDArray[np.int8]
    said: Float32Array
    looked: Float32Array
    linked: NDArray[np.bool_]


def drawn_side(rng: np.random.Generator, taken: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Draw a side's 26 counts: one that bears off, is crashed, or has many men back.

    `taken` are the points, as the side counts them, that the other stands on.
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
    """Draw a board, from the side of the roller, that need not be in contact."""
    own = drawn_side(rng, np.zeros(26, np.bool_))
    taken = own[::-1] > 0
    taken[[0, 25]] = False  # The bars are two.
    other = drawn_side(rng, np.concatenate([[False], taken[:-1]]))
    board = own.copy()
    board[:25] -= other[:0:-1]
    return board


def begun(
    table: play_kernels.PlayArrays, asked: Round, rng: np.random.Generator
) -> NDArray[np.int8]:
    """Return the board that a game of a round begins with."""
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
    """Fit a sieve to the plays of positions that the net meets."""
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
    """Play games and look at every position in contact."""
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
    """Join looks."""
    return Looks(
        np.concatenate([part.boards for part in parts]),
        np.concatenate([part.said for part in parts]),
        np.concatenate([part.looked for part in parts]),
        np.concatenate([part.linked for part in parts]),
    )


def targets(looks: Looks, fade: float) -> Float32Array:
    """Return the chances to learn, shape (n, 5): looks, corrected by the later ones.

    Corrections may lead below 0 or beyond 1; cut off there, their means would be wrong.
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
    """Yield the looks of a round, those that the folder holds read from there."""
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
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Of the looks.")],
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Weights to write.")],
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Weights to begin with; the shipped ones."),
    ] = None,
    units: Annotated[int, typer.Option(min=1, metavar="N", help="Hidden ones.")] = UNITS,
    seed: Seed = 1,
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="That play.")] = 1,
) -> None:
    """Fit the net to looks of one roll, round by round, and go on where it was stopped.

    \b
    python -m research.training.looking looks net.npz --start differences.npz
    """
    folder.mkdir(parents=True, exist_ok=True)
    net = Net.load(start)
    last: list[list[Looks]] = []
    for stage, asked in enumerate(ROUNDS):
        rng = np.random.default_rng(seed)
        found = list(looked_through(net, folder, stage, seed, threads))
        # What weaker nets said is forgotten.
        last = [*last, found][-2:] if found else last
        looks = joined([block for blocks in last for block in blocks])
        goal = targets(looks, asked.fade)
        wide = widened(net.weights, units, asked.second, rng)
        net = Net(fit(wide, looks.boards, goal, asked.passes, asked.rate, rng))
        np.savez_compressed(output, **net.weights._asdict())


if __name__ == "__main__":
    sys.exit(run_program(main))
