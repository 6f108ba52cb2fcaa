"""Legal plays of a roll, one for each position it can lead to, as players write them.

In a race every die can be played until the last checker is off, so a play uses both
dice (four times the number of a double) or bears everything off before. Which die is
played first may matter: both orders are tried.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bearoff import checks
from bearoff.errors import PositionError, RollError
from bearoff.plays.refused import why_no_play
from bearoff.plays.writing import write_moves
from bearoff.positions import OneSide, Position
from bearoff.rolls import HOME, check_roll, dice_of, format_roll

_MOVE = re.compile(r"(\d{1,2}(?:/\d{1,2})*)/(\d{1,2}|off)(?:\((\d)\))?", re.IGNORECASE)

Move = tuple[int, int]
"""One checker's move by one die: from a point, to a point or 0 for off."""


@dataclass(frozen=True)
class Play:
    """How a roll is moved, and the position it leads to.

    Attributes
    ----------
    moves : tuple of (int, int)
        From and to points in the order played, 0 for off.
    after : Position
        The side's position after the play.
    """

    moves: tuple[Move, ...]
    after: Position

    @classmethod
    def parse(cls, text: str, position: Position, roll: tuple[int, int]) -> "Play":
        """Return the legal play that a text says.

        Parameters
        ----------
        text : str
            Moves from point to point or ``off``, one checker each, over points in between
            or not; ``(2)`` behind one for two checkers. What counts is where they lead.
        position : Position
            Before the play.
        roll : tuple of int
            Two numbers from 1 to 6.

        Raises
        ------
        PositionError
            If it cannot be read.
        RollError
            If the roll does not allow it.

        Examples
        --------
        >>> print(Play.parse("5/1 6/off", Position((0, 0, 0, 0, 1, 1)), (6, 4)))
        6/off 5/1
        """
        reached = cls.reached(text, position)
        legal = legal_plays(position, roll)
        for play in legal:
            if play.after.counts == reached:
                return play
        high, low = check_roll(roll)
        most = max(position.pips - play.after.pips for play in legal)
        points = [0, *position.counts, *[0] * (25 - position.points)]
        why = why_no_play(points, cls._legs(text), (high, low), most)
        raise RollError(f"{text!r} is not a play of {format_roll(roll)}: {why}")

    @classmethod
    def between(
        cls, position: Position, roll: tuple[int, int], after: tuple[int, ...]
    ) -> "Play":
        """Return the play of a roll that leads from one position to another.

        As `legal_plays` gives it, without looking at the other plays.

        Parameters
        ----------
        position : Position
            Before the play.
        roll : tuple of int
            Two numbers from 1 to 6.
        after : tuple of int
            Checkers on the ace, deuce, ... after it, which a legal play leads to.

        Raises
        ------
        RollError
            If none does.

        Examples
        --------
        >>> print(Play.between(Position((0, 0, 0, 0, 1, 1)), (6, 4), (1, 0, 0, 0, 0, 0)))
        6/off 5/1
        """
        dice = dice_of(check_roll(roll))
        orders = (dice,) if len(dice) > 2 else (dice, dice[::-1])
        for order in orders:
            moves = _moves_to(position.counts, order, after)
            if moves is not None:
                return cls(moves, Position(after, position.checkers))
        raise RollError(f"no play of {format_roll(roll)} leads from {position} to {after}")

    @staticmethod
    def reached(text: str, position: Position) -> tuple[int, ...]:
        """Return the checkers that written moves lead to, legal or not."""
        counts = Counter(dict(enumerate(position.counts, start=1)))
        for source, target in Play._legs(text):
            counts[source] -= 1
            counts[target] += 1
        return tuple(counts[point] for point in range(1, position.points + 1))

    @staticmethod
    def _legs(text: str) -> list[Move]:
        """Return where each checker of a written play moves from and to."""
        if "*" in checks.instance(text, "a play", str):
            raise PositionError(
                f"a * marks a checker that is hit, and in a race none can be, got {text!r}"
            )
        words = re.split(r"[\s,;]+", text.strip())
        moves = [_MOVE.fullmatch(word) for word in words]
        legs: list[Move] = []
        for move in moves:
            if move is None:
                raise PositionError(
                    f"a play is written as moves such as 6/off 4/1 or 6/4(2), got {text!r}"
                )
            target = 0 if move[2].lower() == "off" else int(move[2])
            legs += [(int(move[1].split("/")[0]), target)] * int(move[3] or 1)
        return legs

    def __str__(self) -> str:
        """Write the play as `write_moves` does: ``6/off``, ``6/3(2) 3/off(2)``."""
        return write_moves((source, target, False) for source, target in self.moves)


def legal_plays(position: OneSide, roll: tuple[int, int]) -> list[Play]:
    """List the plays of `roll`, one for each distinct position they can lead to.

    Parameters
    ----------
    position : Position, str, int, or array_like of int, shape (points,)
        The side on roll, as `Position.of` reads it.
    roll : tuple of int
        Two numbers from 1 to 6.

    Returns
    -------
    list of Play
        In descending order of the number of the position after. Of several ways to
        reach it, the one that plays the larger number first, from the highest point.
        A side with all checkers off has one play without moves.

    Raises
    ------
    PositionError, RollError
        If `position` is none, or `roll` no roll.

    Examples
    --------
    >>> for play in legal_plays(Position((0, 0, 0, 0, 1, 1)), (6, 4)):
    ...     print(play)
    6/2 5/off
    6/off 5/1
    """
    position = Position.of(position)
    dice = dice_of(check_roll(roll))
    orders = {dice, dice[::-1]}
    found: dict[tuple[int, ...], tuple[Move, ...]] = {}
    for order in sorted(orders, reverse=True):
        for moves, counts in _sequences(position.counts, order):
            found.setdefault(counts, moves)
    plays = [Play(moves, Position(c, position.checkers)) for c, moves in found.items()]
    return sorted(plays, key=lambda play: play.after.number, reverse=True)


def _sequences(
    counts: tuple[int, ...], dice: tuple[int, ...]
) -> Iterator[tuple[tuple[Move, ...], tuple[int, ...]]]:
    """Yield every sequence of moves that plays `dice` in this order, with its result."""
    if not dice or not any(counts):
        yield (), counts
        return
    highest = max(point for point, count in enumerate(counts, start=1) if count)
    die = dice[0]
    for source in range(highest, 0, -1):
        if not counts[source - 1]:
            continue
        if source <= die and (highest > HOME or (source < die and source < highest)):
            continue  # May not bear off yet, or only from the highest point.
        target = max(source - die, 0)
        after = list(counts)
        after[source - 1] -= 1
        if target:
            after[target - 1] += 1
        for moves, end in _sequences(tuple(after), dice[1:]):
            yield ((source, target), *moves), end


def _moves_to(
    counts: tuple[int, ...], dice: tuple[int, ...], after: tuple[int, ...]
) -> tuple[Move, ...] | None:
    """Return the first sequence of `_sequences` that leads to `after`."""
    if len(dice) <= 2:
        found = (moves for moves, end in _sequences(counts, dice) if end == after)
        return next(found, None)
    # Of a double, whatever is too much on a point must move on, from the highest down.
    left, moves, die = list(counts), [], dice[0]
    for source in range(len(counts), 0, -1):
        for _ in range(left[source - 1] - after[source - 1]):
            target = max(source - die, 0)
            left[source - 1] -= 1
            if target:
                left[target - 1] += 1
            moves.append((source, target))
    short = len(moves) < len(dice) and any(after)
    if tuple(left) != after or short or len(moves) > len(dice):
        return None
    return tuple(moves)
