"""What differs between two plays of a roll, in the terms that players use.

Each sentence is a fact of the boards: checkers hit, points made, shots, checkers left
behind. Which of them makes the difference in worth, nobody can say of a net.
"""

from bearoff.app.output import amount
from bearoff.game import Board
from bearoff.game.evaluation import features_of

MOST = 3
"""Facts of a sentence."""


def differences(best: Board, played: Board) -> str:
    """Say what the best play does that another does not.

    Parameters
    ----------
    best, played : Board
        After the plays, from the side of the roller.

    Returns
    -------
    str
        A sentence; empty if nothing that has a name differs.

    Examples
    --------
    >>> from bearoff.game import read_play
    >>> start = Board.start()
    >>> best = read_play(start, "8/5 6/5", (3, 1))
    >>> differences(best, read_play(start, "13/10 6/5", (3, 1)))
    'The best holds the 5 point, leaves 18 fewer shots of 36 (0, not 18), ...'
    """
    facts = [*_hits(best, played), *_points(best, played), *_shots(best, played)]
    facts += [*_rear(best, played), *_off(best, played), *_prime(best, played)]
    facts += [*_escape(best, played), *_stacks(best, played)]
    good = [text for speaks_for, text in facts if speaks_for]
    bad = [text for speaks_for, text in facts if not speaks_for]
    good = good[: MOST - bool(bad)]
    bad = bad[: MOST - len(good)]
    if good and bad:
        return f"The best {', '.join(good)}, but {', '.join(bad)}."
    if bad:
        return f"The best is better although it {', '.join(bad)}."
    return f"The best {', '.join(good)}." if good else ""


_Fact = tuple[bool, str]
"""Whether it speaks for the best play, as most would have it, and what it is."""


def _hits(best: Board, played: Board) -> list[_Fact]:
    more = played.points[0] - best.points[0]
    if more > 0:
        many = "hits" if played.points[0] == 0 else f"hits {amount(more, 'checkers')} more"
        return [(True, many)]
    return [(False, "does not hit")] if more < 0 else []


def _points(best: Board, played: Board) -> list[_Fact]:
    ours, theirs = _made(best), _made(played)
    gained, lost = sorted(ours - theirs), sorted(theirs - ours)
    facts = []
    if gained:
        facts.append((True, f"holds the {_list(gained)} {_word(len(gained), 'point')}"))
    if lost:
        facts.append((False, f"goes without the {_list(lost)} {_word(len(lost), 'point')}"))
    return facts


def _shots(best: Board, played: Board) -> list[_Fact]:
    few, many = (round(36 * features_of(b.turned)["shots"][0]) for b in (best, played))
    if few == many:
        return []
    more = "fewer" if few < many else "more"
    shots = _word(abs(many - few), "shot")
    text = f"leaves {abs(many - few)} {more} {shots} of 36 ({few}, not {many})"
    return [(few < many, text)]


def _rear(best: Board, played: Board) -> list[_Fact]:
    few, many = (sum(board.roller[18:]) for board in (best, played))
    if few == many:
        return []
    more = "fewer" if few < many else "more"
    text = f"keeps {amount(abs(many - few), 'checkers')} {more} in the opponent's home"
    return [(few < many, text)]


def _off(best: Board, played: Board) -> list[_Fact]:
    more = best.off[0] - played.off[0]
    if more == 0:
        return []
    side = "more" if more > 0 else "fewer"
    return [(more > 0, f"bears off {amount(abs(more), 'checkers')} {side}")]


def _prime(best: Board, played: Board) -> list[_Fact]:
    ours, theirs = _longest(best), _longest(played)
    if max(ours, theirs) < 3 or ours == theirs:
        return []
    return [(ours > theirs, f"has {amount(ours, 'points')} in a row, not {theirs}")]


def _escape(best: Board, played: Board) -> list[_Fact]:
    if not any(played.roller[18:]):
        return []
    ours, theirs = (round(36 * features_of(b)["escape"][0]) for b in (best, played))
    if ours == theirs:
        return []
    text = f"lets the rear checker go with {amount(ours, 'throws')} of 36, not {theirs}"
    return [(ours > theirs, text)]


def _stacks(best: Board, played: Board) -> list[_Fact]:
    ours, theirs = (
        sum(max(0, count - 3) for count in board.roller[:24]) for board in (best, played)
    )
    if ours == theirs:
        return []
    more = "fewer" if ours < theirs else "more"
    return [(ours < theirs, f"stacks {amount(abs(ours - theirs), 'checkers')} {more}")]


def _longest(board: Board) -> int:
    runs = "".join("x" if count > 1 else " " for count in board.roller[:18]).split()
    return max(map(len, runs), default=0)


def _made(board: Board) -> set[int]:
    return {point for point in range(1, 25) if board.points[point] > 1}


def _list(points: list[int]) -> str:
    return (
        " and ".join(map(str, points)) if len(points) < 3 else ", ".join(map(str, points))
    )


def _word(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"
