"""Matches with the cube against GNU Backgammon, with luck subtracted from the results.

Matches are played in blocks, each with dice from its own seed. Blocks are stored in a
folder for the weights of the network. An interrupted run therefore continues, and another
network starts from the beginning.
"""

import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff import ROLLS
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.game.evaluation import Net
from bearoff.game.search import Searcher, SearchPlayer, SearchSettings, cube_of
from bearoff.game.state import GameState, Player
from oracles import gnubg
from oracles.gnubg_mover import GnubgPlayer
from research.comparisons.blocks import Arrays, played
from research.comparisons.pages import page_parser, write_page

Float64Array = NDArray[np.float64]

BLOCK = 10
"""Number of matches in a block."""

KINDS = "play", "cube"
"""Types of decisions that are counted and timed."""

SEED = 1

PLAYERS = {
    "search": ("the player by search", None),
    "net": ("the same player, without a search for its plays", SearchSettings(depth=0)),
}
"""Name in the results, and search settings, of each player of this program."""


@dataclass
class Clocked:
    """Player whose decisions are counted and timed in processor seconds."""

    player: Player
    counts: Counter[str] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def ask(self, what: str, state: GameState) -> Any:
        """Let the player make a decision; count the decision, and measure its time."""
        start = time.thread_time()
        answer = getattr(self.player, what)(state)
        kind = "play" if what == "play" else "cube"
        self.seconds[kind] += time.thread_time() - start
        self.counts[kind] += 1
        return answer


def chance(state: GameState, equity: float) -> float:
    """Convert the roller's equity to a match-winning chance."""
    terms = cube_of(state).terms
    middle, unit = terms.stakes.line(terms.cube_value)
    return middle + unit * equity


class Luck:
    """Total luck of player 0's dice, in match-winning chance.

    The luck of a roll is the value of the network's best play of this roll, minus the mean
    of this value over all rolls. Values include the cube at the match score. The mean luck
    is 0 for any player and any network.
    """

    def __init__(self) -> None:
        self._judge = Searcher(Net.load(), SearchSettings(depth=0))

    def _worth(self, state: GameState, roll: tuple[int, int]) -> float:
        best = self._judge.rate(state.board, roll, cube_of(state))[0]
        return chance(state, best.equity)

    def of_opening(self, opened: GameState) -> float:
        """Return player 0's luck in an opening roll, as match-winning chance."""
        worth = {}
        for turn in (0, 1):
            state = GameState(
                length=opened.length, won=opened.won, crawford=opened.crawford, turn=turn
            )
            for roll in ROLLS:
                if roll[0] != roll[1]:
                    value = self._worth(state, roll)
                    worth[turn, roll] = value if turn == 0 else 1.0 - value
        assert opened.turn is not None
        assert opened.dice is not None
        thrown = worth[opened.turn, _ordered(opened.dice)]
        return thrown - sum(worth.values()) / len(worth)

    def of_roll(self, state: GameState, roll: tuple[int, int]) -> float:
        """Return player 0's luck in a roll, as match-winning chance."""
        mean = float(self._judge.decide(state.board, cube_of(state)).no_double[0])
        luck = self._worth(state, _ordered(roll)) - chance(state, mean)
        return luck if state.turn == 0 else -luck


def _ordered(roll: tuple[int, int]) -> tuple[int, int]:
    return max(roll), min(roll)


def play_match(
    players: tuple[Clocked, Clocked], length: int, rng: np.random.Generator, luck: Luck
) -> tuple[bool, float]:
    """Play a match to its end, with the Crawford rule.

    Returns
    -------
    won : bool
        Whether player 0 won the match.
    lucky : float
        Luck of player 0's dice.
    """
    state, lucky = GameState(length=length), 0.0
    while state.match_winner is None:
        turn = state.turn
        if state.winner is not None:
            state = state.next_game()
        elif turn is None:
            state = state.open(*rng.integers(1, 7, 2).tolist())
            if state.turn is not None:
                lucky += luck.of_opening(state)
        elif state.offers:
            taken = players[1 - turn].ask("take", state)
            state = state.take() if taken else state.drop()
        elif state.dice is not None:
            state = state.play(players[turn].ask("play", state))
        elif state.may_double and players[turn].ask("double", state):
            state = state.double()
        else:
            roll = tuple(rng.integers(1, 7, 2).tolist())
            lucky += luck.of_roll(state, roll)
            state = state.roll(*roll)
    return state.match_winner == 0, lucky


