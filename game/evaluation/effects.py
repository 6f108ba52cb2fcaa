"""Effects of board features on the equity difference between two plays.

To measure the effect of a feature, the inputs of the feature are exchanged between the
boards after two plays. The effect is the mean change of the two equities. The network
combines its inputs nonlinearly, so an effect applies only to these boards.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from bearoff.game.evaluation.features import FEATURES
from bearoff.game.evaluation.net import Net
from bearoff.game.rules import Board

Float64Array = NDArray[np.float64]

_NAMES = list(FEATURES)


def effects_of(net: Net, best: Board, played: Board) -> dict[str, float]:
    """Return the effect of each board feature on the equity difference between two plays.

    Parameters
    ----------
    net : Net
    best, played : Board
        Boards after the two plays to compare, from the viewpoint of the player who moved.

    Returns
    -------
    dict of str to float
        Effects on the cubeless equity in points, by feature: "hits", "points", "shots",
        "back", "off", "prime", "escape" and "stacks". Positive if the feature is better
        after the first play. Empty if a play ends contact, because the network does not
        evaluate races.

    Examples
    --------
    The point made on the 5 point matters more than any other difference between these
    plays:

    >>> from bearoff.game import read_play
    >>> start = Board.start()
    >>> plays = (read_play(start, play, (3, 1)) for play in ("8/5 6/5", "8/4"))
    >>> effects = effects_of(Net.load(), *plays)
    >>> sorted(effects, key=effects.get)[-2:]
    ['shots', 'points']
    """
    return {name: sum(two) / 2 for name, two in exchanges_of(net, best, played).items()}


def exchanges_of(net: Net, best: Board, played: Board) -> dict[str, tuple[float, float]]:
    """Return how the equities of two plays change if the plays exchange one feature.

    Parameters
    ----------
    net : Net
    best, played : Board
        Boards after the two plays to compare, from the viewpoint of the player who moved.

    Returns
    -------
    dict of str to tuple of float
        For each feature, two changes in equity, in points: what the first play loses if its
        feature is replaced by that of the second play, and what the second play gains if
        its feature is replaced by that of the first play.
    """
    if not (_in_contact(best) and _in_contact(played)):
        return {}
    ours, theirs = _inputs(best), _inputs(played)
    groups = _groups()
    rows = [ours, theirs]
    for places in groups.values():
        for one, other in ((ours, theirs), (theirs, ours)):
            changed = one.copy()
            changed[places] = other[places]
            rows.append(changed)
    equities = _equities(net, np.array(rows), best, played)
    return {
        name: (
            float(equities[0] - equities[2 + 2 * k]),
            float(equities[3 + 2 * k] - equities[1]),
        )
        for k, name in enumerate(groups)
    }


def _in_contact(board: Board) -> bool:
    return board.race is None and any(board.roller) and any(board.opponent)


def _inputs(board: Board) -> NDArray[np.float32]:
    """Return the network's inputs for the board after a play, with the opponent on roll."""
    from bearoff.game.evaluation import feature_kernels as kernels

    own, other = np.zeros(26, np.int64), np.zeros(26, np.int64)
    found = np.empty(kernels.INPUTS, np.float32)
    kernels.load(board.array, True, own, other)
    kernels.inputs(own, other, found)
    return found


@cache
def _groups() -> dict[str, list[int]]:
    """Return the indices of the network inputs that make up each feature."""
    from bearoff.game.evaluation.feature_kernels import NAMED, RAW

    def named(*names: str, mine: bool) -> list[int]:
        return [2 * RAW + NAMED * mine + _NAMES.index(name) for name in names]

    counts = [RAW + place for place in range(96)]
    return {
        # Only a hit changes the features that describe the opponent's checkers.
        "hits": [*range(RAW), *named("pips", "shut out", "rear", "back", mine=False)],
        "points": [place for place in counts if (place - RAW) % 4 in (1, 2)]
        + named("home points", "anchor", "anchors", mine=True),
        "shots": [place for place in counts if (place - RAW) % 4 == 0]
        + named("shots", "pips hit", "attack", mine=False)
        + named("home blots", "outer blots", mine=True),
        "back": named("back", "rear", mine=True),
        "off": [2 * RAW - 1, *named("off", mine=True)],
        "prime": named("prime", "trapped", "blockade", "blockade now", mine=True),
        "escape": named("escape", mine=True),
        "stacks": [place for place in counts if (place - RAW) % 4 == 3]
        + named("stacks", mine=True),
    }


def _equities(
    net: Net, rows: NDArray[np.float32], best: Board, played: Board
) -> Float64Array:
    """Return the equity of each row of network inputs, for the player who made the play."""
    weights = net.weights
    units = np.maximum(rows @ weights.hidden + weights.hidden_bias, 0)
    second = np.maximum(units @ weights.second.T + weights.second_bias, 0)
    total = units @ weights.out.T + second @ weights.second_out.T + weights.out_bias
    chances = 1 / (1 + np.exp(-total.astype(float)))
    win, gammon, backgammon, lost, lost_backgammon = chances.T
    # A player who has borne off a checker cannot lose a gammon.
    gammon = np.minimum(gammon, win) * (min(best.off[0], played.off[0]) == 0)
    lost = np.minimum(lost, 1 - win) * (best.off[1] == 0)
    backgammon, lost_backgammon = (
        np.minimum(backgammon, gammon),
        np.minimum(lost_backgammon, lost),
    )
    return np.asarray(1 - 2 * win - gammon - backgammon + lost + lost_backgammon)
