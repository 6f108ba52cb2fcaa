"""Decomposition of the results of races into luck and errors.

The value of a race at the end of contact and the cost of each error are known. The rest of
the result is luck: ``result = start - own errors + opponent's errors + luck``. Values are
in points for money play, and are match-winning chances in a match.
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
    """Result of a finished race, with luck and errors, from the viewpoint of one player.

    Attributes
    ----------
    player, opponent : str
        The player on roll when contact ended, and the opponent.
    unit : str
        Unit of the values: ``points``, or ``chance`` for the match-winning chance.
    start : float
        Value of the race for the player before the first decision.
    result : float
        Value of the final result for the player.
    lost, their_lost : float
        Total cost of the errors of the player, and of the opponent.
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
        """Gain of the player through the dice, in points or match-winning chance."""
        return self.result - self.start + self.lost - self.their_lost

    def exchanged(self) -> "RaceResult":
        """Return the result of the same race from the viewpoint of the opponent."""
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
    """Return the finished races of a match in which all decisions were evaluated.

    Parameters
    ----------
    record : MatchRecord
    judged : sequence of Decision
        Evaluated decisions of the match, in order.
    """
    if len(set(record.players)) < 2:
        return []
    asked = [one.moment.game.number for one in race_decisions(record)[0]]
    games = {game.number: game for game in record.games}
    found = []
    races = [one for one in judged if one.in_race]
    for number, group in groupby(races, key=lambda one: one.game):
        decisions = list(group)
        game = games[number]
        if game.winner is not None and len(decisions) == asked.count(number):
            found.append(_result(record, game, decisions))
    return found


def _result(
    record: MatchRecord, game: GameRecord, decisions: Sequence[Decision]
) -> RaceResult:
    first = decisions[0]
    # In a take or pass, the player who decides is not the player on roll.
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
    """Return the value of 1 EMG in a race, in points or in match-winning chance."""
    if race.score is None:
        return float(race.cube_value)
    return Match(race.score).line(race.cube_value)[1]
