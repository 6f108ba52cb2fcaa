"""Reasons why one play is better than another, in the language of players.

The reason is the feature with the largest effect in favour of the better play. The effect
of a feature is how much the net's equity of the better play decreases if this feature alone
is replaced by that of the other play (`bearoff.game.evaluation.effects_of`). If no feature
explains at least half of the cost, no reason is given, because the search has found
something that no feature describes.

A reason is checked before it is given. The network, without a search, must prefer the
better play. This preference must decrease if the better play gets the other play's feature,
and also if the other play gets the better play's feature. results/agreement/reasons.md has
the share of reasons that hold.
"""

from bearoff.game import Board
from bearoff.game.evaluation import Net, effects_of, exchanges_of, features_of

SHARE = 0.5
"""Minimum proportion of the cost that a feature must explain to be given as a reason."""


def reason(best: Board, played: Board, cost: float) -> str:
    """Return a sentence on why the best play is better than another play.

    Parameters
    ----------
    best, played : Board
        Boards after the two plays, seen from the roller's side.
    cost : float
        Cost of the other play, in points.

    Returns
    -------
    str
        Sentence on the best play; empty if no named feature explains the cost.

    Examples
    --------
    >>> from bearoff.game import read_play
    >>> start = Board.start()
    >>> best = read_play(start, "8/5 6/5", (3, 1))
    >>> reason(best, read_play(start, "13/10 6/5", (3, 1)), 0.2)
    'The best play holds the 5-point.'
    """
    net = Net.load()
    text, feature = proposed_reason(best, played, cost)
    if not text:
        return ""
    whole = net.equity(played.turned) - net.equity(best.turned)
    return text if min(whole, *exchanges_of(net, best, played)[feature]) > 0 else ""


def proposed_reason(best: Board, played: Board, cost: float) -> tuple[str, str]:
    """Return a likely reason why the best play is better than another, and its feature.

    The parameters are the same as for `reason`. Both texts are empty if no named feature
    explains the cost.
    """
    effects = effects_of(Net.load(), best, played)
    for name in sorted(effects, key=lambda one: -effects[one]):
        if effects[name] < SHARE * cost:
            break
        if text := _FACTS[name](best, played):
            return f"The best play {text}.", name
    return "", ""


def _hits(best: Board, played: Board) -> str:
    # Checkers on the opponent's bar are stored as a negative number.
    more = played.points[0] - best.points[0]
    if more <= 0:
        return ""
    return (
        f"hits {_amount(more, 'checkers')} more"
        if played.points[0]
        else ("hits" if more == 1 else f"hits {_amount(more, 'checkers')}")
    )


def _points(best: Board, played: Board) -> str:
    ours, theirs = _made(best), _made(played)
    gained = sorted(ours - theirs)
    if not gained or len(ours) < len(theirs):
        return ""
    return f"holds the {_list(gained)}"


def _shots(best: Board, played: Board) -> str:
    few, many = (round(36 * features_of(b.turned)["shots"][0]) for b in (best, played))
    if few >= many:
        return ""
    word = "shot" if many - few == 1 else "shots"
    return f"leaves {many - few} fewer {word} of 36 ({few}, not {many})"


def _back(best: Board, played: Board) -> str:
    few, many = (sum(board.roller[18:]) for board in (best, played))
    if few >= many:
        return ""
    return f"leaves {_amount(many - few, 'checkers')} fewer in the opponent's home"


def _off(best: Board, played: Board) -> str:
    more = best.off[0] - played.off[0]
    return f"bears off {_amount(more, 'checkers')} more" if more > 0 else ""


def _prime(best: Board, played: Board) -> str:
    ours, theirs = _longest(best), _longest(played)
    if ours < 3 or ours <= theirs:
        return ""
    return f"has {_amount(ours, 'points')} in a row, not {theirs}"


def _escape(best: Board, played: Board) -> str:
    if not any(played.roller[18:]):
        return ""
    ours, theirs = (round(36 * features_of(b)["escape"][0]) for b in (best, played))
    if ours <= theirs:
        return ""
    return f"frees the rear checker with {_amount(ours, 'throws')} of 36, not {theirs}"


def _stacks(best: Board, played: Board) -> str:
    ours, theirs = (
        sum(max(0, count - 3) for count in board.roller[:24]) for board in (best, played)
    )
    return f"stacks {_amount(theirs - ours, 'checkers')} fewer" if ours < theirs else ""


def _amount(number: int, units: str) -> str:
    return f"{number} {units.removesuffix('s') if number == 1 else units}"


_FACTS = {
    "hits": _hits,
    "points": _points,
    "shots": _shots,
    "back": _back,
    "off": _off,
    "prime": _prime,
    "escape": _escape,
    "stacks": _stacks,
}
"""Functions that describe an advantage of the best play in words, by feature."""


def _longest(board: Board) -> int:
    runs = "".join("x" if count > 1 else " " for count in board.roller[:18]).split()
    return max(map(len, runs), default=0)


def _made(board: Board) -> set[int]:
    return {point for point in range(1, 25) if board.points[point] > 1}


def _list(points: list[int]) -> str:
    """Format point numbers as players say them, such as "the 4- and 5-points"."""
    if len(points) == 1:
        return f"{points[0]}-point"
    *others, last = [f"{point}-" for point in points]
    return f"{', '.join(others)} and {last}points"
