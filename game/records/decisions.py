"""Decisions of a recorded match, in races and during contact: doubles, takes and plays."""

from dataclasses import dataclass, replace
from typing import Literal

from bearoff import BearoffError, Position, Race
from bearoff.game.records.record import GameRecord, MatchRecord, RecordError
from bearoff.game.records.replay import Moment, moments
from bearoff.game.rules import legal_plays
from bearoff.game.state import GameState
from bearoff.scores import LONGEST

Decided = Literal["double", "no double", "take", "pass"]


@dataclass(frozen=True)
class RecordedDecision:
    """Decision in a recorded match, with the player's choice.

    Attributes
    ----------
    kind : {"double", "take", "play"}
        Kind of decision: whether to double, whether to take, or which play to make.
    position : Race or GameState
        A `Race` without contact, or a `GameState` during contact, from the roller's
        viewpoint. For a take, the position before the double.
    moment : Moment
        Recorded action, with the states of the game before and after the action.
    decided : {"double", "no double", "take", "pass"} or None
        Choice that was recorded for a cube decision; None for a play.
    after : Position or None
        Position of the player after a recorded play in a race; None for other decisions.
    """

    kind: Literal["double", "take", "play"]
    position: Race | GameState
    moment: Moment
    decided: Decided | None = None
    after: Position | None = None

    @property
    def in_race(self) -> bool:
        """Whether the decision was made in a race, without further contact."""
        return isinstance(self.position, Race)

    @property
    def race(self) -> Race:
        """Race in which the decision was made.

        Raises
        ------
        BearoffError
            If the decision was made during contact.
        """
        if isinstance(self.position, Race):
            return self.position
        raise BearoffError(
            f"{self.position.xgid} is not a race, because the sides are still in contact"
        )


def race_decisions(match: MatchRecord) -> tuple[list[RecordedDecision], list[str]]:
    """Return all decisions of a recorded match that were made in races.

    Parameters
    ----------
    match : MatchRecord
        Match that was read from a file.

    Returns
    -------
    decisions : list of RecordedDecision
        Decisions from `match_decisions` that were made in races.
    problems : list of str
        Problems that `match_decisions` found.
    """
    decisions, problems = match_decisions(match)
    return [one for one in decisions if one.in_race], problems


def match_decisions(match: MatchRecord) -> tuple[list[RecordedDecision], list[str]]:
    """Return all decisions of a recorded match.

    Parameters
    ----------
    match : MatchRecord
        Match that was read from a file.

    Returns
    -------
    decisions : list of RecordedDecision
        Decisions in chronological order. A player who may double and can gain by doubling
        decides at each turn whether to double. A roll with a single legal play is not a
        decision.
    problems : list of str
        Problems found while reading the file, and one sentence for each inconsistency in a
        game, such as an impossible action or a winner who has not won on the board.
        Decisions after an impossible action are ignored.
    """
    decisions: list[RecordedDecision] = []
    problems = [*match.complaints]
    if (match.length or 0) > LONGEST:
        problems.append(
            f"{match.source}: only matches to {LONGEST} points or fewer are judged, "
            f"and this one is to {match.length}"
        )
        return decisions, problems
    for before, game in zip((None, *match.games), match.games, strict=False):
        if _is_over(match, before):
            problems.append(
                f"{match.source}, line {game.line}: the match was over before game "
                f"{game.number}, so only the games before it are judged; put any "
                "further match into a separate file"
            )
            break
        last = None
        problems += _other_score(match, before, game)
        try:
            for last in moments(match, game):
                decisions += decisions_at(last)
                problems += _illegal(last)
            problems += _odd_end(match, game, last)
            problems += _odd_points(match, game, last)
            problems += _broken_off(match, game, last)
        except RecordError as error:
            problems.append(
                f"game {game.number} is followed only up to an impossible action: {error}"
            )
    return decisions, problems


def _is_over(match: MatchRecord, game: GameRecord | None) -> bool:
    if not match.length or game is None or game.winner is None:
        return False
    return game.won[game.winner] + game.points >= match.length


def _other_score(
    match: MatchRecord, before: GameRecord | None, game: GameRecord
) -> list[str]:
    """Return a warning if a game does not start at the score after the previous game."""
    if before is None or before.winner is None or game.number != before.number + 1:
        return []
    won = list(before.won)
    won[before.winner] += before.points
    if list(game.won) == won:
        return []
    return [
        f"{match.source}, line {game.line}: game {game.number} begins at "
        f"{game.won[0]}-{game.won[1]}, but the previous game ended at {won[0]}-{won[1]}"
    ]


