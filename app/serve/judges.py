"""Who answers: one judge for money play, and one for each race at a score met lately."""

import threading
from collections import OrderedDict
from dataclasses import replace

from app.serve.work import current
from bearoff import Race
from bearoff.answers import Answer, Judge

SOLVED = 8
"""Races at a score that are kept solved."""


class Judges:
    """Answers races without rolling any out.

    Threads may share it: money play is read off tables; a race at a score is solved by
    the first thread that asks, and others wait for it.
    """

    def __init__(self) -> None:
        self.money = Judge(progress=_check)
        self._at_scores: OrderedDict[Race, tuple[Judge, threading.Lock]] = OrderedDict()
        self._lock = threading.Lock()

    def at_once(self, race: Race) -> bool:
        """Whether a race is looked up in a table."""
        return race.score is None and any(t.holds(race) for t in self.money.tables)

    def answer(self, race: Race, *, market: bool = False) -> Answer:
        """Answer a race; see `bearoff.answers.Judge.answer`."""
        if race.score is None:
            return self.money.answer(race, market=market)
        judge, lock = self._at_score(race)
        with lock:
            return judge.answer(race, market=market)

    def _at_score(self, race: Race) -> tuple[Judge, threading.Lock]:
        key = replace(race, dice=None)
        with self._lock:
            if key not in self._at_scores:
                judge = Judge((), progress=_check)
                self._at_scores[key] = judge, threading.Lock()
            self._at_scores.move_to_end(key)
            while len(self._at_scores) > SOLVED:
                self._at_scores.popitem(last=False)
            return self._at_scores[key]


def _check(done: float) -> None:
    """Stop where nobody waits any more."""
    current.get().check()
