"""A session: what is asked next, and what becomes of an answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random

from app.serve.drills.asked import Level, Marked, Question
from app.serve.drills.kinds import DRILLS, drill_named, mark, question_of
from app.serve.training.repetition import next_card
from app.serve.training.store import Answered, Store
from bearoff import BearoffError

TRIES = 30
"""Questions drawn to find one that was never answered."""

LONGEST = 3600.0
"""Seconds of an answer; who comes back later was away."""


def _utc() -> datetime:
    return datetime.now(UTC)


@dataclass
class Trainer:
    """Asks, marks and remembers.

    Attributes
    ----------
    store : Store
        Where answers are kept.
    rng : Random
        Draws the questions.
    now : callable
        The time, in UTC.
    """

    store: Store
    rng: Random = field(default_factory=Random)
    now: Callable[[], datetime] = _utc

    def next_question(
        self, kinds: Sequence[str] = (), level: Level = "medium", last: str = ""
    ) -> Question:
        """Choose the next question.

        Parameters
        ----------
        kinds : sequence of str
            Drills to choose from; all if there are none.
        level : {"easy", "medium", "hard"}
            Of new questions.
        last : str
            The key of the question before, which is not asked twice in a row.

        Returns
        -------
        Question
            One that is due, the longest due first; else a new one.
        """
        names = [drill_named(name).name for name in kinds] or list(DRILLS)
        for key in self.store.due(self.now()):
            if key != last and key.partition(" ")[0] in names:
                try:
                    return question_of(key).model_copy(update={"again": True})
                except BearoffError:
                    continue  # Of a sample that is no longer shipped.
        drawn = []
        drill = DRILLS[self.rng.choice(names)]
        for _ in range(TRIES):
            drawn.append(drill.key(drill.draw(self.rng, level)))
        known = self.store.asked(drawn) | {last}
        new = next((key for key in drawn if key not in known), None)
        return question_of(new or next((k for k in drawn if k != last), drawn[0]))

    def answer(self, key: str, given: str, seconds: float) -> tuple[Marked, str | None]:
        """Mark an answer and keep it.

        Returns
        -------
        marked : Marked
        due : str or None
            When the question is asked again; None if it need not be.
        """
        marked, now = mark(key, given), self.now()
        card = next_card(self.store.card(key), marked.right, now)
        answered = Answered(
            now,
            key,
            marked.kind,
            min(max(seconds, 0.0), LONGEST),
            marked.given,
            marked.answer,
            marked.right,
            marked.error,
            marked.cost,
        )
        self.store.keep(answered, card)
        return marked, None if card is None else card["due"]