def play_block(name: str, length: int, seed: int, block: int) -> Arrays:
    """Play a block of matches."""
    rng, luck = np.random.default_rng((seed, block)), Luck()
    own = Clocked(SearchPlayer(PLAYERS[name][1]))
    with GnubgPlayer() as peer:
        ends = [play_match((own, Clocked(peer)), length, rng, luck) for _ in range(BLOCK)]
    won, lucky = np.array(ends, np.float64).T
    took = [[own.counts[kind], own.seconds[kind]] for kind in KINDS]
    return {"won": won, "luck": lucky, "took": np.array(took)}


@dataclass(frozen=True)
class Matches:
    """Results of the matches of one player of this program against GNU Backgammon.

    Attributes
    ----------
    won, luck : ndarray of float64, shape (n,)
        Result of each match, 1 for a win and 0 for a loss, and the luck of our player's
        dice in match-winning chance.
    took : ndarray of float64, shape (2, 2)
        Number of our player's decisions of each type in `KINDS`, and the processor time
        that they took, in seconds.
    """

    won: Float64Array
    luck: Float64Array
    took: Float64Array

    def row(self, name: str) -> list[str]:
        """Return the results as a row of a Markdown table."""
        counts, seconds = self.took.T
        return [
            PLAYERS[name][0],
            f"{len(self.won):,}",
            *map(_percent, (self.won, self.won - self.luck)),
            *(f"{1e6 * each:,.0f}" for each in seconds / counts),
        ]


def _percent(found: Float64Array) -> str:
    error = found.std(ddof=1) / len(found) ** 0.5
    return f"{found.mean():.1%} ± {error:.1%}"


def matches(
    name: str, count: int, folder: Path, length: int, seed: int = SEED, threads: int = 1
) -> Matches:
    """Play the blocks of matches that are missing in a folder; return all matches."""
    stem = f"{name}-{Net.load().digest}-{length}-{seed}"
    play = partial(play_block, name, length, seed)
    blocks = played(-(-count // BLOCK), folder, stem, play, threads)
    return Matches(
        np.concatenate([block["won"] for block in blocks]),
        np.concatenate([block["luck"] for block in blocks]),
        sum(block["took"] for block in blocks),
    )


def page(found: dict[str, Matches], length: int) -> str:
    asked = " ".join(f"{name}={len(each.won)}" for name, each in found.items())
    head = [
        "player",
        "matches",
        "won",
        "won, luck removed",
        "µs per play",
        "µs per cube decision",
    ]
    return markdown_page(
        [
            "# Matches with the cube",
            f"`python -m research.comparisons.matches {asked}` plays matches to {length} "
            f"points with the Crawford rule against GNU Backgammon {gnubg.version()} at 0 "
            "ply, whose cube decisions take the score into account. ± is one standard "
            "error. *Luck removed* means that the luck of all rolls is subtracted from "
            "the result. The luck of a roll is the neural net's value of its best play, "
            "with the cube and at the score, minus the mean of this value over all "
            "rolls. The mean luck of all rolls is 0, so subtracting the luck from the "
            "result causes no bias. The times are the processor times of this program's "
            "decisions.",
            markdown_table(head, [each.row(name) for name, each in found.items()]),
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    gnubg.require()
    parser = page_parser(__doc__, Path("results/game/matches.md"))
    parser.add_argument(
        "players",
        nargs="*",
        default=["search=20"],
        metavar="player=matches",
        help=f"player and number of matches; players: {', '.join(PLAYERS)}",
    )
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("matches"))
    given = parser.parse_args(arguments)
    found = {}
    for text in given.players:
        name, _, count = text.partition("=")
        if name not in PLAYERS or not count.isdigit() or int(count) < BLOCK:
            parser.error(
                f"{text} is not a player and a number of at least {BLOCK} matches, such "
                f"as search=20; the players are {', '.join(PLAYERS)}"
            )
        found[name] = matches(
            name, int(count), given.folder, given.length, given.seed, given.threads
        )
        print(*found[name].row(name), sep=" | ", file=sys.stderr, flush=True)
    write_page(page(found, given.length), given.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
