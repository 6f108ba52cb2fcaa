"""Strength of players: points per game against other players, minus luck.

Games are played in blocks, each with dice from its own seed. Blocks are stored in a folder
for the weights of the networks that play and judge. An interrupted tournament therefore
continues, and another network starts from the beginning.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.game import search
from bearoff.game.evaluation import Net
from bearoff.game.search import GameResults, Mover, Searcher, SearchSettings
from oracles.gnubg_mover import GnubgMover
from research.comparisons.blocks import Arrays, played
from research.comparisons.pages import page_parser, write_page

BLOCK = 200
"""Number of games in a block."""

SEED = 1


@dataclass(frozen=True)
class Standing:
    """Points per game of the first player, with standard errors.

    Attributes
    ----------
    games : int
    plain, plain_error : float
        Mean number of points, with its standard error.
    points, error : float
        Mean number of points minus luck, with its standard error.
    wins : float
        Proportion of games won.
    """

    games: int
    plain: float
    plain_error: float
    points: float
    error: float
    wins: float


def standing(games: GameResults) -> Standing:
    """Return the first player's mean points per game, with luck included and subtracted."""
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
    """Open a player by name: ``gnubg``, ``search-N``, or the name of a network file."""
    if name == "gnubg":
        with GnubgMover() as mover:
            yield mover
    elif name.startswith("search-"):
        depth, _, width = name.removeprefix("search-").partition("x")
        settings = SearchSettings(depth=int(depth), width=int(width or 8))
        yield search.search_mover(Searcher(Net.load(), settings))
    elif name == "pubeval":
        yield search.pubeval_mover()
    elif name == "linear":
        yield search.linear_mover()
    elif name == "random":
        yield search.random_mover(seed)
    else:
        yield search.net_mover(net_of(name))


def net_of(name: str) -> Net:
    """Return the built-in network, or the network that is stored in a file of this name."""
    known = name in NAMES or name.startswith("search-")
    return Net.load(None if known else Path(name))


def play_block(pair: tuple[str, str], seed: int, block: int) -> Arrays:
    """Play a block of games between two players."""
    with (
        opened(pair[0], (seed, block, 1)) as first,
        opened(pair[1], (seed, block, 2)) as second,
    ):
        games = search.play_games(first, second, (seed, block), BLOCK, Net.load())
    return {"points": games.points, "luck": games.luck}


def tournament(
    pair: tuple[str, str], games: int, folder: Path, seed: int = SEED, threads: int = 1
) -> GameResults:
    """Play the blocks of games that a folder does not contain yet; return all games."""
    names = "-".join(f"{Path(name).stem}-{net_of(name).digest}" for name in pair)
    stem = f"{names}-{Net.load().digest}-{seed}"
    play = partial(play_block, pair, seed)
    blocks = played(-(-games // BLOCK), folder, stem, play, threads)
    points = np.concatenate([block["points"] for block in blocks])
    luck = np.concatenate([block["luck"] for block in blocks])
    return GameResults(points[:games], luck[:games])


NAMES = {
    "net": "net, 0 ply",
    "gnubg": "GNU Backgammon, 0 ply",
    "pubeval": "Tesauro's linear evaluation",
    "linear": "named terms, linear",
    "random": "plays by lot",
}


def called(name: str) -> str:
    """Return the name of a player as shown in the results."""
    if name.startswith("search-"):
        depth, _, width = name.removeprefix("search-").partition("x")
        return f"search, depth {depth}, {width or 8} plays"
    return NAMES.get(name, f"net {Path(name).stem}")


def page(standings: dict[tuple[str, str], Standing]) -> str:
    rows = [
        [
            called(first),
            called(second),
            f"{found.games:,}",
            f"{found.wins:.1%}",
            f"{found.plain:+.3f} ± {found.plain_error:.3f}",
            f"{found.points:+.3f} ± {found.error:.3f}",
        ]
        for (first, second), found in standings.items()
    ]
    head = [
        "player",
        "against",
        "games",
        "won",
        "points per game",
        "points per game, luck removed",
    ]
    asked = " ".join(
        f"{first}:{Path(second).name}={found.games}"
        for (first, second), found in standings.items()
    )
    return markdown_page(
        [
            "# Strength",
            f"`python -m research.comparisons.strength {asked}` measures points per "
            "game without a cube. Gammons count 2 points and backgammons 3. The two "
            "players take turns to begin a game. ± is one standard error. *Luck "
            "removed* means that the luck of all rolls is subtracted from the result. "
            "The luck of a roll is the neural net's value of its best play, minus the "
            "mean of this value over all rolls. The mean luck of all rolls is 0, so "
            "subtracting the luck from the result causes no bias.",
            markdown_table(head, rows),
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    parser = page_parser(__doc__, Path("results/game/strength.md"))
    parser.add_argument(
        "pairs",
        nargs="*",
        default=["net:pubeval"],
        metavar="pair[=games]",
        help="two players and a number of games, such as net:gnubg=1000; players: net, "
        "search-DEPTHxPLAYS, linear, pubeval, random, gnubg, or a file of weights",
    )
    parser.add_argument("--games", type=int, default=BLOCK)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("strength"))
    given = parser.parse_args(arguments)
    standings = {}
    for text in given.pairs:
        pair, _, games = text.partition("=")
        first, second = pair.split(":")
        games_played = tournament(
            (first, second),
            int(games or given.games),
            given.folder,
            given.seed,
            given.threads,
        )
        standings[first, second] = standing(games_played)
        print(text, standings[first, second], file=sys.stderr, flush=True)
    write_page(page(standings), given.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
