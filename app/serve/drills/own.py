"""Drill on the user's own mistakes and saved positions."""

from collections.abc import Iterator
from random import Random

from bearoff import BearoffError, Race
from bearoff.analysis.review import Decision, decision_of
from bearoff.app.library.library import Library
from bearoff.app.library.questions import OwnQuestion, own_question, own_questions
from bearoff.app.serve.drills.asked import (
    Drill,
    DrillQuestion,
    Level,
    Marked,
    SolutionLine,
    board_of,
    choice_of,
    marked,
)
from bearoff.app.serve.drills.plays import next_best
from bearoff.app.serve.drills.seeing import hints_of
from bearoff.app.serve.drills.solving import from_line
from bearoff.app.serve.judges import SOON, Judges

ASK = {
    "double": "You are on roll{score}. Do you double?",
    "take": "The opponent is on roll and doubles{score}. Do you take?",
    "play": "You are on roll{score}. How do you play?",
}

MOST = 1000
"""Maximum number of mistakes used as questions, costliest first."""


class Own(Drill):
    """Drill on the mistakes and saved positions in the library.

    Parameters
    ----------
    library : Library
    judges : Judges
        Object that evaluates saved positions for which the library has no equities.
    """

    name, title = "own", "Your mistakes"
    text = "Your own mistakes and the positions you saved in the library, the costliest \
first."

    def __init__(self, library: Library, judges: Judges) -> None:
        self.library, self._judges = library, judges

    def names(self, player: str | None) -> tuple[str, ...]:
        """Return the names of a player in the library; None stands for the user."""
        if player is None:
            return self.library.mine()
        return (player,) if player else ()

    def keys(self, player: str | None) -> list[str]:
        """Return the keys of the questions for a player.

        If `player` is None, the questions are about the user's mistakes; if `player` is an
        empty string, about all players' mistakes. Saved positions are always included.
        """
        return [one.key for one in own_questions(self.library, self.names(player), MOST)]

    def candidates(
        self, rng: Random, level: Level | None, player: str | None
    ) -> Iterator[str]:
        """Yield all questions: saved positions, then mistakes, the costliest first."""
        yield from self.keys(player)

    def draw(self, rng: Random, level: Level) -> str:
        """Draw a random mistake or saved position of any player."""
        keys = self.keys("")
        if not keys:
            raise BearoffError(EMPTY)
        return rng.choice(keys)

    def race(self, rest: str) -> Race:
        return own_question(self.library, rest).race

    def hints(self, rest: str) -> list[str]:
        """Return hints: both sides' pip counts, and their board features."""
        one = own_question(self.library, rest)
        sides = one.race.roller, one.race.opponent
        you, opponent = sides[::-1] if one.kind == "take" else sides
        first, _, last = hints_of(you, opponent, "", 0, 0)
        return [first, last]

    def question(self, rest: str) -> DrillQuestion:
        """Return the question about a mistake or a saved position."""
        one = own_question(self.library, rest)
        race = one.race
        score = ", for money" if race.score is None else f", at {race.score}"
        choices = self._decision(one)[0].choices
        return DrillQuestion(
            key=self.key(rest),
            kind=self.name,
            title=f"{_whose(one)}, {rest}",
            text=ASK[one.kind].format(score=score),
            form="choice",
            choices=sorted(choices) if one.kind == "play" else list(_named(one)),
            hints=len(self.hints(rest)),
            of=one.kind,  # type: ignore[arg-type]
            **board_of(race),  # type: ignore[arg-type]
        )

    def mark(self, rest: str, given: str) -> Marked:
        """Mark a choice by the equities in the library, or by a new evaluation."""
        own = own_question(self.library, rest)
        one, method = self._decision(own)
        play = own.kind == "play"
        chosen = choice_of(given, one.choices if play else _named(own))
        one = one.choosing(chosen)
        notes, near = [], one.next_best
        if not play:
            notes.append(f"{from_line(one)}.")
        elif near is not None:
            notes.append(next_best(near))
        if near is not None and (near.cost or 0.0) < (error := near.error or 0.0):
            notes.append(
                f"The cost is less than its error, {error:.4f}, so the other choice may be "
                "correct."
            )
        steps = list(_told(own))
        return marked(self.key(rest), chosen, one, method, notes, steps)

    def _decision(self, own: OwnQuestion) -> tuple[Decision, str]:
        """Return a decision with its judgement, and the source of the judgement."""
        if own.judged is not None:
            return own.judged, "from your library"
        race = own.race
        answer = self._judges.ask(
            race, lambda judge, source: judge.answer(race, source=source), SOON
        )
        one = decision_of(answer)
        error = max(each.error or 0.0 for each in one.alternatives)
        within = f", within {error:.4f}" if error >= 0.00005 else ""
        return one, f"{answer.kind}{within}"


EMPTY = (
    "there are no questions from your own games yet: review a match under Review on the "
    "page or with 'bearoff review', or save a position with 'bearoff library save'"
)


def _named(one: OwnQuestion) -> tuple[str, str]:
    """Return both choices of a cube decision, the passive one (no double, pass) first."""
    if one.kind == "take":
        return "pass", "take"
    double = "redouble" if one.race.cube == "owned" else "double"
    return f"no {double}", double


def _whose(one: OwnQuestion) -> str:
    then = one.judged
    if then is not None and then.player:
        return f"A decision of {then.player}"
    return "A decision" if then is not None and then.decided else "A saved position"


def _told(one: OwnQuestion) -> Iterator[SolutionLine]:
    """Yield steps of the explanation: the original decision and the user's note."""
    then = one.judged
    if then is not None and then.decided:
        cost = f"cost {then.cost:.4f} points (EMG)" if then.is_seen else "correct"
        yield SolutionLine(
            words=f"{then.player or 'you'} chose then: {then.done}", arithmetic=cost
        )
    else:
        yield SolutionLine(words="a position that you saved", arithmetic=one.key)
    if one.note:
        yield SolutionLine(words="your note", arithmetic=one.note)
