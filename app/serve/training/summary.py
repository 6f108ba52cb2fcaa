"""Summary of recent answers, with the daily set of questions and the streak of days."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from statistics import fmean, median

from pydantic import BaseModel

from bearoff import BearoffError
from bearoff.app.serve.drills.kinds import Drills
from bearoff.app.serve.training.session import Trainer
from bearoff.app.serve.training.statistics import clipped
from bearoff.app.serve.training.store import Answered

A_DAY = 10
"""Number of questions in the daily set."""

LISTED = 50
"""Maximum number of answers listed in a summary."""


class Standing(BaseModel):
    """Progress of the user in the trainer."""

    now: str
    """Time of the server in UTC, from which a later summary can start."""
    answered: int
    """Total number of answers."""
    due: int
    """Number of questions that are due for repetition."""
    today: int
    """Number of questions answered today."""
    a_day: int
    """Number of answers that complete the daily set of questions."""
    streak: int
    """Number of consecutive days on which the daily set of questions was completed. The
    streak ends today, or yesterday if today's set is incomplete."""
    longest: int
    rating: float
    deviation: float
    """Standard error of the rating."""
    rated: bool
    """Whether any answer has changed the rating."""


class Given(BaseModel):
    """Answer of the user, as listed in a summary."""

    key: str
    xgid: str
    """XGID of the position; empty for a question without a board."""
    title: str
    given: str
    """Answer of the user; empty if the time ran out."""
    answer: str
    unit: str
    right: bool
    knew: bool
    hints: int
    seconds: float
    cost: float | None
    """Cost of the chosen answer, in EMG; null if the answer is a number."""
    error: float | None
    """Given number minus the correct number, in `unit`; null for a choice."""
    due: str | None
    """Time in UTC when the question is due again; null if never."""


class OfKind(BaseModel):
    """Totals of the answers of one drill in a summary."""

    title: str
    answers: int
    right: int
    cost: float | None
    """Total cost of the chosen answers, in EMG."""
    off: float | None
    """Mean absolute error of numerical answers, in `unit`, each error limited to 20."""
    unit: str


class Summary(BaseModel):
    """Summary of recent answers in the trainer."""

    standing: Standing
    since: str
    answers: int
    right: int
    knew: int
    """Number of mistyped answers that count as correct."""
    hinted: int
    """Number of answers given with the help of hints."""
    late: int
    """Number of questions whose time ran out."""
    cost: float
    """Total cost of the chosen answers, in EMG."""
    seconds: float | None
    """Median time of an answer, in seconds."""
    rating_before: float
    kinds: list[OfKind]
    given: list[Given]
    """Latest answers, up to the maximum that is listed, in chronological order."""
    slowest: int | None
    """Index, from 0, of the slowest answer in the list `given`."""


def summary_of(trainer: Trainer, since: datetime | None) -> Summary:
    """Summarise the answers since a time; by default those of today's set of questions."""
    now, store = trainer.now(), trainer.store
    today = now.astimezone(trainer.zone).date()
    begin = since or _midnight(now, trainer)
    answers = store.since(begin)
    if since is None:  # The summary of a day contains only its set of questions.
        answers = answers[:A_DAY]
    listed = answers[-LISTED:]
    due = store.cards([one.card for one in listed])
    slow = [one.seconds for one in listed]
    rating, times = trainer.rating(), store.all_times()
    days = [at.astimezone(trainer.zone).date() for at in times]
    streak, longest = streaks(days, today)
    return Summary(
        standing=Standing(
            now=now.isoformat(),
            answered=len(times),
            due=len(store.due(now)),
            today=days.count(today),
            a_day=A_DAY,
            streak=streak,
            longest=longest,
            rating=rating.value,
            deviation=rating.deviation,
            rated=store.last_rated() is not None,
        ),
        since=begin.isoformat(),
        answers=len(answers),
        right=sum(one.right for one in answers),
        knew=sum(one.knew for one in answers),
        hinted=sum(one.hints > 0 for one in answers),
        late=sum(not one.given for one in answers),
        cost=sum(one.cost or 0.0 for one in answers),
        seconds=median(one.seconds for one in answers) if answers else None,
        rating_before=trainer.rating(begin).value,
        kinds=list(_kinds(trainer.drills, answers)),
        given=[_given(trainer.drills, one, due.get(one.card)) for one in listed],
        slowest=slow.index(max(slow)) if slow else None,
    )


def streaks(days: Sequence[date], today: date) -> tuple[int, int]:
    """Return the current and the longest streak of days with a complete daily set.

    Examples
    --------
    >>> days = [date(2026, 3, 1)] * 10 + [date(2026, 3, 2)] * 12 + [date(2026, 3, 3)] * 9
    >>> streaks(days, date(2026, 3, 3)), streaks(days, date(2026, 3, 4))
    ((2, 2), (0, 2))
    """
    whole = {day for day, answers in Counter(days).items() if answers >= A_DAY}
    lengths: dict[date, int] = {}
    for day in sorted(whole):
        lengths[day] = lengths.get(day - timedelta(days=1), 0) + 1
    last = today if today in whole else today - timedelta(days=1)
    return lengths.get(last, 0), max(lengths.values(), default=0)


def _midnight(now: datetime, trainer: Trainer) -> datetime:
    here = now.astimezone(trainer.zone)
    return here.replace(hour=0, minute=0, second=0, microsecond=0)


def _kinds(drills: Drills, answers: Sequence[Answered]) -> list[OfKind]:
    found = []
    for name, drill in drills.items():
        own = [one for one in answers if one.kind == name]
        costs = [one.cost for one in own if one.cost is not None]
        errors = [abs(clipped(one.error)) for one in own if one.error is not None]
        if own:
            found.append(
                OfKind(
                    title=drill.title,
                    answers=len(own),
                    right=sum(one.right for one in own),
                    cost=sum(costs) if costs else None,
                    off=fmean(errors) if errors else None,
                    unit=drill.unit,
                )
            )
    return found


def _given(drills: Drills, one: Answered, due: str | None) -> Given:
    try:
        title, unit = drills[one.kind].title, drills[one.kind].unit
    except BearoffError:
        # The question belongs to a drill that this version of the program does not have.
        title, unit = one.kind, ""
    shown = {name: getattr(one, name) for name in Given.model_fields if hasattr(one, name)}
    return Given(**shown, xgid=drills.xgid(one.key), title=title, unit=unit, due=due)
