"""Who answers: one judge for money play, and one for each race at a score met lately."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from app.serve.work import current
from bearoff import Race
from bearoff.answers import Answer, Judge, Source

T = TypeVar("T")

SOLVED = 8
"""Races at a score that are kept solved."""

WAITING = 0.2
"""Seconds after which a thread that waits for another looks whether it still should."""


class Judges:
    """Answers races without rolling any out.

    Threads may share it: money play is read off tables; a race at a score is solved by
    the first thread that asks, and others wait for it.

    Parameters
    ----------
    money : Judge, optional
        Of money play; by default by the tables on this machine and the fast model.
    """

    def __init__(self, money: Judge | None = None) -> None:
        self.money = money or Judge(progress=_check)
        self._at_scores: OrderedDict[Race, tuple[Judge, threading.Lock]] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, race: Race, *, market: bool = False) -> Answer:
        """Answer a race; see `bearoff.answers.Judge.answer`."""
        return self.ask(race, lambda judge: judge.answer(race, market=market))

    def ask(self, race: Race, question: Callable[[Judge], T]) -> T:
        """Ask the judge of a race."""
        if race.score is None:
            return question(self.money)
        judge, lock = self._at_score(race)
        while not lock.acquire(timeout=WAITING):
            current.get().check()
        try:
            return question(judge)
        finally:
            lock.release()

    def rolling_out(self, source: Callable[[Race], Source]) -> Judge:
        """Return a judge who rolls out what no table holds."""
        tables = [one.table for one in self.money.tables]
        return Judge(tables, roll_out=source, progress=_check)

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
