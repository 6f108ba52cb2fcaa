"""Best play, luck and market losers of a race for each of the 21 rolls."""

from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from bearoff.answers.answer import PlayChoice
from bearoff.answers.dice import choices_of
from bearoff.answers.judge import Judge
from bearoff.plays import Play
from bearoff.positions import Race
from bearoff.rolls import ROLLS, THROWS, WEIGHTS
from bearoff.sources import PlayValues, Source, play_values, plays_of


@dataclass(frozen=True)
class RollAnswer:
    """One of the 21 rolls of a race, with its best play if the cube is not turned.

    Attributes
    ----------
    dice : (int, int)
    chance : float
        Probability that the dice show this roll: 1/36 for a double, otherwise 2/36.
    best : PlayChoice
    error : float
        Error of the best play's equity, as in `Answer.error`.
    second : PlayChoice or None
        Second best play; None if there is only one legal play.
    most_wins : PlayChoice
        Play with the highest cubeless win probability, which is nearly always the best
        play.
    win_probability : float
        The roller's cubeless win probability after the best play.
    luck : float
        Equity after the best play, minus the mean of this equity over all rolls.
    outcomes : dict of str to float or None
        Probability of each possible outcome in `Market.OUTCOMES` after the opponent's next
        roll. None if the roller may not double.
    losing : float or None
        Probability that the roller has lost the market after the opponent's next roll. None
        if the roller may not double.
    """

    dice: tuple[int, int]
    chance: float
    best: PlayChoice
    error: float
    second: PlayChoice | None
    most_wins: PlayChoice
    win_probability: float
    luck: float
    outcomes: dict[str, float] | None
    losing: float | None


def answer_rolls(
    judge: Judge, race: Race, source: Source | None = None
) -> tuple[RollAnswer, ...]:
    """Return the best play and luck of each roll, in the order of `bearoff.ROLLS`.

    Parameters
    ----------
    judge : Judge
        Judge that chooses the source for the race and for the races that can follow it.
    race : Race
        Race before the roll. Its dice are ignored.
    source : Source, optional
        Source of the values. By default, the best available source; the fast model replaces
        rollouts, see `Judge.source_ahead`.

    Raises
    ------
    PositionError, ScoreError
        In the same cases as by `Judge.source`.

    Examples
    --------
    The roller has checkers on the 3 and 2 points, and every roll with a 1 leaves one
    checker on the board:

    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(5)
    >>> judge = Judge([bearoff.two_sided_table(5)])
    >>> race = bearoff.positions.read_race("0,1,1,0,0,0", "2,0,0,0,0,0")
    >>> rolls = answer_rolls(judge, race)
    >>> [f"{a}-{b}" for (a, b), roll in zip(bearoff.ROLLS, rolls) if roll.luck < 0]
    ['2-1', '3-1', '4-1', '5-1', '6-1', '1-1']
    """
    source = judge.source_ahead(judge.source(race) if source is None else source)
    count = len(ROLLS)
    start = judge.races([race]).select(np.zeros(count, dtype=np.int64))
    rows, sides = plays_of(start.rollers, np.arange(count))
    valued = play_values(source, start, rows, sides)
    chances = np.array(WEIGHTS) / THROWS
    mean = float(valued.equities[valued.best] @ chances)
    now = source.values(start.select(rows[:1]))
    gains = now.may_double[0] and now.terms.can_gain(now.owners.item(0))
    market = judge.market(race, source) if gains else None

    def play_at(place: int) -> Play:
        after = tuple(sides[place, : race.roller.points].tolist())
        return Play.between(race.roller, ROLLS[rows[place]], after)

    def places(first: int, plays: PlayValues) -> list[int]:
        """Return indices of the best play, the play with most wins and the second best."""
        best, *others = plays.ranking().tolist()
        most = int(np.argmax(plays.wins))
        if plays.wins[best] >= plays.wins[most] - plays.tie:
            most = best
        return [first + place for place in (best, most, *others[:1])]

    wanted = list(map(places, valued.firsts.tolist(), valued.of_each()))
    chosen = iter(choices_of(valued, chain.from_iterable(wanted), play_at, source.kind))

    def answer(roll: int) -> RollAnswer:
        best, most_wins, *second = islice(chosen, len(wanted[roll]))
        outcomes = losing = None
        if market is not None:
            shares = np.bincount(market.outcomes[roll], chances, len(market.OUTCOMES))
            named = zip(market.OUTCOMES, shares.tolist(), strict=True)
            outcomes = {name: share for name, share in named if share}
            losing = float(market.losing_after[roll])
        return RollAnswer(
            ROLLS[roll],
            float(chances[roll]),
            best,
            best.equity_error,
            second[0] if second else None,
            most_wins,
            best.wins,
            best.equity - mean,
            outcomes,
            losing,
        )

    return tuple(map(answer, range(count)))
