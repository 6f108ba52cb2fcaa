"""One's own mistakes, and the positions saved in the library, as questions."""

import math
from collections.abc import Iterator
from random import Random

from bearoff import BearoffError, Race
from bearoff.answers import intervals
from bearoff.app.library.library import Library
from bearoff.app.library.questions import OwnQuestion, own_question, own_questions
from bearoff.app.serve.drills.asked import (
    Drill,
    Level,
    Line,
    Marked,
    Option,
    Question,
    board_of,
    choice_of,
)
from bearoff.app.serve.drills.plays import SHOWN, next_best
from bearoff.app.serve.drills.seeing import Asked, hints_of
from bearoff.app.serve.drills.solving import cube_costs, from_line
from bearoff.app.serve.judges import SOON, Judges
from bearoff.stakes import is_mistake

ASK = {
    "double": "You are on roll{score}. Do you turn the cube?",
    "take": "The opponent is on roll and doubles{score}. Do you take?",
    "play": "You are on roll{score}. How do you play?",
}

MOST = 1000
"""Mistakes that are asked, the costliest."""


class Own(Drill):
    """A mistake that was made, or a position that was saved.

    Parameters
    ----------
    library : Library
    judges : Judges
        Who answers what was saved and never judged.
    """

    name, title = "own", "Your mistakes"
    text = "Your own mistakes and the positions you saved in the library, the costliest \
first."

    def __init__(self, library: Library, judges: Judges) -> None:
        self.library, self._judges = library, judges

    def owner(self) -> str:
        """Return whose library it is: who decided most often; empty if nobody did."""
        return next((name for name, _ in self.library.players()), "")

    def keys(self, player: str | None) -> list[str]:
        """Return what can be asked of a player, by default the owner, or, if empty, of all.

        Saved positions are everyone's.
        """
        whose = self.owner() if player is None else player
        return [one.key for one in own_questions(self.library, whose, MOST)]

    def candidates(
        self, rng: Random, level: Level | None, player: str | None
    ) -> Iterator[str]:
        """Yield all, first what was saved, then the costliest."""
        yield from self.keys(player)

    def draw(self, rng: Random, level: Level) -> str:
        """Draw one, whoever made it."""
        keys = self.keys("")
        if not keys:
            raise BearoffError(EMPTY)
        return rng.choice(keys)

    def race(self, rest: str) -> Race:
        """Return the race of the library."""
        return own_question(self.library, rest).race

    def hints(self, rest: str) -> list[str]:
        """Pips, and what else is to be seen of both sides."""
        one = own_question(self.library, rest)
        sides = one.race.roller, one.race.opponent
        you, opponent = sides[::-1] if one.kind == "take" else sides
        first, _, last = hints_of(you, opponent, "", 0, 0)
        return [first, last]

    def question(self, rest: str) -> Question:
        """Ask what was asked then."""
        one = own_question(self.library, rest)
        race = one.race
        score = ", for money" if race.score is None else f", at {race.score}"
        choices = [option.name for option in self._options(one)[0]]
        return Question(
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
        """Compare with what the library knows, or with an answer worked out now."""
        one = own_question(self.library, rest)
        options, method, error = self._options(one)
        if one.kind == "play":
            chosen = choice_of(given, [option.name for option in options])
            best, cost = options[0].name, {o.name: o.cost for o in options}[chosen]
            gain = min((o.cost for o in options[1:]), default=math.inf)
            notes = [next_best(options[1])] if len(options) > 1 else []
        else:
            names = _named(one)
            chosen = choice_of(given, names)
            waits, taken, passed = (option.equity for option in options)
            gain = min(taken, passed) - waits if one.kind == "double" else passed - taken
            best = names[gain > 0]
            cost = 0.0 if chosen == best else abs(gain)
            notes = [f"{from_line(abs(gain), names, best)}."]
        if abs(gain) < error:
            notes.append(f"That is less than the error, {error:.4f}: it may be otherwise.")
        return Marked(
            key=self.key(rest),
            kind=self.name,
            given=chosen,
            answer=best,
            right=not is_mistake(cost),
            cost=cost,
            method=method,
            notes=notes,
            steps=list(_told(one)),
            options=options,
        )

    def _options(self, one: OwnQuestion) -> tuple[list[Option], str, float]:
        """Return what could be chosen, how its values were found, and their error."""
        equities, method, error = one.equities, "as your library knows it", 0.0
        if not equities:
            answer = self._judges.ask(
                one.race, lambda judge, source: judge.answer(one.race, source=source), SOON
            )
            if one.kind == "play":
                pairs = [(play.name, play.equity, play.error) for play in answer.plays]
            else:
                no_double, _, *doubled = answer.decisions[
                    :4
                ]  # Beavers are none of the drills.
                names = "no double", "double, take", "double, pass"
                three = zip(names, (no_double, *doubled), strict=True)
                pairs = [(name, option.equity, option.error) for name, option in three]
            equities = tuple((name, equity) for name, equity, _ in pairs[:SHOWN])
            error = intervals(answer.kind) * max(error for _, _, error in pairs)
            within = f"{error:.4f}"
            method = answer.kind + (f", within {within}" if float(within) else "")
        if one.kind == "play":
            ordered = sorted(equities, key=lambda pair: -pair[1])
            costs = [ordered[0][1] - equity for _, equity in ordered]
        else:
            ordered = list(equities)
            waits, taken, passed = (equity for _, equity in ordered)
            asked: Asked = "take" if one.kind == "take" else "double"
            costs = list(cube_costs(asked, waits, taken, passed))
        return (
            [
                Option(name=name, equity=equity, cost=cost)
                for (name, equity), cost in zip(ordered, costs, strict=True)
            ],
            method,
            error,
        )


EMPTY = (
    "nothing of your own can be asked yet: have a match of yours reviewed, on the page's "
    "Review or by 'bearoff review', or save a position by 'bearoff library save'"
)


def _named(one: OwnQuestion) -> tuple[str, str]:
    """Return the choices of a cube decision, first to leave things."""
    if one.kind == "take":
        return "pass", "take"
    double = "redouble" if one.race.cube == "owned" else "double"
    return f"no {double}", double


def _whose(one: OwnQuestion) -> str:
    if one.player:
        return f"A decision of {one.player}"
    return "A decision" if one.decided else "A saved position"


def _told(one: OwnQuestion) -> Iterator[Line]:
    """Say what was decided then, and what was noted."""
    if one.decided:
        cost = (
            f"it lost {one.cost:.4f} points (EMG)"
            if is_mistake(one.cost)
            else "it was right"
        )
        yield Line(
            words=f"{one.player or 'you'} chose then: {one.decided}", arithmetic=cost
        )
    else:
        yield Line(words="a position that you saved", arithmetic=one.key)
    if one.note:
        yield Line(words="your note", arithmetic=one.note)
