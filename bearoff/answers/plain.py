"""Fast answers to many money races with a centred cube, computed entirely on arrays."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bearoff.answers import plain_kernels
from bearoff.answers.judge import Judge
from bearoff.answers.many import Answers
from bearoff.answers.plain_kernels import BOARD
from bearoff.errors import PositionError
from bearoff.positions import POINTS, Position, Race
from bearoff.runtime import cores, in_threads
from bearoff.sources import Races, Source

BoolArray = NDArray[np.bool_]
Int8Array = NDArray[np.int8]
Int64Array = NDArray[np.int64]

_PART = 10_000
"""Number of races that a thread answers at once, so that their data fit into the
processor's cache."""


def answer_plain(judge: Judge, rollers: Int8Array, opponents: Int8Array) -> Answers:
    """Answer money races before the roll, with a centred cube and no Jacoby rule.

    The judge must have a patience of 0 and no rollouts. Both sides must be int8 counts of
    shape (n, 24). The answers are those of `answer_many`. Raises `PositionError` if a row
    is not a race.

    Examples
    --------
    >>> from bearoff.bear_in import widen
    >>> sides = widen([[0, 2, 2, 3, 1, 2], [0, 1, 2, 4, 1, 2]])
    >>> found = answer_plain(Judge((), patience=0), sides, sides[::-1].copy())
    >>> found.action.tolist(), found["equity"].round(2).tolist()
    (['double, take', 'no double'], [0.65, 0.26])
    """
    wrong = np.flatnonzero(~_good(rollers, opponents))
    if len(wrong):
        raise PositionError(
            f"row {wrong[0]} is not a valid race: {rollers[wrong[0]].tolist()} against "
            f"{opponents[wrong[0]].tolist()}"
        )
    answers = Answers.empty(len(rollers))
    races = Races(rollers, opponents, np.zeros(len(rollers), dtype=np.int8))
    parts = [
        (source, part)
        for source, rows in _sources(judge, races)
        for part in np.array_split(rows, -(-len(rows) // _PART))
    ]

    def answer(one: tuple[Source, Int64Array]) -> None:
        source, rows = one
        answers.put(rows, source.values(races.select(rows)), source.kind)

    in_threads(cores() if len(parts) > 1 else 1, answer, parts)
    return answers


def read_plain(
    rollers: Sequence[str], opponents: Sequence[str]
) -> tuple[Int8Array, Int8Array, BoolArray]:
    """Parse sides such as ``3,3,2,0,2,1``, and report which pairs of sides are valid races.

    Returns both sides as int8 arrays of shape (n, 24), and a boolean array that tells
    whether both texts are valid and `answer_plain` can answer the race.

    Examples
    --------
    >>> _, _, read = read_plain(["0,0,3,0,0,0", "8887"], ["0,1,0,0,0,0", "0,1,0,0,0,0"])
    >>> read.tolist()
    [True, False]
    """
    count = len(rollers)
    sides = np.zeros((2 * count, BOARD), dtype=np.int8)
    joined = "\n".join((*rollers, *opponents)) + "\n"
    # A text that contains a line break would shift all later texts to the wrong races.
    if joined.count("\n") == 2 * count:
        plain_kernels.read(
            np.frombuffer(joined.encode(errors="replace"), dtype=np.uint8), sides
        )
    mine, theirs = sides[:count], sides[count:]
    return mine, theirs, _good(mine, theirs)


def _good(rollers: Int8Array, opponents: Int8Array) -> BoolArray:
    """Return which pairs of sides are races: both have checkers, and no contact is left."""
    good = np.empty(len(rollers), dtype=bool)
    plain_kernels.check(rollers, opponents, good)
    return good


def _sources(judge: Judge, races: Races) -> Iterator[tuple[Source, Int64Array]]:
    """Choose the source of values for each race from its checkers and highest points."""
    sides = np.maximum(races.rollers.sum(axis=1), races.opponents.sum(axis=1))
    on = (races.rollers | races.opponents) != 0
    highest = BOARD - np.argmax(on[:, ::-1], axis=1)
    keys = sides.astype(np.int64) * (BOARD + 1) + highest
    chosen: dict[int, tuple[Source, list[int]]] = {}
    for key in np.flatnonzero(np.bincount(keys)).tolist():
        checkers, point = divmod(key, BOARD + 1)
        counts = (0,) * (point - 1) + (checkers,)
        side = Position(counts + (0,) * (POINTS - point))
        source = judge.shared_source(Race(side, side))
        if source is None:
            raise ValueError(
                "no stored table and no model answers this race; solve it or roll it out "
                "with `Judge.answer`"
            )
        chosen.setdefault(id(source), (source, []))[1].append(key)
    for source, mine in chosen.values():
        yield source, np.flatnonzero(np.isin(keys, mine))
