"""Rolls for which fewest-rolls play loses the most."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bearoff import ROLLS, Position, TwoSidedTable, legal_plays, one_sided_table
from research.studies.two_sided import TwoSidedStudy


@dataclass(frozen=True)
class WrongPlay:
    """Roll for which the fewest-rolls play is not the best play against a given opponent.

    Attributes
    ----------
    roller, opponent : Position
        Positions of the roller and the opponent before the roll.
    roll : tuple of int
        Dice of the roll, with the larger number first.
    fewest_rolls, best : str
        Fewest-rolls play and best play in notation such as ``6/off 5/2``.
    loss : float
        Win probability that the fewest-rolls play loses.
    fewest_rolls_chance, best_chance : float
        Win probability after each play, if both sides play optimally afterwards.
    """

    roller: Position
    opponent: Position
    roll: tuple[int, int]
    fewest_rolls: str
    best: str
    fewest_rolls_chance: float
    best_chance: float

    @property
    def loss(self) -> float:
        """Win probability that the fewest-rolls play loses."""
        return self.best_chance - self.fewest_rolls_chance


def worst_play(table: TwoSidedTable, roller: int, opponent: int) -> WrongPlay:
    """Return the roll for which the fewest-rolls play loses most in a pair of positions.

    Examples
    --------
    A side that must bear off its last two checkers with the next roll should not move them
    closer:

    >>> import bearoff
    >>> folder = bearoff.build_two_sided_table(3, cube=False, workers=1)
    >>> pair = bearoff.rank([[0, 0, 0, 0, 1, 2], [1, 0, 0, 0, 0, 0]])
    >>> worst_play(bearoff.two_sided_table(3), *pair).loss < 0.01
    True
    """
    found = []
    mine = Position(Position.from_number(roller).counts, table.checkers)
    fewest = one_sided_table()
    for roll_number, roll in enumerate(ROLLS):
        plays = {play.after.number: play for play in legal_plays(mine, roll)}
        numbers = sorted(plays)
        chances = 1.0 - table.win_probability(np.full(len(numbers), opponent), numbers)
        best = int(np.argmax(chances))
        chosen = int(fewest.policy[roller, roll_number])
        found.append(
            WrongPlay(
                mine,
                Position(Position.from_number(opponent).counts, table.checkers),
                roll,
                str(plays[chosen]),
                str(plays[numbers[best]]),
                float(chances[numbers.index(chosen)]),
                float(chances[best]),
            )
        )
    return max(found, key=lambda play: play.loss)


def worst_plays(study: TwoSidedStudy) -> Iterator[tuple[int, WrongPlay]]:
    """Yield the costliest fewest-rolls play for each number of the roller's checkers."""
    for checkers in range(1, study.table.checkers + 1):
        opponent = int(study.loss_most[checkers].argmax())
        if study.loss_most[checkers, opponent] > 0:
            pair = study.loss_pair[checkers, opponent]
            yield checkers, worst_play(study.table, int(pair[0]), int(pair[1]))
