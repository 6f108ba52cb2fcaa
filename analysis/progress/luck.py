"""What races were won, and how much of that was luck.

What a race is worth when contact ends is known, and so is what each error in it costs. The
rest of its result is luck: ``result = start - own errors + opponent's errors + luck``. For
money all are points; in a match, chances to win it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bearoff import Race
from bearoff.analysis.review import Decision
from bearoff.game.records import GameRecord, MatchRecord, race_decisions
from bearoff.stakes import Match


@dataclass(frozen=True)
class RaceResult:
    """A race that was played to its end, as one player sees it.

    Attributes
    ----------
    player, opponent : str
        Who was on roll when contact ended, and the other.
    unit : str
        ``points``, or ``chance`` to win the match.
    start : float
        What the race was worth to the player at its first decision.
    result : float
        What came of it.
    lost, their_lost : float
        Lost by errors, by the player and by the opponent.
    """

    player: str
    opponent: str
    unit: str
    start: float
    result: float
    lost: float
    their_lost: float

    @property
    def luck(self) -> float:
        """What the dice added for the player."""
        return self.result - self.start + self.lost - self.their_lost

    def exchanged(self) -> "RaceResult":
        """Return the race as the opponent sees it."""
        whole = 0.0 if self.unit == "points" else 1.0
        return RaceResult(
            self.opponent,
            self.player,
            self.unit,
            whole - self.start,
            whole - self.result,
            self.their_lost,
            self.lost,
        )


def race_results(record: MatchRecord, judged: Sequence[Decision]) -> list[RaceResult]:
    """Return the races of a match that were played to the end and judged as a whole.

    Parameters
    ----------
    record : MatchRecord
    judged : sequence of Decision
        Its decisions, in order.
    """
    if len(set(record.players)) < 2:
        return []
    asked = [one.moment.game.number for one in race_decisions(record)[0]]
    games = {game.number: game for game in record.games}
    found = []
    for number, group in groupby(judged, key=lambda one: one.game):
        decisions = list(group)
        game = games[number]
        if game.winner is not None and len(decisions) == asked.count(number):
            found.append(_result(record, game, decisions))
    return found


def _result(
    record: MatchRecord, game: GameRecord, decisions: Sequence[Decision]
) -> RaceResult:
    first = decisions[0]
    # Whoever answers a double is not on roll.
    player = record.players.index(first.player) ^ (first.kind == "take")
    name, other = record.players[player], record.players[1 - player]
    lost = {name: 0.0, other: 0.0}
    for one in decisions:
        lost[one.player] += one.cost * _unit(one.race)
    sign = 1 if game.winner == player else -1
    score = first.race.score
    if score is None:
        start = first.equity * first.race.cube_value
        result = float(sign * game.points)
    else:
        stakes = Match(score)
        middle, unit = stakes.line(first.race.cube_value)
        start = middle + unit * first.equity
        result = stakes.equities.after(score, sign * game.points)
    unit_name = "points" if score is None else "chance"
    return RaceResult(name, other, unit_name, start, result, lost[name], lost[other])


def _unit(race: Race) -> float:
    """Return what 1 of a cost is in points, or as a chance to win the match."""
    if race.score is None:
        return float(race.cube_value)
    return Match(race.score).line(race.cube_value)[1]
