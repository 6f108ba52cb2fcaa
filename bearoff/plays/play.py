"""Legal plays of a roll, one for each different position that can result.

In a race, every die can be played until the last checker is off. A play therefore uses both
dice, or four moves of a double, or bears all checkers off before. The order of the dice may
matter, so both orders are tried.
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
"""Move of one checker by one die: the point it leaves and the point it reaches, or 0 if it
is borne off."""


@dataclass(frozen=True)
class Play:
    """Play of a roll: its moves, and the position after it.

    Attributes
    ----------
    moves : tuple of (int, int)
        Pairs of points, from and to, in the order in which they are played; 0 means off.
    after : Position
        Position after the play.
    """

    moves: tuple[Move, ...]
    after: Position

    @classmethod
    def parse(cls, text: str, position: Position, roll: tuple[int, int]) -> "Play":
        """Parse a text that describes a legal play of a roll.

        Parameters
        ----------
        text : str
            Moves of single checkers, from a point to a point or ``off``, with or without
            intermediate points. ``(2)`` after a move means two checkers. Only the position
            after all moves matters.
        position : Position
            Position before the play.
        roll : tuple of int
            Two dice, each from 1 to 6.

        Raises
        ------
        PositionError
            If the text cannot be parsed.
        RollError
            If the play is not legal with the roll.

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
        raise RollError(f"{text!r} is not a legal play of {format_roll(roll)}: {why}")

    @classmethod
    def between(
        cls, position: Position, roll: tuple[int, int], after: tuple[int, ...]
    ) -> "Play":
        """Return the play of a roll that leads from one position to another.

        The result is one of the plays that `legal_plays` lists, but this method lists no
        other plays.

        Parameters
        ----------
        position : Position
            Position before the play.
        roll : tuple of int
            Two dice, each from 1 to 6.
        after : tuple of int
            Checkers on the 1 point, 2 point, ... after the play.

        Raises
        ------
        RollError
            If no play of the roll leads to this position.

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
        raise RollError(
            f"no legal play of {format_roll(roll)} leads from {position} to {after}"
        )

    @staticmethod
    def reached(text: str, position: Position) -> tuple[int, ...]:
        """Return the checkers on each point after moves given as text, legal or not."""
        counts = Counter(dict(enumerate(position.counts, start=1)))
        for source, target in Play._legs(text):
            counts[source] -= 1
            counts[target] += 1
        return tuple(counts[point] for point in range(1, position.points + 1))

    @staticmethod
    def _legs(text: str) -> list[Move]:
        """Return the first and the last point of each written move of one checker."""
        if "*" in checks.instance(text, "a play", str):
            raise PositionError(
                f"a play in a race cannot hit, so it must not contain '*', got {text!r}"
            )
        words = re.split(r"[\s,;]+", text.strip())
        moves = [_MOVE.fullmatch(word) for word in words]
        legs: list[Move] = []
        for move in moves:
            if move is None:
                raise PositionError(
                    "a play must be written as moves such as 6/off 4/1 or 6/4(2), got "
                    f"{text!r}"
                )
            target = 0 if move[2].lower() == "off" else int(move[2])
            legs += [(int(move[1].split("/")[0]), target)] * int(move[3] or 1)
        return legs

    def __str__(self) -> str:
        """Return the play in the usual notation, as in ``6/off`` or ``6/3(2) 3/off(2)``."""
        return write_moves((source, target, False) for source, target in self.moves)


def legal_plays(position: OneSide, roll: tuple[int, int]) -> list[Play]:
    """Return the legal plays of a roll, one for each different resulting position.

    Parameters
    ----------
    position : Position, str, int, or array_like of int, shape (points,)
        Position of the roller, in any form that `Position.of` reads.
    roll : tuple of int
        Two dice, each from 1 to 6.

    Returns
    -------
    list of Play
        Plays in descending order of the position number after the play. If several
        sequences of moves lead to the same position, the play moves the larger number
        first, from the highest point downwards. If all checkers are off, there is one play
        without moves.

    Raises
    ------
    PositionError, RollError
        If `position` is not a position, or `roll` is not a roll.

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
    """Yield each sequence of moves by the dice in this order, and the checkers after it."""
    if not dice or not any(counts):
        yield (), counts
        return
    highest = max(point for point, count in enumerate(counts, start=1) if count)
    die = dice[0]
    for source in range(highest, 0, -1):
        if not counts[source - 1]:
            continue
        if source <= die and (highest > HOME or (source < die and source < highest)):
            continue  # The die may not bear off a checker from this point.
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
    """Return the first sequence of moves in `_sequences` that leads to `after`, or None."""
    if len(dice) <= 2:
        found = (moves for moves, end in _sequences(counts, dice) if end == after)
        return next(found, None)
    # A double is played from the highest point downwards. From each point, checkers move
    # until the number of checkers agrees with `after`.
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
