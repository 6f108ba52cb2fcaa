"""The decisions of a match's races: every double, take and play once contact is over."""

from dataclasses import dataclass, replace
from typing import Literal

from bearoff import Position, Race
from bearoff.game.records.record import GameRecord, MatchRecord, RecordError
from bearoff.game.records.replay import Moment, moments
from bearoff.game.rules import legal_plays
from bearoff.scores import LONGEST

Decided = Literal["double", "no double", "take", "pass"]


@dataclass(frozen=True)
class RaceDecision:
    """A decision in a race, and what was decided.

    Attributes
    ----------
    kind : {"double", "take", "play"}
        Whether to double, whether to take, and how to play a roll.
    race : Race
        With cube and score and, of a play, the roll, from the side on roll; of a take, that
        is whoever doubled, and the cube is as before.
    moment : Moment
        The action it belongs to, whose player decided.
    decided : {"double", "no double", "take", "pass"} or None
        Of a double or a take, if the record says so.
    after : Position or None
        Of a play, if the record says so: the side's position after it.
    """

    kind: Literal["double", "take", "play"]
    race: Race
    moment: Moment
    decided: Decided | None = None
    after: Position | None = None


def race_decisions(match: MatchRecord) -> tuple[list[RaceDecision], list[str]]:
    """Find where contact ends, and return every decision from there on.

    Parameters
    ----------
    match : MatchRecord
        As read from a file.

    Returns
    -------
    decisions : list of RaceDecision
        In order. Whoever is on roll, may double and can gain by it decides whether to, each
        turn. A roll with one play leaves nothing to decide.
    problems : list of str
        What the reader complains of, and a sentence for each game that cannot have been
        played as it is recorded, whose decisions before that are in the list, whose cube
        does not allow its points, whose board has another winner, or that begins at another
        score than the last ended with, and if the file ends within a game.
    """
    decisions: list[RaceDecision] = []
    problems = [*match.complaints]
    if (match.length or 0) > LONGEST:
        problems.append(
            f"{match.source}: matches to {LONGEST} points and less are judged, this one is "
            f"to {match.length}"
        )
        return decisions, problems
    for before, game in zip((None, *match.games), match.games, strict=False):
        if _is_over(match, before):
            problems.append(
                f"{match.source}, line {game.line}: the match was over before game "
                f"{game.number}, and is judged to there; give another match its own file"
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
            problems.append(f"game {game.number} is followed to there only: {error}")
    return decisions, problems


def _is_over(match: MatchRecord, game: GameRecord | None) -> bool:
    """Return whether a match is won with this game."""
    if not match.length or game is None or game.winner is None:
        return False
    return game.won[game.winner] + game.points >= match.length


def _other_score(
    match: MatchRecord, before: GameRecord | None, game: GameRecord
) -> list[str]:
    """Return a sentence if a game begins at another score than the last one ended with."""
    if before is None or before.winner is None or game.number != before.number + 1:
        return []
    won = list(before.won)
    won[before.winner] += before.points
    if list(game.won) == won:
        return []
    return [
        f"{match.source}, line {game.line}: game {game.number} begins at "
        f"{game.won[0]}-{game.won[1]}, and the game before it ended at {won[0]}-{won[1]}"
    ]


def _illegal(moment: Moment) -> list[str]:
    """Return a sentence of an illegal play that is taken to have stood."""
    action = moment.action
    if action.kind != "set" or action.roll is None:
        return []
    played = f"{action.text[:40]!r}" if action.text else "the play"
    return [
        f"{moment.match.source}, line {action.line}: {played} is none of "
        "{}-{}; game {} goes on as it was played".format(*action.roll, moment.game.number)
    ]


def _odd_end(match: MatchRecord, game: GameRecord, last: Moment | None) -> list[str]:
    """Return a sentence if the last play is none, or somebody else wins on the board."""
    if last is None:
        return []
    found = []
    where = f"{match.source}, line {last.action.line}: "
    if last.action.kind == "roll" and last.action.text and last.then.winner is None:
        found.append(
            f"{where}{last.action.text[:40]!r} is not a whole play of "
            "{}-{}; game {} is taken as given up there".format(
                *last.action.roll or (), game.number
            )
        )
    if game.winner is not None and last.then.winner not in (None, game.winner):
        found.append(
            f"{where}game {game.number} is won by {match.players[game.winner][:40]!r}, and "
            "the board says that the other side wins"
        )
    return found


def _odd_points(match: MatchRecord, game: GameRecord, last: Moment | None) -> list[str]:
    """Return a sentence if a game gives points that its cube does not allow.

    At the end of a match it may be fewer: some programs count no more than it needs.
    """
    shows = last.then.cube_value if last else game.cube_value
    passed = last is not None and last.action.kind == "pass"
    may = (shows,) if passed else (shows, 2 * shows, 3 * shows)
    ends = match.length and game.won[game.winner or 0] + game.points >= match.length
    if game.winner is None or game.points in may or (ends and game.points < may[-1]):
        return []
    line = last.action.line if last else game.line
    how = "by a pass " if passed else ""
    return [
        f"{match.source}, line {line}: game {game.number} is won by {game.points} "
        f"point{'s' * (game.points > 1)}, which a cube of {shows} does not allow; "
        f"{how}it can be {' or '.join(map(str, may))}"
    ]


def _broken_off(match: MatchRecord, game: GameRecord, last: Moment | None) -> list[str]:
    """Return a sentence if the file ends within its last game: cut off, or left so.

    A game from a position is a question, or what was done there, and no more.
    """
    over = game.winner is not None or (last is not None and last.then.winner is not None)
    asked = last is not None and last.action.kind == "question"
    if over or asked or game.board is not None or game is not match.games[-1]:
        return []
    line = last.action.line if last else game.line
    return [f"{match.source}, line {line}: the file ends before game {game.number} is over"]


def decisions_at(moment: Moment) -> list[RaceDecision]:
    """Return the decisions that an action shows: none, one, or a double and a play."""
    race = moment.race
    if race is None:
        return []
    match moment.action.kind:
        case "take" | "pass" as decided:
            # Whoever doubled has the beavered cube whatever they say.
            beavered = moment.before.offers > 1
            return [] if beavered else [RaceDecision("take", race, moment, decided)]
        case "double" if moment.before.offers:  # A beaver: a take, at twice the stakes.
            beavered = moment.before.offers > 1
            return [] if beavered else [RaceDecision("take", race, moment, "take")]
        case "double":
            return [RaceDecision("double", race, moment, "double")]
        case "question" if race.dice is None:
            return [RaceDecision("double", race, moment)] if moment.may_double else []
        case "question":
            return [RaceDecision("play", race, moment)]
        case "resign":
            return []
    found = []
    if moment.can_gain and race.dice is not None:
        before = replace(race, dice=None)
        found.append(RaceDecision("double", before, moment, "no double"))
    if moment.action.kind != "play":
        return found  # A roll without its play, or with one that no rule allows.
    assert moment.after is not None
    assert race.dice is not None
    if len(legal_plays(moment.board, race.dice)) > 1:
        side = Position(moment.after.roller[:24])
        found.append(RaceDecision("play", race, moment, after=side))
    return found
