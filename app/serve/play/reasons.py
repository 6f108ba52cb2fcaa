"""What differs between two plays of a roll, in the terms that players use.

Each sentence is a fact of the boards: checkers hit, points made, shots, checkers left
behind. Which of them makes the difference in worth, nobody can say of a net.
"""

from game import Board
from game.evaluation import features_of

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
    >>> from game import read_play
    >>> start = Board.start()
    >>> best = read_play(start, "8/5 6/5", (3, 1))
    >>> differences(best, read_play(start, "13/10 6/5", (3, 1)))
    'The best holds the 5 point, leaves 18 fewer shots of 36 (0, not 18).'
    """
    facts = [*_hits(best, played), *_points(best, played)]
    facts += [*_shots(best, played), *_rear(best, played), *_off(best, played)]
    return f"The best {', '.join(facts[:MOST])}." if facts else ""


def _hits(best: Board, played: Board) -> list[str]:
    more = played.points[0] - best.points[0]
    if more > 0:
        return ["hits" if played.points[0] == 0 else f"hits {_many(more, 'checker')} more"]
    return ["does not hit"] if more < 0 else []


def _points(best: Board, played: Board) -> list[str]:
    ours, theirs = _made(best), _made(played)
    gained, lost = sorted(ours - theirs), sorted(theirs - ours)
    facts = []
    if gained:
        facts.append(f"holds the {_list(gained)} {_word(len(gained), 'point')}")
    if lost:
        facts.append(f"goes without the {_list(lost)} {_word(len(lost), 'point')}")
    return facts


def _shots(best: Board, played: Board) -> list[str]:
    few, many = (round(36 * features_of(b.turned)["shots"][0]) for b in (best, played))
    if few == many:
        return []
    more = "fewer" if few < many else "more"
    return [f"leaves {abs(many - few)} {more} shots of 36 ({few}, not {many})"]


def _rear(best: Board, played: Board) -> list[str]:
    few, many = (sum(board.roller[18:]) for board in (best, played))
    if few == many:
        return []
    more = "fewer" if few < many else "more"
    return [f"keeps {_many(abs(many - few), 'checker')} {more} in the opponent's home"]


def _off(best: Board, played: Board) -> list[str]:
    more = best.off[0] - played.off[0]
    if more == 0:
        return []
    return [f"bears off {_many(abs(more), 'checker')} {'more' if more > 0 else 'fewer'}"]


def _made(board: Board) -> set[int]:
    return {point for point in range(1, 25) if board.points[point] > 1}


def _list(points: list[int]) -> str:
    return (
        " and ".join(map(str, points)) if len(points) < 3 else ", ".join(map(str, points))
    )


def _word(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


def _many(count: int, word: str) -> str:
    return f"{count} {_word(count, word)}"
