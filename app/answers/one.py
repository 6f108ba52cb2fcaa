"""Answer one race: by what is known of it, shown as text or JSON."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.answers.asked import Asked
from app.answers.fields import as_json
from app.answers.text import View, say_quick_answer, show_answer
from app.output import duration, note, say_json

if TYPE_CHECKING:
    from bearoff.answers import Answer, Judge, Question
    from bearoff.sources import Source

LONG = 1.0
"""Seconds from which a wait is told, and the fast model answers first."""


@dataclass
class _Wait:
    """Progress of solving, shown once it is said to take long."""

    shown: bool = False

    def __call__(self, done: float) -> None:
        if self.shown:
            self._bar("pairs", done)

    def show(self) -> None:
        from sim.engine import PassProgress

        self.shown, self._bar = True, PassProgress()


def answer_race(asked: Asked, view: View) -> None:
    """Read a race, answer it and write the answer.

    Raises
    ------
    BearoffError
        If there is no such question, or no answer.
    """
    from bearoff.answers import Question

    wait = _Wait()
    question = asked.question()
    if question.race.dice and not view.dice:
        note(
            "the cube is turned before the throw: the dice {}-{} are left out; bearoff "
            "race rates their plays".format(*question.race.dice)
        )
        question = Question(replace(question.race, dice=None), decided=question.decided)
    judge = asked.judge(question, wait)
    played = question.after()
    source = judge.source(question.race)
    _say_first(judge, question, source, wait, asked)
    answer = judge.answer(question.race, market=view.market, played=played, source=source)
    decided = None if question.decided is None else answer.decided(question.decided)
    made = None if played is None else answer.played(played)
    rolls = None
    if view.rolls:
        from bearoff.answers import answer_rolls

        rolls = answer_rolls(judge, question.race)
    if asked.json:
        say_json(as_json(answer, decided, made, rolls))
    else:
        show_answer(answer, view, [one for one in (decided, made) if one], rolls)


def _say_first(
    judge: "Judge", question: "Question", source: "Source", wait: _Wait, asked: Asked
) -> None:
    """Tell a wait that is long, and until then what the fast model makes of the race."""
    seconds = judge.seconds(question.race) if source.kind == "exact" else 0.0
    if seconds < LONG and source.kind != "rollout":
        return
    if not asked.json:
        quick: Answer = judge.answer(
            question.race, played=question.after(), source=judge.model
        )
        say_quick_answer(quick, follows="Rollouts" if not seconds else "The exact answer")
    if seconds >= LONG:
        note(
            f"solving all that the race can come to at {question.race.score}: about "
            f"{duration(seconds)}; --patience 0 or --model leaves it out"
        )
        if not asked.quiet:
            wait.show()
