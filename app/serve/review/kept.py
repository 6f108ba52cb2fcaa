"""Reviews that go on by themselves: begun by one request, looked at by others.

A page may be loaded anew, or another part of it looked at, while its review goes on; what
is judged so far can be asked for at any time, and what is done stays for a while.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Any, Literal

from bearoff import BearoffError
from bearoff.app.serve.problems import Refusal, in_one_line
from bearoff.app.serve.work import Stopped, Task, Workers

MOST = 16
"""Reviews that are kept; of more, those that were not looked at for longest go."""

ABSENT = 300.0
"""Seconds without a look after which a review ends: nobody waits for it any more."""

Status = Literal["running", "done", "failed", "stopped"]


class ReviewJob:
    """A review, as far as it is.

    Attributes
    ----------
    id : str
        What it is asked for by; nobody guesses it.
    status : {"running", "done", "failed", "stopped"}
    error : str or None
        Why it failed, a sentence.
    done, decisions : int
        Decisions judged for good, and all.
    news : int
        Grows whenever more is known.
    """

    def __init__(self, seconds: float) -> None:
        self.id = secrets.token_urlsafe(9)
        self.status: Status = "running"
        self.error: str | None = None
        self.done = self.decisions = self.news = 0
        self.task = Task(seconds)
        self._seconds, self._seen = seconds, monotonic()
        self._known: Callable[[], dict[str, Any]] | None = None
        self._result: dict[str, Any] | None = None

    def watch(self, known: Callable[[], dict[str, Any]]) -> None:
        """Take what returns all that is known so far."""
        self._known = known

    def step(self, done: int, decisions: int) -> None:
        """Note how far it is; called by the work, which ends here if it should."""
        if monotonic() - self._seen > ABSENT:
            self.task.stop()
        self.task.check()
        self.done, self.decisions = done, decisions
        self.news += 1

    def look(self, news: int) -> dict[str, Any]:
        """Return how far it is, and what is found if there is more than `news` of it."""
        self._seen = monotonic()
        names = ("status", "id", "error", "done", "decisions", "news")
        going = {name: getattr(self, name) for name in names}
        found = self._result
        if found is None and self._known is not None and going["news"] != news:
            found = self._known()
        return going | {"found": None if going["news"] == news else found}

    def run(self, work: Callable[["ReviewJob"], dict[str, Any]]) -> None:
        """Do the work, in its thread; what comes of it is kept here."""
        try:
            self._result = work(self)
            self._end("done")
        except BearoffError as error:
            self._end("failed", in_one_line(error))
        except Stopped:
            if monotonic() > self.task.until:
                most = f"the review takes more than {self._seconds:g} seconds"
                self._end("failed", f"{most}; send fewer games at a time")
            else:
                self._end("stopped")
        except Exception:
            self._end("failed", "the server failed at this review; it goes on")
            raise

    def _end(self, status: Status, error: str | None = None) -> None:
        # Who sees that it has ended must see the last news.
        self.error = error
        self.news += 1
        self.status = status


class ReviewJobs:
    """The latest reviews of a server."""

    def __init__(self) -> None:
        self._all: OrderedDict[str, ReviewJob] = OrderedDict()
        self._lock = threading.Lock()

    def start(
        self,
        workers: Workers,
        seconds: float,
        work: Callable[[ReviewJob], dict[str, Any]],
    ) -> ReviewJob:
        """Begin a review.

        Raises
        ------
        Refusal
            If too much is under way already.
        """
        going = ReviewJob(seconds)
        future = workers.start(lambda: going.run(work), going.task)
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        with self._lock:
            self._all[going.id] = going
            while len(self._all) > MOST:
                _, oldest = self._all.popitem(last=False)
                oldest.task.stop()
        return going

    def find(self, name: str) -> ReviewJob:
        """Return a review.

        Raises
        ------
        Refusal
            If it is not kept.
        """
        with self._lock:
            if name not in self._all:
                raise Refusal(404, "this review is not kept any more; send it once more")
            self._all.move_to_end(name)
            return self._all[name]
