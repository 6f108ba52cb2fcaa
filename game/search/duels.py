"""Games between two strategies of checker play, and how lucky each player was.

The luck of a roll is the network's value of the roll minus the mean value of all rolls.
Luck has an expected value of 0 for any strategy and any network. Points minus luck
therefore have the same expected value as points, but a much smaller standard deviation.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bearoff import ROLLS, WEIGHTS
from bearoff.game.evaluation import Net, linear_terms, pubeval_weights, race_tables
from bearoff.game.rules import Board
from bearoff.game.search.search import Searcher
from bearoff.rolls import THROWS

BoardArray = NDArray[np.int8]
Float64Array = NDArray[np.float64]

MOST_TURNS = 2000
"""Number of turns after which a game counts as drawn. Only random players play so long."""

Mover = Callable[[BoardArray, int, int], BoardArray]
"""Function that plays a roll. It takes the board from the roller's viewpoint and the two
numbers, higher first. It returns the board after the play, from the opponent's
viewpoint."""


@dataclass(frozen=True, eq=False)
class GameResults:
    """Results of games between two players, from the viewpoint of the first player.

    Attributes
    ----------
    points : ndarray of float64, shape (n,)
        Points won by the first player: 1, 2 or 3, or the negative if the second player won.
    luck : ndarray of float64, shape (n,)
        Points that the first player gained through luck; 0 if luck was not measured.
    """

    points: Float64Array
    luck: Float64Array


def play_games(
    first: Mover, second: Mover, seed: tuple[int, ...], games: int, judge: Net | None = None
) -> GameResults:
    """Play games between two strategies, which take turns in starting a game.

    Parameters
    ----------
    first, second : Mover
    seed : tuple of int
        Seed of the random dice.
    games : int
    judge : Net, optional
        Network that measures the luck of the dice. By default, luck is not measured.
    """
    rng = np.random.default_rng(seed)
    points, luck = np.zeros(games), np.zeros(games)
    luck_of = _luck(judge) if judge is not None else None
    start = Board.start().array
    for game in range(games):
        board, turn = start, game % 2
        opening = True
        for _ in range(MOST_TURNS):
            a, b = rng.integers(1, 7, 2).tolist()
            if opening and a == b:
                continue
            high, low = max(a, b), min(a, b)
            sign = 1 if turn == 0 else -1
            if luck_of is not None:
                luck[game] += sign * luck_of(board, high, low, opening)
            opening = False
            board = (second if turn else first)(board, high, low)
            if not (board < 0).any():
                points[game] = sign * Board(tuple(board.tolist())).points_won
                break
            turn = 1 - turn
    return GameResults(points, luck)


def net_mover(net: Net) -> Mover:
    """Return a strategy that chooses the play with the network's highest equity."""
    from bearoff.game.evaluation import play_kernels

    table = play_kernels.new_table(len(net.weights.hidden_bias))
    races = race_tables()

    def move(board: BoardArray, high: int, low: int) -> BoardArray:
        after = np.empty(26, np.int8)
        play_kernels.play_net(net.weights, races, table, board, high, low, after)
        return after

    return move


def pubeval_mover() -> Mover:
    """Return a strategy that chooses plays by Tesauro's linear evaluation "pubeval"."""
    from bearoff.game.evaluation import play_kernels

    table = play_kernels.new_table(1)
    contact, race = pubeval_weights()

    def move(board: BoardArray, high: int, low: int) -> BoardArray:
        after = np.empty(26, np.int8)
        play_kernels.play_pubeval(contact, race, table, board, high, low, after)
        return after

    return move


def linear_mover() -> Mover:
    """Return a strategy that chooses plays by a linear evaluation of board features."""
    from bearoff.game.evaluation import play_kernels

    table = play_kernels.new_table(1)
    terms, races = linear_terms(), race_tables()

    def move(board: BoardArray, high: int, low: int) -> BoardArray:
        after = np.empty(26, np.int8)
        play_kernels.play_linear(terms, races, table, board, high, low, after)
        return after

    return move


def random_mover(seed: tuple[int, ...]) -> Mover:
    """Return a strategy that chooses plays at random."""
    from bearoff.game.evaluation import play_kernels

    table = play_kernels.new_table(1)
    rng = np.random.default_rng(seed)

    def move(board: BoardArray, high: int, low: int) -> BoardArray:
        after = np.empty(26, np.int8)
        play_kernels.play_lot(table, board, high, low, rng.random(), after)
        return after

    return move


def search_mover(searcher: Searcher) -> Mover:
    """Return a strategy that chooses plays by the search of `searcher`."""

    def move(board: BoardArray, high: int, low: int) -> BoardArray:
        best = searcher.choose(Board(tuple(board.tolist())), (high, low)).board
        return -best.array[::-1]

    return move


def _luck(net: Net) -> Callable[[BoardArray, int, int, bool], float]:
    from bearoff.game.evaluation import play_kernels

    table = play_kernels.new_table(len(net.weights.hidden_bias))
    races = race_tables()
    dice = np.array(ROLLS, np.int64)
    shares = np.array(WEIGHTS) / THROWS
    opening_shares = np.where(dice[:, 0] == dice[:, 1], 0.0, shares)
    opening_shares /= opening_shares.sum()
    room = np.empty(26, np.int8)

    def luck_of(board: BoardArray, high: int, low: int, opening: bool) -> float:
        given = opening_shares if opening else shares
        roll = ROLLS.index((high, low))
        return float(
            play_kernels.luck(net.weights, races, table, dice, given, board, roll, room)
        )

    return luck_of
