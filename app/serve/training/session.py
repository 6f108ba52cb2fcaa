"""A session: what is asked next, and what becomes of an answer."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from random import Random
from typing import Literal

from bearoff import BearoffError
from bearoff.app.serve.drills.asked import LEVELS, Drill, Level, Marked, Question
from bearoff.app.serve.drills.kinds import DRILLS, Drills
from bearoff.app.serve.drills.own import EMPTY
from bearoff.app.serve.training.rating import Rating, of_question, rated, score_of
from bearoff.app.serve.training.repetition import next_card
from bearoff.app.serve.training.store import Answered, Card, Store

LONGEST = 3600.0
"""Seconds of an answer; who comes back later was away."""

FITTING = 5
"""New questions of which the one nearest to the player's rating is asked."""

OWN = "own"
"""The drill of which there are only so many questions, in an order of its own."""

Wish = Literal["fitting", "easy", "medium", "hard"]
"""Of new questions: near the player's rating, or a level."""

WISHES: tuple[Wish, ...] = ("fitting", *LEVELS)


class NothingLeft(BearoffError):
    """There is no question of those that were wished for."""


@dataclass(frozen=True)
class MarkedAnswer:
    """An answer as it was marked and kept."""

    marked: Marked
    answered: Answered
    due: str | None


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
    drills : Drills
        All that can be asked.
    zone : tzinfo or None
        Where the player's days begin; None for this machine's zone.
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
    ) -> Question:
        """Choose the next question.

        Parameters
        ----------
        kinds : sequence of str
            Drills to choose from; all if there are none.
        wish : {"fitting", "easy", "medium", "hard"}
            Of new questions.
        passed : sequence of str
            What each question not to be asked now is called: the one before, those skipped.
        due_only : bool
            Whether nothing new is asked.
        player : str, optional
            Whose own mistakes are asked, by default the library's owner's; everyone's if it
            is empty.

        Returns
        -------
        Question
            One that is due, the longest due first; else a new one.

        Raises
        ------
        NothingLeft
            If nothing is due, or nothing new is there.
        """
        names = [self.drills[name].name for name in kinds] or list(self.drills)
        # Which time it was asked does not matter.
        known = {one.partition(" ")[2] for one in passed}
        for card in self.store.due(self.now()):
            if card not in known and card.partition(" ")[0] in names:
                try:
                    return self.asked(card, self.store.times(card), again=True)
                except BearoffError:
                    continue  # Of a sample that is no longer shipped.
        if due_only:
            raise NothingLeft("nothing more is due now")
        refused = ""
        for name in self.rng.sample(names, len(names)):
            for new in self._new(self.drills[name], wish, known, player):
                try:
                    return self.asked(new, self.store.times(new))
                except BearoffError as error:  # Of a saved position that nobody can answer.
                    refused = f"; {new} cannot be asked: {error}"
        own = self.drills[names[0]].candidates(self.rng, None, player)
        if names == [OWN] and not any(own):
            raise NothingLeft(EMPTY)
        raise NothingLeft(
            "all of these were asked; they come back when they are due, or choose more "
            f"kinds{refused}"
        )

    def _new(
        self, drill: Drill, wish: Wish, passed: set[str], player: str | None
    ) -> list[str]:
        """Return questions that were never answered; if there are none, others.

        The first is to be asked, one after it where that cannot be.
        """
        level: Level | None = None if wish == "fitting" else wish
        drawn = [drill.key(r) for r in drill.candidates(self.rng, level, player)]
        known = self.store.asked(drawn)
        new = [key for key in dict.fromkeys(drawn) if key not in known | passed]
        if drill.name == OWN:
            return new  # The others come back when they are due.
        if level is None:
            near = self.rating().value
            new = sorted(new[:FITTING], key=lambda key: abs(self._rated(key).value - near))
        return new or [key for key in drawn if key not in passed]

    def asked(self, card: str, times: int, *, again: bool = False) -> Question:
        """Return the question that a card asks after so many answers."""
        question = self.drills.question(self._key(card, times))
        return question.model_copy(update={"id": f"{times} {card}", "again": again})

    def _key(self, card: str, times: int) -> str:
        drill, rest = self.drills.of(card)
        return drill.key(drill.again(rest, times))

    def hint(self, id_: str, number: int) -> str:
        """Return a hint to a question, counted from 1.

        Raises
        ------
        BearoffError
            If it has fewer.
        """
        drill, rest = self.drills.of(self._key(*read_id(id_)))
        hints = drill.hints(rest)
        if not 1 <= number <= len(hints):
            raise BearoffError(f"there are {len(hints)} hints, from 1 on, got {number}")
        return hints[number - 1]

    def answer(self, id_: str, given: str, seconds: float, hints: int = 0) -> MarkedAnswer:
        """Mark an answer and keep it; one that is empty came too late.

        Raises
        ------
        AnsweredAlready
            If the question was answered since it was asked.
        """
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
        """Count the newest answer, which was mistyped, as right.

        Raises
        ------
        AnsweredAlready
            If another answer was given since.
        """
        card, times = read_id(id_)
        with self._lock:
            one, before = self.store.newest(card, times)
            marked = self.drills.mark(one.key, one.answer).model_copy(
                update={"given": one.given, "right": True, "error": None, "cost": None}
            )
            player = None if one.rating is None else self.rating(one.at)
            one = replace(one, knew=True, right=True, error=None, cost=None)
            return self._keep(marked, one, times, player, before, instead=True)

    def undo(self, id_: str) -> Question:
        """Forget the newest answer, and ask its question again.

        Raises
        ------
        AnsweredAlready
            If another answer was given since.
        """
        card, times = read_id(id_)
        with self._lock:
            self.store.take_back(card, times)
        return self.asked(card, times, again=self.store.card(card) is not None)

    def rating(self, before: datetime | None = None) -> Rating:
        """Return the player's rating now, or as it was before a time."""
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
        """Rate an answer if the player has a rating, schedule its question, keep both."""
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
    """Read which card a question asks, and how often it was answered before.

    Raises
    ------
    BearoffError
        If it is no question's.
    """
    times, _, card = id_.partition(" ")
    if not (times.isascii() and times.isdigit() and len(times) < 7 and card):
        raise BearoffError(
            f"a question's id is as '0 pips LwAAwC0AAAAAAA', got {id_[:40]!r}; take it "
            "from the question"
        )
    return card, int(times)
