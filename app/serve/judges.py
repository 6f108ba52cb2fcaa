"""Evaluation of races for the server, by one shared judge and one judge per solved race."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import NamedTuple, TypeVar
from weakref import WeakSet

from bearoff import Race, TwoSidedTable
from bearoff.answers import Judge, OutOfPatience, RollOut, check_in_play
from bearoff.app.answer_cache import AnswerCache
from bearoff.app.serve.work import Task, current
from bearoff.runtime import give_back_memory, memory_available
from bearoff.sources import Source

T = TypeVar("T")
_Key = tuple[Race, float]
"""Key of a solved race: the race without dice, and the time limit in seconds."""

SOON = 1.0
"""Default time limit for solving a race exactly, in seconds."""

SOLVED, MOST_BYTES = 8, 1 << 29
"""Maximum number of solved races in memory, and maximum size in bytes of all of them except
the latest."""

IDLE = 300.0
"""Time without use, in seconds, after which all solved races are removed from memory."""

LOOKING = 1.0
"""Minimum interval in seconds between checks of the free memory."""

ANSWERING = 4.0
"""Time in seconds, at the end of a request's time limit, in which no race is solved, so
that the fast model can answer."""

WAITING = 0.2
"""Interval in seconds at which a thread that waits for a lock checks its request."""


class Lookup(NamedTuple):
    """Plan for the evaluation of a race.

    Attributes
    ----------
    race : Race
    patience : float
        Approximate time limit for solving the race, in seconds.
    source : Source
        Table or model from which the race's equities are taken if the race is not solved.
    solves : bool
        Whether the race is to be solved exactly, because no table contains it.
    """

    race: Race
    patience: float
    source: Source
    solves: bool


class Judges:
    """Object that evaluates races by tables, by the fast model, or by solving on request.

    Several threads may use one object: the first thread that needs a race solves it, and
    the other threads wait for the result.

    Parameters
    ----------
    tables : sequence of TwoSidedTable, optional
        Two-sided tables with cubeful equities; by default those on this machine.
    cache : AnswerCache, optional
        Cache of exact answers at match scores; by default none.
    """

    def __init__(
        self,
        tables: Sequence[TwoSidedTable] | None = None,
        cache: AnswerCache | None = None,
    ) -> None:
        self.cache = cache
        self._quick = Judge(tables, patience=0.0, progress=_check)
        self._solved: OrderedDict[_Key, tuple[Judge, threading.Lock]] = OrderedDict()
        self._given: WeakSet[Judge] = WeakSet()
        self._idle: threading.Timer | None = None
        self._looked = 0.0
        self._lock = threading.Lock()
        self._opening = threading.Lock()

    @property
    def tables(self) -> list[TwoSidedTable]:
        """Two-sided tables used for answers, in ascending order of size."""
        return [one.table for one in self._quick.tables]

    def ask(
        self, race: Race, question: Callable[[Judge, Source], T], patience: float = 0.0
    ) -> T:
        """Choose how to evaluate a race, and return the result of `question` for it."""
        return self.answer(self.look_up(race, patience), question)

    def look_up(self, race: Race, patience: float = 0.0) -> Lookup:
        """Choose how to evaluate a race: by a table, by solving, or by the fast model."""
        check_in_play(race)
        # For a race with few checkers, the judge may first build a table. Other requests
        # wait for the lock meanwhile.
        with _held(self._opening, _check):
            source = self._quick.source(race)
        solvable = self._quick.solving.solves(race, patience)
        return Lookup(race, patience, source, solvable and source.kind != "exact")

    def answer(self, found: Lookup, question: Callable[[Judge, Source], T]) -> T:
        """Call `question` with the judge and the source that `look_up` chose for a race."""
        if not found.solves or current.get().left < ANSWERING:
            return question(self._quick, found.source)
        judge, lock = self._solving(found.race, found.patience)
        try:
            with _held(lock, _check_time):
                return question(judge, judge.source(found.race))
        except OutOfPatience:
            return question(self._quick, found.source)
        finally:
            self._let_go_when_idle()

    def judge(
        self, patience: float, roll_out: RollOut | None = None, share: float = 1.0
    ) -> Judge:
        """Return a judge for use by one thread, to evaluate many races or to roll out.

        A share of the request's remaining time is used for solving. Races that are not
        solved by then are answered by the fast model.
        """
        end = monotonic() + share * current.get().left
        in_time = _InTime()

        def progress(done: float) -> None:
            in_time(done)
            if monotonic() > end:
                raise OutOfPatience
            if done >= 1:
                self._let_go_when_idle()

        judge = Judge(self.tables, roll_out=roll_out, patience=patience, progress=progress)
        with self._lock:
            self._given.add(judge)
        return judge

    def _solving(self, race: Race, patience: float) -> tuple[Judge, threading.Lock]:
        key = replace(race, dice=None), patience
        with self._lock:
            if key not in self._solved:
                # If the race cannot be solved in time, its judge is removed, because a
                # later request may have more time.
                in_time = _InTime(lambda: self._forget(race, patience))
                judge = Judge((), patience=patience, progress=in_time)
                self._solved[key] = judge, threading.Lock()
            self._solved.move_to_end(key)
            while len(self._solved) > 1 and self._are_many():
                self._solved.popitem(last=False)
            # Reading the free memory takes half a millisecond.
            if monotonic() - self._looked > LOOKING:
                self._looked = monotonic()
                if memory_available() < MOST_BYTES:
                    self._solved = OrderedDict({key: self._solved[key]})
                    give_back_memory()
            return self._solved[key]

    def _forget(self, race: Race, patience: float) -> None:
        with self._lock:
            self._solved.pop((replace(race, dice=None), patience), None)

    def _let_go_when_idle(self) -> None:
        with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            self._idle = threading.Timer(IDLE, self._let_go)
            self._idle.daemon = True
            self._idle.start()

    def _let_go(self) -> None:
        with self._lock:
            self._solved.clear()
            for judge in self._given:
                judge.solving.let_go()
        give_back_memory()

    def _are_many(self) -> bool:
        """Return whether the solved races in memory exceed the limit of number or size."""
        *others, _ = (judge.solving.nbytes for judge, _ in self._solved.values())
        return len(self._solved) > SOLVED or sum(others) > MOST_BYTES


@contextmanager
def _held(lock: threading.Lock, check: Callable[[float], None]) -> Iterator[None]:
    """Hold a lock in a `with` block; call `check` repeatedly until the lock is free."""
    while not lock.acquire(timeout=WAITING):
        check(0.0)
    try:
        yield
    finally:
        lock.release()


def _check(done: float) -> None:
    """Raise an error if the client has disconnected or the time limit has passed."""
    current.get().check()


def _check_time(done: float) -> None:
    """Raise an error if the client has disconnected or the time for solving has passed."""
    current.get().check()
    if current.get().left < ANSWERING:
        raise OutOfPatience


class _InTime:
    """Callback that stops solving if the request has no time for one more step.

    The next step of solving is assumed to take as long as the last step.
    """

    def __init__(self, on_stop: Callable[[], None] = lambda: None) -> None:
        self._on_stop = on_stop
        self._task: Task | None = None
        self._last = 0.0

    def __call__(self, done: float) -> None:
        task, now = current.get(), monotonic()
        step = now - self._last if task is self._task else 0.0
        self._task, self._last = task, now
        task.check()
        if task.left < ANSWERING + step:
            self._on_stop()
            raise OutOfPatience
