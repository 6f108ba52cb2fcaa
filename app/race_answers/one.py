"""Answer to a question about one position, as text or JSON."""

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bearoff.app.interruption import Interrupted, ending_early
from bearoff.app.output import duration, note, say, say_json
from bearoff.app.progress import LONG
from bearoff.app.race_answers.asked import Asked
from bearoff.app.race_answers.contact import read_any, show_contact
from bearoff.app.race_answers.fields import as_json
from bearoff.app.race_answers.text import View, quick_text, show_answer

if TYPE_CHECKING:
    from bearoff.answers import Answer, Judge, Question
    from bearoff.sources import Source


@dataclass
class _Wait:
    """Callback during the solving of a race: shows progress and enforces `--patience`."""

    patience: float | None
    shown: bool = False
    _began: float | None = None
    _bar: Any = None

    def __call__(self, done: float) -> None:
        from bearoff.answers import OutOfPatience
        from bearoff.sim.race_files import OVERDUE

        if self.shown:
            self._bar("pairs", done)
        now = time.monotonic()
        self._began = now if self._began is None else self._began
        if self.patience is None or done >= 1:
            return
        if now - self._began > OVERDUE * self.patience:
            raise OutOfPatience

    def show(self) -> None:
        from bearoff.sim.engine import PassProgress

        self.shown, self._bar = True, PassProgress()


def answer_race(asked: Asked, view: View) -> None:
    """Answer a question about a race or a position with contact, and print the answer."""
    from bearoff.answers import Question

    wait = _Wait(asked.patience)
    question = read_any(asked.parts())
    if not isinstance(question, Question):
        if question.setup.dice and not view.dice:
            _note_dice(question.setup.dice)
            question = replace(
                question, setup=replace(question.setup, dice=None), played=None
            )
        show_contact(question, asked, view)
        return
    if question.race.dice and not view.dice:
        _note_dice(question.race.dice)
        question = Question(replace(question.race, dice=None), decided=question.decided)
    judge = asked.judge(question, wait)
    stored = judge.stored(question.race) is not None
    told = not stored and judge.solving.waits(question.race)
    try:
        if told:
            _say_first(judge, question, asked)
        source = judge.source(question.race)
        told |= _say_wait(judge, question, source, wait, asked, told=told)
        with _ending(source):
            answer = judge.answer(
                question.race, market=view.market, played=question.after(), source=source
            )
            if source.kind == "exact" != answer.kind:
                note("the race was not solved, because it took longer than --patience")
            _show(judge, question, answer, asked, view, rolls=view.rolls)
    except KeyboardInterrupt:
        if not told:
            raise
        quick = _quick(judge, question)
        _show(judge, question, quick, asked, replace(view, market=False), rolls=False)
        raise Interrupted("interrupted; the answer shown is from the fast model") from None


def _note_dice(dice: tuple[int, int]) -> None:
    """Print a note that the dice are ignored, because a cube decision precedes the roll."""
    note(
        "the cube is turned before the roll, so the dice {}-{} are ignored; bearoff "
        "race rates their plays".format(*dice)
    )


def _ending(source: "Source") -> AbstractContextManager[None]:
    """Context manager in which Ctrl-C ends a rollout early, with a partial answer."""
    if source.kind == "rollout":
        return ending_early("the answer is based on the games so far")
    return nullcontext()


def _quick(judge: "Judge", question: "Question") -> "Answer":
    return judge.answer(question.race, played=question.after(), source=judge.model)


def _show(
    judge: "Judge",
    question: "Question",
    answer: "Answer",
    asked: Asked,
    view: View,
    *,
    rolls: bool,
) -> None:
    """Print an answer as text or, if requested, as JSON."""
    played = question.after()
    decided = None if question.decided is None else answer.decided(question.decided)
    made = None if played is None else answer.played(played)
    every = None
    if rolls:
        from bearoff.answers import answer_rolls

        every = answer_rolls(judge, question.race)
    if asked.json:
        say_json(as_json(answer, decided, made, every))
    else:
        show_answer(answer, view, [one for one in (decided, made) if one], every)


def _say_first(judge: "Judge", question: "Question", asked: Asked) -> None:
    """Print the fast model's estimate before a slower method answers the question.

    The estimate is printed only on a terminal. In a file or pipe, standard output has only
    the final answer.
    """
    terminal = sys.stdout.isatty()
    if asked.quiet and not terminal:
        return
    text = quick_text(_quick(judge, question))
    if terminal and not asked.json:
        say(f"{text[0].upper()}{text[1:]}.\n")
    else:
        note(text.replace("\n", " "))


def _say_wait(
    judge: "Judge",
    question: "Question",
    source: "Source",
    wait: _Wait,
    asked: Asked,
    *,
    told: bool,
) -> bool:
    """Print the fast model's answer before a long wait; return whether the wait is long."""
    seconds = judge.seconds(question.race) if source.kind == "exact" else 0.0
    if seconds < LONG and source.kind != "rollout":
        return False
    if not told:
        _say_first(judge, question, asked)
    if seconds >= LONG:
        at = "" if question.race.score is None else f" at {question.race.score}"
        note(
            f"solving all positions that can follow in this race{at}: about "
            f"{duration(seconds)} on this machine; Ctrl-C or --patience gives the fast "
            "model's answer instead"
        )
        if not asked.quiet:
            wait.show()
    elif not asked.quiet:
        note("rolling out the race; Ctrl-C stops the rollout and uses its games so far")
    return True
