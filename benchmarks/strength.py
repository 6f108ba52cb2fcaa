"""How strong our players are: points a game against others, the luck of the dice taken out.

Run as ``python -m benchmarks.strength``; ``--write results/game/strength.md`` keeps the
page. Games are played in blocks, each with dice of its own by the seed, and kept in a
folder: an interrupted tournament goes on where it stopped.
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.ways.gnubg_mover import GnubgMover
from game import search
from game.evaluation import Net
from game.search import Games, Mover, Searcher, SearchSettings
from sim.storage import load_checkpoint, save_checkpoint

BLOCK = 200
"""Games of a block."""

OPPONENTS = ("random", "pubeval", "linear", "gnubg")
SEED = 1


@dataclass(frozen=True)
class Standing:
    """Points a game of the first player, and their standard error.

    Attributes
    ----------
    games : int
    plain, plain_error : float
        From the points alone.
    points, error : float
        Less the luck of the dice.
    wins : float
        Share of games won.
    """

    games: int
    plain: float
    plain_error: float
    points: float
    error: float
    wins: float


def standing(games: Games) -> Standing:
    """Sum games up."""
    fair = games.points - games.luck
    root = len(fair) ** 0.5
    return Standing(
        len(fair),
        float(games.points.mean()),
        float(games.points.std(ddof=1) / root),
        float(fair.mean()),
        float(fair.std(ddof=1) / root),
        float((games.points > 0).mean()),
    )


@contextmanager
def opened(name: str, seed: tuple[int, ...]) -> Iterator[Mover]:
    """Open a player by name; ``gnubg`` is GNU Backgammon at 0 ply, ``search-N`` ours."""
    if name == "gnubg":
        with GnubgMover() as mover:
            yield mover
    elif name.startswith("search-"):
        depth, _, width = name.removeprefix("search-").partition("x")
        settings = SearchSettings(depth=int(depth), width=int(width or 8))
        yield search.search_mover(Searcher(Net.load(), settings))
    elif name == "pubeval":
        yield search.pubeval_mover()
    elif name == "random":
        yield search.random_mover(seed)
    elif name == "net":
        yield search.net_mover(Net.load())
    else:
        yield search.net_mover(Net.load(Path(name)))


def play_block(pair: tuple[str, str], seed: int, block: int, path: Path) -> None:
    """Play a block and keep it."""
    with (
        opened(pair[0], (seed, block, 1)) as first,
        opened(pair[1], (seed, block, 2)) as second,
    ):
        played = search.play_games(first, second, (seed, block), BLOCK, Net.load())
    save_checkpoint(path, points=played.points, luck=played.luck)


def tournament(
    pair: tuple[str, str], games: int, folder: Path, seed: int = SEED, threads: int = 1
) -> Games:
    """Play the blocks that the folder does not hold yet; return all games."""
    folder.mkdir(parents=True, exist_ok=True)
    names = "-".join(Path(name).stem for name in pair)
    paths = [folder / f"{names}-{seed}-{block:05d}" for block in range(-(-games // BLOCK))]

    def complete(block: int) -> None:
        if load_checkpoint(paths[block]) is None:
            play_block(pair, seed, block, paths[block])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(complete, range(len(paths))))
    blocks = list(filter(None, map(load_checkpoint, paths)))
    points = np.concatenate([block["points"] for block in blocks])
    luck = np.concatenate([block["luck"] for block in blocks])
    return Games(points[:games], luck[:games])


def main(arguments: list[str] | None = None) -> int:
    """Play tournaments and say how they stand."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength")
    parser.add_argument("pairs", nargs="*", default=["net:pubeval"], help="as net:gnubg")
    parser.add_argument("--games", type=int, default=BLOCK)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("strength"))
    given = parser.parse_args(arguments)
    for pair in given.pairs:
        first, second = pair.split(":")
        played = tournament(
            (first, second), given.games, given.folder, given.seed, given.threads
        )
        print(pair, standing(played), file=sys.stdout, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
