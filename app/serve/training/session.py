"""Choice of the next question, with marking and storage of answers."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from random import Random
from typing import Literal

from bearoff import BearoffError
from bearoff.app.serve.drills.asked import LEVELS, Drill, DrillQuestion, Level, Marked
from bearoff.app.serve.drills.kinds import DRILLS, Drills
from bearoff.app.serve.drills.own import EMPTY
from bearoff.app.serve.training.rating import Rating, of_question, rated, score_of
from bearoff.app.serve.training.repetition import next_card
from bearoff.app.serve.training.store import Answered, Card, Store

LONGEST = 3600.0
"""Maximum time that is recorded for an answer, in seconds. After a longer time, the user is
assumed to have been away."""

FITTING = 5
"""Number of new questions from which the program chooses the one closest to the user's
rating."""

OWN = "own"
"""Name of the drill on the user's own mistakes and saved positions."""

Wish = Literal["fitting", "easy", "medium", "hard"]
"""Preferred difficulty of new questions: near the user's rating, or one of three levels."""

WISHES: tuple[Wish, ...] = ("fitting", *LEVELS)


class NothingLeft(BearoffError):
    """Error raised if the requested drills have no question left."""


@dataclass(frozen=True)
class MarkedAnswer:
    """Answer to a question, with its mark and the stored record."""

    marked: Marked
    answered: Answered
    due: str | None


def _utc() -> datetime:
    return datetime.now(UTC)


