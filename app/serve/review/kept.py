"""Reviews that run in the background; requests start them and read their results.

Reloading or leaving the page does not end a review. Partial results can be read at any
time, and a finished review is stored for a while.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Literal

from bearoff import BearoffError
from bearoff.app.serve.problems import Refusal, in_one_line
from bearoff.app.serve.work import Stopped, Task, Workers

if TYPE_CHECKING:
    from bearoff.app.serve.review.judging import Known

MOST = 16
"""Maximum number of stored reviews; the least recently requested ones are dropped."""

ABSENT = 300.0
"""Time in seconds without a request after which a review is stopped."""

Status = Literal["running", "done", "failed", "stopped"]


class News:
    """Results of a review so far, with the version in which each decision last changed.

    Attributes
    ----------
    number : int
        Version of the results, increased by each request that finds changes.
    known : Known or None
        Results of the review at the last request; None before the first results.
    """

    def __init__(self) -> None:
        self.number = 0
        self.known: Known | None = None
        self._since: list[int] = []

    def after(self, known: "Known") -> "News":
        """Return this object if `known` has no changes, otherwise the next version."""
        old, number = self.known, self.number + 1
        before = [] if old is None else old.judged
        since = [
            self._since[place] if place < len(before) and one is before[place] else number
            for place, one in enumerate(known.judged)
        ]
        told = known.problems, known.kept
        if old and since == self._since and told == (old.problems, old.kept):
            return self
        found = News()
        found.number, found.known, found._since = number, known, since
        return found

    def newer(self, number: int) -> list[int]:
        """Return the numbers of the decisions that changed since a given version."""
        return [place for place, one in enumerate(self._since, start=1) if one > number]


class ReviewJob:
    """Review in the background, with its progress.

    Attributes
    ----------
    id : str
        Identifier in requests, which cannot be guessed.
    status : {"running", "done", "failed", "stopped"}
    error : str or None
        Error message if the review failed.
    done, decisions : int
        Number of decisions with a final judgement, and of all decisions.
    """

    def __init__(self, seconds: float) -> None:
        self.id = secrets.token_urlsafe(9)
        self.status: Status = "running"
        self.error: str | None = None
        self.done = self.decisions = 0
        self.task = Task(seconds)
        self._seconds, self._seen = seconds, monotonic()
        self._known: Callable[[], Known] | None = None
        self._news = News()
        self._looking = threading.Lock()

    def watch(self, known: "Callable[[], Known]") -> None:
        """Set the function that returns the results of the review so far."""
        self._known = known

    def step(self, done: int, decisions: int) -> None:
        """Record progress; raise `Stopped` if the review must end."""
        if monotonic() - self._seen > ABSENT:
            self.task.stop()
        self.task.check()
        self.done, self.decisions = done, decisions

    def look(self) -> News:
        """Return the results so far, with a version that increases when they change."""
        self._seen = monotonic()
        with self._looking:
            if self._known is not None:
                self._news = self._news.after(self._known())
            return self._news

    def run(self, work: "Callable[[ReviewJob], Known]") -> None:
        """Run the review in the current thread, and store its outcome."""
        try:
            work(self)
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
            self._end("failed", "the server failed on this review, but is still running")
            raise

    def _end(self, status: Status, error: str | None = None) -> None:
        if self._known is not None:
            # The function `_known` holds the judge and its solved races in memory. A
            # function that holds only the results replaces `_known`, so that this memory is
            # freed.
            found = self._known()
            self._known = lambda: found
        # Another thread that reads the status "failed" must already find the error message,
        # so the message is set first.
        self.error = error
        self.status = status


class ReviewJobs:
    """All reviews that run or have run in the background of a server."""

    def __init__(self) -> None:
        self._all: OrderedDict[str, ReviewJob] = OrderedDict()
        self._lock = threading.Lock()

    def start(
        self,
        workers: Workers,
        seconds: float,
        work: "Callable[[ReviewJob], Known]",
    ) -> ReviewJob:
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
        with self._lock:
            if name not in self._all:
                raise Refusal(404, "this review is no longer stored; send the match again")
            self._all.move_to_end(name)
            return self._all[name]