def _illegal(moment: Moment) -> list[str]:
    """Return a warning if the action is an illegal play that was accepted."""
    action = moment.action
    if action.kind != "set" or action.roll is None:
        return []
    played = f"{action.text[:40]!r}" if action.text else "the play"
    return [
        f"{moment.match.source}, line {action.line}: {played} is not a legal play of "
        "{}-{}; game {} continues with the recorded play".format(
            *action.roll, moment.game.number
        )
    ]


def _odd_end(match: MatchRecord, game: GameRecord, last: Moment | None) -> list[str]:
    """Return warnings if the last play is incomplete or the recorded winner has not won."""
    if last is None:
        return []
    found = []
    where = f"{match.source}, line {last.action.line}: "
    if last.action.kind == "roll" and last.action.text and last.then.winner is None:
        found.append(
            f"{where}{last.action.text[:40]!r} is not a complete play of "
            "{}-{}; game {} is treated as given up at this roll".format(
                *last.action.roll or (), game.number
            )
        )
    if game.winner is not None and last.then.winner not in (None, game.winner):
        found.append(
            f"{where}game {game.number} is won by "
            f"{match.players[game.winner][:40]!r}, but on the board the other "
            "side has won"
        )
    return found


def _odd_points(match: MatchRecord, game: GameRecord, last: Moment | None) -> list[str]:
    """Return a warning if the points won in a game do not agree with the cube.

    The points of the last game may be lower, because some programs count only the points
    that the winner needed.
    """
    shows = last.then.cube_value if last else game.cube_value
    passed = last is not None and last.action.kind == "pass"
    may = (shows,) if passed else (shows, 2 * shows, 3 * shows)
    ends = match.length and game.won[game.winner or 0] + game.points >= match.length
    if game.winner is None or game.points in may or (ends and game.points < may[-1]):
        return []
    line = last.action.line if last else game.line
    how = "and a pass " if passed else ""
    return [
        f"{match.source}, line {line}: the result of game {game.number} is {game.points} "
        f"point{'s' * (game.points > 1)}, but with a cube value of {shows} {how}it can "
        f"only be {' or '.join(map(str, may))}"
    ]


def _broken_off(match: MatchRecord, game: GameRecord, last: Moment | None) -> list[str]:
    """Return a warning if the file ends before the last game is over.

    A game that starts from a position that was set up may end anywhere.
    """
    over = game.winner is not None or (last is not None and last.then.winner is not None)
    asked = last is not None and last.action.kind == "question"
    if over or asked or game.board is not None or game is not match.games[-1]:
        return []
    line = last.action.line if last else game.line
    return [f"{match.source}, line {line}: the file ends before game {game.number} is over"]


def decisions_at(moment: Moment) -> list[RecordedDecision]:
    """Return the decisions in an action: none, one, or both a double and a play."""
    position = moment.position
    match moment.action.kind:
        case "take" | "pass" as decided:
            # The doubler's reply to a beaver is not judged, because passing a beaver is
            # never considered.
            beavered = moment.before.offers > 1
            return [] if beavered else [RecordedDecision("take", position, moment, decided)]
        # A beaver is judged as a take at twice the cube value.
        case "double" if moment.before.offers:
            beavered = moment.before.offers > 1
            return [] if beavered else [RecordedDecision("take", position, moment, "take")]
        case "double":
            return [RecordedDecision("double", position, moment, "double")]
        case "question" if position.dice is None:
            asked = RecordedDecision("double", position, moment)
            return [asked] if moment.may_double else []
        case "question":
            return [RecordedDecision("play", position, moment)]
        case "resign":
            return []
    found = []
    if moment.can_gain and position.dice is not None:
        before = replace(position, dice=None)
        found.append(RecordedDecision("double", before, moment, "no double"))
    if moment.action.kind != "play":
        return found  # No play was recorded, or the play is illegal.
    assert moment.after is not None
    assert position.dice is not None
    if len(legal_plays(moment.board, position.dice)) > 1:
        race = isinstance(position, Race)
        side = Position(moment.after.roller[:24]) if race else None
        found.append(RecordedDecision("play", position, moment, after=side))
    return found