@dataclass
class Trainer:
    """Trainer that chooses questions, marks answers and stores them.

    Attributes
    ----------
    store : Store
        Storage of answers.
    rng : Random
        Random generator that draws the questions.
    now : callable
        Function that returns the time in UTC.
    drills : Drills
        All available drills.
    zone : tzinfo or None
        Time zone of the user's days; None for this machine's zone.
    """

    store: Store
    rng: Random = field(default_factory=Random)
    now: Callable[[], datetime] = _utc
    drills: Drills = field(default_factory=lambda: DRILLS)
    zone: tzinfo | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next_question(
        self,
        kinds: Sequence[str] = (),
        wish: Wish = "medium",
        passed: Sequence[str] = (),
        *,
        due_only: bool = False,
        player: str | None = None,
    ) -> DrillQuestion:
        """Choose the next question: one that is due for repetition, otherwise a new one."""
        names = [self.drills[name].name for name in kinds] or list(self.drills)
        # An id begins with the number of earlier answers to the question; the rest is the
        # question's key.
        known = {one.partition(" ")[2] for one in passed}
        for card in self.store.due(self.now()):
            if card not in known and card.partition(" ")[0] in names:
                try:
                    return self.asked(card, self.store.times(card), again=True)
                except BearoffError:
                    continue  # An older version of the program asked this question.
        if due_only:
            raise NothingLeft("no more questions are due now")
        refused = ""
        for name in self.rng.sample(names, len(names)):
            for new in self._new(self.drills[name], wish, known, player):
                try:
                    return self.asked(new, self.store.times(new))
                except BearoffError as error:  # Some saved positions cannot be evaluated.
                    refused = f"; {new} cannot be asked: {error}"
        own = self.drills[names[0]].candidates(self.rng, None, player)
        if names == [OWN] and not any(own):
            raise NothingLeft(EMPTY)
        raise NothingLeft(
            "all questions of the chosen kinds have been asked; choose other kinds, or "
            f"come back when some of these questions are due{refused}"
        )

    def _new(
        self, drill: Drill, wish: Wish, passed: set[str], player: str | None
    ) -> list[str]:
        """Return the keys of new questions of a drill; if none is new, of answered ones.

        The first key is that of the best question. If that question cannot be asked, the
        next key is tried.
        """
        level: Level | None = None if wish == "fitting" else wish
        drawn = [drill.key(r) for r in drill.candidates(self.rng, level, player)]
        known = self.store.asked(drawn)
        new = [key for key in dict.fromkeys(drawn) if key not in known | passed]
        if drill.name == OWN:
            return new  # Own mistakes are only repeated when they are due.
        if level is None:
            near = self.rating().value
            new = sorted(new[:FITTING], key=lambda key: abs(self._rated(key).value - near))
        return new or [key for key in drawn if key not in passed]

    def asked(self, card: str, times: int, *, again: bool = False) -> DrillQuestion:
        """Return a question with an id that contains the number of earlier answers."""
        question = self.drills.question(self._key(card, times))
        return question.model_copy(update={"id": f"{times} {card}", "again": again})

    def _key(self, card: str, times: int) -> str:
        drill, rest = self.drills.of(card)
        return drill.key(drill.again(rest, times))

    def hint(self, id_: str, number: int) -> str:
        """Return a hint to a question; hints are numbered from 1."""
        drill, rest = self.drills.of(self._key(*read_id(id_)))
        hints = drill.hints(rest)
        if not 1 <= number <= len(hints):
            raise BearoffError(f"hints are numbered from 1 to {len(hints)}, got {number}")
        return hints[number - 1]

    def answer(self, id_: str, given: str, seconds: float, hints: int = 0) -> MarkedAnswer:
        """Mark an answer and store it; an empty answer means that time ran out."""
        card, times = read_id(id_)
        key = self._key(card, times)
        drill, rest = self.drills.of(key)
        marked = drill.mark(rest, given) if given else drill.late(rest)
        answered = Answered(
            self.now(),
            key,
            marked.kind,
            min(max(seconds, 0.0), LONGEST),
            marked.given,
            marked.answer,
            marked.right,
            marked.error,
            marked.cost,
            card=card,
            hints=min(hints, len(drill.hints(rest))),
        )
        with self._lock:
            first = not self.store.asked([key])
            player = self.rating() if first else None
            return self._keep(marked, answered, times, player, self.store.card(card))

    def knew(self, id_: str) -> MarkedAnswer:
        """Count the latest answer as correct, because the user mistyped it."""
        card, times = read_id(id_)
        with self._lock:
            one, before = self.store.newest(card, times)
            marked = self.drills.mark(one.key, one.answer).model_copy(
                update={"given": one.given, "right": True, "error": None, "cost": None}
            )
            player = None if one.rating is None else self.rating(one.at)
            one = replace(one, knew=True, right=True, error=None, cost=None)
            return self._keep(marked, one, times, player, before, instead=True)

    def undo(self, id_: str) -> DrillQuestion:
        """Delete the latest answer, and return its question."""
        card, times = read_id(id_)
        with self._lock:
            self.store.take_back(card, times)
        return self.asked(card, times, again=self.store.card(card) is not None)

    def rating(self, before: datetime | None = None) -> Rating:
        """Return the user's rating now, or at an earlier time."""
        last = self.store.last_rated(before)
        if last is None or last.rating is None or last.deviation is None:
            return Rating()
        days = ((before or self.now()) - last.at).total_seconds() / 86400
        return Rating(last.rating, last.deviation).after(days)

    def _rated(self, key: str) -> Rating:
        drill, rest = self.drills.of(key)
        return of_question(drill.difficulty(rest))

    def _keep(
        self,
        marked: Marked,
        answered: Answered,
        times: int,
        player: Rating | None,
        before: Card | None,
        *,
        instead: bool = False,
    ) -> MarkedAnswer:
        """Store an answer with the new rating and the question's new schedule."""
        hinted = answered.hints > 0
        if player is not None:
            score = score_of(answered.right, hinted)
            player, question = rated(player, self._rated(answered.key), score)
            answered = replace(
                answered,
                rating=player.value,
                deviation=player.deviation,
                question_rating=question.value,
                question_deviation=question.deviation,
            )
        card = next_card(before, answered.right, answered.at, hinted=hinted)
        self.store.keep(answered, card, times, instead=instead)
        return MarkedAnswer(marked, answered, None if card is None else card["due"])


def read_id(id_: str) -> tuple[str, int]:
    """Split a question's identifier into its key and the number of earlier answers."""
    times, _, card = id_.partition(" ")
    if not (times.isascii() and times.isdigit() and len(times) < 7 and card):
        raise BearoffError(
            "the id of a question must look like '0 pips LwAAwC0AAAAAAA', got "
            f"{id_[:40]!r}; copy it from the question"
        )
    return card, int(times)
